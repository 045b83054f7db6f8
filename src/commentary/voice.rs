//! Reading levels: the same facts, with the words of the game explained to those who are new to it.

use serde::{Deserialize, Serialize};

use super::Sentence;

/// For whom the narrator speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// For those who know what a fork is.
    #[default]
    Club,
    /// For those who don't: the first use of a term is explained.
    Beginner,
}

/// Terms by the forms in which the narrator uses them, with what they mean.
const TERMS: [(&[&str], &str); 24] = [
    (&["fork"], "A fork is an attack on two pieces at once."),
    (
        &["pins ", "pinning ", "pinned"],
        "A pinned piece can't move without giving up what stands behind it.",
    ),
    (
        &["skewer"],
        "A skewer attacks a piece that must move away and so gives up the one behind it.",
    ),
    (
        &["uncovers", "uncovering", "unleashes", "unleashing"],
        "A piece that steps aside opens the line of the piece behind it: a discovered attack.",
    ),
    (
        &["double check"],
        "In double check two pieces attack the king, so that only the king can move.",
    ),
    (
        &["outpost"],
        "An outpost is a protected square from which no enemy pawn can drive the piece away.",
    ),
    (
        &["luft"],
        "Luft is a square for the king to flee to, so that it can't be mated on its back rank.",
    ),
    (
        &["back rank"],
        "The back rank is the row where a side's pieces begin; a king shut in there by its own pawns is easily mated.",
    ),
    (
        &["smothered mate"],
        "In a smothered mate the king has no square because its own pieces and pawns stand on all of them.",
    ),
    (
        &["the exchange"],
        "To win the exchange is to win a rook for a bishop or a knight.",
    ),
    (
        &["passed pawn"],
        "A passed pawn has no enemy pawn before it or beside its way: only pieces can stop it.",
    ),
    (
        &["isolated pawn"],
        "An isolated pawn has no own pawn on the files beside it to protect it.",
    ),
    (
        &["backward"],
        "A backward pawn lags behind those beside it and can't be protected by them.",
    ),
    (
        &["doubles ", "doubling ", "doubled"],
        "Doubled pawns stand on one file, in each other's way.",
    ),
    (
        &["half-open"],
        "On a half-open file a side has no pawns of its own, but the enemy has.",
    ),
    (
        &["open file", "the open "],
        "An open file has no pawns on it: a road for the rooks.",
    ),
    (
        &["lines up", "lining up"],
        "Two pieces on one line strengthen each other.",
    ),
    (
        &["bishop pair"],
        "Two bishops cover squares of both colours and often do more than bishop and knight.",
    ),
    (
        &["sacrifice"],
        "A sacrifice gives material away on purpose, for something worth more.",
    ),
    (
        &["en passant"],
        "A pawn that has just gone two squares may be taken by a pawn beside it as if it had gone one.",
    ),
    (
        &["stalemate"],
        "A side that has no legal move and is not in check is stalemated: the game is drawn.",
    ),
    (
        &["opposition"],
        "Kings stand in opposition with one square between them: the one that must move gives way.",
    ),
    (
        &["pawn cover"],
        "The pawns before a castled king keep the enemy's pieces away.",
    ),
    (
        &["prepares to castle", "castles ", "castling "],
        "Castling brings the king to safety and the rook into play.",
    ),
];

/// Says sentences at a reading level, and remembers which terms are explained.
#[derive(Debug, Clone)]
pub struct Speaker {
    voice: Voice,
    explained: [bool; TERMS.len()],
}

impl Voice {
    /// One that has explained nothing yet.
    #[must_use]
    pub const fn speaker(self) -> Speaker {
        Speaker {
            voice: self,
            explained: [false; TERMS.len()],
        }
    }

    /// The sentences of one comment as they are said at this level: one text for each.
    #[must_use]
    pub fn say(self, sentences: &[Sentence]) -> Vec<String> {
        self.speaker().say(sentences)
    }
}

impl Speaker {
    /// The sentences of the next comment: one text for each.
    #[must_use]
    pub fn say(&mut self, sentences: &[Sentence]) -> Vec<String> {
        sentences.iter().map(|sentence| self.sentence(&sentence.text)).collect()
    }

    fn sentence(&mut self, text: &str) -> String {
        if self.voice == Voice::Club {
            return text.to_owned();
        }
        // One explanation a sentence is enough.
        let fresh = TERMS
            .iter()
            .zip(&mut self.explained)
            .find(|((forms, _), explained)| !**explained && forms.iter().any(|form| text.contains(form)));
        match fresh {
            Some(((_, meaning), explained)) => {
                *explained = true;
                format!("{text} ({meaning})")
            }
            None => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_explained_once_and_facts_stay() {
        let sentence = |text: &str| Sentence {
            text: text.to_owned(),
            facts: Vec::new(),
        };
        let prose = [
            sentence("Nc7+ is the best move: it forks the king on e8 and the rook on a8."),
            sentence("After Kd8, Nxa8 ends the fork."),
            sentence("White is winning."),
        ];
        let club = Voice::Club.say(&prose);
        let beginner = Voice::Beginner.say(&prose);
        assert_eq!(club, prose.each_ref().map(|sentence| sentence.text.clone()));
        assert_eq!(
            beginner[0],
            format!("{} (A fork is an attack on two pieces at once.)", club[0])
        );
        assert_eq!(beginner[1..], club[1..]);
        for (said, plain) in beginner.iter().zip(&club) {
            assert!(said.starts_with(plain.as_str()));
        }
        let mut speaker = Voice::Beginner.speaker();
        assert_eq!(speaker.say(&prose), beginner);
        assert_eq!(speaker.say(&prose), club, "in the next comment it is known");
    }
}
