//! `fanmill sift add`: originals into a store.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};

use fanmill::Error;
use fanmill::sift::profile::Profile;
use fanmill::sift::records::{Records, StoredIdx};
use fanmill::sift::sifter::Sifted;
use fanmill_report::printable;

use super::library::Library;
use super::texts::{self, Account, Notice};
use super::{ending, key_file, print_notices, sift_all};
use crate::args::AddArgs;
use crate::exit::Exit;
use crate::threads;
use crate::words::words;
use fanmill::counted::counted;

pub(crate) fn run(args: &AddArgs) -> anyhow::Result<Exit> {
    let key = key_file::read(&args.key.key)?;
    let profile = args.profile.as_deref().map(Profile::named).transpose()?;
    let pool = threads::pool(args.texts.threads)?;
    let mut library = Library::open(&args.store, &key, profile.as_ref())?;
    let sifter = library.records.sifter(&key)?;
    let mut shelf = Shelf::of(library.take_records());
    let mut account = pool.install(|| {
        texts::each(&args.paths, &args.texts.reading, &mut |batch| {
            let sifted = sift_all(&sifter, &batch);
            let mut texts = batch.into_iter().zip(sifted);
            Ok(texts.try_for_each(|(text, sifted)| shelf.put(text.name, &sifted))?)
        })
    })?;
    account.notices.append(&mut shelf.empty);
    print_notices(&account, args.texts.quiet)?;
    let (n_new, n_replaced) = (shelf.n_new(), shelf.n_replaced());
    if n_new + n_replaced == 0 {
        anyhow::bail!(Error::input("there was no text to add, and the store is as it was"));
    }
    library.save(&shelf.records, shelf.documents())?;
    if !args.texts.quiet {
        let scheme = shelf.records.profile().scheme(key.id());
        say(args, library.is_new(), [n_new, n_replaced, shelf.order.len()], &scheme, &account)?;
    }
    Ok(ending(&account, &args.texts))
}

/// A store with more texts put into it, one after another.
///
/// What replaces a text is put behind all others, and takes its place when the store is written, so that no
/// second store is made. With its name, a text of 500 bytes takes some 400.
#[derive(Debug)]
struct Shelf {
    /// What was there, and then what came.
    records: Records,
    /// How many were there.
    n_old: usize,
    /// Which of `records` are in the new store, in its order.
    order: Vec<StoredIdx>,
    /// Where in `order` each name is.
    places: HashMap<Box<str>, u32>,
    /// The number that a name got last, of names that came more than once.
    repeated: HashMap<String, usize>,
    /// Notices on texts without a word.
    empty: Vec<Notice>,
}

impl Shelf {
    fn of(records: Records) -> Shelf {
        let order: Vec<StoredIdx> = (0..records.len() as u32).collect();
        let places = order.iter().map(|&at| (records.name(at).into(), at)).collect();
        let (repeated, empty) = (HashMap::new(), Vec::new());
        Shelf { n_old: records.len(), records, order, places, repeated, empty }
    }

    /// Adds a text. One whose name was there takes its place, once: another one of that name gets a number.
    fn put(&mut self, name: String, sifted: &Sifted) -> fanmill::Result<()> {
        if sifted.is_empty() {
            let reason = "has no word to recognise it by".to_owned();
            self.empty.push(Notice { name, reason });
            return Ok(());
        }
        let name = self.free(name);
        let at = self.records.push(&name, sifted)?;
        match self.places.entry(name.into_boxed_str()) {
            Entry::Occupied(place) => self.order[*place.get() as usize] = at,
            Entry::Vacant(place) => {
                place.insert(self.order.len() as u32);
                self.order.push(at);
            }
        }
        Ok(())
    }

    /// The name, or the first one with a number, that is not taken.
    fn free(&mut self, name: String) -> String {
        if !self.is_taken(&name, &name) {
            return name;
        }
        let mut n = self.repeated.get(&name).copied().unwrap_or(1);
        let numbered = loop {
            n += 1;
            let numbered = format!("{name} ({n})");
            if !self.is_taken(&name, &numbered) {
                break numbered;
            }
        };
        self.repeated.insert(name, n);
        numbered
    }

