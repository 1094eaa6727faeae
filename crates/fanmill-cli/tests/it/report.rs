//! What tests look up in a report.

use fanmill::report::{Pair, Report, Submission};
use fanmill_text::document::Notice;

/// A report, with names instead of numbers.
pub(crate) trait Ask {
    fn find_pair(&self, a: &str, b: &str) -> Option<&Pair>;
    /// The score of two submissions; 0 if the pair is not listed.
    fn score(&self, a: &str, b: &str) -> f64;
    /// Names of a pair.
    fn names(&self, pair: &Pair) -> (&str, &str);
    /// The members of each cluster, by name.
    fn cluster_names(&self) -> Vec<Vec<&str>>;
    fn of(&self, name: &str) -> &Submission;
    /// The notices of one submission.
    fn said_of(&self, submission: &str) -> Vec<&Notice>;
    /// Checks that every input is accounted for, and that each one not compared whole is named.
    fn check_account(&self);
}

impl Ask for Report {
    fn find_pair(&self, a: &str, b: &str) -> Option<&Pair> {
        self.pairs.iter().find(|pair| {
            let names = self.names(pair);
            names == (a, b) || names == (b, a)
        })
    }

    fn score(&self, a: &str, b: &str) -> f64 {
        self.find_pair(a, b).map_or(0.0, |pair| pair.score)
    }

    fn names(&self, pair: &Pair) -> (&str, &str) {
        (&self.submissions[pair.a as usize].name, &self.submissions[pair.b as usize].name)
    }

    fn cluster_names(&self) -> Vec<Vec<&str>> {
        let name = |&member: &u32| self.submissions[member as usize].name.as_str();
        self.clusters.iter().map(|cluster| cluster.members.iter().map(name).collect()).collect()
    }

    #[track_caller]
    fn of(&self, name: &str) -> &Submission {
        let found = self.submissions.iter().find(|submission| submission.name == name);
        found.unwrap_or_else(|| panic!("no submission {name:?}"))
    }

    fn said_of(&self, submission: &str) -> Vec<&Notice> {
        self.notices.iter().filter(|notice| notice.submission == submission).collect()
    }

    #[track_caller]
    fn check_account(&self) {
        let inputs = self.inputs;
        assert_eq!(
            inputs.seen,
            inputs.compared + inputs.degraded + inputs.skipped + inputs.failed,
            "{inputs:?}"
        );
        for (outcome, count) in
            [("degraded", inputs.degraded), ("skipped", inputs.skipped), ("failed", inputs.failed)]
        {
            let mut named: Vec<(&str, &str, &str)> = self
                .notices
                .iter()
                .filter(|notice| notice.outcome.name() == outcome)
                .map(|notice| (notice.role.name(), &*notice.submission, &*notice.path))
                .collect();
            named.sort_unstable();
            named.dedup();
            assert_eq!(named.len() as u64, count, "{outcome}: {:#?}", self.notices);
        }
    }
}
