//! The figures of libraries as a table of Markdown, and what follows from them for larger ones.

use crate::child::ResourceUsage;

/// Libraries that people have: their names, and the GB of their texts.
const LIBRARIES: [(&str, f64); 3] =
    [("English Wikipedia", 22.0), ("all Stack Exchange", 60.0), ("500,000 theses", 200.0)];

/// The figures of one library.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) text_bytes: u64,
    pub(super) documents: u64,
    pub(super) building: ResourceUsage,
    /// Bytes of an index without texts, and of one with them, by those of the texts.
    pub(super) of_fingerprints: f64,
    pub(super) of_all: f64,
    pub(super) thesis: ResourceUsage,
    /// Seconds of an essay, on average.
    pub(super) essay_seconds: f64,
    /// Numbers of planted passages that were found, and of all: runs of the guarantee, and rewritten ones.
    pub(super) found: Option<[[usize; 2]; 2]>,
}

impl Row {
    fn gb(&self) -> f64 {
        self.text_bytes as f64 / 1e9
    }

    fn cells(&self) -> [String; 11] {
        let mib =
            |used: ResourceUsage| used.peak.map_or("–".to_owned(), |n| (n >> 20).to_string());
        let found = |kind: usize| {
            self.found.map_or("–".to_owned(), |found| {
                let [n_found, n_all] = found[kind];
                format!("{n_found} of {n_all}")
            })
        };
        [
            format!("{:.2}", self.gb()),
            self.documents.to_string(),
            format!("{:.1}", 1e3 * self.gb() / self.building.seconds()),
            mib(self.building),
            format!("{:.3}", self.of_fingerprints),
            format!("{:.3}", self.of_all),
            format!("{:.2}", self.thesis.seconds()),
            mib(self.thesis),
            format!("{:.2}", self.essay_seconds),
            found(0),
            found(1),
        ]
    }
}

/// Prints all rows, and what follows from them.
pub(super) fn print(rows: &[Row]) {
    println!(
        "\n| GB of text | documents | MB a second | MiB | index without texts | with texts | thesis, s | MiB | an essay, s | \
         planted | rewritten |\n|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for row in rows {
        println!("| {} |", row.cells().join(" | "));
    }
    let Some(last) = rows.last() else { return };
    if rows.len() < 2 {
        return;
    }
    println!(
        "\n| library | GB of text | hours | GB of disk | without texts | thesis, s |\n|---|---|---|---|---|---|"
    );
    for (name, gb) in LIBRARIES {
        let seconds_a_gb = grown(rows, gb, |row| row.building.seconds() / row.gb());
        println!(
            "| {name} | {gb:.0} | {:.1} | {:.0} | {:.0} | {:.1} |",
            seconds_a_gb * gb / 3600.0,
            last.of_all * gb,
            last.of_fingerprints * gb,
            grown(rows, gb, |row| row.thesis.seconds()),
        );
    }
}

/// Returns a figure of a larger library, from a straight line through the figures over the logarithm of the size: costs
/// grow with the number of segments and of merges. No figure becomes smaller than that of the largest library.
fn grown(rows: &[Row], gb: f64, figure: impl Fn(&Row) -> f64) -> f64 {
    let points: Vec<(f64, f64)> =
        rows.iter().map(|row| (libm::log2(row.gb()), figure(row))).collect();
    line(&points, libm::log2(gb)).max(points.last().map_or(0.0, |&(_, last)| last))
}

/// Returns the value at `x` of the straight line that fits some points best.
fn line(points: &[(f64, f64)], x: f64) -> f64 {
    let n = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (mean_x, mean_y) = (mean(&|point| point.0), mean(&|point| point.1));
    let slope = mean(&|point| (point.0 - mean_x) * (point.1 - mean_y))
        / mean(&|point| (point.0 - mean_x) * (point.0 - mean_x));
    mean_y + if slope.is_finite() { slope * (x - mean_x) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_through_points_on_it() {
        let points = [(0.0, 3.0), (1.0, 5.0), (2.0, 7.0)];
        assert!((line(&points, 10.0) - 23.0).abs() < 1e-9);
        assert!((line(&[(1.0, 4.0)], 10.0) - 4.0).abs() < 1e-9);
    }
}
