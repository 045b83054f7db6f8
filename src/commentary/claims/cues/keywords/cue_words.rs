//! Words of a stretch of prose, patterns over them as [`phrases::Words`] reads them, and what denies or supposes.

use phrases::Words;

use crate::commentary::claims::text::{Tok, Token};

/// The tokens as words: squares by their names, moves as "<move>", possessives as "'s".
pub fn words(tokens: &[Token]) -> Words {
    let words: Vec<String> = tokens
        .iter()
        .map(|token| match &token.tok {
            Tok::Word(word) => word.clone(),
            Tok::Possessive => "'s".to_owned(),
            Tok::Square(square) => square.to_string(),
            Tok::Move(_) => "<move>".to_owned(),
            Tok::Number { n, .. } => n.to_string(),
            Tok::Ellipsis => "…".to_owned(),
            Tok::Sign(c) => c.to_string(),
        })
        .collect();
    words.into()
}

/// What denies together with a modal that would otherwise suppose; read before the rest.
const FIRMLY: &[&str] = &[
    "would|could|can not|hardly|scarcely|never ~ call|say|describe|speak|talk",
    "would|could|can|might be wrong|false|incorrect|inaccurate|misleading|mistaken to|that",
    "would|could|can|might be a|an mistake|error|exaggeration|stretch|overstatement to|that",
    "nobody|none|nothing|who would|could|can|will|should ~ call|say|claim|describe|speak",
    "no one would|could|can|will|should ~ call|say|claim|describe|speak",
    "would|can|could not|never|hardly|scarcely ~ be ~ called|considered|described|said|termed|regarded|classed",
    "would|can|could hardly|scarcely|never ~ be",
];

/// What is said with "the", "this" or "White's" before the noun is taken for granted: no denial of the clause reaches it.
const GRANTED: &[&str] = &[
    "the|this|these|those|'s|its|his|her|their _ passed|isolated|backward|doubled|open _ pawn|pawns|file|files",
    "the|this|these|those|'s|its|his|her|their _ half|semi open _ file|files",
    "the|this|'s|its|his|their _ passer|isolani|outpost",
];

/// Having is denied whatever the article: "doesn't have the half-open c-file".
const HAVING: &[&str] = &["have|has|having|own|owns|possess*|enjoy*|boast*|get|gets|there|lack*|without"];

/// Words that look like a denial or a wish, and are not.
const NO_DENIALS: &[&str] = &[
    "not only|merely|simply",
    "not just a|an|the|one|any",
    "nothing but|other|less",
    "none other",
    "no doubt|wonder|question|less|fewer|matter|sooner",
    "without doubt|question|a doubt",
    "not to mention|forget",
    "not for nothing",
    "lack of space",
    "apart|aside from",
    "one|you|we|i can|could|may|might|would ~ call|say|describe|speak|add",
    "has|have|had to live|reckon|cope|deal|contend with",
    "must|should|will live|reckon|cope|deal|contend with",
];

/// What denies the statement that it stands in, longest first, so that none is counted twice.
const DENIALS: &[&str] = &[
    "not ~ true|right|correct|case|accurate|fair that|to",
    "wrong|mistake|mistaken|false|untrue|incorrect|inaccurate|misleading to|that",
    "hard|difficult to call|say|see|describe|speak|believe|find|argue|claim|consider|think",
    "anything but|other",
    "all but the",
    "nowhere near|close",
    "nowhere to be seen|found",
    "not a|one single",
    "not ~ at all",
    "not ~ any longer|more",
    "not ~ anymore",
    "not ~ by any means",
    "not in any way|sense",
    "by no means",
    "in|under no sense|way|circumstances|manner|respect|shape",
    "no longer|more",
    "far from being|clear",
    "from being|becoming",
    "far from",
    "a long way from",
    "free|rid|clear|clean|devoid|bereft|empty|short|bare|deprived|robbed|stripped|void of|from",
    "out of the question",
    "neither ~ nor",
    "cease|ceases|ceased|stops|stopped|ceasing to|being|having",
    "fail|fails|failed|failing to|in",
    "refuse|refuses|refused|decline|declines|declined|refusing|declining to",
    "refrain|refrains|refrained|abstain|abstains|refraining from",
    "avoid|avoids|avoided|avoiding",
    "decides|decided against",
    "forgo|forgoes|foregoes|forgoing|postpone|postpones|delays|delay",
    "has|have|is|are|had ~ yet to",
    "absence|lack|want of",
    "lack|lacks|lacked|lacking",
    "unable|unready|unprepared to",
    "does not qualify|count|amount",
    "rather than",
    "instead of",
    "passes|pass|passing up",
    "puts|put|putting off",
    "skip|skips|skipping",
    "hardly|scarcely|barely",
    "does|do|did|is|are|was|were|has|have|can|could|will|would|need|should not",
    "not|never|no|none|nobody|nothing|neither|nor|nowhere|without|missing|minus|impossible",
];

