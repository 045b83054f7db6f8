//! A declared claim looked up in the feature context, by its predicate: the hard rule asks whether the context supports it.
//!
//! The context is about the move and the position after it, so that a claim of other positions, one that is denied, and one that
//! is only supposed, asked or wished are not looked up. Whether the claim is *true* is not asked here.

use shakmaty::Color;

use super::features::Feature;
use crate::{
    chess::names::color_name,
    commentary::claims::statement::{Designation, Mode, Point, Predicate, Statement},
};

/// What the feature context has of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Support {
    /// It is there.
    Given,
    /// The context says that it is not: the lines that do, such as `check: no`.
    Missing(String),
    /// The context does not speak of it, or not closely enough.
    Open,
}

/// Looks a claim up.
#[must_use]
pub fn support(statement: &Statement, features: &[Feature]) -> Support {
    let context = Context(features);
    let of_the_move = statement.line.from == Point::After && statement.line.moves.is_empty();
    let Some(mover) = context.mover().filter(|_| of_the_move) else {
        return Support::Open;
    };
    if statement.denied || statement.mode != Mode::Asserted {
        return Support::Open;
    }
    let by = |side: Color| statement.of_side().is_none_or(|own| own == side);
    let victim = statement.object().and_then(|object| object.color);
    let hits = |side: Color| victim.is_none_or(|own| own == side);
    match statement.predicate {
        // With squares or a number it says what checks there are, not that the move gives one.
        Predicate::GivesCheck if by(mover) && statement.squares.is_empty() && statement.number.is_none() => {
            context.event("check", statement.subject.is_none_or(|subject| subject.is_side()))
        }
        Predicate::InCheck if by(mover.other()) => context.event("check", true),
        Predicate::Checkmate => context.event("checkmate", !statement.only),
        Predicate::Stalemate => context.event("stalemate", true),
        Predicate::ForcedMate if by(mover) => context.none_of(&["checkmate", "forced mate"]),
        // Several men are a line's: one move takes one.
        Predicate::Takes | Predicate::Recaptures
            if by(mover) && hits(mover.other()) && statement.objects.len() < 2 && statement.number.is_none() =>
        {
            context.capture(statement)
        }
        Predicate::Trades => context.none_of(&["trade", "trade offered"]),
        Predicate::Promotes if by(mover) => context.promotion(statement),
        Predicate::Hanging => context.hanging(statement.subject),
        Predicate::Forks | Predicate::Pins | Predicate::Skewers | Predicate::Uncovers
            if by(mover) && hits(mover.other()) =>
        {
            context.none_of(&["forced tactic"])
        }
        Predicate::Trapped if by(mover.other()) => context.none_of(&["forced tactic"]),
        Predicate::ThreatensMate | Predicate::ThreatensToTake if by(mover) && hits(mover.other()) => {
            context.none_of(&["threat"])
        }
        Predicate::Wins if by(mover) && hits(mover.other()) => {
            let hanging = hanging_of(mover.other());
            context.none_of(&["capture", &hanging, "threat", "forced tactic", "forced mate"])
        }
        _ => Support::Open,
    }
}

/// What a line of the context says.
enum Said<'a> {
    /// "no", "none".
    No,
    /// "yes", with what stands beside it; or the thing itself.
    Yes(&'a str),
    /// Nobody looked.
    Unknown,
}

struct Context<'a>(&'a [Feature]);

impl<'a> Context<'a> {
    fn mover(&self) -> Option<Color> {
        let side = &self.0.iter().find(|feature| feature.name == "side that moves")?.value;
        Color::ALL.into_iter().find(|color| color_name(*color) == side)
    }

