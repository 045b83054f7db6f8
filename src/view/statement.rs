//! A statement in plain data: the names of its fields and their values, for those who look behind a verdict.

use crate::commentary::claims::statement::{Statement, WrittenStatement};

/// What a statement says, field by field; fields that say nothing are left out.
#[must_use]
pub fn statement_rows(statement: &Statement) -> Vec<(&'static str, String)> {
    let WrittenStatement {
        predicate,
        subject,
        objects,
        behind,
        squares,
        file,
        side,
        qualifier,
        number,
        only,
        denied,
        mode,
        position,
        moves,
    } = WrittenStatement::from(statement);
    let list = |all: Option<Vec<String>>| all.map(|all| all.join(", "));
    let position = position.map(|point| match moves {
        Some(moves) => format!("{point} the move, then {}", moves.join(" ")),
        None => format!("{point} the move"),
    });
    [
        ("predicate", predicate.map(|word| word.replace('_', " "))),
        ("subject", subject),
        ("objects", list(objects)),
        ("behind", behind),
        ("squares", list(squares)),
        ("file", file),
        ("side", side),
        ("qualifier", qualifier),
        ("number", number.map(|number| number.to_string())),
        ("only", only.map(|_| "yes".to_owned())),
        ("denied", denied.map(|_| "yes".to_owned())),
        ("said as", mode),
        ("position", position),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::statement::Predicate;

    #[test]
    fn a_statement_is_listed_field_by_field() {
        let mut statement = Statement {
            subject: "white bishop g5".parse().ok(),
            objects: ["black knight f6".parse(), "black queen".parse()]
                .into_iter()
                .flatten()
                .collect(),
            denied: true,
            ..Statement::new(Predicate::Attacks)
        };
        let rows = |statement: &Statement| {
            let rows = statement_rows(statement);
            rows.iter()
                .map(|(name, value)| format!("{name}: {value}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            rows(&statement),
            [
                "predicate: attacks",
                "subject: white bishop g5",
                "objects: black knight f6, black queen",
                "denied: yes",
                "position: after the move"
            ]
        );
        statement.line.moves = vec!["Nxd5".to_owned()];
        assert_eq!(
            rows(&statement).last().map(String::as_str),
            Some("position: after the move, then Nxd5")
        );
    }
}