    /// Whether a text that came as `name` cannot go by `candidate`: one of this run does already. Another text
    /// comes by standard input each time, so that it replaces none.
    fn is_taken(&self, name: &str, candidate: &str) -> bool {
        self.places.get(candidate).is_some_and(|&place| {
            let is_new = place as usize >= self.n_old || self.order[place as usize] != place;
            is_new || texts::is_of_stdin(name)
        })
    }

    fn n_new(&self) -> usize {
        self.order.len() - self.n_old
    }

    fn n_replaced(&self) -> usize {
        (0..).zip(&self.order[..self.n_old]).filter(|&(place, &at)| place != at).count()
    }

    /// The documents of the new store, in its order, each under its name.
    fn documents(&self) -> impl ExactSizeIterator<Item = (&str, StoredIdx)> {
        self.order.iter().map(|&at| (self.records.name(at), at))
    }
}

fn say(
    args: &AddArgs,
    is_new: bool,
    [n_new, n_replaced, n_in_all]: [usize; 3],
    scheme: &str,
    account: &Account,
) -> io::Result<()> {
    let mut words = words();
    let replaced = match n_replaced {
        0 => String::new(),
        n => format!(", {n} replaced"),
    };
    let cut = match account.n_cut {
        0 => String::new(),
        n => format!(", {n} not read whole"),
    };
    let shown = args.store.to_string_lossy();
    writeln!(
        words,
        "{} added{replaced}{cut}; `{}` {} {}",
        counted(n_new as u64, "text", "texts"),
        printable(&shown),
        if is_new { "is new and has" } else { "has" },
        counted(n_in_all as u64, "text", "texts")
    )?;
    writeln!(words, "scheme: {scheme}")
}

#[cfg(test)]
mod tests {
    use fanmill::sift::key::{KEY_BYTES, Key};
    use fanmill::sift::sifter::Sifter;

    use super::*;

    /// A store of these names, each with a text of its own, and then more put into it; all names, with the texts they have.
    fn put(old: &[&str], new: &[&str]) -> Vec<(String, String)> {
        let digits = std::array::from_fn::<u8, KEY_BYTES, _>(|i| i as u8);
        let sifter = Sifter::new(&Profile::short(), &Key::new(digits).expect("a key"));
        let (before, after) =
            (|i: usize| format!("old text {i}"), |i: usize| format!("new text {i}"));
        let mut records = Records::new(&sifter);
        for (i, name) in old.iter().enumerate() {
            records.push(name, &sifter.sift(&before(i))).expect("room");
        }
        let mut shelf = Shelf::of(records);
        for (i, name) in new.iter().enumerate() {
            shelf.put((*name).to_owned(), &sifter.sift(&after(i))).expect("room");
        }
        assert_eq!(shelf.n_new() + old.len(), shelf.order.len());
        let texts: Vec<String> =
            (0..old.len()).map(before).chain((0..new.len()).map(after)).collect();
        let text_of = |at| {
            let is_it = |text: &&String| sifter.sift(text) == shelf.records.sifted(at);
            texts.iter().find(is_it).expect("one of them").clone()
        };
        shelf.documents().map(|(name, at)| (name.to_owned(), text_of(at))).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    #[test]
    fn a_name_that_was_there_is_replaced_in_its_place_and_once() {
        assert_eq!(
            put(&["a", "b", "a (2)"], &["c", "b", "a", "a", "a", "b"]),
            pairs(&[
                ("a", "new text 2"),
                ("b", "new text 1"),
                ("a (2)", "new text 3"),
                ("c", "new text 0"),
                ("a (3)", "new text 4"),
                ("b (2)", "new text 5"),
            ])
        );
    }

    #[test]
    fn no_two_texts_of_a_run_have_one_name() {
        assert_eq!(
            put(&[], &["a (2)", "a", "a", "a (2)"]),
            pairs(&[
                ("a (2)", "new text 0"),
                ("a", "new text 1"),
                ("a (3)", "new text 2"),
                ("a (2) (2)", "new text 3"),
            ])
        );
    }

    #[test]
    fn what_comes_by_standard_input_replaces_nothing() {
        let names: Vec<String> =
            put(&["-", "-#1"], &["-", "-#1", "-#2", "-"]).into_iter().map(|pair| pair.0).collect();
        assert_eq!(names, ["-", "-#1", "- (2)", "-#1 (2)", "-#2", "- (3)"]);
    }
}
