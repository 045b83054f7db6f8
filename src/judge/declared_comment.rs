//! A comment by the claims that a model declared of it: no prose is read.

use super::{
    item::{JudgedComment, JudgedItem, UndecidedClaim, UnsupportedClaim, WrongClaim, disqualifies},
    rubric::{
        features::Feature,
        support::{Support, support},
    },
};
use crate::commentary::{
    Claim, ClaimVerdict, FactSheet, claims::declared::check_declared_alone, kept_declaration::KeptDeclaration,
    revision::Tally,
};

impl JudgedComment {
    /// A method's comment by what was declared of it, looked up in `features`; by our own reader where the answer can't be read.
    #[must_use]
    pub fn declared(
        sheet: &FactSheet,
        features: &[Feature],
        method: &str,
        text: &str,
        declaration: KeptDeclaration,
    ) -> Self {
        let Some(claims) = declaration.claims(text) else {
            return Self {
                declaration: Some(declaration),
                ..Self::new(sheet, method, text)
            };
        };
        let checked = check_declared_alone(sheet, text, &claims);
        let (mut undecided, mut unsupported) = (Vec::new(), Vec::new());
        let open = |claim: &&Claim| claim.verdict == ClaimVerdict::NotJudged && disqualifies(claim.kind);
        for claim in checked.claims.iter().filter(open) {
            let (text, kind) = (claim.text.clone(), claim.kind.word().to_owned());
            match looked_up(claim, features) {
                Support::Given => {}
                Support::Missing(features) => unsupported.push(UnsupportedClaim { text, kind, features }),
                Support::Open => undecided.push(UndecidedClaim { text, kind }),
            }
        }
        Self {
            method: method.to_owned(),
            text: text.to_owned(),
            tally: Tally::of(&checked),
            wrong: checked.contradicted().map(WrongClaim::from).collect(),
            undecided,
            unsupported,
            declaration: Some(declaration),
        }
    }
}

/// A declared claim is one statement.
fn looked_up(claim: &Claim, features: &[Feature]) -> Support {
    let statement = claim.statements.first();
    statement.map_or(Support::Open, |statement| support(statement, features))
}

impl JudgedItem {
    /// Comments whose claims nobody was asked to declare, by their methods. One without a letter claims nothing.
    pub fn undeclared(&self) -> impl Iterator<Item = &JudgedComment> {
        let is_text = |comment: &&JudgedComment| comment.text.chars().any(char::is_alphabetic);
        self.comments
            .iter()
            .filter(|comment| comment.declaration.is_none())
            .filter(is_text)
    }

    /// Puts a comment that was judged by its declared claims in its place. False where the item has no such comment.
    pub fn put_declared(&mut self, comment: JudgedComment) -> bool {
        let is_meant = |own: &&mut JudgedComment| own.method == comment.method && own.text == comment.text;
        match self.comments.iter_mut().find(is_meant) {
            Some(own) => {
                *own = comment;
                true
            }
            None => false,
        }
    }