/// Words that suppose, wish or foresee, and those that tell of another time.
const SUPPOSED: &[&str] = &[
    "would|could|should|might|must",
    "may|can|will ~ become|get|turn|create|have|obtain|gain|make|find|end|leave|give",
    "if|unless|were|was|had|until|before|hope*|want*|wish*|plan|plans|planning|intend*|aim|aims|aiming|tries|try|trying|tried",
    "threaten*|prepare|prepares|preparing|dream*|soon|eventually|someday|one day|potential*",
    "used|about|going|likely|order|ready to",
    "idea|goal|purpose|point ~ to",
];

/// The words of a stretch without what denies, and whether it is denied.
#[derive(Debug)]
pub struct Polarity {
    /// What is left.
    pub words: Words,
    /// An odd number of denials.
    pub denied: bool,
    /// It is taken for granted, whatever the clause denies.
    pub granted: bool,
    /// It is supposed, wished, asked or past.
    pub supposed: bool,
}

/// Counts what denies.
pub fn polarity(words: &Words) -> Polarity {
    let mut left = words.clone();
    let firmly = left.take(FIRMLY);
    left.take(NO_DENIALS);
    let denials = firmly + left.take(DENIALS);
    let supposed = left.say(SUPPOSED);
    Polarity {
        words: left,
        denied: denials % 2 == 1,
        granted: words.say(GRANTED) && !words.say(HAVING),
        supposed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Polarity {
        polarity(&words(&crate::commentary::claims::text::token::tokens(
            text,
            0..text.len(),
        )))
    }

    #[test]
    fn denials_are_counted_once_each() {
        for text in [
            "The pawn is not isolated",
            "The pawn isn't isolated at all",
            "The pawn is no longer isolated",
            "The pawn is by no means isolated",
            "The pawn is anything but isolated",
            "It is not true that the pawn is isolated",
            "It would be wrong to call the pawn isolated",
            "Nobody would call the pawn isolated",
            "The pawn can't be called isolated",
            "The pawn is hardly isolated",
            "The pawn has yet to become isolated",
            "Not a single pawn is isolated",
            "White lacks an isolated pawn",
            "White's camp is free of isolated pawns",
        ] {
            let found = of(text);
            assert!(found.denied && !found.supposed, "{text}: {:?}", found.words);
        }
        for text in [
            "The pawn is isolated",
            "The pawn is not only isolated",
            "It is nothing but an isolated pawn",
            "No doubt the pawn is isolated",
            "There is no pawn that is not isolated",
            "Nobody can say that the pawn is not isolated",
        ] {
            assert!(!of(text).denied, "{text}");
        }
    }

    #[test]
    fn what_the_article_takes_for_granted_is_not_denied() {
        assert!(of("The isolated pawn on d5 is not weak").granted);
        assert!(of("White's passed d-pawn can't move").granted);
        assert!(of("The half-open c-file plays no role").granted);
        assert!(!of("The pawn on d5 is not isolated").granted);
        assert!(!of("White's pawn on d5 is no passed pawn").granted);
        assert!(!of("White has no passed pawn").granted);
    }

    #[test]
    fn hopes_are_no_statements() {
        for text in [
            "White hopes for a passed pawn",
            "The pawn could become isolated",
            "If the pawn is isolated",
            "The pawn was isolated",
            "White is about to get a passed pawn",
        ] {
            assert!(of(text).supposed, "{text}");
        }
    }

    #[test]
    fn squares_and_moves_are_words() {
        let says = |text: &str, patterns| {
            words(&crate::commentary::claims::text::token::tokens(text, 0..text.len())).say(patterns)
        };
        assert!(says("has not yet been developed", &["not ~ develop*"]));
        assert!(says("White's pawn on d5", &["'s pawn on|at d5"]));
        assert!(says("Nxd5 wins", &["<move> wins"]) && !says("Nxd5 wins", &["d5 wins"]));
    }
}
