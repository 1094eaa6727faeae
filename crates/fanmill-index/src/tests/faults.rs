//! A disk fails or is full, or a process is killed, at any step: the old generation is whole, or the new one is.

use fanmill_disk::replace::Fault;

use super::*;

/// A change to an index of two documents, `a` and `b`.
#[derive(Clone, Copy)]
enum Change {
    /// One document is added.
    Add,
    /// Four documents are added, in segments of one each, which are merged on the way.
    AddMany,
    /// `a` is removed, and the index is merged.
    Merge,
}

impl Change {
    /// Makes the change on a disk.
    fn run(self, disk: &Disk, folder: &Path) -> fanmill_text::Result<()> {
        let mut writer = Writer::open(disk, folder, None)?;
        writer.together = 1;
        let new = match self {
            Change::Merge => {
                writer.remove(["a"])?;
                writer.merge(&Silent)?;
                return writer.close();
            }
            Change::Add => 3..4,
            Change::AddMany => 3..7,
        };
        let new = new.map(|seed| (NAMES[seed as usize - 1], words(seed, 30)));
        writer.add(documents(new), &Registry::prose(), &Silent)?;
        writer.close()
    }

    /// Returns the names of the documents afterwards.
    fn expected(self) -> &'static [&'static str] {
        match self {
            Change::Add => &NAMES[..3],
            Change::AddMany => &NAMES,
            Change::Merge => &NAMES[1..2],
        }
    }
}

const CHANGES: [Change; 3] = [Change::Add, Change::AddMany, Change::Merge];
const NAMES: [&str; 6] = ["a", "b", "c", "e", "f", "g"];

/// Runs a change once for each of its steps, with the fault at that step.
fn at_every_step(fault: fn(usize) -> Fault, change: Change) {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder_of = |n: usize| temporary.path().join(format!("{n}"));
    let begin = |folder: &Path| {
        add(folder, &[("a", words(1, 30))]);
        add(folder, &[("b", words(2, 30))]);
    };
    let counted = Disk::with_fault(Fault::Nothing);
    begin(&folder_of(0));
    change.run(&counted, &folder_of(0)).expect("nothing is wrong");
    let n_steps = counted.n_steps();
    assert!(n_steps > 10, "{n_steps}");
    for step in 0..n_steps {
        let folder = folder_of(step + 1);
        begin(&folder);
        let changed = change.run(&Disk::with_fault(fault(step)), &folder);
        let index = Index::open(&folder).expect("a whole generation");
        index.verify(&Silent).expect("a sound index");
        let names: Vec<String> =
            index.documents().map(|record| record.expect("sound").name).collect();
        let is_before = names == NAMES[..2] && changed.is_err();
        assert!(is_before || names == change.expected(), "step {step}: {names:?} {changed:?}");
        // The next writer tidies up and continues.
        add(&folder, &[("d", words(40, 30))]);
        let index = Index::open(&folder).expect("an index");
        assert_eq!(super::names(&search(&index, &words(40, 30))), ["d"], "step {step}");
        let n_files = std::fs::read_dir(&folder).expect("a folder").count() as u64;
        assert_eq!(n_files, 2 * index.stats().segments + 2, "step {step}: nothing else is left");
    }
}

#[test]
fn a_disk_that_fails_once() {
    for change in CHANGES {
        at_every_step(Fault::Fails, change);
    }
}

#[test]
fn a_full_disk() {
    at_every_step(Fault::Full, Change::Add);
    at_every_step(Fault::Full, Change::Merge);
}

#[test]
fn a_killed_process() {
    for change in CHANGES {
        at_every_step(Fault::Killed, change);
    }
}

#[test]
fn a_second_writer_is_refused_and_readers_are_not() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    add(&folder, &[("a", words(1, 30))]);
    let first = Writer::open(&Disk::default(), &folder, None).expect("an index");
    let error = Writer::open(&Disk::default(), &folder, None).expect_err("it is being written");
    let own = format!("process {} is at work", std::process::id());
    assert!(error.is_busy() && error.to_string().contains(&own), "{error}");
    assert_eq!(Index::open(&folder).expect("an index").n_documents(), 1);
    drop(first);
    Writer::open(&Disk::default(), &folder, None).expect("an index").close().expect("own folder");
}
