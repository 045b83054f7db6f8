//! Which positions a text has come by: the moves that lead to them, by their numbers.

use super::{
    super::statement::{Along, Point},
    chunk::{Chunk, Item, NamedMove},
};

/// Most positions that are kept.
const MOST: usize = 24;

/// The positions that a text has come by.
#[derive(Debug, Clone)]
pub struct Paths {
    /// The place of the move under discussion.
    ply: u32,
    san: String,
    /// Positions by the place of the move that is played there next.
    known: Vec<(u32, Along)>,
    /// Where this sentence's moves have led, with the chunk that named them.
    here: Vec<(usize, Option<Vec<Along>>)>,
    /// Where the sentence before has led.
    earlier: Vec<Along>,
}

impl Paths {
    /// Those that every text knows: before the move and after it.
    pub fn new(ply: u32, san: String) -> Self {
        let before = Along {
            from: Point::Before,
            moves: Vec::new(),
        };
        Self {
            ply,
            san,
            known: vec![(ply, before), (ply + 1, Along::default())],
            here: Vec::new(),
            earlier: Vec::new(),
        }
    }

    /// Begins a sentence; what its moves come by is known from its beginning, wherever it names them.
    pub fn begin(&mut self, chunks: &[Chunk]) {
        let here = std::mem::take(&mut self.here);
        let led: Vec<Along> = here.into_iter().filter_map(|(_, led)| led).flatten().collect();
        if !led.is_empty() {
            self.earlier = led;
        }
        for at in 0..chunks.len() {
            self.keep(chunks, at);
        }
    }

    /// Whether a move of this place is played in a position that is known without the text.
    pub const fn is_near(&self, ply: u32) -> bool {
        ply == self.ply || ply == self.ply + 1
    }

    fn is_played(&self, named: &NamedMove) -> bool {
        let plain = |san: &str| san.trim_end_matches(['+', '#']).replace('0', "O");
        plain(&named.san) == plain(&self.san)
    }

    /// The lines that end with these moves.
    pub fn roots(&self, moves: &[NamedMove]) -> Vec<Along> {
        let sans = |moves: &[NamedMove]| moves.iter().map(|named| named.san.clone()).collect::<Vec<_>>();
        let Some(first) = moves.first() else { return Vec::new() };
        let mut found: Vec<Along> = Vec::new();
        let mut add = |line: Along| {
            if !found.contains(&line) {
                found.push(line);
            }
        };
        match first.ply {
            Some(ply) if ply == self.ply && self.is_played(first) => add(Along {
                from: Point::After,
                moves: sans(&moves[1..]),
            }),
            Some(ply) => {
                for (_, path) in self.known.iter().filter(|(at, _)| *at == ply) {
                    let mut line = path.clone();
                    line.moves.extend(sans(moves));
                    add(line);
                }
            }
            None => {
                let ends = self
                    .earlier
                    .iter()
                    .chain(self.here.iter().filter_map(|(_, led)| led.as_ref()).flatten());
                for end in ends {
                    let mut line = end.clone();
                    line.moves.extend(sans(moves));
                    add(line);
                }
                add(Along {
                    from: Point::After,
                    moves: sans(moves),
                });
                add(Along {
                    from: Point::Before,
                    moves: sans(moves),
                });
            }
        }
        found
    }

    /// The positions in which the last of these moves is played.
    pub fn before(&self, moves: &[NamedMove]) -> Vec<Along> {
        let mut roots = self.roots(moves);
        for root in &mut roots {
            root.moves.pop();
        }
        roots
    }

    /// Takes note of where the moves at this chunk lead.
    pub fn follow(&mut self, chunks: &[Chunk], at: usize) {
        let Item::Moves(moves) = &chunks[at].item else { return };
        let roots = self.roots(moves);
        self.here.push((at, (!roots.is_empty()).then_some(roots)));
    }

    /// Keeps the positions along the moves at this chunk.
    fn keep(&mut self, chunks: &[Chunk], at: usize) {
        let Item::Moves(moves) = &chunks[at].item else { return };
        for len in 1..=moves.len() {
            let Some(ply) = moves[len - 1].ply else { continue };
            for line in self.roots(&moves[..len]) {
                let entry = (ply + 1, line);
                if self.known.len() < MOST && !self.known.contains(&entry) {
                    self.known.push(entry);
                }
            }
        }
    }

    /// Positions other than that after the move which words at this chunk may be about; nothing where moves before them lead
    /// to one that can't be told.
    pub fn spoken_of(&self, at: usize) -> Option<Vec<Along>> {
        let mut found = Vec::new();
        for (place, led) in self.here.iter().rev() {
            if *place > at {
                continue;
            }
            found.extend(led.clone()?);
        }
        found.truncate(8);
        Some(found)
    }

    /// Positions that the sentence before has come by.
    pub fn earlier(&self) -> &[Along] {
        &self.earlier[..self.earlier.len().min(6)]
    }
}
