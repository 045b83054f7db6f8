//! The report of an annotated game: what the page, the text report and the HTML report have in common.

use shakmaty::{Chess, Color, Move};

use super::{
    glyphs::mark,
    lines::LinesPanel,
    variations::variations,
    win_graph::{WinGraph, percent},
};
use crate::{
    annotation::{
        AnnotatedGame, ModelProse, Scope, TurningPoint, VERDICTS, export::own_prose, story::story,
        turning_point::reason,
    },
    chess::{Game, NodeId, Opening},
    commentary::{Verdict, Voice, voice::Speaker},
};

/// Half-moves of the engine's line that are shown.
const LINE: usize = 6;

/// The report of an annotated game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameReport {
    /// `Morphy, Paul – Duke of Brunswick, 1-0`.
    pub title: String,
    /// What the tags say: name and value.
    pub details: Vec<(&'static str, String)>,
    /// The engine, and how much was searched.
    pub source: String,
    /// How the game went, a paragraph; `None` until every position is searched.
    pub story: Option<String>,
    /// How many moves of each kind, and the accuracy.
    pub tallies: Vec<TallyRow>,
    /// The main line.
    pub moves: Vec<ReportMove>,
    /// What the notes are: `Turning points`, `Move by move`.
    pub notes_title: &'static str,
    /// The chosen moves with what is said of them.
    pub notes: Vec<Note>,
    /// White's winning chance.
    pub graph: WinGraph,
}

/// A row of the table of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TallyRow {
    /// What is counted.
    pub what: &'static str,
    /// White's figure.
    pub white: String,
    /// Black's figure.
    pub black: String,
}

/// A move of the main line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportMove {
    /// `12.`, or `12…` where Black's move needs it.
    pub number: Option<String>,
    /// With its check mark.
    pub san: String,
    /// `??`, `?`, `?!`, `!`, `!!`, `□` or nothing.
    pub mark: &'static str,
    /// How good it was.
    pub verdict: Option<Verdict>,
    /// What the game's author said of it.
    pub comment: String,
    /// What the game gives in its place, in parentheses: `(2. d4 exd4) (2. f4)`.
    pub variations: String,
}

/// What is said of a move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Note {
    /// Where the move leads.
    pub node: NodeId,
    /// The position after it.
    pub after: Chess,
    /// The move itself.
    pub mv: Move,
    /// `12… Qd6`.
    pub label: String,
    /// `??`, `?`, `?!`, `!`, `!!`, `□` or nothing.
    pub mark: &'static str,
    /// How good the move was.
    pub verdict: Verdict,
    /// What the move is called in a few words: its verdict, or what it is praised for.
    pub called: &'static str,
    /// Why it turned the game, a sentence, where it did.
    pub reason: Option<String>,
    /// Whether it is praised.
    pub praised: bool,
    /// What it cost, in the mover's winning chance.
    pub chances: String,
    /// The comment; empty until there is one.
    pub prose: String,
    /// Who wrote it, where a model was asked: a sentence.
    pub provenance: Option<String>,
    /// What the engine would have played, where that is another move: `12… Nf6 13. O-O`.
    pub better: Option<String>,
}

impl GameReport {
    /// The report on what is known so far. `game` is the one that was annotated.
    #[must_use]
    pub fn new(game: &Game, annotated: &AnnotatedGame, scope: Scope, voice: Voice) -> Self {
        let mut speaker = voice.speaker();
        let points = annotated.turning_points();
        let point = |index: usize| points.iter().copied().find(|point| point.index == index);
        Self {
            title: title(game),
            details: details(game, annotated),
            source: source(annotated),
            story: story(game, annotated),
            tallies: tallies(annotated),
            moves: moves(game, annotated, &points),
            notes_title: match scope {
                Scope::TurningPoints => "Turning points",
                Scope::EveryMove => "Move by move",
            },
            notes: annotated
                .chosen(scope)
                .into_iter()
                .filter_map(|index| note(annotated, index, point(index), &mut speaker))
                .collect(),
            graph: WinGraph::new(annotated),
        }
    }
}

/// The sign of a move that turned the game, or of a bad one.
fn mark_of(verdict: Verdict, point: Option<TurningPoint>) -> &'static str {
    match point.and_then(TurningPoint::glyph) {
        Some(1) => "!",
        Some(3) => "!!",
        Some(7) => "□",
        _ => mark(verdict),
    }
}

