//! Claims read from the words that betray them where the grammar finds none, or denials in places that it does not know:
//! a cue ("passed", "half-open", "home square"), the men, squares, files and sides that are named with it, and whether
//! the stretch of prose denies it. A reading judges only where all of that is clear.

mod cue_words;
mod development_cues;
mod file_cues;
mod king_cues;
mod pawn_cues;
mod piece;

use shakmaty::{CastlingSide, Color, File, Role};

use self::piece::{Named, Piece, PieceCue, Reading};
use crate::commentary::claims::{
    ClaimKind,
    board::{World, setting},
    draft::Draft,
    grammar::{Frame, lexicon},
    text::{Tok, Token},
    truth::Truth,
};

type Reader = fn(&PieceCue<'_>) -> Option<Reading>;

const READERS: &[Reader] = &[
    pawn_cues::read,
    file_cues::read,
    file_cues::outpost,
    development_cues::read,
    king_cues::read,
];

/// Reads the sentence's pieces. What they say clearly stands in the place of what the grammar made of the same words.
pub fn claims(world: &World<'_>, tokens: &[Token], frames: &[Frame], found: &mut Vec<Draft>) {
    if tokens.iter().any(|t| t.tok == Tok::Sign('?')) {
        return;
    }
    let starts: Vec<usize> = frames.iter().map(|f| f.span.start).collect();
    let pieces = pieces(tokens, &starts);
    for (at, piece) in pieces.iter().enumerate() {
        let Some(frame) = frames
            .iter()
            .rev()
            .find(|f| f.span.start < piece.span.end)
            .or(frames.first())
        else {
            return;
        };
        let clause = setting::clause(world, frame);
        if clause.views.is_empty() || clause.vague {
            continue;
        }
        let cue = PieceCue {
            world,
            views: &clause.views,
            piece,
            pieces: &pieces,
            at,
        };
        for reading in READERS.iter().filter_map(|read| read(&cue)) {
            if matches!(reading.truth, Truth::Unknown(_)) {
                continue;
            }
            let here = |d: &Draft| d.span.start < piece.span.end && piece.span.start < d.span.end;
            found.retain(|d| {
                !(here(d) && (d.kind == reading.kind || d.truth.fails() && mistaken(reading.kind, d.kind, piece)))
            });
            found.push(Draft {
                kind: reading.kind,
                span: piece.span.clone(),
                truth: reading.truth,
            });
        }
    }
}

/// Words of deeds among men: what the other readers make of a piece with one of them is meant.
const DEEDS: &[&str] = &[
    "attack*|defend*|protect*|guard*|captur*|takes|take|taking|threat*|hang*|en|undefended|loose|wins|loses",
    "exchang*|trade|trades|trading|check|checks|pin|pins|pinned|fork|forks",
];

/// What others make of words that say something else: "has no pawn on the c-file" of a count of all pawns, "protected by
/// its pawns" of a guard, "a target" of an attack.
fn mistaken(reading: ClaimKind, other: ClaimKind, piece: &Piece) -> bool {
    let contact = matches!(
        other,
        ClaimKind::Attack
            | ClaimKind::Defence
            | ClaimKind::Hanging
            | ClaimKind::Loose
            | ClaimKind::Threat
            | ClaimKind::Trade
            | ClaimKind::Capture
    );
    let count = matches!(
        other,
        ClaimKind::Material | ClaimKind::Evaluation | ClaimKind::Placement
    );
    match reading {
        ClaimKind::Passed | ClaimKind::Isolated | ClaimKind::Doubled | ClaimKind::Backward => {
            count
                || matches!(other, ClaimKind::OpenFile | ClaimKind::Promotion)
                || contact && (!piece.says(DEEDS) || reading == ClaimKind::Passed)
        }
        ClaimKind::OpenFile | ClaimKind::HalfOpen => {
            count
                || other == ClaimKind::Trade
                || contact && !piece.says(DEEDS)
                || other == ClaimKind::Capture && piece.says(&["take|takes|taking ~ ~ file"])
        }
        ClaimKind::KingSafety => contact || matches!(other, ClaimKind::Castling | ClaimKind::Movement),
        ClaimKind::Castling => matches!(
            other,
            ClaimKind::KingSafety | ClaimKind::Evaluation | ClaimKind::Movement | ClaimKind::Turn
        ),
        ClaimKind::Development => {
            count
                || matches!(
                    other,
                    ClaimKind::Legality | ClaimKind::Promotion | ClaimKind::Movement | ClaimKind::Turn
                )
                || other == ClaimKind::Capture && piece.says(&["takes|taken|take ~ ~ off|from|out"])
                || contact && !piece.says(DEEDS)
        }
        ClaimKind::Outpost => matches!(other, ClaimKind::Legality) || contact && !piece.says(DEEDS),
        _ => false,
    }
}

/// Words behind which another clause begins.
const CONJUNCTIONS: &[&str] = &[
    "because", "since", "although", "though", "while", "whereas", "whilst", "which", "when", "if", "unless", "then",
    "but", "for", "so", "yet", "as", "and", "that", "where",
];

/// True where the word at `at` opens another clause.
fn opens_clause(words: &[String], at: usize) -> bool {
    let word = words[at].as_str();
    if !CONJUNCTIONS.contains(&word) {
        return false;
    }
    let before = at.checked_sub(1).map_or("", |i| words[i].as_str());
    let next = words.get(at + 1).map_or("", String::as_str);
    match word {
        "but" => !matches!(before, "anything" | "nothing" | "none" | "all"),
        "so" | "yet" | "for" | "as" | "where" => before == "," && next != "far",
        "and" => {
            matches!(before, "," | "<move>" | "(")
                || matches!(next, "that" | "now" | "so" | "then")
                || matches!(
                    next,
                    "wo" | "will" | "can" | "may" | "might" | "must" | "should" | "would" | "could"
                )
        }
        "that" => matches!(
            before,
            "matters" | "remember" | "and" | "now" | "given" | "see" | "note" | "notice"
        ),
        _ => true,
    }
}

/// The pieces of a sentence whose clauses begin at `starts`.
fn pieces(tokens: &[Token], starts: &[usize]) -> Vec<Piece> {
    let words = cue_words::words(tokens);
    let mut found = Vec::new();
    let (mut start, mut clause) = (0, 0);
    for at in 0..=tokens.len() {
        let stop = match tokens.get(at).map(|t| &t.tok) {
            Some(Tok::Sign(';' | ':' | '-' | '(' | ')' | '[' | ']' | '.' | '!')) | None => true,
            _ => {
                let subject = || tokens.get(at + 1).is_some_and(|t| starts.contains(&t.span.start));
                opens_clause(&words, at) || words[at] == "and" && subject()
            }
        };
        let comma = matches!(tokens.get(at).map(|t| &t.tok), Some(Tok::Sign(',')));
        if !stop && !comma {
            continue;
        }
        if at > start {
            let opener = start.checked_sub(1).map(|at| words[at].clone());
            found.push(Piece {
                opener,
                ..piece(&tokens[start..at], clause)
            });
        }
        clause += usize::from(stop);
        start = at + 1;
    }
    found
}

fn piece(tokens: &[Token], clause: usize) -> Piece {
    let words = cue_words::words(tokens);
    let mut piece = Piece {
        span: tokens.first().map_or(0, |t| t.span.start)..tokens.last().map_or(0, |t| t.span.end),
        clause,
        polarity: cue_words::polarity(&words),
        opener: None,
        words,
        named: Vec::new(),
        files: Vec::new(),
        sides: Vec::new(),
        has_move: false,
        castles: None,
    };
    let word = |at: Option<usize>| at.and_then(|i| piece.words.get(i)).map_or("", String::as_str);
    for (at, token) in tokens.iter().enumerate() {
        let (before, next) = (word(at.checked_sub(1)), word(Some(at + 1)));
        match &token.tok {
            Tok::Square(square) => {
                let role_of = |word: &str| lexicon::role(word).map(|(role, _)| role);
                let place = matches!(before, "on" | "at" | "from");
                // "the pawn standing on d5", "the d5-pawn", "knight f3".
                let ahead = (2..5)
                    .filter_map(|n| at.checked_sub(n))
                    .take_while(|&i| !piece.words[i].is_empty())
                    .find_map(|i| role_of(word(Some(i))))
                    .filter(|_| place);
                let role = role_of(next).or(ahead).or(role_of(before));
                let holds = matches!(
                    next,
                    "is" | "holds" | "serves" | "remains" | "has" | "square" | "outpost"
                );
                if role.is_some() || place || holds {
                    piece.named.push(Named { square: *square, role });
                }
            }
            Tok::Move(text) => match man_on(text) {
                // "The Rb3 has": a man that is named like a move.
                Some(named) if before == "the" => piece.named.push(named),
                _ => {
                    piece.has_move = true;
                    piece.castles = match text.trim_end_matches(['+', '#']) {
                        "O-O" | "0-0" => Some(CastlingSide::KingSide),
                        "O-O-O" | "0-0-0" => Some(CastlingSide::QueenSide),
                        _ => piece.castles,
                    };
                }
            },
            Tok::Word(text) => match text.as_str() {
                // "White's opponent".
                "opponent" | "adversary" | "enemy" | "foe" if before == "'s" => {
                    if let Some(last) = piece.sides.last_mut() {
                        *last = last.other();
                    }
                }
                "white" | "black" => piece
                    .sides
                    .push(if text == "white" { Color::White } else { Color::Black }),
                letter if letter.len() == 1 && matches!(next, "file" | "files" | "pawn" | "pawns") => {
                    // "a pawn": an article.
                    let glued = tokens.get(at + 1).is_some_and(|t| t.glued);
                    if letter != "a" || glued {
                        piece.files.extend(letter.chars().next().and_then(File::from_char));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    piece
}

/// "Bc8" as a man on its square.
fn man_on(text: &str) -> Option<Named> {
    let mut chars = text.chars();
    let role = Role::from_char(chars.next().filter(char::is_ascii_uppercase)?)?;
    let square = chars.as_str().parse().ok()?;
    Some(Named {
        square,
        role: Some(role),
    })
}
