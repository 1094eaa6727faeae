//! Approximate lengths of the rows of a Parquet file: runs of neighbours of about the same length.
//!
//! A file may have as many pages as rows, each of its own length. Even then, there are no more runs than asked for:
//! rows of more different lengths are put together, and count as long as the longest.
//!
//! Cost: O(1) for each run that is added, and memory for as many as asked for.

/// Maximum ratio of the lengths of rows in a run; if there would be too many runs, it is multiplied by the same number,
/// again and again.
const SPREAD: u64 = 16;

/// Rows that are about equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// Number of rows.
    pub(super) n: u64,
    /// Bytes of the shortest row.
    shortest: u64,
    /// Bytes of the longest row.
    pub(super) longest: u64,
}

/// All rows of a group, in their order.
#[derive(Debug, Clone)]
pub(super) struct Runs {
    list: Vec<Run>,
    /// Maximum number of runs.
    most: usize,
    spread: u64,
}

impl Run {
    fn is_like(&self, other: &Run, spread: u64) -> bool {
        let (shortest, longest) =
            (self.shortest.min(other.shortest), self.longest.max(other.longest));
        longest <= shortest.saturating_mul(spread)
    }
}

impl Runs {
    /// Creates an empty list of at most `most` runs; `most` is at least 1.
    pub(super) fn new(most: usize) -> Runs {
        Runs { list: Vec::new(), most: most.max(1), spread: SPREAD }
    }

    /// Adds `n` rows of `bytes_each` bytes each.
    pub(super) fn push(&mut self, n: u64, bytes_each: u64) {
        // Not 0, as no multiple of 0 is larger.
        let bytes = bytes_each.max(1);
        self.add(Run { n, shortest: bytes, longest: bytes });
    }

    /// Adds rows that are as long as those beside them.
    pub(super) fn push_any(&mut self, n: u64) {
        self.add(Run { n, shortest: u64::MAX, longest: 0 });
    }

    /// Records that the last row takes so many bytes.
    pub(super) fn lengthen_last(&mut self, bytes: u64) {
        let Some(last) = self.list.last_mut() else { return };
        if last.longest >= bytes {
            return;
        }
        last.n -= 1;
        if last.n == 0 {
            self.list.pop();
        }
        self.push(1, bytes);
    }

    fn add(&mut self, run: Run) {
        self.join_or_push(run);
        while self.list.len() > self.most {
            self.spread = self.spread.saturating_mul(SPREAD);
            let all = std::mem::take(&mut self.list);
            for run in all {
                self.join_or_push(run);
            }
        }
    }

    fn join_or_push(&mut self, run: Run) {
        let spread = self.spread;
        match self.list.last_mut() {
            _ if run.n == 0 => {}
            Some(last) if last.is_like(&run, spread) => {
                last.n = last.n.saturating_add(run.n);
                last.shortest = last.shortest.min(run.shortest);
                last.longest = last.longest.max(run.longest);
            }
            _ => self.list.push(run),
        }
    }

    /// Returns the sums, row by row, of two columns of equally many rows, in at most `most` runs.
    pub(super) fn beside(&self, other: &Runs, most: usize) -> Runs {
        let mut both = Runs::new(most);
        let (mut a, mut b) = (self.list.iter(), other.list.iter());
        let (mut of_a, mut of_b) = (a.next().copied(), b.next().copied());
        while let (Some(x), Some(y)) = (&mut of_a, &mut of_b) {
            let n = x.n.min(y.n);
            both.add(Run {
                n,
                shortest: x.shortest.saturating_add(y.shortest),
                longest: x.longest.saturating_add(y.longest),
            });
            (x.n, y.n) = (x.n - n, y.n - n);
            if x.n == 0 {
                of_a = a.next().copied();
            }
            if y.n == 0 {
                of_b = b.next().copied();
            }
        }
        both
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Run> {
        self.list.iter().copied()
    }

    /// Returns the bytes of the longest row.
    pub(super) fn longest(&self) -> u64 {
        self.list.iter().map(|run| run.longest).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn runs(rows: &[(u64, u64)], most: usize) -> Runs {
        let mut runs = Runs::new(most);
        for &(n, bytes) in rows {
            runs.push(n, bytes);
        }
        runs
    }

    /// Returns the bytes that each row counts for.
    fn each(runs: &Runs) -> Vec<u64> {
        runs.iter().flat_map(|run| std::iter::repeat_n(run.longest, run.n as usize)).collect()
    }

    #[test]
    fn rows_of_other_lengths_are_a_run_of_their_own_if_there_is_room() {
        let rows = [(500, 100), (3, 90_000), (500, 120)];
        let found: Vec<_> = runs(&rows, 3).iter().map(|run| (run.n, run.longest)).collect();
        assert_eq!(found, [(500, 100), (3, 90_000), (500, 120)]);
        assert_eq!(each(&runs(&rows, 2)), vec![90_000; 1003]);
        let mut runs = Runs::new(3);
        runs.push_any(2);
        runs.push(2, 7);
        runs.push_any(2);
        assert_eq!(each(&runs), vec![7; 6]);
    }

    #[test]
    fn a_row_that_turns_out_longer_does_not_make_those_before_it_longer() {
        let mut runs = runs(&[(3, 10)], 5);
        runs.lengthen_last(5);
        runs.lengthen_last(900);
        assert_eq!(each(&runs), [10, 10, 900]);
        runs.lengthen_last(90_000);
        assert_eq!(each(&runs), [10, 10, 90_000]);
        Runs::new(5).lengthen_last(7);
    }

    #[test]
    fn rows_that_alternate_are_one_run() {
        let rows: Vec<_> = (0..100_000).map(|i| (1, if i % 2 == 0 { 2 } else { 400 })).collect();
        assert_eq!(
            runs(&rows, 16).iter().map(|run| (run.n, run.longest)).collect::<Vec<_>>(),
            [(100_000, 400)]
        );
    }

    proptest! {
        #[test]
        fn no_row_counts_less_than_it_has_and_none_is_lost(
            rows in prop::collection::vec((0..4_u64, prop_oneof![0..100_u64, Just(5_000), Just(u64::MAX)]), 0..60),
            others in prop::collection::vec((0..4_u64, 0..1000_u64), 0..60),
            most in 1..20_usize,
        ) {
            let naive = |rows: &[(u64, u64)]| -> Vec<u64> {
                rows.iter().flat_map(|&(n, bytes)| std::iter::repeat_n(bytes, n as usize)).collect()
            };
            let (a, b) = (runs(&rows, most), runs(&others, 60));
            let (found, expected) = (each(&a), naive(&rows));
            prop_assert_eq!(found.len(), expected.len());
            prop_assert!(found.iter().zip(&expected).all(|(found, bytes)| found >= bytes));
            prop_assert!(a.list.len() <= most);
            prop_assert_eq!(a.longest(), found.iter().copied().max().unwrap_or(0));

            let both = each(&a.beside(&b, most));
            let sums: Vec<u64> = found.iter().zip(each(&b)).map(|(x, y)| x.saturating_add(y)).collect();
            prop_assert_eq!(both.len(), sums.len());
            prop_assert!(both.iter().zip(&sums).all(|(found, bytes)| found >= bytes));
        }
    }
}
