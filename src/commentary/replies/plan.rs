//! What a side means to do: its next moves in the line that the engine expects, or, where that line is forced and it is not
//! its turn, those it would make if the other side passed.

use shakmaty::{Color, Position};

use super::{
    super::{
        FactSheet, Sentence,
        fact::Plan,
        inquiry::{Finding, Look},
        plans,
    },
    line_sheet::{Root, numbered},
    points::{judged, point},
    reply::{Looked, Reply},
};
use crate::{
    chess::{Played, names::color_name},
    uci::Score,
};

/// The most moves of the side in an answer.
const MOST_MOVES: usize = 3;
/// Plies of the line that are followed.
const LONGEST_LINE: usize = 6;

/// The next moves of `of`, from the last search that was made. `None` where no line has a move of that side.
pub fn plan(sheet: &FactSheet, of: Color, found: &[Finding]) -> Option<Reply> {
    // A null move came after a line that showed no plan; with moves of that side in it, these were forced.
    let forced = found.len() > 1 && found[0].result.lines.first().is_some_and(|line| line.pv.len() > 1);
    let mut reply = found
        .iter()
        .rev()
        .find_map(|finding| along(sheet, of, finding, forced))?;
    if let [
        Finding {
            look: Look::After,
            result,
        },
        _,
    ] = found
        && matches!(result.lines.first()?.score, Score::Mate(n) if n > 0)
    {
        reply.sentences.push(Sentence {
            text: format!("But {} mates by force first.", color_name(of.other())),
            facts: judged(sheet),
        });
    }
    Some(reply)
}

fn along(sheet: &FactSheet, of: Color, finding: &Finding, forced: bool) -> Option<Reply> {
    let played = sheet.played();
    let passed = matches!(finding.look, Look::Passed | Look::Earlier);
    let mut history = played.history.clone();
    history.push(played.before.clone());
    let root = Root {
        history: if passed { Vec::new() } else { history },
        position: finding.look.position(played)?,
        mode: played.mode,
        engine: "",
    };
    let lines = root.lines(&finding.result);
    let line = lines.first()?;
    let (mut at, mut history) = (root.position.clone(), root.history.clone());
    let mut steps: Vec<(Played, FactSheet)> = Vec::new();
    let mut length = 0;
    let mut moves = Vec::new();
    for uci in line.moves.iter().take(LONGEST_LINE) {
        let Some(step) = uci
            .to_move(&at)
            .ok()
            .and_then(|mv| Played::new(at.clone(), mv, played.mode, history.clone()))
        else {
            break;
        };
        moves.push(step.mv);
        history.push(std::mem::replace(&mut at, step.after.clone()));
        length += 1;
        if step.mover() == of {
            let sheet = FactSheet::new(&step, None, None);
            steps.push((step, sheet));
        }
        if steps.len() == MOST_MOVES {
            break;
        }
    }
    let (first, _) = steps.first()?;
    let prepared = match &moves[..] {
        [reply, next, ..] if !passed && *next == first.mv && of == played.mover() => {
            plans::plan(played, *reply, &first.before, *next).map(|plan| prepared(plan, &played.san()))
        }
        _ => None,
    };
    let mut facts = Vec::new();
    let steps_in_words: Vec<String> = steps
        .iter()
        .enumerate()
        .map(|(i, (step, sheet))| {
            let point = point(sheet, 1, false);
            if i == 0 {
                facts.clone_from(&point.facts);
            }
            let why = match (&prepared, i) {
                (Some(prepared), 0) => Some(prepared.clone()),
                _ => point.ing(),
            };
            why.map_or_else(|| step.san(), |why| format!("{}, {why}", step.san()))
        })
        .collect();
    let side = color_name(of);
    let lead = if passed && forced {
        format!("What comes first is forced; given a free move, {side} would play")
    } else if passed {
        format!("Given a free move, {side} would play")
    } else if root.position.turn() == of {
        format!("It is {side}'s turn, and the engine would play")
    } else {
        format!("In the line that the engine expects, {side} plays")
    };
    let mut sentences = vec![Sentence {
        text: format!("{lead} {}.", steps_in_words.join("; then ")),
        facts,
    }];
    let whole = numbered(&root.position, &line.san[..length.min(line.san.len())]);
    if length > 1 && !passed {
        sentences.push(Sentence {
            text: format!("The line is {whole}."),
            facts: sentences[0].facts.clone(),
        });
    }
    let title = if passed {
        format!("if {} passed: {whole}", color_name(of.other()))
    } else {
        whole
    };
    // The facts are those of the side's first move.
    let sheet = steps.into_iter().next().map(|(_, sheet)| sheet)?;
    Some(Reply {
        sentences,
        looked: vec![Looked {
            title,
            sheet,
            narrated: false,
        }],
    })
}

/// What the move under discussion had to do with the first of the moves to come.
fn prepared(plan: Plan, san: &str) -> String {
    match plan {
        Plan::Castle { short: true } => format!("castling kingside, which {san} has made possible"),
        Plan::Castle { short: false } => format!("castling queenside, which {san} has made possible"),
        Plan::Advance { .. } => format!("an advance that {san} supports"),
        Plan::Reroute { to, .. } => format!("bringing the same piece on to {to}"),
        Plan::MakeWay { to, .. } => format!("coming out to {to}, for which {san} has made way"),
    }
}
