//! Whom words mean: "it", "she", "which" and clauses that take their subject from before.

use shakmaty::Role;

use super::{
    super::statement::Designation,
    chunk::{Chunk, Item, Men},
};

/// Mentions of earlier sentences that are looked at.
const BACK: usize = 3;

/// Men that a text has spoken of, the latest last.
#[derive(Debug, Clone)]
pub struct Mentions {
    moved: Designation,
    earlier: Vec<Designation>,
}

/// Alternatives, each the men that are meant together.
pub type Meant = Vec<Vec<Designation>>;

impl Mentions {
    /// Nobody has been spoken of but the man that moved.
    pub const fn new(moved: Designation) -> Self {
        Self {
            moved,
            earlier: Vec::new(),
        }
    }

    /// The man that moved, where it stands now.
    pub const fn moved(&self) -> Designation {
        self.moved
    }

    /// Begins a sentence.
    pub fn begin(&mut self) {
        let len = self.earlier.len();
        if len > 12 {
            self.earlier.drain(..len - 12);
        }
    }

    /// Takes note of a sentence's men.
    pub fn remember(&mut self, chunks: &[Chunk]) {
        self.earlier.extend(chunks.iter().filter_map(single));
    }

    /// Whom the chunk at this place may mean, an alternative each; nothing where that can't be told.
    pub fn meant(&self, chunks: &[Chunk], at: usize) -> Option<Meant> {
        match &chunks.get(at)?.item {
            Item::Men(men) => self.men(chunks, at, men),
            Item::Squares(squares) => {
                let on = |square| Designation {
                    square: Some(square),
                    ..Designation::default()
                };
                Some(vec![squares.iter().map(|square| on(*square)).collect()])
            }
            Item::Pronoun(word) => self.pronoun(chunks, at, word),
            _ => None,
        }
    }

    fn men(&self, chunks: &[Chunk], at: usize, men: &Men) -> Option<Meant> {
        let all: Vec<Designation> = men.each.iter().map(|(man, _)| *man).collect();
        // "both rooks", "two knights": which of several is not told; "the knight" may be one that was named before.
        if men.each.iter().any(|(_, count)| count.is_some_and(|count| count > 1)) {
            return None;
        }
        let [man] = all.as_slice() else { return Some(vec![all]) };
        if !men.definite || man.square.is_some() || man.file.is_some() {
            return Some(vec![all]);
        }
        // "the other rook": any but the one that was named.
        if men
            .epithets
            .iter()
            .any(|epithet| matches!(*epithet, "other" | "second" | "remaining"))
        {
            return Some(vec![all]);
        }
        // "the knight": one that was named, or the one that moved; else any.
        let fits = |named: &Designation| {
            named.role == man.role
                && named.square.is_some()
                && man
                    .color
                    .is_none_or(|color| named.color.is_none_or(|named| named == color))
        };
        let mut meant: Meant = Vec::new();
        for named in self.latest(chunks, at).chain([self.moved]).filter(fits) {
            if !meant.contains(&vec![named]) && meant.len() < BACK {
                meant.push(vec![named]);
            }
        }
        // An owner's only queen or king needs no name.
        let other = man.color.is_some() || meant.is_empty();
        if other {
            meant.push(all);
        }
        Some(meant)
    }

    fn pronoun(&self, chunks: &[Chunk], at: usize, word: &str) -> Option<Meant> {
        let one = |man: Designation| vec![man];
        match word {
            "which" | "who" | "that" => {
                let near = chunks[..at]
                    .iter()
                    .rev()
                    .take(2)
                    .find(|chunk| !matches!(chunk.item, Item::Break(',')))?;
                let Item::Men(men) = &near.item else { return None };
                let last = men.each.last()?.0;
                let all: Vec<Designation> = men.each.iter().map(|(man, _)| *man).collect();
                let mut meant = vec![one(last)];
                if all.len() > 1 {
                    meant.push(all);
                }
                Some(meant)
            }
            "it" | "she" | "her" | "he" | "him" => {
                let fits = |man: &Designation| match word {
                    "it" => true,
                    "she" | "her" => man.role == Some(Role::Queen),
                    _ => man.role == Some(Role::King),
                };
                // The latest, whom the sentence began with, and the one that moved, which stood elsewhere before.
                let moved = [
                    self.moved,
                    Designation {
                        square: None,
                        ..self.moved
                    },
                ];
                let first = chunks[..at].iter().find_map(single);
                let latest = self.latest(chunks, at).filter(|man| fits(man)).take(2);
                let mut found: Vec<Designation> = Vec::new();
                for man in latest.chain(first).chain(moved).filter(fits) {
                    if !found.contains(&man) {
                        found.push(man);
                    }
                }
                (!found.is_empty()).then(|| found.into_iter().map(one).collect())
            }
            _ => None,
        }
    }

    /// The subjects that a clause at this place may take from before: a man that a move brought there, or one that was named.
    pub fn before(&self, chunks: &[Chunk], at: usize) -> Option<Meant> {
        let one = |man: Designation| vec![man];
        if let Some(Item::Moves(moves)) = at.checked_sub(1).map(|at| &chunks[at].item) {
            return Some(vec![one(mover(&moves.last()?.san)?)]);
        }
        let mut found: Vec<Designation> = Vec::new();
        let moves = chunks[..at].iter().rev().filter_map(|chunk| match &chunk.item {
            Item::Moves(moves) => moves.last().and_then(|named| mover(&named.san)),
            _ => None,
        });
        let men = self.latest(chunks, at).filter(|man| man.role.is_some());
        for man in men.take(4).chain(moves.take(2)).chain([self.moved]) {
            if !found.contains(&man) {
                found.push(man);
            }
        }
        Some(found.into_iter().map(one).collect())
    }

    /// Men of this sentence before the place, then of earlier ones, the latest first.
    fn latest<'a>(&'a self, chunks: &'a [Chunk], at: usize) -> impl Iterator<Item = Designation> + 'a {
        chunks[..at]
            .iter()
            .rev()
            .filter_map(single)
            .chain(self.earlier.iter().rev().take(BACK).copied())
    }
}

fn single(chunk: &Chunk) -> Option<Designation> {
    match &chunk.item {
        Item::Men(men) => match men.each.as_slice() {
            [(man, _)] => Some(*man),
            _ => None,
        },
        Item::Squares(squares) => match squares.as_slice() {
            [square] => Some(Designation {
                square: Some(*square),
                ..Designation::default()
            }),
            _ => None,
        },
        _ => None,
    }
}

/// The man that a move brings to its square.
pub fn mover(san: &str) -> Option<Designation> {
    let plain = san.trim_end_matches(['+', '#']);
    let role = match plain.chars().next()? {
        'K' => Role::King,
        'Q' => Role::Queen,
        'R' => Role::Rook,
        'B' => Role::Bishop,
        'N' => Role::Knight,
        'O' | '0' => return None,
        _ if plain.contains('=') => return None,
        _ => Role::Pawn,
    };
    let square = plain.get(plain.len().checked_sub(2)?..)?.parse().ok()?;
    Some(Designation {
        role: Some(role),
        square: Some(square),
        ..Designation::default()
    })
}