/// A name for the game's files, from its players: lower-case ASCII, for every file system.
#[must_use]
pub fn file_stem(game: &Game) -> String {
    const LONGEST_NAME: usize = 60;
    let names = [game.tag("White"), game.tag("Black")].map(|name| name.unwrap_or_default().to_ascii_lowercase());
    let words: Vec<&str> = names
        .iter()
        .flat_map(|name| name.split(|c: char| !c.is_ascii_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let mut stem = words.join("-");
    stem.truncate(LONGEST_NAME);
    if stem.is_empty() { "game".to_owned() } else { stem }
}

fn title(game: &Game) -> String {
    let name = |tag| game.tag(tag).map(str::trim).filter(|name| !name.is_empty());
    let players = match (name("White"), name("Black")) {
        (None, None) => "A game of chess".to_owned(),
        (white, black) => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
    };
    match game.outcome.as_str() {
        "*" => players,
        result => format!("{players}, {result}"),
    }
}

fn details(game: &Game, annotated: &AnnotatedGame) -> Vec<(&'static str, String)> {
    let tag = |name| game.tag(name).map(str::to_owned);
    let opening = annotated
        .opening()
        .map(|Opening { eco, name }| format!("{name} ({eco})"));
    let all = [
        ("Event", tag("Event")),
        ("Site", tag("Site")),
        ("Date", tag("Date")),
        ("Round", tag("Round")),
        ("Opening", opening.or_else(|| tag("Opening")).or_else(|| tag("ECO"))),
    ];
    all.into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .filter(|(_, value)| !value.trim().is_empty())
        .collect()
}

fn source(annotated: &AnnotatedGame) -> String {
    let (done, total) = annotated.progress();
    let how_many = if done == total {
        let closer = match annotated.closer_looks().0 {
            0 => String::new(),
            1 => ", one of them looked at closer".to_owned(),
            n => format!(", {n} closer looks"),
        };
        format!("all {total} positions searched{closer}")
    } else {
        format!("{done} of {total} positions searched")
    };
    let engine = match annotated.engine() {
        "" => "An engine",
        name => name,
    };
    format!("{engine}, {} a position, {how_many}", annotated.limit().words())
}

fn tallies(annotated: &AnnotatedGame) -> Vec<TallyRow> {
    let [white, black] = [Color::White, Color::Black].map(|side| annotated.tally(side));
    let accuracy = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| percent(value / 100.0));
    let first = TallyRow {
        what: "accuracy",
        white: accuracy(white.accuracy),
        black: accuracy(black.accuracy),
    };
    let counts = VERDICTS.into_iter().map(|verdict| TallyRow {
        what: plural(verdict),
        white: white.count(verdict).to_string(),
        black: black.count(verdict).to_string(),
    });
    std::iter::once(first).chain(counts).collect()
}

const fn plural(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Best => "best moves",
        Verdict::Good => "good moves",
        Verdict::Inaccuracy => "inaccuracies",
        Verdict::Mistake => "mistakes",
        Verdict::Blunder => "blunders",
    }
}

fn moves(game: &Game, annotated: &AnnotatedGame, points: &[TurningPoint]) -> Vec<ReportMove> {
    let mut numbered = true;
    annotated
        .moves()
        .iter()
        .enumerate()
        .map(|(index, mv)| {
            let point = points.iter().copied().find(|point| point.index == index);
            let (number, san) = mv.label.split_once(' ').unwrap_or(("", mv.label.as_str()));
            let comment = own_prose(game.comment(mv.node));
            let variations = variations(game, mv.node);
            let shown = (numbered || mv.mover.is_white()).then(|| number.to_owned());
            numbered = !comment.is_empty() || !variations.is_empty();
            ReportMove {
                number: shown,
                san: san.to_owned(),
                mark: mv.verdict.map_or("", |verdict| mark_of(verdict, point)),
                verdict: mv.verdict,
                comment,
                variations,
            }
        })
        .collect()
}

fn note(annotated: &AnnotatedGame, index: usize, point: Option<TurningPoint>, speaker: &mut Speaker) -> Option<Note> {
    let mv = annotated.moves().get(index)?;
    let (verdict, evaluation) = (mv.verdict?, mv.evaluation.as_ref()?);
    let played = annotated.line().step(index)?;
    let praise = point.filter(|point| point.kind.is_good());
    let better = (verdict != Verdict::Best).then(|| {
        let panel = LinesPanel::new(&played, evaluation);
        let steps = panel.rows.into_iter().next()?.steps.into_iter().take(LINE);
        let words: Vec<String> = steps
            .flat_map(|step| [step.number, step.san])
            .filter(|word| !word.is_empty())
            .collect();
        Some(words.join(" "))
    });
    Some(Note {
        node: mv.node,
        after: played.after,
        mv: played.mv,
        label: mv.label.clone(),
        mark: mark_of(verdict, point),
        verdict,
        called: match praise {
            Some(point) => point.kind.phrase(),
            None => verdict.phrase(),
        },
        reason: point.and_then(|point| reason(annotated, point)),
        praised: praise.is_some(),
        chances: annotated.chances(index)?,
        prose: mv.comment(speaker).unwrap_or_default(),
        provenance: mv.model_prose.as_ref().map(ModelProse::provenance),
        better: better.flatten(),
    })
}
