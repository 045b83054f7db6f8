//! What a language model's comments are in a study: a method by name, and its prose.

use super::{
    foreign_text::is_hostile,
    study_file::{MAX_NAME, MAX_TEXT, is_name_letter},
};
use crate::commentary::Arm;

/// The model, its arm, and whether its comments went through the claim check: `gpt-4o+probes`, `qwen2.5-7b+llm+checked`.
/// Letters that names may not have become hyphens, and a long model's name is cut, so that it is a name of a study file
/// whatever a server calls its model.
#[must_use]
pub fn method_name(model: &str, arm: Arm, checked: bool) -> String {
    let ending = format!("+{arm}{}", if checked { "+checked" } else { "" });
    let letters = model
        .trim()
        .chars()
        .map(|letter| if is_name_letter(letter) { letter } else { '-' });
    let mut name: String = letters.take(MAX_NAME - ending.len()).collect();
    if name.is_empty() {
        name.push_str("model");
    }
    name + &ending
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

    #[test]
    fn a_method_says_model_arm_and_check() {
        assert_eq!(method_name("gpt-4o", Arm::Probes, false), "gpt-4o+probes");
        assert_eq!(
            method_name("org/qwen2.5:7b", Arm::Llm, true),
            "org-qwen2.5-7b+llm+checked"
        );
        assert_eq!(method_name(" ", Arm::Terms, false), "model+terms");
    }

    #[test]
    fn prose_loses_what_turns_it_round() {
        assert_eq!(comment_text(" A \u{202e}pin\u{7}.\nSo. "), "A pin.\nSo.");
        assert_eq!(comment_text(&"é".repeat(MAX_TEXT + 5)).chars().count(), MAX_TEXT);
    }

    proptest! {
        #[test]
        fn whatever_the_model_is_called_the_method_is_a_name(model in any::<String>(), checked in any::<bool>()) {
            for arm in Arm::ALL {
                let name = method_name(&model, arm, checked);
                prop_assert!(name.chars().all(is_name_letter) && name.chars().count() <= MAX_NAME, "{}", name);
                let ending = format!("+{arm}");
                prop_assert!(name.contains(&ending) && name.ends_with("+checked") == checked);
            }
        }
    }
}