    fn said(&self, name: &str) -> Said<'a> {
        match self.0.iter().find(|feature| feature.name == name) {
            None => Said::Unknown,
            Some(feature) => match feature.value.as_str() {
                "no" | "none" => Said::No,
                value if value.split(' ').next() == Some("NA") => Said::Unknown,
                value => Said::Yes(value),
            },
        }
    }

    /// Something that the move does or does not do; `alone` where the claim says nothing beside it.
    fn event(&self, name: &str, alone: bool) -> Support {
        match self.said(name) {
            Said::No => self.missing(&[name]),
            Said::Yes(_) if alone => Support::Given,
            Said::Yes(_) | Said::Unknown => Support::Open,
        }
    }

    /// Missing where every one of these lines says so. Where one has something, it may be something else.
    fn none_of(&self, names: &[&str]) -> Support {
        match names.iter().all(|name| matches!(self.said(name), Said::No)) {
            true => self.missing(names),
            false => Support::Open,
        }
    }

    /// `capture: yes (pawn on e5)`.
    fn capture(&self, statement: &Statement) -> Support {
        let Said::Yes(value) = self.said("capture") else {
            return self.event("capture", true);
        };
        let taken = within(value).and_then(|taken| taken.parse::<Designation>().ok());
        let Some(taken) = taken else { return Support::Open };
        let object = statement.object().unwrap_or_default();
        let there = |square| statement.squares.is_empty() || statement.squares.contains(&square);
        if is_same(&object, &taken) && taken.square.is_none_or(there) {
            Support::Given
        } else {
            self.missing(&["capture"])
        }
    }

    /// `promotion: yes (queen)`.
    fn promotion(&self, statement: &Statement) -> Support {
        let Said::Yes(value) = self.said("promotion") else {
            return self.event("promotion", true);
        };
        let into = within(value).and_then(|into| into.parse::<Designation>().ok());
        match (statement.object(), into) {
            (None, _) => Support::Given,
            (Some(object), Some(into)) if object.role.is_none() || object.role == into.role => Support::Given,
            (Some(_), Some(_)) => self.missing(&["promotion"]),
            (Some(_), None) => Support::Open,
        }
    }

    /// `White's hanging pieces: queen on h5 (worth 9 to the opponent) and …`.
    fn hanging(&self, subject: Option<Designation>) -> Support {
        let subject = subject.unwrap_or_default();
        let sides = Color::ALL
            .into_iter()
            .filter(|color| subject.color.is_none_or(|own| own == *color));
        let mut names = Vec::new();
        for side in sides {
            let name = hanging_of(side);
            match self.said(&name) {
                Said::Unknown => return Support::Open,
                Said::Yes(value) if men(value).iter().any(|man| is_same(&subject, man)) => return Support::Given,
                Said::Yes(_) | Said::No => names.push(name),
            }
        }
        self.missing(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn missing(&self, names: &[&str]) -> Support {
        let lines: Vec<String> = self
            .0
            .iter()
            .filter(|feature| names.contains(&feature.name.as_str()))
            .map(|feature| format!("{}: {}", feature.name, feature.value))
            .collect();
        Support::Missing(lines.join("; "))
    }
}

fn hanging_of(side: Color) -> String {
    format!("{}'s hanging pieces", color_name(side))
}

/// What stands in the brackets of `yes (pawn on e5)`.
fn within(value: &str) -> Option<&str> {
    value.split_once('(')?.1.strip_suffix(')')
}

/// The men of a list, each with what it is worth in brackets behind it.
fn men(value: &str) -> Vec<Designation> {
    value
        .split(')')
        .filter_map(|part| part.split('(').next())
        .map(|part| part.trim_start_matches([',', ' ']).trim_start_matches("and ").trim())
        .filter_map(|man| man.parse().ok())
        .collect()
}

/// Whether what is `said` may be this man of the context, of which piece and square are known.
fn is_same(said: &Designation, man: &Designation) -> bool {
    use shakmaty::Role;

    let is = |fits: fn(Role) -> bool| man.role.is_none_or(fits);
    said.role.is_none_or(|role| man.role.is_none_or(|own| own == role))
        && (!said.piece || is(|role| role != Role::Pawn))
        && (!said.minor || is(|role| matches!(role, Role::Knight | Role::Bishop)))
        && man.square.is_none_or(|square| {
            said.square.is_none_or(|own| own == square)
                && said.file.is_none_or(|file| file == square.file())
                && said.shade.is_none_or(|shade| shade.squares().contains(square))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::statement::WrittenStatement;

    fn feature(name: &str, value: &str) -> Feature {
        Feature {
            name: name.to_owned(),
            value: value.to_owned(),
        }
    }

    /// A move of White's that does nothing of what the rule names.
    fn quiet() -> Vec<Feature> {
        [
            ("side that moves", "White"),
            ("capture", "no"),
            ("trade", "no"),
            ("trade offered", "no"),
            ("check", "no"),
            ("checkmate", "no"),
            ("stalemate", "no"),
            ("promotion", "no"),
            ("White's hanging pieces", "none"),
            ("Black's hanging pieces", "none"),
            ("threat", "none"),
            ("forced mate", "none"),
            ("forced tactic", "none"),
        ]
        .map(|(name, value)| feature(name, value))
        .into()
    }

    fn with(changes: &[(&str, &str)]) -> Vec<Feature> {
        let mut features = quiet();
        for (name, value) in changes {
            let feature = features.iter_mut().find(|feature| feature.name == *name).unwrap();
            feature.value = (*value).to_owned();
        }
        features
    }

    fn looked_up(json: &str, features: &[Feature]) -> Support {
        let written: WrittenStatement = serde_json::from_str(json).unwrap();
        support(&Statement::try_from(&written).unwrap(), features)
    }

    #[test]
    fn what_the_move_does_not_do_has_no_support() {
        for (json, lines) in [
            (r#"{"predicate": "gives_check"}"#, "check: no"),
            (
                r#"{"predicate": "gives_check", "subject": "white bishop"}"#,
                "check: no",
            ),
            (r#"{"predicate": "in_check", "side": "black"}"#, "check: no"),
            (r#"{"predicate": "checkmate"}"#, "checkmate: no"),
            (r#"{"predicate": "stalemate"}"#, "stalemate: no"),
            (
                r#"{"predicate": "forced_mate", "side": "white", "number": 3}"#,
                "checkmate: no; forced mate: none",
            ),
            (r#"{"predicate": "takes", "objects": ["black pawn"]}"#, "capture: no"),
            (r#"{"predicate": "recaptures"}"#, "capture: no"),
            (
                r#"{"predicate": "trades", "objects": ["queen"]}"#,
                "trade: no; trade offered: no",
            ),
            (r#"{"predicate": "promotes", "objects": ["queen"]}"#, "promotion: no"),
            (
                r#"{"predicate": "hanging", "subject": "black rook a8"}"#,
                "Black's hanging pieces: none",
            ),
            (
                r#"{"predicate": "forks", "subject": "white knight", "objects": ["black king", "black rook"]}"#,
                "forced tactic: none",
            ),
            (
                r#"{"predicate": "trapped", "subject": "black queen"}"#,
                "forced tactic: none",
            ),
            (
                r#"{"predicate": "threatens_to_take", "subject": "white queen", "objects": ["black pawn f7"]}"#,
                "threat: none",
            ),
            (r#"{"predicate": "threatens_mate"}"#, "threat: none"),
            (
                r#"{"predicate": "wins", "side": "white", "objects": ["black pawn"]}"#,
                "capture: no; Black's hanging pieces: none; threat: none; forced mate: none; forced tactic: none",
            ),
        ] {
            assert_eq!(looked_up(json, &quiet()), Support::Missing(lines.to_owned()), "{json}");
        }
    }

    #[test]
    fn what_the_context_does_not_speak_of_is_open() {
        for json in [
            // Other positions, and what is not said to be so.
            r#"{"predicate": "gives_check", "moves": ["Kh8", "Qh7"]}"#,
            r#"{"predicate": "gives_check", "position": "before", "moves": ["Qh7"]}"#,
            r#"{"predicate": "gives_check", "denied": true}"#,
            r#"{"predicate": "gives_check", "mode": "supposed"}"#,
            // The other side, and what a check there could be.
            r#"{"predicate": "gives_check", "side": "black"}"#,
            r#"{"predicate": "gives_check", "squares": ["h7"]}"#,
            r#"{"predicate": "in_check", "side": "white"}"#,
            r#"{"predicate": "pins", "subject": "black bishop", "objects": ["white knight"]}"#,
            r#"{"predicate": "pins", "objects": ["white knight"]}"#,
            r#"{"predicate": "threatens_mate", "side": "black"}"#,
            r#"{"predicate": "takes", "objects": ["black knight", "black bishop"]}"#,
            // No claims of the rule's kinds.
            r#"{"predicate": "develops", "subject": "white knight"}"#,
            r#"{"predicate": "ahead", "side": "white"}"#,
        ] {
            assert_eq!(looked_up(json, &quiet()), Support::Open, "{json}");
        }
        assert_eq!(looked_up(r#"{"predicate": "gives_check"}"#, &[]), Support::Open);
        let unknown = with(&[("threat", "NA (the opponent is in check)"), ("forced mate", "NA")]);
        for json in [
            r#"{"predicate": "threatens_mate"}"#,
            r#"{"predicate": "forced_mate"}"#,
            r#"{"predicate": "wins"}"#,
        ] {
            assert_eq!(looked_up(json, &unknown), Support::Open, "{json}");
        }
    }

    #[test]
    fn what_is_there_is_held_against_what_is_claimed() {
        let features = with(&[
            ("capture", "yes (pawn on e5)"),
            ("check", "yes (to Black's king)"),
            ("promotion", "yes (knight)"),
            (
                "Black's hanging pieces",
                "queen on h5 (worth 9 to the opponent), rook on a1 (worth 5 to the opponent) and pawn on e4 (worth 1 to the opponent)",
            ),
            (
                "forced tactic",
                "White knight on c7 forks Black king on e8 and Black rook on a8.",
            ),
        ]);
        let missing = |line: &str| Support::Missing(line.to_owned());
        for (json, wanted) in [
            (r#"{"predicate": "gives_check"}"#, Support::Given),
            // Which man gives it, the context does not say.
            (
                r#"{"predicate": "gives_check", "subject": "white rook"}"#,
                Support::Open,
            ),
            (
                r#"{"predicate": "takes", "objects": ["black pawn e5"]}"#,
                Support::Given,
            ),
            (r#"{"predicate": "takes", "squares": ["e5"]}"#, Support::Given),
            (
                r#"{"predicate": "takes", "objects": ["black knight"]}"#,
                missing("capture: yes (pawn on e5)"),
            ),
            (
                r#"{"predicate": "takes", "squares": ["d5"]}"#,
                missing("capture: yes (pawn on e5)"),
            ),
            (r#"{"predicate": "promotes"}"#, Support::Given),
            (
                r#"{"predicate": "promotes", "objects": ["white knight"]}"#,
                Support::Given,
            ),
            (
                r#"{"predicate": "promotes", "objects": ["white queen"]}"#,
                missing("promotion: yes (knight)"),
            ),
            (r#"{"predicate": "hanging", "subject": "black rook"}"#, Support::Given),
            (r#"{"predicate": "hanging", "subject": "pawn e4"}"#, Support::Given),
            (
                r#"{"predicate": "hanging", "subject": "white rook"}"#,
                missing("White's hanging pieces: none"),
            ),
            (r#"{"predicate": "forks"}"#, Support::Open),
            (r#"{"predicate": "wins"}"#, Support::Open),
        ] {
            assert_eq!(looked_up(json, &features), wanted, "{json}");
        }
        let other = looked_up(r#"{"predicate": "hanging", "subject": "black bishop"}"#, &features);
        assert!(matches!(other, Support::Missing(line) if line.contains("rook on a1")));
    }
}
