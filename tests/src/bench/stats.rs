//! Medians and percentiles. Pure.

use std::time::Duration;

/// Numbers in ascending order.
#[derive(Debug, Clone, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Takes numbers in any order.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// Takes times, as milliseconds.
    pub fn of_times<'a>(times: impl IntoIterator<Item = &'a Duration>) -> Self {
        Self::new(times.into_iter().map(|time| time.as_secs_f64() * 1e3))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The middle one, or the mean of the two in the middle; not a number when there are none.
    pub fn median(&self) -> f64 {
        let middle = self.0.len() / 2;
        let at = |index: usize| self.0.get(index).copied().unwrap_or(f64::NAN);
        if self.0.len() % 2 == 1 { at(middle) } else { f64::midpoint(at(middle.wrapping_sub(1)), at(middle)) }
    }

    /// The smallest sample that at least `percent` of a hundred are not above (nearest rank).
    pub fn percentile(&self, percent: usize) -> f64 {
        let rank = (self.0.len() * percent).div_ceil(100).max(1);
        self.0.get(rank - 1).copied().unwrap_or(f64::NAN)
    }
}

/// The median of the quotients of paired numbers: each pair was measured in the same round.
pub fn median_ratio(ours: &[f64], theirs: &[f64]) -> f64 {
    Samples::new(ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs)).median()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_usual_ones() {
        let hundred = Samples::new((1..=100).rev().map(f64::from));
        assert!((hundred.median() - 50.5).abs() < 1e-9);
        assert!((hundred.percentile(95) - 95.0).abs() < 1e-9);
        assert!((hundred.percentile(99) - 99.0).abs() < 1e-9);
        let three = Samples::new([9.0, 1.0, 5.0]);
        assert!((three.median() - 5.0).abs() < 1e-9 && (three.percentile(95) - 9.0).abs() < 1e-9);
        assert!(Samples::default().median().is_nan() && Samples::default().percentile(95).is_nan());
        assert!((median_ratio(&[2.0, 9.0, 4.0], &[1.0, 3.0, 4.0]) - 2.0).abs() < 1e-9);
    }
}