    /// Whether two are the same but for what was declared of the comments of one.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let same = |(one, other): (&JudgedComment, &JudgedComment)| {
            let differs = one.declaration.is_some() != other.declaration.is_some();
            one == other || differs && one.method == other.method && one.text == other.text
        };
        let bare = |item: &Self| Self {
            comments: Vec::new(),
            ..item.clone()
        };
        self.comments.len() == other.comments.len()
            && self.comments.iter().zip(&other.comments).all(same)
            && bare(self) == bare(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Played, read_fen, read_move},
        commentary::kept_declaration::tests::kept,
        judge::rubric::features::features,
    };

    fn sheet(fen: &str, mv: &str) -> FactSheet {
        let read = read_fen(fen).unwrap();
        let mv = read_move(&read.position, read.mode, mv).unwrap();
        let played = Played::new(read.position, mv, read.mode, Vec::new()).unwrap();
        FactSheet::new(&played, None, None)
    }

    fn by(sheet: &FactSheet, text: &str, answer: &str) -> JudgedComment {
        JudgedComment::declared(sheet, &features(sheet), "m", text, kept(answer))
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_declared_claim_that_is_wrong_disqualifies_whatever_the_words_are() {
        let sheet = sheet(START, "e4");
        let text = "A royal greeting, and space besides.";
        let claim = r#"[{"words": "A royal greeting", "predicate": "gives_check"}]"#;
        let comment = by(&sheet, text, claim);
        assert!(comment.is_disqualified());
        assert_eq!(comment.wrong.len(), 1);
        assert_eq!(
            (comment.wrong[0].kind.as_str(), comment.tally.contradicted),
            ("check", 1)
        );
        assert!(!JudgedComment::new(&sheet, "m", text).is_disqualified());
        // Denied, it is right.
        let denied = claim.replace("\"gives_check\"", "\"gives_check\", \"denied\": true");
        let comment = by(&sheet, text, &denied);
        assert!(!comment.is_disqualified() && comment.tally.supported == 1);
    }

    #[test]
    fn prose_is_not_read_where_claims_are_declared() {
        let sheet = sheet(START, "e4");
        let text = "White is a rook ahead by force.";
        assert!(JudgedComment::new(&sheet, "m", text).is_disqualified());
        let comment = by(&sheet, text, r#"{"claims": []}"#);
        assert!(!comment.is_disqualified() && comment.undecided.is_empty());
        assert_eq!(
            comment.tally,
            Tally {
                not_judged: 1,
                ..Tally::default()
            }
        );
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_kept_and_the_words_are_read() {
        let sheet = sheet(START, "e4");
        let text = "White is a rook ahead.";
        let comment = by(&sheet, text, "I'd rather not.");
        let own = JudgedComment::new(&sheet, "m", text);
        assert_eq!(comment.declaration, Some(kept("I'd rather not.")));
        assert_eq!((comment.tally, &comment.wrong), (own.tally, &own.wrong));
    }

    #[test]
    fn what_nothing_decides_and_the_features_lack_disqualifies() {
        let sheet = sheet(START, "e4");
        let text = "It mates by force, or wins the house.";
        let mate = r#"[{"words": "It mates by force", "predicate": "forced_mate", "side": "white"}]"#;
        // Without an engine nobody knows of a forced mate: the feature is NA.
        let comment = by(&sheet, text, mate);
        assert_eq!(comment.undecided.len(), 1, "{comment:?}");
        assert!(!comment.is_disqualified());
        // With one that has looked and found none, the claim has no support.
        let mut known = features(&sheet);
        for feature in &mut known {
            if feature.name == "forced mate" {
                feature.value = "none".to_owned();
            }
        }
        let comment = JudgedComment::declared(&sheet, &known, "m", text, kept(mate));
        assert!(comment.is_disqualified() && comment.wrong.is_empty() && comment.undecided.is_empty());
        assert_eq!(comment.unsupported[0].features, "checkmate: no; forced mate: none");
        // It comes back from a file, and one that was written before has none.
        let text = serde_json::to_string(&comment).unwrap();
        assert_eq!(serde_json::from_str::<JudgedComment>(&text).unwrap(), comment);
    }

    #[test]
    fn items_are_the_same_but_for_declarations() {
        let sheet = sheet(START, "e4");
        let mut item = crate::judge::item::tests::item();
        item.comments = vec![
            JudgedComment::new(&sheet, "a", "Good."),
            JudgedComment::new(&sheet, "b", "Bad."),
        ];
        let plain = item.clone();
        assert_eq!(item.undeclared().count(), 2);
        assert!(item.put_declared(by_method(&sheet, "a", "Good.")));
        assert!(!item.put_declared(by_method(&sheet, "c", "Good.")));
        assert_eq!(
            item.undeclared()
                .map(|comment| comment.method.as_str())
                .collect::<Vec<_>>(),
            ["b"]
        );
        assert!(item.is_same(&plain) && plain.is_same(&item) && item.is_same(&item));
        let mut other = plain;
        other.comments[1].text = "Worse.".to_owned();
        assert!(!item.is_same(&other));
    }

    fn by_method(sheet: &FactSheet, method: &str, text: &str) -> JudgedComment {
        JudgedComment::declared(sheet, &features(sheet), method, text, kept("[]"))
    }
}
