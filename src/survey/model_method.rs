//! What a language model's comments are in a study: a method by name, and its prose.

use std::collections::BTreeMap;

use super::{
    foreign_text::is_hostile,
    study_file::{MAX_NAME, MAX_TEXT, is_name_letter},
};
use crate::{
    commentary::{Arm, Context, PromptOptions, revision::Tally},
    concepts::{Choice, Rule},
};

/// How a comment was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// What the model was told.
    pub arm: Arm,
    /// How the board was given; examples and chain of thought.
    pub options: PromptOptions,
    /// Who named the concepts.
    pub concepts: Choice,
    /// By which rule they were put in order. `ccc` follows the authors' code, whichever is chosen.
    pub rule: Rule,
    /// Whether the comment went through the claim check.
    pub checked: bool,
}

impl Asked {
    /// What is said of it after the model's name: the arm, and where it was asked otherwise than the arm usually is, how:
    /// `ccc`, `llm+examples`, `full+sf8+paper-rule+checked`.
    #[must_use]
    pub fn words(&self) -> String {
        let usual = PromptOptions::of(self.arm);
        let mut words = self.arm.to_string();
        let mut add = |word: &str, is: bool| {
            if is {
                words.push('+');
                words.push_str(word);
            }
        };
        let (guidance, usually) = (self.options.guidance, usual.guidance);
        add("examples", guidance.examples && !usually.examples);
        add("no-examples", !guidance.examples && usually.examples);
        add("reasoning", guidance.reasoning && !usually.reasoning);
        add("no-reasoning", !guidance.reasoning && usually.reasoning);
        add("pgn", self.options.context == Context::Pgn);
        add("sf8", self.arm.tells_concepts() && self.concepts == Choice::Stockfish8);
        let ordered = self.arm.tells_concepts() && self.arm != Arm::Ccc && self.rule != Rule::default();
        add(&format!("{}-rule", self.rule), ordered);
        add("checked", self.checked);
        words
    }
}

/// The model and how it was asked: `gpt-4o+full`, `qwen2.5-7b+llm+checked`. Letters that names may not have become hyphens,
/// and a long model's name is cut, so that it is a name of a study file whatever a server calls its model.
#[must_use]
pub fn method_name(model: &str, asked: &Asked) -> String {
    let ending = format!("+{}", asked.words());
    let letters = model
        .trim()
        .chars()
        .map(|letter| if is_name_letter(letter) { letter } else { '-' });
    let mut name: String = letters.take(MAX_NAME.saturating_sub(ending.len())).collect();
    if name.is_empty() {
        name.push_str("model");
    }
    name + &ending
}

/// What the claim check says of a comment, as metrics to hold against the raters' means. Counts are far below 2^52.
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn claim_scores(tally: Tally) -> BTreeMap<String, f64> {
    [
        ("claims_supported", tally.supported),
        ("claims_contradicted", tally.contradicted),
    ]
    .map(|(name, count)| (name.to_owned(), count as f64))
    .into()
}

/// The model's prose as a study file may hold it: without letters that could show raters something else than it says, and
/// not longer than any text.
#[must_use]
pub fn comment_text(prose: &str) -> String {
    let letters = prose.trim().chars().filter(|letter| !is_hostile(*letter));
    letters.take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::commentary::Guidance;

    fn asked(arm: Arm) -> Asked {
        Asked {
            arm,
            options: PromptOptions::of(arm),
            concepts: Choice::Probes,
            rule: Rule::default(),
            checked: false,
        }
    }

    #[test]
    fn a_method_says_model_arm_and_what_is_unusual() {
        assert_eq!(method_name("gpt-4o", &asked(Arm::Full)), "gpt-4o+full");
        let checked = Asked {
            checked: true,
            ..asked(Arm::Llm)
        };
        assert_eq!(method_name("org/qwen2.5:7b", &checked), "org-qwen2.5-7b+llm+checked");
        let mut other = Asked {
            concepts: Choice::Stockfish8,
            ..asked(Arm::Ccc)
        };
        assert_eq!(method_name(" ", &other), "model+ccc+sf8");
        other.options.guidance.examples = false;
        other.options.context = Context::Pgn;
        assert_eq!(other.words(), "ccc+no-examples+pgn+sf8");
        let mut bare = Asked {
            concepts: Choice::Stockfish8,
            ..asked(Arm::Engine)
        };
        bare.options.guidance.reasoning = true;
        assert_eq!(bare.words(), "engine+reasoning", "no concepts, no source of them");
    }

    #[test]
    fn a_rule_is_named_where_the_arm_has_another() {
        let by = |arm, rule| Asked { rule, ..asked(arm) }.words();
        assert_eq!(by(Arm::Full, Rule::Paper), "full+paper-rule");
        assert_eq!(by(Arm::Full, Rule::Authors), "full+authors-rule");
        assert_eq!(by(Arm::Full, Rule::Ours), "full");
        for rule in Rule::ALL {
            assert_eq!(by(Arm::Ccc, rule), "ccc", "it has the rule of the authors' code");
            assert_eq!(by(Arm::Engine, rule), "engine", "no concepts, no order of them");
        }
    }

    #[test]
    fn prose_loses_what_turns_it_round() {
        assert_eq!(comment_text(" A \u{202e}pin\u{7}.\nSo. "), "A pin.\nSo.");
        assert_eq!(comment_text(&"é".repeat(MAX_TEXT + 5)).chars().count(), MAX_TEXT);
    }

    proptest! {
        #[test]
        fn whatever_the_model_is_called_the_method_is_a_name(
            model in any::<String>(), checked in any::<bool>(), examples in any::<bool>(), reasoning in any::<bool>(), pgn in any::<bool>(),
        ) {
            let context = if pgn { Context::Pgn } else { Context::Fen };
            for arm in Arm::ALL {
                let guidance = Guidance { examples, reasoning };
                let options = PromptOptions { context, guidance };
                let asked = Asked { arm, options, concepts: Choice::Stockfish8, rule: Rule::Authors, checked };
                let name = method_name(&model, &asked);
                prop_assert!(name.chars().all(is_name_letter) && name.chars().count() <= MAX_NAME, "{}", name);
                let ending = format!("+{arm}");
                prop_assert!(name.contains(&ending) && name.ends_with("+checked") == checked);
            }
        }
    }
}
