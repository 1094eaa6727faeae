//! A disk that fails, is full, or a process that is killed, at any step: the old generation is whole, or the new one.

use fanmill_source::replace::Fault;

use super::*;

/// What each change is made of, on a disk.
fn change(disk: &Disk, folder: &Path, merges: bool) -> fanmill::Result<()> {
    let mut writer = Writer::open(disk, folder, None)?;
    if merges {
        writer.remove(["a"])?;
        writer.merge(&Silent)?;
    } else {
        writer.add(documents([("c", words(3, 30))]), &Registry::prose(), &Silent)?;
    }
    writer.close()
}

/// Runs a change with the fault at each of its steps.
fn at_every_step(fault: fn(usize) -> Fault, merges: bool) {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder_of = |n: usize| temporary.path().join(format!("{n}"));
    let begin = |folder: &Path| {
        add(folder, &[("a", words(1, 30))]);
        add(folder, &[("b", words(2, 30))]);
    };
    let counted = Disk::with_fault(Fault::Nothing);
    begin(&folder_of(0));
    change(&counted, &folder_of(0), merges).expect("nothing is wrong");
    let n_steps = counted.n_steps();
    assert!(n_steps > 10, "{n_steps}");
    for step in 0..n_steps {
        let folder = folder_of(step + 1);
        begin(&folder);
        let changed = change(&Disk::with_fault(fault(step)), &folder, merges);
        let index = Index::open(&folder).expect("a whole generation");
        index.verify(&Silent).expect("a sound index");
        let names: Vec<String> =
            index.documents().map(|record| record.expect("sound").name).collect();
        let expected: &[&[&str]] =
            if merges { &[&["a", "b"], &["b"]] } else { &[&["a", "b"], &["a", "b", "c"]] };
        assert!(expected.contains(&&*names.iter().map(|n| &**n).collect::<Vec<_>>()), "{names:?}");
        if changed.is_ok() {
            assert_eq!(names, expected[1], "step {step}: what was acknowledged is there");
        }
        // The next writer tidies up and goes on.
        add(&folder, &[("d", words(4, 30))]);
        let index = Index::open(&folder).expect("an index");
        assert_eq!(super::names(&search(&index, &words(4, 30))), ["d"], "step {step}");
        let n_files = std::fs::read_dir(&folder).expect("a folder").count() as u64;
        assert_eq!(n_files, 2 * index.stats().segments + 2, "step {step}: nothing else is left");
    }
}

#[test]
fn a_disk_that_fails_once() {
    at_every_step(Fault::Fails, false);
    at_every_step(Fault::Fails, true);
}

#[test]
fn a_full_disk() {
    at_every_step(Fault::Full, false);
    at_every_step(Fault::Full, true);
}

#[test]
fn a_killed_process() {
    at_every_step(Fault::Killed, false);
    at_every_step(Fault::Killed, true);
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
