//! Tests of a store as its users know it: what was added is there, whatever happens on the way.

use std::fs;
use std::path::{Path, PathBuf};

use crate::key::{KEY_BYTES, Key};
use crate::profile::Profile;
use crate::sifter::Sifter;
use fanmill_disk::replace::{Disk, Fault};
use fanmill_disk::segments::pages::Failure;
use fanmill_text::Result;
use fanmill_text::progress::Silent;

use super::*;

fn key(first: u8) -> Key {
    Key::new(std::array::from_fn::<u8, KEY_BYTES, _>(|i| i as u8 + first)).expect("a key")
}

/// Returns an original with a text of its own.
fn original(name: &str, sifter: &Sifter) -> Original {
    let words: Vec<String> = (0..30).map(|i| format!("{name}{}", i * i % 17)).collect();
    let text = words.join(" ") + " ";
    let date = i64::try_from(name.len()).expect("a short name");
    let facts = Facts::new(Role::Reported, Some(date));
    Original { name: name.to_owned(), facts, sifted: sifter.sift(&text) }
}

/// A change to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Adds originals, or replaces them.
    Add(&'static [&'static str]),
    Remove(&'static [&'static str]),
    /// Makes all fingerprints again under another key.
    Rekey,
}

impl Change {
    fn run(self, disk: &Disk, store: &Path) -> Result<()> {
        let short = Profile::short();
        let mut writer = Writer::open(disk, store, &key(0), Some(&short), LockWait::None)?;
        let sifter = Sifter::new(&short, &key(u8::from(self == Change::Rekey)));
        match self {
            Change::Add(names) => writer.add(&Silent, |out, old| {
                let mut removed = Removed::new();
                for &name in names {
                    let mut new = original(name, &sifter);
                    // A replaced original hands on its dates and its count.
                    if let Some((segment, number, facts)) = old.find(name)? {
                        removed.entry(segment).or_default().insert(number);
                        new.facts = new.facts.after(facts);
                    }
                    out.push(&new)?;
                }
                Ok((removed, ()))
            })?,
            Change::Remove(names) => {
                let mut removed = Removed::new();
                for name in names {
                    let (segment, number, _) = writer.names().find(name)?.expect("it is there");
                    removed.entry(segment).or_default().insert(number);
                }
                writer.remove(removed, &Silent)?;
            }
            Change::Rekey => {
                let mut names = Vec::new();
                writer.each(&Silent, |_, _, original| {
                    names.push(original.name);
                    Ok(())
                })?;
                writer.replace((&short, key(1).id()), &Silent, |out| {
                    let mut names = names.iter();
                    Ok::<(), Failure>(
                        names.try_for_each(|name| out.push(&original(name, &sifter)))?,
                    )
                })?;
            }
        }
        writer.close()
    }
}

fn add(store: &Path, names: &'static [&'static str]) {
    Change::Add(names).run(&Disk::default(), store).expect("room");
}

/// Returns the names in a store, with the count of each, and checks everything else.
fn names(store: &Path) -> Result<Vec<(String, u64)>> {
    let stored = read_without_key(store)?;
    let number = u8::from(stored.records.key() != key(0).id());
    let sifter = Sifter::new(&Profile::short(), &key(number));
    let check = |at: u32| {
        let (name, facts) = (stored.records.name(at), stored.facts[at as usize]);
        let expected = original(name, &sifter);
        assert_eq!(stored.records.sifted(at), expected.sifted, "{name}");
        assert_eq!(Facts { count: 1, ..facts }, expected.facts, "{name}");
        (name.to_owned(), facts.count)
    };
    Ok((0..stored.records.len() as u32).map(check).collect())
}

fn counted(names: &[(&str, u64)]) -> Vec<(String, u64)> {
    names.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}

