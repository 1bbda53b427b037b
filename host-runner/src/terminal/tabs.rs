//! Tab stops. Used by the model and by snapshots; the engine knows only every eighth column.

/// The usual distance.
const EVERY: u16 = 8;

/// One flag a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tabs {
    stops: Vec<bool>,
}

impl Tabs {
    /// A stop in every eighth column.
    pub(super) fn new(cols: u16) -> Self {
        let mut tabs = Self { stops: Vec::new() };
        tabs.resize(cols);
        tabs
    }

    /// Keeps the stops that are there; new columns get one in every eighth.
    pub(super) fn resize(&mut self, cols: u16) {
        let known = self.stops.len();
        self.stops.truncate(usize::from(cols));
        self.stops.extend((known..usize::from(cols)).map(|col| col % usize::from(EVERY) == 0));
    }

    pub(super) fn set(&mut self, col: u16, on: bool) {
        if let Some(stop) = self.stops.get_mut(usize::from(col)) {
            *stop = on;
        }
    }

    pub(super) fn clear(&mut self) {
        self.stops.fill(false);
    }

    /// The next stop after `col`, else the last column.
    pub(super) fn after(&self, col: u16) -> u16 {
        let last = self.last_column();
        (col.saturating_add(1)..last).find(|c| self.is_set(*c)).unwrap_or(last)
    }

    /// The last stop before `col`, else the first column.
    pub(super) fn before(&self, col: u16) -> u16 {
        (1..col).rev().find(|c| self.is_set(*c)).unwrap_or(0)
    }

    /// Columns with a stop.
    pub(super) fn iter(&self) -> impl Iterator<Item = u16> {
        (0..=self.last_column()).filter(|col| self.is_set(*col))
    }

    fn is_set(&self, col: u16) -> bool {
        self.stops.get(usize::from(col)).copied().unwrap_or(false)
    }

    fn last_column(&self) -> u16 {
        u16::try_from(self.stops.len()).unwrap_or(u16::MAX).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_are_every_eight_columns_and_can_be_moved() {
        let mut tabs = Tabs::new(20);
        assert_eq!(tabs.iter().collect::<Vec<_>>(), [0, 8, 16]);
        assert_eq!((tabs.after(0), tabs.after(8), tabs.after(16), tabs.after(19)), (8, 16, 19, 19));
        assert_eq!((tabs.before(19), tabs.before(16), tabs.before(8), tabs.before(0)), (16, 8, 0, 0));
        tabs.set(5, true);
        tabs.set(8, false);
        assert_eq!((tabs.after(0), tabs.after(5)), (5, 16));
        tabs.resize(34);
        assert_eq!(tabs.iter().collect::<Vec<_>>(), [0, 5, 16, 24, 32]);
        tabs.clear();
        assert_eq!(tabs.after(0), 33);
    }
}
