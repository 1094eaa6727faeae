//! Runs each target on its seeds and on a fixed number of mutations of them.
//!
//! This takes seconds and is not guided by coverage. The real fuzzer runs from `.ci/nightly`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fanmill_fuzz::{TARGETS, Target, mutate};

/// Number of mutations per target, over all its seeds.
const MUTATIONS: u64 = 3000;

fn check(name: &str) {
    let target: &Target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    // A fuzzer begins with nothing.
    (target.run)(&[]);
    let seeds = (target.seeds)();
    for seed in &seeds {
        (target.run)(seed);
    }
    for number in 0..MUTATIONS {
        let seed = &seeds[number as usize % seeds.len()];
        let input = mutate::mutation(seed, number);
        let run = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        assert!(
            run.is_ok(),
            "{name}: mutation {number} of seed {:?}",
            input.escape_ascii().to_string()
        );
    }
}

macro_rules! sample {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            check(stringify!($name));
        }
    )*

        #[test]
        fn every_target_is_sampled() {
            let sampled = [$(stringify!($name)),*];
            assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), sampled);
        }
    };
}

sample! {
    archive arrow cells csv decode document dump index ipc jsonl kernels lexers log lti mailbox manifest mbox message moss multipart notebook page pages parquet
    part pdf postings store visible warc wikitext zim
}