fn files(store: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(store).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn additions_replace_and_removals_remove_across_segments() {
    let place = tempfile::tempdir().expect("a folder");
    let store = place.path().join("s");
    add(&store, &["a", "b"]);
    add(&store, &["c", "a"]);
    assert_eq!(names(&store).expect("sound"), counted(&[("b", 1), ("c", 1), ("a", 2)]));
    Change::Remove(&["b", "c"]).run(&Disk::default(), &store).expect("room");
    add(&store, &["d"]);
    assert_eq!(names(&store).expect("sound"), counted(&[("a", 2), ("d", 1)]));
    Change::Rekey.run(&Disk::default(), &store).expect("room");
    let error = Change::Rekey.run(&Disk::default(), &store).expect_err("another key").to_string();
    assert!(error.contains("made with key"), "{error}");
}

/// Adding one original writes little, however many there are; how many are written again grows with their logarithm.
#[test]
fn additions_write_a_segment_and_merging_a_logarithmic_number() {
    let place = tempfile::tempdir().expect("a folder");
    let store = place.path().join("s");
    let (sifter, short) = (Sifter::new(&Profile::short(), &key(0)), Profile::short());
    let one = original("a", &sifter);
    let mut n_written = 0;
    for i in 0..400 {
        let before: Vec<PathBuf> = files_if_any(&store);
        let mut writer =
            Writer::open(&Disk::default(), &store, &key(0), Some(&short), LockWait::None)
                .expect("a store");
        writer
            .add(&Silent, |out, _| {
                out.push(&Original { name: i.to_string(), ..one.clone() })?;
                Ok((Removed::new(), ()))
            })
            .expect("room");
        writer.close().expect("own folder");
        let new = files(&store).into_iter().filter(|file| !before.contains(file));
        n_written += new.map(|file| fs::metadata(file).expect("a file").len()).sum::<u64>();
        let n_segments = files(&store).len() - 2;
        assert!(n_segments <= 16, "{n_segments} segments of {i}");
    }
    let n_bytes: u64 =
        files(&store).iter().map(|file| fs::metadata(file).expect("a file").len()).sum();
    // 400 originals in pages of 4 KiB, each page with its tail, and a manifest each time.
    assert!(n_written < 12 * n_bytes + 400 * 12_000, "{n_written} bytes for {n_bytes}");
    assert_eq!(read_without_key(&store).expect("sound").records.len(), 400);
}

fn files_if_any(store: &Path) -> Vec<PathBuf> {
    if store.exists() { files(store) } else { Vec::new() }
}

/// If many originals were replaced, little of the old ones stays on the disk.
#[test]
fn segments_of_which_much_was_replaced_are_written_again() {
    let place = tempfile::tempdir().expect("a folder");
    let store = place.path().join("s");
    let (sifter, short) = (Sifter::new(&Profile::short(), &key(0)), Profile::short());
    let add = |numbers: std::ops::Range<u32>| {
        let mut writer =
            Writer::open(&Disk::default(), &store, &key(0), Some(&short), LockWait::None)
                .expect("a store");
        let added = writer.add(&Silent, |out, old| {
            let mut removed = Removed::new();
            for i in numbers {
                let new = original(&i.to_string(), &sifter);
                if let Some((segment, number, _)) = old.find(&new.name)? {
                    removed.entry(segment).or_default().insert(number);
                }
                out.push(&new)?;
            }
            Ok((removed, ()))
        });
        added.expect("room");
        let n_removed: usize =
            writer.snapshot.segments.iter().map(|segment| segment.entry.removed.len()).sum();
        writer.close().expect("own folder");
        n_removed
    };
    // A segment may keep 64 replaced originals; with one more it is written again.
    assert_eq!(add(0..900), 0);
    assert_eq!((add(0..30), add(30..60)), (30, 60));
    assert!(add(60..80) < 60);
    assert_eq!(names(&store).expect("sound").len(), 900);
}

/// Checks that the store is as it was, or that an error names the damaged file.
fn check(store: &Path, file: &Path, right: &[(String, u64)], what: &str) {
    let name = file.file_name().expect("a file").to_string_lossy().into_owned();
    match names(store) {
        Ok(found) => assert_eq!(found, right, "{name}: {what}"),
        Err(error) => {
            let error = error.to_string();
            // `CURRENT` may name a manifest that does not exist; without `CURRENT`, there is no store.
            let is_named = error.contains(&name)
                || error.contains("MANIFEST-")
                || error.contains("not a store");
            assert!(is_named, "{name}: {what}: {error}");
        }
    }
    // Looking up names reads only some pages. If it succeeds, it finds each name, so that nothing would be added twice.
    let mut writer = Writer::open_existing(store, &key(0), LockWait::None);
    if let Ok(writer) = &mut writer {
        for (name, count) in right {
            if let Ok(found) = writer.names().find(name) {
                assert_eq!(found.map(|found| found.2.count), Some(*count), "{name}: {what}");
            }
        }
    }
}

#[test]
fn one_bit_of_many_bytes() {
    let place = tempfile::tempdir().expect("a folder");
    let store = place.path().join("s");
    add(&store, &["a", "b", "c"]);
    add(&store, &["d", "a"]);
    let right = names(&store).expect("sound");
    for file in files(&store) {
        let mut bytes = fs::read(&file).expect("own file");
        // Of segments, only each 41st byte is tried, so that this takes seconds. Each time it is another bit.
        let step = if bytes.len() < 4096 { 1 } else { 41 };
        for at in (0..bytes.len()).step_by(step) {
            let bit = 1 << (at % 8);
            bytes[at] ^= bit;
            fs::write(&file, &bytes).expect("room");
            check(&store, &file, &right, &format!("bit {} of byte {at}", at % 8));
            bytes[at] ^= bit;
        }
        fs::write(&file, &bytes).expect("room");
    }
    assert_eq!(names(&store).expect("sound"), right);
}

#[test]
fn cut_off_files_and_files_in_the_place_of_others() {
    let place = tempfile::tempdir().expect("a folder");
    let [store, other] = ["s", "t"].map(|name| place.path().join(name));
    add(&store, &["a", "b"]);
    add(&store, &["c"]);
    add(&other, &["e", "f"]);
    add(&other, &["g"]);
    let right = names(&store).expect("sound");
    let all = [files(&store), files(&other)].concat();
    for file in files(&store) {
        let bytes = fs::read(&file).expect("own file");
        for n in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&file, &bytes[..n]).expect("room");
            check(&store, &file, &right, &format!("cut off after {n} bytes"));
        }
        fs::write(&file, [&*bytes, &[0; 4096]].concat()).expect("room");
        check(&store, &file, &right, "too long");
        for other in all.iter().filter(|&other| *other != file) {
            fs::copy(other, &file).expect("room");
            check(&store, &file, &right, &format!("{} in its place", other.display()));
        }
        fs::remove_file(&file).expect("own file");
        check(&store, &file, &right, "removed");
        fs::write(&file, &bytes).expect("room");
    }
    assert_eq!(names(&store).expect("sound"), right);
}

