//! What every build can do, whichever jobs it leaves out, and what it says about those.

use std::path::Path;
use std::process::{Command, Output};

fn fanmill(args: &[&str]) -> Output {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assignment");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fanmill"));
    command.current_dir(examples).args(args).output().expect("the program starts")
}

#[test]
fn the_example_is_compared() {
    let done = fanmill(&["compare", "submissions", "--base", "handout"]);
    let table = String::from_utf8(done.stdout).expect("text");
    assert!(done.status.success(), "{table}");
    assert!(table.lines().any(|line| line.contains("hana") && line.contains('%')), "{table}");
}

#[test]
fn a_job_that_is_left_out_says_how_to_get_it() {
    let jobs = [
        ("dedup", cfg!(feature = "corpus")),
        ("index", cfg!(feature = "index")),
        ("search", cfg!(feature = "index")),
        ("urls", cfg!(feature = "corpus")),
        ("lab", cfg!(feature = "lab")),
        ("sift", cfg!(feature = "sift")),
    ];
    for (job, is_there) in jobs {
        let done = fanmill(&[job, "--help"]);
        let said = String::from_utf8(done.stderr).expect("text");
        if is_there {
            assert!(done.status.success(), "{job}: {said}");
        } else {
            assert_eq!(done.status.code(), Some(2), "{job}: {said}");
            assert!(said.contains(&format!("leaves `{job}` out")), "{said}");
            assert!(said.contains("--features"), "{said}");
        }
    }
}
