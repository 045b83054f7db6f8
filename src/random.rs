//! Random numbers from a seed: the same seed gives the same numbers on every machine and in every version, so that a
//! study's orders, a split into training and test games, and a permutation test can be made again.
//!
//! ```
//! use kibitz::random::Rng;
//!
//! let mut rng = Rng::new(7);
//! let mut order = ["engine", "probes", "terms"];
//! rng.shuffle(&mut order);
//! assert!(rng.below(3) < 3);
//! ```

/// A stream of numbers (SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    /// One of 0 to `count` − 1; 0 when `count` is 0.
    pub const fn below(&mut self, count: usize) -> usize {
        // The high half of a product: no modulo bias worth speaking of below 2³².
        ((self.next_u64() as u128 * count as u128) >> 64) as usize
    }

    /// A number from 0 to 1, without 1.
    #[allow(clippy::cast_precision_loss)] // 53 bits
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts `items` in a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A random number that belongs to a text: it depends on the text and the seed alone, not on its place in a file.
#[must_use]
pub fn seeded_hash(seed: u64, text: &str) -> u64 {
    // The hash's low bits are weak: hence the mixing.
    mixed(hash(text) ^ mixed(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// FNV-1a of a text: a seed that belongs to it. Its low bits are weak.
#[must_use]
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// SplitMix64's finaliser.
const fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // The first numbers of seed 1234567, as Rosetta Code's task "Pseudo-random numbers/Splitmix64" has them.
        let mut rng = Rng::new(1_234_567);
        let first: Vec<u64> = (0..5).map(|_| rng.next_u64()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn every_order_is_as_likely() {
        let mut rng = Rng::new(3);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            rng.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert!(
            seen.len() == 6 && seen.values().all(|n| (850..1150).contains(n)),
            "{seen:?}"
        );
    }

    #[test]
    fn hashes_are_even_and_depend_on_the_seed() {
        let low = |seed| {
            (0..4000)
                .filter(|i| seeded_hash(seed, &format!("game {i}")) % 10 < 3)
                .count()
        };
        assert!(
            (1100..1300).contains(&low(1)) && low(1) != low(2),
            "{} {}",
            low(1),
            low(2)
        );
    }
}
