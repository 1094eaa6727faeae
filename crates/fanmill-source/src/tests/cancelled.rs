//! A run that is asked to stop while its inputs are read.

use std::sync::atomic::{AtomicU64, Ordering};

use fanmill_text::progress::Progress;

use super::build::{gz, tar, zip};
use super::*;

const FILES: u64 = 200;

/// Progress that asks to stop after a number of questions, and counts the inputs.
struct Patience {
    questions_left: AtomicU64,
    n_seen: AtomicU64,
}

impl Patience {
    fn after(questions_left: u64) -> Patience {
        Patience { questions_left: questions_left.into(), n_seen: 0.into() }
    }
}

impl Progress for Patience {
    fn begin(&self, _: &'static str, _: u64) {}

    fn advance_by(&self, n: u64) {
        self.n_seen.fetch_add(n, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        self.questions_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err()
    }
}

/// Makes the same files in folders of one level and of two, and in archives of three kinds.
fn places() -> Vec<(Place, PathBuf)> {
    let names: Vec<String> = (0..FILES).map(|i| format!("s{}/f{i}.txt", i % 7)).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &b"text"[..])).collect();
    let mut places = Vec::new();
    for bytes in [zip(&entries), tar(&entries), gz(&tar(&entries))] {
        let place = Place::new();
        let path = place.write("all", bytes);
        places.push((place, path));
    }
    for is_flat in [true, false] {
        let place = Place::new();
        for name in &names {
            place.write(&if is_flat { name.replace('/', "-") } else { name.clone() }, "text");
        }
        let path = place.path().to_owned();
        places.push((place, path));
    }
    places
}

#[test]
fn every_file_and_entry_is_asked_about_and_counted() {
    for (_place, path) in places() {
        let read = |patience: &Patience| {
            let (options, budget) = (Options::everything(), Budget::new(Limits::standard()));
            let mut corpus = Corpus::default();
            let read = read(
                std::slice::from_ref(&path),
                Role::New,
                &options,
                &budget,
                &mut corpus,
                patience,
            );
            (read, corpus)
        };
        let (whole, corpus) = read(&Patience::after(u64::MAX));
        whole.expect("a corpus");
        assert_eq!(corpus.submissions.iter().map(|s| s.documents.len() as u64).sum::<u64>(), FILES);
        for n_questions in [0, 1, 2, 50, FILES] {
            let patience = Patience::after(n_questions);
            let (stopped, corpus) = read(&patience);
            assert!(stopped.expect_err("it is asked to stop").is_cancelled());
            assert!(corpus.submissions.is_empty() && corpus.notices.is_empty());
            assert!(patience.n_seen.into_inner() <= n_questions, "nothing is read afterwards");
        }
    }
}
