//! Chance from a seed: the same seed draws the same, on every machine.

/// A stream of numbers (SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
#[derive(Debug, Clone)]
pub struct Draws {
    state: u64,
}

impl Draws {
    /// The stream of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub const fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    /// One of 0 to `count` − 1; 0 when `count` is 0.
    pub const fn below(&mut self, count: usize) -> usize {
        // The high half of a product: no modulo bias worth speaking of below 2³².
        ((self.number() as u128 * count as u128) >> 64) as usize
    }

    /// Puts `items` in an order of chance (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A number of chance that belongs to a text: it depends on the text and the seed alone, not on its place in a file.
#[must_use]
pub fn lot(seed: u64, text: &str) -> u64 {
    // FNV-1a, whose low bits are weak: hence the mixing.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    mixed(hash ^ mixed(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)))
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
        let mut draws = Draws::new(1_234_567);
        let first: Vec<u64> = (0..5).map(|_| draws.number()).collect();
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
        let mut draws = Draws::new(3);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            draws.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert!(
            seen.len() == 6 && seen.values().all(|n| (850..1150).contains(n)),
            "{seen:?}"
        );
    }

    #[test]
    fn lots_are_even_and_depend_on_the_seed() {
        let low = |seed| (0..4000).filter(|i| lot(seed, &format!("game {i}")) % 10 < 3).count();
        assert!(
            (1100..1300).contains(&low(1)) && low(1) != low(2),
            "{} {}",
            low(1),
            low(2)
        );
    }
}
