//! A move with its comments, and what a judge is told of it: everything a judgement needs, computed once, so that a run can
//! go on elsewhere without board or engine.

use serde::{Deserialize, Serialize};

use super::rubric::features::{Feature, features};
use crate::{
    chess::fen::write_fen,
    commentary::{
        FactSheet,
        claims::{Claim, ClaimKind, ClaimVerdict, check, sentences},
        kept_declaration::KeptDeclaration,
        prompt::{evaluation_line, numbered},
        revision::Tally,
    },
    pace::{AtOnce, Pace, at_once},
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
    /// Claims that the rubric's hard rule speaks of and neither board nor engine decides: without support, and not disproved.
    /// They disqualify nothing, and are counted apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<UndecidedClaim>,
    /// Declared claims of which the hard rule speaks, which the features don't support and which neither board nor engine bears
    /// out. They disqualify.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<UnsupportedClaim>,
    /// What a model declared of it; the claims are those, unless the answer can't be read. `None` where our own reader found them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declaration: Option<KeptDeclaration>,
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

/// A declared claim of which the hard rule speaks and which the features don't support.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsupportedClaim {
    /// The words.
    pub text: String,
    /// What it is about, such as `fork`.
    pub kind: String,
    /// The features that say that there is none, such as `forced tactic: none`.
    pub features: String,
}

/// A claim of which the hard rule speaks and which nothing decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndecidedClaim {
    /// The words.
    pub text: String,
    /// What it is about, such as `threat`; [`FORCED`] for a sentence that calls something forced.
    pub kind: String,
}

/// The word for a sentence that calls something forced. The claim check has no such kind: whether a line is forced is not
/// decided, whatever else the sentence says.
pub const FORCED: &str = "forced";

impl JudgedComment {
    /// A method's comment, checked against the sheet by our own reader.
    #[must_use]
    pub fn new(sheet: &FactSheet, method: &str, text: &str) -> Self {
        let checked = check(sheet, text);
        let open = checked
            .claims
            .iter()
            .filter(|claim| {
                matches!(claim.verdict, ClaimVerdict::Doubtful | ClaimVerdict::NotJudged) && disqualifies(claim.kind)
            })
            .map(|claim| UndecidedClaim {
                text: claim.text.clone(),
                kind: claim.kind.word().to_owned(),
            });
        let forced = sentences::sentences(text)
            .into_iter()
            .filter_map(|range| text.get(range))
            .filter(|sentence| says_forced(sentence))
            .map(|sentence| UndecidedClaim {
                text: sentence.to_owned(),
                kind: FORCED.to_owned(),
            });
        Self {
            method: method.to_owned(),
            text: text.to_owned(),
            tally: Tally::of(&checked),
            wrong: checked.contradicted().map(WrongClaim::from).collect(),
            undecided: open.chain(forced).collect(),
            unsupported: Vec::new(),
            declaration: None,
        }
    }

    /// Whether the hard rule applies to it: a check, mate, capture, promotion, trade, win of a hanging piece, tactic or
    /// threat that the board or the engine contradicts, or that was declared and has no support in the features.
    #[must_use]
    pub fn is_disqualified(&self) -> bool {
        self.wrong.iter().any(|claim| claim.disqualifies) || !self.unsupported.is_empty()
    }
}

/// Whether a sentence calls something forced.
fn says_forced(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words
        .iter()
        .any(|word| matches!(*word, "forced" | "forces" | "forcing" | "forcibly" | "forcefully"))
        || words.windows(2).any(|two| two == ["by", "force"])
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

/// Whether the rubric's hard rule names claims of this kind. Its "forced tactic" is a tactic here (fork, pin, skewer,
/// discovered attack); that it is *forced* is no claim that is checked, see [`FORCED`].
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
            engine: engine_words(sheet),
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

/// The engine of a sheet and its limit, as [`JudgedItem::engine`] has them.
#[must_use]
pub fn engine_words(sheet: &FactSheet) -> Option<String> {
    let evaluation = sheet.evaluation()?;
    Some(format!("{}, {}", evaluation.engine, evaluation.limit.words()))
}

/// The items of a file that `lab judge prepare` wrote; `None` where it is another file, or has none.
#[must_use]
pub fn read_items(text: &str) -> Option<Vec<JudgedItem>> {
    at_once(read_items_at(text, &AtOnce))
}

/// The same at a pace.
pub async fn read_items_at(text: &str, pace: &impl Pace) -> Option<Vec<JudgedItem>> {
    let mut items = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        items.push(serde_json::from_str(line).ok()?);
        pace.turn().await;
    }
    (!items.is_empty()).then_some(items)
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
                    comment("theirs", "Black is a rook ahead."),
                ],
            },
            &sheet,
        );
        judged.engine_line = Some("actual move - Bd2+ 232cp".to_owned());
        judged
    }

    #[test]
    fn what_the_hard_rule_names_and_nothing_decides_is_kept_apart() {
        let read = read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        let mv = read_move(&read.position, read.mode, "e4").unwrap();
        let played = Played::new(read.position, mv, read.mode, Vec::new()).unwrap();
        let sheet = FactSheet::new(&played, None, None);
        let kinds = |text: &str| {
            let comment = JudgedComment::new(&sheet, "m", text);
            let kinds: Vec<String> = comment.undecided.iter().map(|claim| claim.kind.clone()).collect();
            (comment.is_disqualified(), kinds)
        };
        // Whether it is forced is nothing that the claim check decides.
        assert_eq!(
            kinds("White is a rook ahead by force."),
            (true, vec![FORCED.to_owned()])
        );
        // What our own reader may have misread decides nothing.
        assert_eq!(kinds("The bishop on f1 is pinned."), (false, vec!["pin".to_owned()]));
        assert_eq!(kinds("It takes a share of the centre."), (false, Vec::new()));
        assert_eq!(kinds("White is a rook ahead."), (true, Vec::new()));
        assert_eq!(kinds("The reply is forced.").1, [FORCED]);
        assert_eq!(kinds("A reinforced workforce.").1, Vec::<String>::new());
        // A run that was written before says nothing of it.
        let old = r#"{"method":"m","text":"x","tally":{"supported":0,"contradicted":0,"uncheckable":1},"wrong":[]}"#;
        assert_eq!(serde_json::from_str::<JudgedComment>(old).unwrap().undecided, []);
    }

    #[test]
    fn the_claim_check_finds_what_disqualifies() {
        let item = item();
        assert_eq!(item.numbered, "30... Bd2+");
        assert!(!item.comments[0].is_disqualified(), "{:?}", item.comments[0]);
        assert!(item.comments[1].is_disqualified(), "{:?}", item.comments[1]);
        let text = serde_json::to_string(&item).unwrap();
        assert_eq!(serde_json::from_str::<JudgedItem>(&text).unwrap(), item);
        assert_eq!(
            read_items(&format!("{text}\n\n{text}\n")).map(|items| items.len()),
            Some(2)
        );
        assert_eq!(read_items(&format!("{text}\n{{}}\n")), None);
        assert_eq!(read_items("\n"), None);
    }
}
