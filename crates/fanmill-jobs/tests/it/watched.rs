//! `index watch`: what is written while a folder is watched is found in the end, and nothing is half.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use fanmill_jobs::index::{Index, Inputs, Outcome, Settings, Wait, Watch, add, watch};
use fanmill_text::progress::{Progress, Silent};

use crate::place::{OTHER, PROVERB, Place};

/// Asks to stop when it is told to.
#[derive(Default)]
struct Until(AtomicBool);

impl Progress for Until {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, _: u64) {}

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Writes a file in one of the ways in which programs do.
fn write(folder: &Path, i: usize, text: &str) {
    let path = folder.join(format!("{}/{i}.txt", i % 7));
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    let (first, rest) = text.split_at(text.len() / 2);
    match i % 4 {
        0 => fs::write(&path, text).expect("room"),
        1 => {
            let mut file = fs::File::create(&path).expect("room");
            file.write_all(first.as_bytes()).expect("room");
            thread::sleep(Duration::from_millis(i as u64 % 5));
            file.write_all(rest.as_bytes()).expect("room");
        }
        2 => {
            let beside = folder.with_extension("beside");
            fs::write(&beside, text).expect("room");
            fs::rename(&beside, &path).expect("one disk");
        }
        _ => {
            fs::write(&path, first).expect("room");
            fs::write(&path, text).expect("room");
        }
    }
}

/// The names in an index, and what it has under them.
fn contents(index: &Path) -> BTreeMap<String, Vec<u8>> {
    let index = Index::open(index).expect("an index");
    let documents = index.submissions().map(|document| {
        let mut document = document.expect("a sound index");
        (document.name, document.documents.remove(0).bytes)
    });
    documents.collect()
}

/// `WATCHED` says how many files; each is read in the end as it was written last, under the name that adding the folder gives
/// it.
#[test]
fn files_written_meanwhile_are_found() {
    let n = std::env::var("WATCHED").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let place = Place::new(&[("in/before.txt", PROVERB), ("in/.git/config", OTHER)]);
    let (folder, index, until) = (place.path("in"), place.path("ix"), Until::default());
    let mut wanted = Watch::new(&folder);
    wanted.rest = Duration::from_millis(200);
    let settings = Settings::default();
    thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut take = |_: Outcome| Ok(());
            watch(&settings, &index, &wanted, &Inputs::default(), &mut take, &until)
        });
        for i in 0..n {
            write(&folder, i, &format!("{i}: {OTHER}, {i} times"));
        }
        for i in (0..n).step_by(10) {
            write(&folder, i, &format!("{i} was written again: {PROVERB}"));
        }
        let expected = |i: usize| match i % 10 {
            0 => format!("{i} was written again: {PROVERB}"),
            _ => format!("{i}: {OTHER}, {i} times"),
        };
        let name = |inside: &str| folder.join(inside).to_string_lossy().replace('\\', "/");
        let mut all: BTreeMap<String, Vec<u8>> = (0..n)
            .map(|i| (name(&format!("{}/{i}.txt", i % 7)), expected(i).into_bytes()))
            .collect();
        all.insert(name("before.txt"), PROVERB.into());
        while !Index::is_at(&index) || contents(&index) != all {
            assert!(!watching.is_finished(), "{:?}", watching.join());
            thread::sleep(Duration::from_millis(50));
        }
        until.0.store(true, Ordering::Relaxed);
        assert!(watching.join().expect("it ends").expect_err("cancelled").is_cancelled());
        // What was watched is what is added.
        let mut inputs = Inputs::from_paths([&folder]);
        inputs.group_by = fanmill_source::GroupBy::File;
        let again = add(&settings, &index, &inputs, Wait::No, &Silent).expect("an index");
        assert_eq!((again.added.unchanged, again.added.added), (n as u64 + 1, 0));
        Index::open(&index).expect("an index").verify(&Silent).expect("a sound index");
    });
}
