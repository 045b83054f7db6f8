//! Which positions of many games are taken: the same ones whatever the order in which the games are offered.

use std::collections::BinaryHeap;

use sha2::{Digest, Sha256};

/// A position's lot: the lower, the sooner it is taken. It depends on the seed and the position's place alone.
#[must_use]
pub fn lot(seed: u64, game: &str, ply: u32) -> u64 {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    hash.update(ply.to_le_bytes());
    hash.update(game.as_bytes());
    let digest = hash.finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(first)
}

/// A sample of at most so many items, and at most so many of one game.
#[derive(Debug)]
pub struct Sample<T> {
    size: usize,
    per_game: usize,
    /// In the order they were offered; `None` once another took their place.
    items: Vec<Option<T>>,
    /// The lots of those that are in, the worst on top.
    lots: BinaryHeap<(u64, usize)>,
}

impl<T> Sample<T> {
    /// An empty sample that will hold up to `size` items, up to `per_game` from each game.
    #[must_use]
    pub fn new(size: usize, per_game: usize) -> Self {
        Self {
            size,
            per_game,
            items: Vec::new(),
            lots: BinaryHeap::new(),
        }
    }

    /// Offers all that one game has, each with its [`lot`].
    pub fn offer(&mut self, game: impl IntoIterator<Item = (u64, T)>) {
        let mut game: Vec<(u64, T)> = game.into_iter().collect();
        game.sort_by_key(|(lot, _)| *lot);
        game.truncate(self.per_game);
        for (lot, item) in game {
            self.lots.push((lot, self.items.len()));
            self.items.push(Some(item));
            if self.lots.len() > self.size
                && let Some((_, out)) = self.lots.pop()
            {
                self.items[out] = None;
            }
        }
    }

    /// What was taken: games in the order they were offered, a game's items by their lots.
    #[must_use]
    pub fn take(self) -> Vec<T> {
        self.items.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(games: &[(usize, u32)], size: usize, per_game: usize) -> Vec<(usize, u32)> {
        let mut sample = Sample::new(size, per_game);
        for &(game, plies) in games {
            sample.offer((0..plies).map(|ply| (lot(7, &game.to_string(), ply), (game, ply))));
        }
        sample.take()
    }

    #[test]
    fn no_more_than_asked_for() {
        let games: Vec<_> = (0..50).map(|game| (game, 80)).collect();
        let taken = sample(&games, 300, 10);
        assert_eq!(taken.len(), 300);
        let most = (0..50)
            .map(|game| taken.iter().filter(|(g, _)| *g == game).count())
            .max();
        assert!(most <= Some(10));
        assert_eq!(sample(&games, 10_000, 10).len(), 500);
        assert!(sample(&games, 0, 10).is_empty());
    }

    proptest! {
        #[test]
        fn the_order_of_the_games_does_not_matter(plies in proptest::collection::vec(0u32..30, 0..20), size in 0usize..100, per_game in 0usize..12) {
            let mut games: Vec<_> = plies.into_iter().enumerate().collect();
            let mut forth = sample(&games, size, per_game);
            games.reverse();
            let mut back = sample(&games, size, per_game);
            forth.sort_unstable();
            back.sort_unstable();
            prop_assert_eq!(forth, back);
        }
    }
}
