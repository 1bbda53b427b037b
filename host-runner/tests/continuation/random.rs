//! Random numbers whose seed is printed, so that a failure can be made again: `AGENT_BOARD_SEED=N`.

use std::time::{SystemTime, UNIX_EPOCH};

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    /// One with the seed of the environment, else of the moment.
    pub(crate) fn announced() -> Self {
        let given = std::env::var("AGENT_BOARD_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64)
        });
        println!("AGENT_BOARD_SEED={seed}");
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
