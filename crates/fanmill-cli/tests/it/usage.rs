//! Arguments: what is accepted, and the messages for everything else.

use std::fs;

use fanmill_kernel::InstructionSet;
use insta::assert_snapshot;

use crate::place::{Place, examples};
use crate::run::Run;

/// A run on the four essays.
fn essays(arguments: &str) -> Run {
    Run::new(&format!("compare essays {arguments}")).inside(&examples())
}

#[test]
fn without_a_command_the_help_is_shown() {
    let done = Run::new("").run();
    assert_eq!((done.code, &*done.stdout), (Some(2), ""));
    for command in ["compare", "languages", "completions", "man"] {
        assert!(done.stderr.contains(command), "{done}");
    }
}

#[test]
fn the_version_is_one_line() {
    assert_snapshot!(Run::new("--version").run(), @r"
    exit: 0
    --- stdout
    fanmill [VERSION]
    ");
}

#[test]
fn the_kernel_is_named_and_can_be_chosen() {
    let details = |run: Run| {
        let done = run.run();
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done}");
        done.stdout.lines().nth(1).expect("a kernel").to_owned()
    };
    let all: Vec<&str> = InstructionSet::available().map(InstructionSet::name).collect();
    let (best, has) = (all[all.len() - 1], format!("(this processor has {})", all.join(", ")));
    for arguments in ["--version --verbose", "--verbose --version", "-V --verbose"] {
        assert_eq!(details(Run::new(arguments)), format!("kernel: {best} {has}"));
    }
    for name in &all {
        let run = Run::new("--version --verbose").env("FANMILL_KERNEL", name);
        assert_eq!(details(run), format!("kernel: {name}, by FANMILL_KERNEL {has}"));
    }
    assert_snapshot!(Run::new("languages").env("FANMILL_KERNEL", "neon").run(), @r"
    exit: 2
    --- stderr
    fanmill: FANMILL_KERNEL: unknown kernel `neon`; use one of scalar, sse41, avx2, avx512
    ");
    let done = Run::new("--verbose languages").run();
    assert!(done.code == Some(2) && done.stderr.contains("--version"), "{done}");
}

#[test]
fn help_names_every_exit_status_and_gives_examples() {
    let help = Run::new("compare --help").run();
    assert_eq!((help.code, &*help.stderr), (Some(0), ""));
    let (_, statuses) = help.stdout.split_once("Exit status:\n").expect("a list");
    let documented: Vec<&str> =
        statuses.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(documented, ["0", "1", "2", "3", "4", "6", "7", "129", "130", "143"]);
    assert!(help.stdout.matches("fanmill compare ").count() >= 5, "{help}");
    assert!(help.stdout.lines().all(|line| line.chars().count() <= 100), "{help}");
}

#[test]
fn thresholds_that_contradict_each_other() {
    assert_snapshot!(essays("--noise 30 --guarantee 10").run(), @r"
    exit: 2
    --- stderr
    fanmill: guarantee threshold 10 is below noise threshold 30 (tokens); raise --guarantee or lower --noise
    ");
    assert_snapshot!(essays("--noise 0").run(), @r"
    exit: 2
    --- stderr
    fanmill: noise threshold 0 is too low; use 1 or more tokens
    ");
    assert_snapshot!(essays("--guarantee 200000").run(), @r"
    exit: 2
    --- stderr
    fanmill: guarantee threshold 200000 is above the limit of 100000 tokens; lower --guarantee
    ");
}

#[test]
fn a_selector_that_is_none() {
    assert_snapshot!(essays("--select winow").run(), @r"
    exit: 2
    --- stderr
    fanmill: --select: unknown selector `winow`; use roc(r=3), winnow, robust, mod(p=8), safe-mod(p=8), smallest(n=100) or all
    ");
    assert_snapshot!(essays("--select mod(p=0)").run(), @r"
    exit: 2
    --- stderr
    fanmill: --select: selector `mod(p=0)`: p is a whole number from 1 to 4294967295 in plain digits, as in mod(p=8)
    ");
}

#[test]
fn a_language_that_is_none_gets_a_hint() {
    assert_snapshot!(essays("--lang pythn").run(), @r"
    exit: 2
    --- stderr
    fanmill: unknown language `pythn`; did you mean `python`? `fanmill languages` lists all
    ");
    assert_snapshot!(essays("--lang klingon").run(), @r"
    exit: 2
    --- stderr
    fanmill: unknown language `klingon`; `fanmill languages` lists all
    ");
}

#[test]
fn sizes_and_shares_out_of_range() {
    assert_snapshot!(essays("--max-file-bytes 12parsecs").run(), @r"
    exit: 2
    --- stderr
    fanmill: --max-file-bytes: `12parsecs` has the unknown unit `parsecs`; use KiB, MiB, GiB or TiB
    ");
    assert_snapshot!(essays("--max-total-bytes").arg("").run(), @r"
    exit: 2
    --- stderr
    fanmill: --max-total-bytes: `` is not a size; write 64MiB
    ");
    assert_snapshot!(essays("--max-docs 130%").run(), @r"
    exit: 2
    --- stderr
    fanmill: --max-docs: `130%` is neither a number of submissions (12) nor a share of them (30%)
    ");
    assert_snapshot!(essays("--max-docs 1").run(), @r"
    exit: 2
    --- stderr
    fanmill: --max-docs: `1` would take all that is shared for boilerplate; use 2 or more submissions
    ");
    assert_snapshot!(essays("--fail-above 1.5").run(), @r"
    exit: 2
    --- stderr
    fanmill: --fail-above: `1.5` is not a score; scores go from 0 to 1: write 0.6, or 60%
    ");
    assert_snapshot!(essays("--min-score=-0.1").run(), @r"
    exit: 2
    --- stderr
    fanmill: --min-score: `-0.1` is not a score; scores go from 0 to 1: write 0.6, or 60%
    ");
    assert_snapshot!(essays("--cluster-threshold NaN").run(), @r"
    exit: 2
    --- stderr
    fanmill: --cluster-threshold: `NaN` is not a score; scores go from 0 to 1: write 0.6, or 60%
    ");
}

#[test]
fn scores_may_be_percentages() {
    let count = |arguments: &str| essays(arguments).report().pairs.len();
    assert_eq!(count("--min-score 90%"), 1);
    assert_eq!(count("--min-score 0.9"), 1);
    assert_eq!(essays("--fail-above 60%").run().code, Some(1));
    assert!(
        (essays("--cluster-threshold 30%").report().settings.cluster_threshold - 0.3).abs() < 1e-9
    );
}

#[test]
fn selectors_by_their_bare_names() {
    for name in ["roc", "mod", "safe-mod", "smallest"] {
        assert!(!essays(&format!("--select {name}")).report().pairs.is_empty(), "{name}");
    }
}

#[test]
fn counts_that_no_run_can_use() {
    assert_snapshot!(essays("--threads 100000").run(), @r"
    exit: 2
    --- stderr
    fanmill: --threads 100000 is above the limit of 1024; lower it, or leave it out to use all cores
    ");
    assert_snapshot!(essays("--max-docs 1").run(), @r"
    exit: 2
    --- stderr
    fanmill: --max-docs: `1` would take all that is shared for boilerplate; use 2 or more submissions
    ");
}

#[test]
fn a_build_passes_on_nothing_but_a_comparison() {
    let place = Place::new().with("in/a.txt", "one two three").with("in/b.txt", "");
    assert_snapshot!(place.fanmill("compare in --quiet --fail-above 0.5").run(), @r"
    exit: 3
    --- stderr
    fanmill: nothing to compare: 1 of 2 submissions could be read; the notices say why
    ");
    let done = place.fanmill("compare in --format csv").run();
    assert_eq!(done.code, Some(3), "{done}");
    assert!(done.stderr.contains("fanmill: nothing to compare: 1 of 2"), "{done}");
    assert_snapshot!(essays("--fail-above 0.5 --max-pairs 0").run(), @r"
    exit: 2
    --- stderr
    fanmill: --fail-above looks at the best pair, and --max-pairs 0 lists none; use --top 0 to print none
    ");
    assert_snapshot!(essays("--fail-above 50% --min-score 0.8").run(), @r"
    exit: 2
    --- stderr
    fanmill: --min-score 0.8 hides pairs that are above --fail-above 0.5; lower --min-score
    ");
}

#[test]
fn one_submission_gets_a_hint() {
    let place = Place::new().with("in/a.txt", "one two three").with("in/b.txt", "one two");
    let said = |arguments: &str| place.fanmill(&format!("{arguments} -q")).run().stderr;
    assert_snapshot!(said("compare in --group-by root"), @"fanmill: nothing to compare: in is the only submission; --group-by root makes one submission of each path: use --group-by child to compare what lies in it, or give several paths");
    assert_snapshot!(said("compare in/a.txt"), @"fanmill: nothing to compare: a.txt is the only submission; give a folder of submissions, or several paths");
}

#[test]
fn values_that_clap_refuses() {
    for wrong in
        ["--top -1", "--format xml", "--group-by class", "--noise ten", "--nonsense", "--threads x"]
    {
        let done = essays(wrong).run();
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{wrong}: {done}");
        assert!(done.stderr.starts_with("error: "), "{wrong}: {done}");
    }
}

#[test]
fn an_input_that_is_not_there() {
    let place = Place::new();
    assert_snapshot!(place.fanmill("compare submisions").run(), @r"
    exit: 3
    --- stderr
    fanmill: `submisions` does not exist; check its spelling, and the folder you run from
    ");
    assert_snapshot!(essays("--base handout").run(), @r"
    exit: 3
    --- stderr
    fanmill: `handout` does not exist; check its spelling, and the folder you run from
    ");
    assert_snapshot!(essays("--archive last-year").run(), @r"
    exit: 3
    --- stderr
    fanmill: `last-year` does not exist; check its spelling, and the folder you run from
    ");
}

#[test]
fn a_score_above_the_limit() {
    assert_snapshot!(essays("--fail-above 0.6 --format csv --quiet").run(), @r"
    exit: 1
    --- stdout
    rank,a,b,author_a,author_b,label_a,label_b,submitted_a,submitted_b,score,containment_a,containment_b,resemblance,longest,matched,passages,page,expected
    1,nora.md,petra.txt,,,,,,,0.9999,0.9903,0.9879,0.9784,407,407,1,index.html#/pair/1,
    2,nora.md,otto.md,,,,,,,0.8981,0.2628,0.2483,0.1463,55,108,2,index.html#/pair/2,
    3,otto.md,petra.txt,,,,,,,0.8980,0.2483,0.2621,0.1461,55,108,2,index.html#/pair/3,
    ");
    assert_eq!(essays("--fail-above 1").run().code, Some(0));
}

#[test]
fn strict_wants_all_compared_whole() {
    let place = Place::new().with("in/a.txt", "one two three").with("in/b.txt", "");
    assert_snapshot!(place.fanmill("compare in --strict").run(), @r"
    exit: 3
    --- stderr

    took 1 file and 1 input without readable text as submissions: a.txt, b.txt; --group-by changes that
    1 compared of 2 submissions, 2 files seen: 1 compared, 0 degraded, 1 skipped, 0 failed
    words: a shared passage of 12 words or more is always found; no passage without a run of 3 is ever shown
    0 of 1 pair was scored; none of them shares a passage
    skipped: b.txt: empty
    2 submissions, 1 pair, none listed; 1 notice
    fanmill: nothing to compare: 1 of 2 submissions could be read; the notices say why
    ");
    let place = place.with("in/c.txt", "four five six");
    assert_eq!(place.fanmill("compare in --strict").run().code, Some(4));
    assert_eq!(place.fanmill("compare in").run().code, Some(0));
    // Petra's foreign letters are flagged, but her essay was compared whole.
    assert_eq!(essays("--strict").run().code, Some(0));
}

#[test]
fn a_report_that_cannot_be_written() {
    let place = Place::new().with("file", "not a folder");
    let done = essays("--quiet -o").arg(place.path("file/report")).run();
    assert_eq!(done.code, Some(6), "{done}");
    assert_eq!(done.stderr.matches("os error").count(), 1, "the cause is said once: {done}");
    assert!(done.stderr.contains("file"), "{done}");
}

#[test]
fn a_folder_with_other_things_is_not_replaced() {
    let place =
        Place::new().with("mine/notes.txt", "precious").with("in/a.txt", "a").with("in/b.txt", "b");
    assert_snapshot!(place.fanmill("compare in -o mine").run(), @r"
    exit: 2
    --- stderr
    fanmill: output folder `mine` holds `notes.txt`, and would be replaced; name a new folder, or empty this one
    ");
    assert_eq!(std::fs::read(place.path("mine/notes.txt")).expect("still there"), b"precious");
}

#[test]
fn an_earlier_report_is_replaced() {
    let place = Place::new();
    for _ in 0..2 {
        let done = essays("--quiet -o").arg(place.path("deep/er/report")).run();
        assert_eq!(done.code, Some(0), "{done}");
    }
    let names = std::fs::read_dir(place.path("deep/er")).expect("a folder").count();
    assert_eq!(names, 1, "nothing is left beside it");
}

#[test]
fn a_report_beside_the_submissions_is_none_of_them() {
    let place = Place::new();
    for name in ["ann", "bea"] {
        place.write(format!("{name}/a.txt"), "one two three four five six seven eight nine ten");
    }
    for run in 0..3 {
        let done = place.fanmill("compare . -o report --format json").run();
        assert_eq!(done.code, Some(0), "{done}");
        assert!(done.stderr.contains("2 submissions, 2 files") || run > 0, "{done}");
        assert!(!done.stdout.contains("report/pairs"), "{done}");
        assert_eq!(
            done.stderr.contains("skipped: report: the folder of the report"),
            run > 0,
            "{done}"
        );
    }
    let report = place.fanmill("compare .").report();
    assert_eq!(report.submissions.len(), 2);
    assert!(report.notices[0].reason.contains("earlier report"), "{:?}", report.notices);
}

#[test]
fn paths_that_overlap() {
    let place = Place::new();
    for name in ["ann", "bea", "handout"] {
        place.write(format!("in/{name}/a.txt"), "one two three four five six seven eight nine ten");
    }
    assert_snapshot!(place.fanmill("compare in in/ann").run(), @r"
    exit: 3
    --- stderr
    fanmill: `in/ann` lies in `in`, so it would be compared with itself; give one of them
    ");
    assert_snapshot!(place.fanmill("compare in --archive in").run(), @r"
    exit: 3
    --- stderr
    fanmill: `in` and `in` (--archive) are the same, so it would be compared with itself; move the earlier work out, or leave one out
    ");
    assert_snapshot!(place.fanmill("compare in --base in").run(), @r"
    exit: 3
    --- stderr
    fanmill: `in` and `in` (--base) are the same, so none of it would count as copied; give as --base only what was handed out
    ");
    let report = place.fanmill("compare in --base in/handout").report();
    assert_eq!(report.submissions.len(), 2);
    assert_eq!(report.submissions[0].tokens, 0, "all of it was handed out");
    assert!(
        report.notices[0].reason.contains("given with the setting `base`"),
        "{:?}",
        report.notices
    );
}

#[test]
fn languages_are_listed() {
    let done = Run::new("languages").run();
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let names: Vec<&str> = done.stdout.lines().map(|l| l.split(' ').next().unwrap_or("")).collect();
    assert!(names.is_sorted(), "{names:?}");
    // What MOSS lists, and what users ask its peers for: issue 2.
    for language in "c cpp java csharp python visualbasic javascript fortran sml haskell lisp scheme pascal \
         modula2 ada perl tcl matlab vhdl verilog spice mips a8086 gas arm aarch64 riscv avr mos6502 prolog plsql hcl words typescript rust \
         go kotlin swift php ruby scala r julia lua dart shell powershell sql ocaml fsharp elixir erlang \
         clojure zig racket html css latex markdown yaml json toml"
        .split_whitespace()
    {
        assert!(names.contains(&language), "{language}");
    }
    let n_lexers = done.stdout.lines().filter(|line| line.contains(" code ")).count();
    let readme = include_str!("../../../../README.md");
    assert!(readme.contains(&format!("Reads code with {n_lexers} lexers")), "{n_lexers}");
    let python = done.stdout.lines().find(|line| line.starts_with("python ")).expect("python");
    assert!(python.contains(" code ") && python.contains(" .py ") && python.contains("(also py)"));
}

#[test]
fn completions_for_every_shell() {
    for (shell, sign) in [
        ("bash", "complete -F _fanmill"),
        ("zsh", "#compdef fanmill"),
        ("fish", "complete -c fanmill"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let done = Run::new(&format!("completions {shell}")).run();
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{shell}");
        for part in [sign, "compare", "max-docs"] {
            assert!(done.stdout.contains(part), "{shell} without {part}");
        }
    }
    assert_eq!(Run::new("completions tcsh").run().code, Some(2));
}

#[test]
fn the_manual_page_covers_every_command() {
    let done = Run::new("man").run();
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    assert!(done.stdout.starts_with(".ie"), "roff");
    for part in [
        ".TH fanmill 1",
        "fanmill-compare",
        "fanmill-languages",
        "Exit status",
        "max\\-docs",
        ".TH fanmill-sift-check 1",
        ".TH fanmill-lab-filter 1",
    ] {
        assert!(done.stdout.contains(part), "{part}");
    }
}

#[test]
fn every_command_has_a_manual_page_of_its_own() {
    let place = Place::new().with("man/fanmill-compare.1", "an earlier one");
    let done = place.fanmill("man man").run();
    assert_eq!((done.code, &*done.stdout), (Some(0), ""), "{done}");
    assert!(done.stderr.ends_with(" manual pages in man\n"), "{done}");
    for (name, part) in [
        ("fanmill.1", "fanmill\\-compare(1)"),
        ("fanmill-compare.1", "max\\-docs"),
        ("fanmill-lab-filter.1", "fanmill lab filter"),
        ("fanmill-sift-check.1", "fanmill sift check"),
    ] {
        let page = fs::read_to_string(place.path("man").join(name)).expect(name);
        assert!(page.starts_with(".ie") && page.contains(part), "{name}: {page}");
    }
    let place = place.with("file", "of somebody");
    assert_snapshot!(place.fanmill("man file").run(), @r"
    exit: 2
    --- stderr
    fanmill: output `file` is not a folder; name a new one
    ");
}

/// A job checks its output first; if it fails later, before anything is written, no empty folders are left.
#[test]
fn a_job_that_fails_leaves_no_folders_for_its_output() {
    let place = Place::new().with("bad.jsonl", "{\"text\":1}\n");
    for (command, code) in [
        ("compare nothing -o a/b/c", 3),
        ("urls nothing -o a/b/c", 3),
        ("urls bad.jsonl --strict -o a/b/c", 3),
        ("dedup nothing -o a/b/c", 3),
        ("lab frequency nothing -o a/b/c", 3),
    ] {
        let done = place.fanmill(command).run();
        assert_eq!(done.code, Some(code), "{command}: {done}");
        assert!(!place.path("a").exists(), "{command}");
    }
}

/// `--fail-above auto` fails for pairs rarer than chance, and stops where chance cannot be judged.
#[test]
fn a_limit_by_chance() {
    let assignment = |arguments: &str| {
        let compare = "compare assignment/submissions --base assignment/handout --quiet --top 0";
        Run::new(&format!("{compare} {arguments}")).inside(&examples()).run()
    };
    assert_eq!(assignment("--fail-above auto").code, Some(1));
    let copied = ["ada", "bruno", "chidi", "dana", "hana", "ivo"];
    let others = copied.map(|name| format!("--exclude {name}/*")).join(" ");
    assert_eq!(assignment(&format!("--fail-above auto {others}")).code, Some(0));
    let change = essays("--fail-above auto --base-rev main").run();
    assert_eq!(change.code, Some(2), "{change}");
    let unjudged = essays("--fail-above auto --top 0").run();
    assert_eq!(unjudged.code, Some(3));
    let reason =
        "chance cannot be judged from this batch: there are too few pairs (6; it takes 10)";
    assert!(
        unjudged.stderr.contains(&format!("cannot tell: {reason}; give it a score")),
        "{unjudged}"
    );
}
