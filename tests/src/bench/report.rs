//! What is printed: one line for each figure, as a table for people or as JSON.

use super::{
    machine::Machine,
    stats::{self, Samples},
};
use serde::Serialize;
use serde_json::json;

/// What the numbers of a line are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// Milliseconds; less is better.
    #[serde(rename = "ms")]
    Milliseconds,
    /// Megabytes a second; more is better.
    #[serde(rename = "MB/s")]
    MegabytesPerSecond,
    /// Mebibytes; less is better.
    #[serde(rename = "MiB")]
    Mebibytes,
    /// Hundredths of one processor core; less is better.
    #[serde(rename = "% of a core")]
    PercentOfCore,
    /// A rate.
    #[serde(rename = "/s")]
    PerSecond,
}

impl Unit {
    const fn sign(self) -> &'static str {
        match self {
            Self::Milliseconds => " ms",
            Self::MegabytesPerSecond => " MB/s",
            Self::Mebibytes => " MiB",
            Self::PercentOfCore => " %",
            Self::PerSecond => " /s",
        }
    }
}

/// What people would use instead, measured in the same run.
#[derive(Debug, Clone, Serialize)]
pub struct Rival {
    /// Its name.
    pub name: String,
    /// Its median, in the unit of the line.
    pub median: f64,
    /// Ours divided by its, the median over the rounds.
    pub ratio: f64,
}

/// One figure.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// What was measured.
    pub name: String,
    /// The unit of every number.
    pub unit: Unit,
    /// The median.
    pub median: f64,
    /// The 95th percentile; of a rate there is none.
    pub p95: Option<f64>,
    /// The 99th percentile.
    pub p99: Option<f64>,
    /// How many samples.
    pub n: usize,
    /// What it may be, in words.
    pub budget: String,
    /// What people would use instead.
    pub instead: Vec<Rival>,
    /// What else belongs to it.
    pub note: String,
}

impl Line {
    /// A line of times or sizes: less is better.
    pub fn new(name: &str, unit: Unit, samples: &Samples, budget: &str) -> Self {
        Self {
            name: name.to_owned(),
            unit,
            median: samples.median(),
            p95: Some(samples.percentile(95)),
            p99: Some(samples.percentile(99)),
            n: samples.len(),
            budget: budget.to_owned(),
            instead: Vec::new(),
            note: String::new(),
        }
    }

    /// A line of rates: more is better, and the slow ones are not at the upper end.
    pub fn rate(name: &str, unit: Unit, samples: &Samples, budget: &str) -> Self {
        Self { p95: None, p99: None, ..Self::new(name, unit, samples, budget) }
    }

    /// Adds a rival: one number of ours and one of its for every round.
    #[must_use]
    pub fn beside(mut self, name: &str, ours: &[f64], theirs: &[f64]) -> Self {
        self.instead.push(Rival {
            name: name.to_owned(),
            median: Samples::new(theirs.iter().copied()).median(),
            ratio: stats::median_ratio(ours, theirs),
        });
        self
    }

    /// Adds what else belongs to it.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    fn cells(&self) -> [String; 7] {
        let value = |value: Option<f64>| value.map_or("-".to_owned(), |value| self.number(value));
        let mut instead: Vec<String> = self
            .instead
            .iter()
            .map(|rival| format!("{:.2}x {} ({})", rival.ratio, rival.name, self.number(rival.median)))
            .collect();
        if !self.note.is_empty() {
            instead.push(self.note.clone());
        }
        [
            self.name.clone(),
            self.number(self.median),
            value(self.p95),
            value(self.p99),
            self.n.to_string(),
            self.budget.clone(),
            instead.join(", "),
        ]
    }

    fn number(&self, value: f64) -> String {
        // Three figures: the fourth is noise.
        let digits = match value.abs() {
            size if size >= 100.0 => 0,
            size if size >= 10.0 => 1,
            size if size >= 1.0 => 2,
            _ => 3,
        };
        format!("{value:.digits$}{}", self.unit.sign())
    }
}

/// The heads of the columns.
const HEADS: [&str; 7] = ["what", "median", "p95", "p99", "n", "budget", "ours / instead, and notes"];

/// The table.
pub fn table(machine: &Machine, lines: &[Line]) -> String {
    let rows: Vec<[String; 7]> =
        std::iter::once(HEADS.map(str::to_owned)).chain(lines.iter().map(Line::cells)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    let mut text = format!("{machine}\n\n");
    for row in &rows {
        let mut line = String::new();
        for ((column, cell), width) in row.iter().enumerate().zip(&widths) {
            let pad = " ".repeat(width - cell.chars().count());
            // Numbers stand to the right, words to the left.
            line +=
                &if (1..=4).contains(&column) { format!("{pad}{cell}  ") } else { format!("{cell}{pad}  ") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// The same for a program.
pub fn json(machine: &Machine, lines: &[Line]) -> String {
    format!("{:#}\n", json!({"machine": machine, "lines": lines}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_its_columns_under_each_other() {
        let machine = Machine::look();
        let line = Line::new("echo", Unit::Milliseconds, &Samples::new([0.25, 0.5, 12.0]), "1.10x")
            .beside("dtach", &[0.5, 1.0], &[0.25, 1.0])
            .note("a note");
        let text = table(&machine, &[line]);
        let rows: Vec<&str> = text.lines().rev().take(2).collect();
        assert!(rows[0].starts_with("echo  0.500 ms"), "{text}");
        assert!(rows[0].ends_with("1.50x dtach (0.625 ms), a note"), "{text}");
        assert_eq!(rows[0].find("1.10x"), rows[1].find("budget"), "{text}");
    }
}
