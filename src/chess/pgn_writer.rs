//! PGN written: what [`read_pgn`](super::pgn::read_pgn) reads back as the same game.

use shakmaty::{CastlingMode, Chess, Position};

use super::{
    embedded_commands::commands,
    fen::write_fen,
    game::{Game, NodeId},
};

/// The longest line of movetext, in characters (PGN standard, section 4.3: under 80 for export).
const LINE: usize = 79;

/// The tags that every PGN game has, with what stands for an unknown value.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Writes one game, ending with an empty line.
#[must_use]
pub fn write_pgn(game: &Game) -> String {
    let mut out = String::new();
    for (name, unknown) in ROSTER {
        push_tag(&mut out, name, game.tag(name).unwrap_or(unknown));
    }
    push_tag(&mut out, "Result", game.outcome.as_str());
    for (name, value) in &game.tags {
        if !ROSTER.iter().any(|(roster, _)| roster == name) && is_tag_name(name) {
            push_tag(&mut out, name, value);
        }
    }
    if game.mode() == CastlingMode::Chess960 && game.tag("Variant").is_none() {
        push_tag(&mut out, "Variant", "Chess960");
    }
    let fen = write_fen(game.root(), game.mode());
    if fen != write_fen(&Chess::default(), CastlingMode::Standard) {
        push_tag(&mut out, "SetUp", "1");
        push_tag(&mut out, "FEN", &fen);
    }
    out.push('\n');
    let mut text = Movetext {
        game,
        out,
        column: 0,
        open: String::new(),
    };
    text.comment(game.comment(NodeId::ROOT));
    text.tree();
    text.word(game.outcome.as_str());
    text.out.push_str("\n\n");
    text.out
}

fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '#' | '='))
        && !matches!(name, "FEN" | "SetUp" | "Result")
}

fn push_tag(out: &mut String, name: &str, value: &str) {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    out.push_str(&format!(
        "[{name} \"{}\"]\n",
        value.replace('\\', "\\\\").replace('"', "\\\"")
    ));
}

struct Movetext<'a> {
    game: &'a Game,
    out: String,
    column: usize,
    /// Parentheses that belong before the next word.
    open: String,
}

enum Step {
    /// Goes on after this node; the half-moves up to it; whether the next Black move needs its number.
    After(NodeId, u64, bool),
    Variation(NodeId, u64),
    Close,
}

impl Movetext<'_> {
    fn word(&mut self, word: &str) {
        let word = std::mem::take(&mut self.open) + word;
        let width = word.chars().count();
        // A line that starts with % would be an escape.
        if self.column > 0 && self.column + 1 + width > LINE && !word.starts_with('%') {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(&word);
        self.column += width;
    }

    fn comment(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = format!("{{{}}}", text.replace('}', ")"));
        let mut commands = commands(&text).map(|command| command.span).peekable();
        let mut start = 0;
        for (space, _) in text.match_indices(' ') {
            while commands.next_if(|command| command.end <= space).is_some() {}
            // Programs look for a command as a whole: where it fits into a line, it is not broken.
            if !commands
                .peek()
                .is_some_and(|command| command.contains(&space) && command.len() < LINE)
            {
                self.word(&text[start..space]);
                start = space + 1;
            }
        }
        self.word(&text[start..]);
    }

    fn mv(&mut self, id: NodeId, ply: u64, numbered: bool) {
        let root = self.game.root();
        let from_white = ply + u64::from(root.turn().is_black());
        let number = u64::from(root.fullmoves().get()) + from_white / 2;
        if from_white.is_multiple_of(2) {
            self.word(&format!("{number}."));
        } else if numbered {
            self.word(&format!("{number}..."));
        }
        self.word(&self.game.san(id).unwrap_or_default());
        for nag in self.game.nags(id) {
            self.word(&format!("${nag}"));
        }
        self.comment(self.game.comment(id));
    }

    /// Main move, its alternatives in parentheses, then on: with a stack of its own, since a game may be deep.
    fn tree(&mut self) {
        let mut steps = vec![Step::After(NodeId::ROOT, 0, true)];
        while let Some(step) = steps.pop() {
            match step {
                Step::After(id, ply, numbered) => {
                    let Some((main, others)) = self.game.children(id).split_first() else {
                        continue;
                    };
                    self.comment(self.game.comment_before(*main));
                    self.mv(*main, ply, numbered || !self.game.comment_before(*main).is_empty());
                    let interrupted = !others.is_empty() || !self.game.comment(*main).is_empty();
                    steps.push(Step::After(*main, ply + 1, interrupted));
                    for other in others.iter().rev() {
                        steps.push(Step::Close);
                        steps.push(Step::Variation(*other, ply));
                    }
                }
                Step::Variation(id, ply) => {
                    self.open.push('(');
                    self.comment(self.game.comment_before(id));
                    self.mv(id, ply, true);
                    steps.push(Step::After(id, ply + 1, !self.game.comment(id).is_empty()));
                }
                Step::Close => {
                    self.out.push(')');
                    self.column += 1;
                }
            }
        }
    }
}