/// Runs a change with a fault at each of its steps, and checks that the store is as before, or as afterwards.
fn at_every_step(fault: fn(usize) -> Fault, change: Change) {
    let place = tempfile::tempdir().expect("a folder");
    let folder = |n: usize| place.path().join(n.to_string());
    let begin = |store: &Path| {
        for names in [&["a", "b"], &["c", "d"], &["e", "f"]] {
            add(store, names);
        }
    };
    begin(&folder(0));
    let before = names(&folder(0)).expect("sound");
    let counted = Disk::with_fault(Fault::Nothing);
    change.run(&counted, &folder(0)).expect("nothing is wrong");
    let after = names(&folder(0)).expect("sound");
    assert!(counted.n_steps() > 10);
    for step in 0..counted.n_steps() {
        let store = folder(step + 1);
        begin(&store);
        let changed = change.run(&Disk::with_fault(fault(step)), &store);
        let found = names(&store).expect("a whole generation");
        let is_before = found == before && changed.is_err();
        assert!(is_before || found == after, "{change:?}, step {step}: {found:?}");
        // The next writer tidies up and continues.
        if read_without_key(&store).expect("sound").records.key() == key(0).id() {
            add(&store, &["z"]);
            let n_files = files(&store).len();
            let writer = Writer::open_existing(&store, &key(0), LockWait::None).expect("a store");
            assert_eq!(n_files, writer.snapshot.segments.len() + 2, "{change:?}, step {step}");
        }
        fs::remove_dir_all(&store).expect("own folder");
    }
}

/// Changes at which disks fail and processes are killed. The fourth addition merges segments.
const CHANGES: [Change; 3] =
    [Change::Add(&["a", "g"]), Change::Remove(&["b", "e", "f"]), Change::Rekey];

#[test]
fn a_disk_that_fails_once() {
    for change in CHANGES {
        at_every_step(Fault::Fails, change);
    }
}

