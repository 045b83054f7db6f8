//! What the claim check says of the reasons that models gave for their moves.

use super::material::{Material, mean};
use crate::{
    commentary::kept_declaration::by_whom,
    grading::grade_file::{Grades, Reason},
    judge::claim_score::ClaimScore,
    survey::analysis::table::{Better, Cell, Table},
};

/// Shares of supported and contradicted claims; `None` where no reason was checked.
#[must_use]
pub fn table(material: &Material<'_>, grades: &Grades) -> Option<Table> {
    let checked = grades.reasons();
    let mut all: Vec<&Reason> = Vec::new();
    let mut table = Table {
        caption: "Reasons for moves, by the claim check: means over reasons".to_owned(),
        head: [
            "Player",
            "Reasons",
            "Checkable claims",
            "Supported",
            "Contradicted",
            "Nothing contradicted",
            "Legal moves without a reason",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for contestant in &material.contestants {
        if !contestant.prompt.is_some_and(|prompt| prompt.why) {
            continue;
        }
        let reasons: Vec<&Reason> = contestant
            .answers
            .iter()
            .filter_map(|scored| {
                let text = scored.row.explanation.as_deref()?;
                let key = (
                    scored.at.fen.clone(),
                    scored.at.moves.clone(),
                    scored.row.first_move()?.to_owned(),
                );
                checked.get(&(key, text)).copied()
            })
            .collect();
        all.extend(&reasons);
        let scores: Vec<ClaimScore> = reasons.iter().map(|reason| ClaimScore::from(reason.tally)).collect();
        let of =
            |figure: &dyn Fn(&ClaimScore) -> Option<f64>| mean(&scores.iter().filter_map(figure).collect::<Vec<_>>());
        let without = contestant
            .answers
            .iter()
            .filter(|scored| scored.row.is_legal() && scored.row.explanation.is_none())
            .count();
        table.rows.push(vec![
            Cell::Text(contestant.name.clone()),
            Cell::Count(reasons.len()),
            Cell::number(of(&|score| Some(score.checkable as f64)), 2),
            Cell::number(of(&|score| score.supported), 2),
            Cell::number(of(&|score| score.contradicted), 2),
            Cell::number(of(&|score| Some(score.clean)), 2),
            Cell::Count(without),
        ]);
    }
    let texts = all
        .iter()
        .map(|reason| (reason.text.as_str(), reason.declaration.as_ref()));
    table.caption += &format!(". {}", by_whom("reason", texts));
    for (column, better) in [(3, Better::Higher), (4, Better::Lower), (5, Better::Higher)] {
        table.mark_column(column, better);
    }
    table
        .notes
        .push("Shares are of a reason's checkable claims; reasons without any have no share.".to_owned());
    (!table.rows.is_empty()).then_some(table)
}
