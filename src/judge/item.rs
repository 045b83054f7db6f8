//! A move with its comments, and what a judge is told of it: everything a judgement needs, computed once, so that a run can
//! go on elsewhere without board or engine.

use serde::{Deserialize, Serialize};

use super::rubric::features::{Feature, features};
use crate::{
    chess::fen::write_fen,
    commentary::{
        FactSheet,
        claims::{Claim, ClaimKind, check},
        prompt::{evaluation_line, numbered},
        revision::Tally,
    },
    survey::study::Item,
};

/// A move with its comments, as judges see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedItem {
    /// Its name.
    pub id: String,
    /// The position before the move.
    pub fen: String,
    /// The move in SAN.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move with its number: `27. Nc7+`, `27... Kd7`.
    pub numbered: String,
    /// What a person wrote about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The engine and its limit, such as `Stockfish 17, 1300000 nodes`; `None` where no engine was asked.
    pub engine: Option<String>,
    /// The paper's evaluation sentence, the mover's view; `None` where no engine was asked.
    pub engine_line: Option<String>,
    /// What the move does and does not do.
    pub features: Vec<Feature>,
    /// One for each method.
    pub comments: Vec<JudgedComment>,
}

/// A comment, and what the claim check says of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedComment {
    /// The method that wrote it.
    pub method: String,
    /// The comment.
    pub text: String,
    /// Its claims by their verdicts.
    pub tally: Tally,
    /// Its claims that are wrong.
    pub wrong: Vec<WrongClaim>,
}

/// A claim that the board or the engine's lines contradict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongClaim {
    /// The words.
    pub text: String,
    /// What it is about, such as `check`.
    pub kind: String,
    /// Why it is wrong.
    pub reason: String,
    /// Whether the rubric's hard rule speaks of it.
    pub disqualifies: bool,
}

impl JudgedComment {
    /// A method's comment, checked against the sheet.
    #[must_use]
    pub fn new(sheet: &FactSheet, method: &str, text: &str) -> Self {
        let checked = check(sheet, text);
        Self {
            method: method.to_owned(),
            text: text.to_owned(),
            tally: Tally::of(&checked),
            wrong: checked.contradicted().map(WrongClaim::from).collect(),
        }
    }

    /// Whether the hard rule applies to it: a check, mate, capture, promotion, trade, win of a hanging piece, tactic or
    /// threat that the board or the engine contradicts.
    #[must_use]
    pub fn is_disqualified(&self) -> bool {
        self.wrong.iter().any(|claim| claim.disqualifies)
    }
}

impl From<&Claim> for WrongClaim {
    fn from(claim: &Claim) -> Self {
        Self {
            text: claim.text.clone(),
            kind: claim.kind.word().to_owned(),
            reason: claim.reason.clone(),
            disqualifies: disqualifies(claim.kind),
        }
    }
}

/// Whether the rubric's hard rule names claims of this kind.
#[must_use]
pub const fn disqualifies(kind: ClaimKind) -> bool {
    matches!(
        kind,
        ClaimKind::Check
            | ClaimKind::Mate
            | ClaimKind::Stalemate
            | ClaimKind::Capture
            | ClaimKind::Promotion
            | ClaimKind::Trade
            | ClaimKind::Hanging
            | ClaimKind::Trapped
            | ClaimKind::Material
            | ClaimKind::Fork
            | ClaimKind::Pin
            | ClaimKind::Skewer
            | ClaimKind::Discovered
            | ClaimKind::Threat
    )
}

impl JudgedItem {
    /// Puts together what judges see of an item. `sheet` is of the item's move.
    #[must_use]
    pub fn new(item: &Item, sheet: &FactSheet) -> Self {
        let played = sheet.played();
        Self {
            id: item.id.clone(),
            fen: write_fen(&played.before, played.mode),
            mv: played.san(),
            numbered: numbered(played),
            reference: item.reference.clone().filter(|text| !text.trim().is_empty()),
            engine: sheet
                .evaluation()
                .map(|evaluation| format!("{}, {}", evaluation.engine, evaluation.limit.words())),
            engine_line: sheet.evaluation().map(|evaluation| evaluation_line(sheet, evaluation)),
            features: features(sheet),
            comments: item
                .comments
                .iter()
                .map(|comment| JudgedComment::new(sheet, &comment.method, &comment.text))
                .collect(),
        }
    }

    /// The comment of a method.
    #[must_use]
    pub fn comment(&self, method: &str) -> Option<&JudgedComment> {
        self.comments.iter().find(|comment| comment.method == method)
    }
}

/// A text on one line: a comment cannot add lines of its own to a prompt.
#[must_use]
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{
        chess::{Played, read_fen, read_move},
        survey::study::MethodComment,
    };

    /// An item whose first comment is right and whose second claims a check where there is none.
    pub fn item() -> JudgedItem {
        let read = read_fen("8/3nk3/1p4pp/1N1P1p2/1bP2KP1/3P1P2/7P/8 b - - 0 30").unwrap();
        let mv = read_move(&read.position, read.mode, "Bd2+").unwrap();
        let played = Played::new(read.position, mv, read.mode, Vec::new()).unwrap();
        let sheet = FactSheet::new(&played, None, None);
        let comment = |method: &str, text: &str| MethodComment {
            method: method.to_owned(),
            text: text.to_owned(),
            scores: BTreeMap::new(),
            marks: Vec::new(),
            decoys: Vec::new(),
        };
        let mut judged = JudgedItem::new(
            &Item {
                id: "bd2".to_owned(),
                fen: String::new(),
                mv: String::new(),
                reference: Some("The king has to move.".to_owned()),
                comments: vec![
                    comment("ours", "The bishop gives check from d2."),
                    comment("theirs", "It captures the rook on d2."),
                ],
            },
            &sheet,
        );
        judged.engine_line = Some("actual move - Bd2+ 232cp".to_owned());
        judged
    }

    #[test]
    fn the_claim_check_finds_what_disqualifies() {
        let item = item();
        assert_eq!(item.numbered, "30... Bd2+");
        assert!(!item.comments[0].is_disqualified(), "{:?}", item.comments[0]);
        assert!(item.comments[1].is_disqualified(), "{:?}", item.comments[1]);
        let text = serde_json::to_string(&item).unwrap();
        assert_eq!(serde_json::from_str::<JudgedItem>(&text).unwrap(), item);
    }
}
