//! `fanmill sift add`: originals into a store.

use std::collections::BTreeMap;
use std::io::{self, Write};

use fanmill::Error;
use fanmill::report::printable;
use fanmill::sift::profile::Profile;
use fanmill::sift::sifter::Sifted;
use fanmill::sift::store::Store;

use super::library::Library;
use super::texts::{self, Account};
use super::{ending, key_file, print_notices, sift_all};
use crate::args::AddArgs;
use crate::exit::Exit;
use crate::terminal::counted;
use crate::threads;
use crate::words::words;

pub(crate) fn run(args: &AddArgs) -> anyhow::Result<Exit> {
    let key = key_file::read(&args.key.key)?;
    let profile = args.profile.as_deref().map(Profile::named).transpose()?;
    let pool = threads::pool(args.texts.threads)?;
    let mut library = Library::open(&args.store, &key, profile.as_ref())?;
    let sifter = library.store.sifter(&key)?;
    let mut fresh = Fresh::default();
    let mut account = pool.install(|| {
        texts::each(&args.paths, &args.texts.reading, &mut |batch| {
            let sifted = sift_all(&sifter, &batch);
            batch.into_iter().zip(sifted).for_each(|(text, sifted)| fresh.push(text.name, sifted));
            Ok(())
        })
    })?;
    account.notices.append(&mut fresh.empty);
    let (n_new, n_replaced) = fresh.merge_into(&mut library)?;
    print_notices(&account, args.texts.quiet)?;
    if n_new + n_replaced == 0 {
        anyhow::bail!(Error::input("there was no text to add, and the store is as it was"));
    }
    let (is_new, n_in_all) = (library.is_new(), library.store.len());
    let scheme = library.store.profile().scheme(key.id());
    library.save()?;
    if !args.texts.quiet {
        say(args, is_new, [n_new, n_replaced, n_in_all], &scheme, &account)?;
    }
    Ok(ending(&account, &args.texts))
}

/// Texts to add, by name.
#[derive(Debug, Default)]
struct Fresh {
    /// In the order in which they came.
    texts: Vec<(String, Sifted)>,
    /// How often a name came.
    names: BTreeMap<String, usize>,
    /// Notices on texts without a word.
    empty: Vec<String>,
}

impl Fresh {
    fn push(&mut self, name: String, sifted: Sifted) {
        if sifted.is_empty() {
            self.empty.push(format!("{name}: has no word to recognise it by"));
            return;
        }
        let n = self.names.entry(name.clone()).or_insert(0);
        *n += 1;
        let name = if *n == 1 { name } else { format!("{name} ({n})") };
        self.texts.push((name, sifted));
    }

    /// Adds all; those whose name is there take its place. Returns how many are new, and how many
    /// are not.
    fn merge_into(mut self, library: &mut Library) -> fanmill::Result<(usize, usize)> {
        let mut replacing: BTreeMap<String, Sifted> = BTreeMap::new();
        let old: Vec<u32> = (0..library.store.len() as u32).collect();
        let there: BTreeMap<&str, u32> =
            old.iter().map(|&document| (library.store.name(document), document)).collect();
        // Another text comes by standard input each time.
        for (name, _) in self.texts.iter_mut().filter(|(name, _)| texts::is_of_stdin(name)) {
            if there.contains_key(name.as_str()) {
                let numbered = (2_usize..).map(|n| format!("{name} ({n})"));
                let is_free = |name: &String| !there.contains_key(name.as_str());
                *name = numbered.into_iter().find(is_free).expect("numbers do not end");
            }
        }
        let (known, new): (Vec<_>, Vec<_>) =
            self.texts.drain(..).partition(|(name, _)| there.contains_key(name.as_str()));
        replacing.extend(known);
        let counts = (new.len(), replacing.len());
        if !replacing.is_empty() {
            library.store = replaced(&library.store, &replacing)?;
        }
        for (name, sifted) in &new {
            library.store.add(name, sifted)?;
        }
        Ok(counts)
    }
}

/// A store with other fingerprints for some names, in the same order.
fn replaced(store: &Store, replacing: &BTreeMap<String, Sifted>) -> fanmill::Result<Store> {
    let mut new = store.emptied();
    for document in 0..store.len() as u32 {
        let name = store.name(document);
        match replacing.get(name) {
            Some(sifted) => new.add(name, sifted)?,
            None => new.add(name, &store.sifted(document))?,
        };
    }
    Ok(new)
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
