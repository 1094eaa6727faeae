//! Settings from a file.

use insta::assert_snapshot;

use crate::place::{Place, examples};
use crate::run::Run;

/// The schemes that a comparison of the four essays is made with, given the text of a config file.
fn schemes(file: &str, arguments: &str) -> String {
    let place = Place::new().with("own.toml", file);
    let run = Run::new(&format!("compare essays {arguments} --config")).arg(place.path("own.toml"));
    let report = run.inside(&examples()).report();
    report.promises.iter().map(|promise| promise.scheme.clone()).collect::<Vec<_>>().join("\n")
}

#[test]
fn flags_win_over_the_file_and_the_file_over_the_presets() {
    let file = "[compare]\nselect = 'all'\n\n[compare.words]\nnoise = 4\n";
    assert_snapshot!(schemes("", ""), @"words:markdown@3+words@2/k=3,t=12/roc(r=2)/xxh3@2");
    assert_snapshot!(schemes(file, ""), @"words:markdown@3+words@2/k=4,t=13/all/xxh3@2");
    assert_snapshot!(schemes(file, "--noise 6 --guarantee 9"), @"words:markdown@3+words@2/k=6,t=9/all/xxh3@2");
    assert_snapshot!(schemes(file, "--select winnow"), @"words:markdown@3+words@2/k=4,t=13/winnow/xxh3@2");
}

#[test]
fn results_can_be_told_by_a_file_too() {
    let place = Place::new().with("own.toml", "[compare]\nmax-pairs = 1\nmin-score = 0.01\n");
    let listed = |arguments: &str| {
        let run = Run::new(&format!("compare essays {arguments} --config"));
        run.arg(place.path("own.toml")).inside(&examples()).report().pairs.len()
    };
    assert_eq!((listed(""), listed("--max-pairs 2")), (1, 2));
}

#[test]
fn a_file_that_nobody_named_is_not_read() {
    let place = Place::new().with("fanmill.toml", "this is no TOML");
    let place = place.with("in/a.txt", "one two").with("in/b.txt", "two one");
    let done = place.fanmill("compare in --quiet").run();
    assert_eq!(done.code, Some(0), "{done}");
}

/// A notice that a limit was reached names the config file, so every command that reads files takes one.
#[test]
fn every_command_that_has_limits_takes_them_from_the_file() {
    let words = "the mill grinds slowly, and what it grinds is fine; ";
    let place = Place::new()
        .with("own.toml", "[limits]\nmax-file-bytes = 300\n")
        .with("in/a.txt", words.repeat(4))
        .with("in/b.txt", words.repeat(8));
    for command in ["compare in", "index add ix in", "text in", "lab frequency in"] {
        let free = place.fanmill(command).run();
        assert!(!free.stderr.contains("over the limit of 300"), "{command}: {free}");
        let bound = place.fanmill(&format!("{command} --config own.toml")).run();
        let said = format!("{}{}", bound.stdout, bound.stderr);
        assert!(said.contains("over the limit of 300"), "{command}: {bound}");
    }
}

#[test]
fn a_file_that_cannot_be_used_is_refused() {
    let place = Place::new().with("own.toml", "[compare]\nguarante = 30\n");
    let place = place.with("in/a.txt", "one").with("binary.toml", b"\xff\xfe");
    assert_snapshot!(place.fanmill("compare in --config own.toml").run(), @r"
    exit: 2
    --- stderr
    fanmill: config file `own.toml`, line 2: there is no setting `guarante` in [compare]; did you mean `guarantee`?
    ");
    assert_snapshot!(place.fanmill("compare in --config binary.toml").run(), @r"
    exit: 2
    --- stderr
    fanmill: config file `binary.toml` is not UTF-8; TOML is: save it as UTF-8
    ");
    assert_snapshot!(place.fanmill("compare in --config none.toml").run(), @r"
    exit: 3
    --- stderr
    fanmill: config file `none.toml` does not exist; check its spelling, and the folder you run from
    ");
}