#[test]
fn a_full_disk() {
    for change in CHANGES {
        at_every_step(Fault::Full, change);
    }
}

#[test]
fn a_killed_process() {
    for change in CHANGES {
        at_every_step(Fault::Killed, change);
    }
}

#[test]
fn a_second_writer_is_refused_and_readers_are_not() {
    let place = tempfile::tempdir().expect("a folder");
    let store = place.path().join("s");
    add(&store, &["a"]);
    let first = Writer::open_existing(&store, &key(0), LockWait::None).expect("a store");
    let second =
        Change::Add(&["b"]).run(&Disk::default(), &store).expect_err("it is being written");
    assert!(second.to_string().contains("written by another process"), "{second}");
    assert_eq!(names(&store).expect("sound").len(), 1);
    drop(first);
    add(&store, &["b"]);
}

#[test]
fn what_is_not_a_store_is_refused_and_stays() {
    let place = tempfile::tempdir().expect("a folder");
    let store = place.path().join("s");
    fs::create_dir(&store).expect("room");
    assert!(names(&store).expect_err("empty").to_string().contains("not a store"));
    fs::write(store.join("seg-1.sift"), "mine").expect("room");
    let add = |store: &Path| Change::Add(&["a"]).run(&Disk::default(), store);
    let error = add(&store).expect_err("something else").to_string();
    assert!(error.contains("holds `seg-1.sift`"), "{error}");
    assert_eq!(files(&store), [store.join("seg-1.sift")]);
    let error = add(&store.join("seg-1.sift")).expect_err("a file").to_string();
    assert!(error.contains("is a file, and not a store"), "{error}");
}

/// Returns the path of a store that an earlier release has written; `testdata/format/README.md` explains how.
fn earlier(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/format").join(name)
}

#[test]
fn a_store_of_version_1_is_read_and_not_changed() {
    let file = earlier("sift-1/short.sift");
    let stored = read_without_key(&file).expect("a store");
    assert_eq!(stored.records.name(0), "originals/lighthouse.txt");
    assert_eq!(stored.facts, vec![Facts::new(Role::Reported, None); 2]);
    let error = Change::Rekey.run(&Disk::default(), &file).expect_err("a file").to_string();
    assert!(error.contains("version 1") && error.contains("sift-upgrade"), "{error}");
}

/// Returns the key of those stores.
fn earlier_key() -> Key {
    let digits = "00112233445566778899aabbccddeeff0123456789abcdef0f1e2d3c4b5a6978";
    let byte = |at: usize| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("digits");
    Key::new(std::array::from_fn(byte)).expect("a key")
}

#[test]
fn a_store_of_version_2_is_read_and_added_to() {
    let place = tempfile::tempdir().expect("a folder");
    let store = place.path().join("s");
    fs::create_dir(&store).expect("room");
    for file in files(&earlier("sift-2/short.sift")) {
        fs::copy(&file, store.join(file.file_name().expect("a file"))).expect("room");
    }
    let days =
        |first: i64, last: i64| Some(DateRange { first: first * 86_400, last: last * 86_400 });
    let facts = |role, seen, count| Facts { role, seen, count };
    let expected = [
        ("originals/lighthouse.txt", facts(Role::Reported, days(20_513, 20_513), 1)),
        ("suspects/allotment.txt", facts(Role::Wanted, None, 1)),
        ("originals/orchard.txt", facts(Role::Reported, days(20_513, 20_574), 2)),
    ];
    let is_as_expected = |n: usize| {
        let stored = read(&store, &earlier_key(), &Silent).expect("a store");
        assert_eq!(stored.records.len(), n);
        for (at, (name, facts)) in (0..).zip(expected) {
            assert_eq!((stored.records.name(at), stored.facts[at as usize]), (name, facts));
        }
    };
    is_as_expected(3);
    let mut writer =
        Writer::open_existing(&store, &earlier_key(), LockWait::None).expect("a store");
    let sifter = Sifter::new(writer.profile(), &earlier_key());
    let added = writer.add(&Silent, |out, names| {
        // Look-ups find names in the old segment, too.
        assert!(names.find("originals/orchard.txt")?.is_some());
        out.push(&original("new", &sifter))?;
        Ok((Removed::new(), ()))
    });
    added.expect("room");
    writer.close().expect("own folder");
    is_as_expected(4);
}
