//! Copies objects to the disk: all below a prefix, each whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use fanmill_disk::replace::{DiskFile, Workplace};
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, message};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use object_store::path::Path as Key;
use object_store::{GetOptions, ObjectMeta, ObjectStore, ObjectStoreExt};
use tokio::runtime::{self, Runtime};

use crate::address::{Address, Kind};
use crate::store::{self, said};

/// Maximum number of objects that are fetched at a time.
pub const AT_ONCE: usize = 8;

/// Time without a byte after which a store counts as gone.
const SILENCE: Duration = Duration::from_mins(2);

/// Time between two checks for cancellation.
const TICK: Duration = Duration::from_secs(1);

/// Number of objects between two marks.
const MARKED: usize = 64;

/// Beginning of a mark: so many of the objects, in order, are on the disk.
const MARK: &str = "fetched ";

/// An object to be fetched.
#[derive(Debug, Clone)]
struct Object {
    key: Key,
    /// The time of its last change, as far as the store says it.
    changed: Option<SystemTime>,
    /// Bytes, as far as the store says it.
    bytes: Option<u64>,
    /// Place of the copy in the workplace.
    name: PathBuf,
}

/// The objects of some addresses, as the stores list them.
#[expect(missing_debug_implementations, reason = "stores have keys in them")]
pub struct Listing {
    runtime: Runtime,
    addresses: Vec<Listed>,
}

/// An address, its store, and its objects, ascending by name.
struct Listed {
    address: Address,
    store: Arc<dyn ObjectStore>,
    objects: Vec<Object>,
}

impl Listing {
    /// Lists the objects of addresses.
    ///
    /// # Errors
    /// If there is nothing at one of them, a store refuses or falls silent, a name cannot be one of this system, or the
    /// job is cancelled.
    pub fn new(addresses: Vec<Address>, progress: &dyn Progress) -> Result<Listing> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Error::io("start fetching to", std::env::temp_dir(), error))?;
        progress.begin("listing", addresses.len() as u64);
        let listed = (1..).zip(addresses).map(|(number, address)| {
            let store = store::open(&address)?;
            let fetching = Fetching { address: &address, store: &*store, progress };
            // Each has a folder of its own, as two may end with the same name.
            let objects = runtime.block_on(fetching.objects(Path::new(&number.to_string())))?;
            progress.advance();
            Ok(Listed { address, store, objects })
        });
        let addresses = listed.collect::<Result<_>>()?;
        Ok(Listing { runtime, addresses })
    }

    /// Returns words that are equal for equal lists only: addresses, names, lengths and times.
    pub fn identity(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for Listed { address, objects, .. } in &self.addresses {
            hasher.update(format!("{address} {}\n", objects.len()).as_bytes());
            for Object { key, bytes, changed, .. } in objects {
                hasher.update(format!("{key} {bytes:?} {changed:?}\n").as_bytes());
            }
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Copies the objects into `workplace`, and returns the path of each address's copy: a file, or a folder with the
    /// names of the store. What an earlier run for the same list has fetched, by its marks, stays.
    ///
    /// # Errors
    /// If a store refuses or falls silent, an object changes meanwhile, the disk refuses, or the job is cancelled.
    pub fn fetch(self, workplace: &mut Workplace, progress: &dyn Progress) -> Result<Vec<PathBuf>> {
        let all = || self.addresses.iter().flat_map(|listed| &listed.objects);
        progress.begin("fetching", all().filter_map(|object| object.bytes).sum());
        let mut n_known = known(workplace)?;
        all().take(n_known).for_each(|object| progress.advance_by(object.bytes.unwrap_or(0)));
        let (mut n_fetched, mut is_certain) = (0, true);
        for Listed { address, store, objects } in &self.addresses {
            let skipped = n_known.min(objects.len());
            n_known -= skipped;
            n_fetched += skipped;
            let fetching = Fetching { address, store: &**store, progress };
            for objects in objects[skipped..].chunks(MARKED) {
                self.runtime.block_on(fetching.all(objects, workplace))?;
                n_fetched += objects.len();
                // A file of which nothing was known before is fetched by each run.
                is_certain &= objects.iter().all(|object| object.changed.is_some());
                if is_certain {
                    workplace.mark(&format!("{MARK}{n_fetched}"))?;
                }
            }
        }
        let copy = |(number, listed): (usize, &Listed)| {
            workplace.path().join(number.to_string()).join(listed.address.name())
        };
        Ok((1..).zip(&self.addresses).map(copy).collect())
    }
}

/// Returns the number of objects that marks say are on the disk, and removes what came after the last mark.
fn known(workplace: &mut Workplace) -> Result<usize> {
    let marks = workplace.marks();
    workplace.rewind(marks.len())?;
    let last = marks.last().and_then(|mark| mark.strip_prefix(MARK));
    Ok(last.and_then(|n| n.parse().ok()).unwrap_or(0))
}

/// What is fetched from one store.
struct Fetching<'a> {
    address: &'a Address,
    store: &'a dyn ObjectStore,
    progress: &'a dyn Progress,
}

impl Fetching<'_> {
    /// Lists the objects, ascending by name, to be fetched into the folder `below`.
    async fn objects(&self, below: &Path) -> Result<Vec<Object>> {
        let Address { kind, key, .. } = self.address;
        let own = below.join(checked(self.address.name(), self.address)?);
        if *kind == Kind::Web {
            // Not all servers answer a question for the head alone: length and time come with the file.
            return Ok(vec![Object { key: key.clone(), changed: None, bytes: None, name: own }]);
        }
        let is_prefix = self.address.url.path().ends_with('/') || key.as_ref().is_empty();
        if !is_prefix {
            match self.awaited(self.store.head(key)).await {
                Ok(found) => return Ok(vec![object(found, own)]),
                Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(self.refused(&error)),
            }
        }
        let prefix = (!key.as_ref().is_empty()).then_some(key);
        let listed = self.store.list(prefix).try_collect::<Vec<ObjectMeta>>();
        let mut listed = self.awaited(listed).await.map_err(|error| self.refused(&error))?;
        listed.sort_unstable_by(|x, y| x.location.cmp(&y.location));
        let mut objects = Vec::new();
        for found in without_folders(listed) {
            let inside = found.location.prefix_match(key);
            let inside = inside.map(|parts| parts.map(|part| part.as_ref().to_owned()).collect());
            let mut name = own.clone();
            for part in inside.unwrap_or_else(Vec::new) {
                name.push(checked(&part, self.address)?);
            }
            objects.push(object(found, name));
        }
        if objects.is_empty() {
            return Err(Error::input(message![("there is nothing at `{}`", self.address)]));
        }
        Ok(objects)
    }

    /// Fetches some objects, several at a time.
    async fn all(&self, objects: &[Object], workplace: &mut Workplace) -> Result<()> {
        let folder = workplace.path().to_owned();
        let mut files = Vec::with_capacity(objects.len());
        for object in objects {
            files.push((object, workplace.make_file(&object.name)?));
        }
        let fetched = files.into_iter().map(|(object, file)| self.one(object, file, &folder));
        stream::iter(fetched).buffer_unordered(AT_ONCE).try_collect::<Vec<()>>().await?;
        Ok(())
    }

    /// Fetches an object into a file.
    async fn one(&self, object: &Object, mut file: DiskFile, folder: &Path) -> Result<()> {
        let path = folder.join(&object.name);
        let asked = self.store.get_opts(&object.key, GetOptions::default());
        let answer = self.awaited(asked).await.map_err(|error| self.refused(&error))?;
        let (bytes, changed) = (answer.meta.size, time(&answer.meta));
        let mut parts = answer.into_stream();
        let mut n_bytes = 0;
        loop {
            let next =
                self.awaited(parts.try_next()).await.map_err(|error| self.refused(&error))?;
            let Some(part) = next else { break };
            file.write_all(&part).map_err(|error| Error::io("write", &path, error))?;
            n_bytes += part.len() as u64;
            self.progress.advance_by(part.len() as u64);
        }
        let has_changed = object.bytes.is_some_and(|listed| listed != bytes)
            || object.changed.zip(changed).is_some_and(|(listed, now)| listed != now);
        if has_changed || n_bytes != bytes {
            let key = &object.key;
            return Err(Error::input(message![
                ("`{key}` of `{}` changed while it was fetched", self.address),
                "; run again"
            ]));
        }
        file.flush().map_err(|error| Error::io("write", &path, error))?;
        // By it, a run that was killed recognises the file again.
        let set = |time| File::options().write(true).open(&path)?.set_modified(time);
        changed.map_or(Ok(()), set).map_err(|error| Error::io("date", &path, error))
    }

    /// Waits for an answer of the store, as long as it is not silent for too long and the job is not cancelled.
    async fn awaited<T>(
        &self,
        answer: impl Future<Output = object_store::Result<T>>,
    ) -> object_store::Result<T> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| {
            object_store::Error::Generic { store: "fetching", source }
        };
        let mut answer = Box::pin(answer);
        let mut waited = Duration::ZERO;
        loop {
            if let Ok(answer) = tokio::time::timeout(TICK, &mut answer).await {
                return answer;
            }
            waited += TICK;
            if self.progress.is_cancelled() {
                return Err(failed(Box::new(io::Error::from(io::ErrorKind::Interrupted))));
            }
            if waited >= SILENCE {
                let error = io::Error::new(io::ErrorKind::TimedOut, "no byte came for two minutes");
                return Err(failed(Box::new(error)));
            }
        }
    }

    /// Says what a store refused, and what to do.
    fn refused(&self, error: &object_store::Error) -> Error {
        if let Err(cancelled) = self.progress.check() {
            return cancelled;
        }
        let address = self.address;
        match error {
            object_store::Error::NotFound { .. } => {
                Error::input(message!["there is nothing at `{address}`"])
            }
            object_store::Error::PermissionDenied { .. }
            | object_store::Error::Unauthenticated { .. } => Error::input(message![
                "the store refuses `{address}` to these credentials, which come from the environment: ",
                ("{}", said(error))
            ]),
            _ => Error::input(message!["`{address}` cannot be fetched: ", ("{}", said(error))]),
        }
    }
}

/// Leaves out the empty objects that mark folders, from a list that ascends by name.
fn without_folders(mut listed: Vec<ObjectMeta>) -> Vec<ObjectMeta> {
    let is_folder = |found: &ObjectMeta| {
        let below = format!("{}/", found.location);
        let first = listed.partition_point(|other| other.location.as_ref() < below.as_str());
        let has_any = |other: &ObjectMeta| other.location.as_ref().starts_with(&below);
        found.size == 0 && listed.get(first).is_some_and(has_any)
    };
    let mut are_folders = listed.iter().map(is_folder).collect::<Vec<bool>>().into_iter();
    listed.retain(|_| are_folders.next() == Some(false));
    listed
}

fn object(found: ObjectMeta, name: PathBuf) -> Object {
    let changed = time(&found);
    Object { key: found.location, changed, bytes: Some(found.size), name }
}

/// Returns the time of an object's last change; `None` if the store does not say it.
fn time(found: &ObjectMeta) -> Option<SystemTime> {
    let time = SystemTime::from(found.last_modified);
    (time > SystemTime::UNIX_EPOCH).then_some(time)
}

/// Checks that a part of a key can be the name of a file, on any system, and stays in its folder.
fn checked<'a>(part: &'a str, address: &Address) -> Result<&'a str> {
    const LONGEST: usize = 255;
    let is_bad = part.is_empty()
        || [".", ".."].contains(&part)
        || part.len() > LONGEST
        || part.contains(['/', '\\', '\0'])
        || cfg!(windows) && part.contains([':', '<', '>', '"', '|', '?', '*']);
    if is_bad {
        let shown = part.escape_default();
        return Err(Error::input(message![
            "an object below `{address}` has a name that no file can have: `{shown}`"
        ]));
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fanmill_disk::replace::{Disk, OnFailure, Work};
    use fanmill_text::progress::Silent;
    use object_store::memory::InMemory;
    use object_store::{ObjectStoreExt, PutPayload};

    use super::*;

    /// Lists a store in memory that holds these objects.
    fn listing(address: &str, objects: &[(&str, &str)]) -> Result<(Listing, Arc<InMemory>)> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("threads");
        let store = Arc::new(InMemory::new());
        for (key, text) in objects {
            put(&runtime, &store, key, text);
        }
        let address = Address::parse(address)?;
        let fetching = Fetching { address: &address, store: &*store, progress: &Silent };
        let objects = runtime.block_on(fetching.objects(Path::new("1")))?;
        let listed = Listed { address, store: Arc::clone(&store) as _, objects };
        Ok((Listing { runtime, addresses: vec![listed] }, store))
    }

    fn workplace(folder: &Path, run: &str) -> Workplace {
        let work = Work { job: "fetching", run };
        let path = folder.join("out.fetched");
        Workplace::open(&Disk::default(), &path, work, OnFailure::Stays).expect("a workplace")
    }

    fn put(runtime: &Runtime, store: &InMemory, key: &str, text: &str) {
        let (key, text) = (Key::from(key), PutPayload::from(text.to_owned()));
        runtime.block_on(store.put(&key, text)).expect("memory");
    }

    const CRAWL: [(&str, &str); 6] = [
        ("crawl", ""),
        ("crawl/a/one.jsonl", "1"),
        ("crawl/b", ""),
        // In the order of names it comes between a folder and what is in it.
        ("crawl/b-side.jsonl", "4444"),
        ("crawl/b/two.jsonl", "22"),
        ("crawl-of-others/three.jsonl", "333"),
    ];

    #[test]
    fn all_below_a_prefix_comes_with_its_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let (listing, _) = listing("s3://bucket/crawl/", &CRAWL).expect("three objects");
        let mut work = workplace(folder.path(), &listing.identity());
        let [copy] = &listing.fetch(&mut work, &Silent).expect("memory")[..] else { panic!("one") };
        assert!(copy.ends_with("out.fetched/1/crawl"), "{}", copy.display());
        assert_eq!(fs::read_to_string(copy.join("a/one.jsonl")).expect("copied"), "1");
        assert_eq!(fs::read_to_string(copy.join("b/two.jsonl")).expect("copied"), "22");
        let names = |folder: &Path| fs::read_dir(folder).expect("a folder").count();
        assert_eq!((names(copy), names(&copy.join("b"))), (3, 1), "nothing else");
        work.clear().expect("ours");
        assert!(!folder.path().join("out.fetched").exists());
    }

    #[test]
    fn one_object_is_a_file_and_a_bucket_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        for (address, expected) in [
            ("s3://bucket/crawl/b/two.jsonl", "two.jsonl"),
            ("s3://bucket", "bucket/crawl/b/two.jsonl"),
        ] {
            let (listing, _) = listing(address, &CRAWL).expect("objects");
            let mut work = workplace(folder.path(), &listing.identity());
            listing.fetch(&mut work, &Silent).expect("memory");
            let copy = work.path().join("1").join(expected);
            assert_eq!(fs::read_to_string(copy).expect("copied"), "22");
            work.clear().expect("ours");
        }
    }

    #[test]
    fn what_was_fetched_is_not_fetched_again_unless_the_list_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, store) = listing("s3://bucket/crawl", &CRAWL[1..]).expect("objects");
        let identity = first.identity();
        let mut work = workplace(folder.path(), &identity);
        first.fetch(&mut work, &Silent).expect("memory");
        // A run that fails leaves it.
        drop(work);
        let copy = folder.path().join("out.fetched/1/crawl/a/one.jsonl");
        let time = fs::metadata(&copy).and_then(|known| known.modified()).expect("a time");
        fs::write(&copy, "known").expect("writable");

        let address = Address::parse("s3://bucket/crawl").expect("an address");
        let again = |text: Option<&str>| {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("one");
            if let Some(text) = text {
                put(&runtime, &store, "crawl/a/one.jsonl", text);
            }
            let address = address.clone();
            let fetching = Fetching { address: &address, store: &*store, progress: &Silent };
            let objects = runtime.block_on(fetching.objects(Path::new("1"))).expect("objects");
            let listed = Listed { address, store: Arc::clone(&store) as _, objects };
            Listing { runtime, addresses: vec![listed] }
        };
        let same = again(None);
        assert_eq!(same.identity(), identity);
        let mut work = workplace(folder.path(), &identity);
        same.fetch(&mut work, &Silent).expect("memory");
        drop(work);
        assert_eq!(fs::read_to_string(&copy).expect("there"), "known");

        let changed = again(Some("new"));
        assert_ne!(changed.identity(), identity);
        let mut work = workplace(folder.path(), &changed.identity());
        changed.fetch(&mut work, &Silent).expect("memory");
        assert_eq!(fs::read_to_string(&copy).expect("there"), "new");
        let later = fs::metadata(&copy).and_then(|known| known.modified()).expect("a time");
        assert!(later > time, "the time of the object");
    }

    #[test]
    fn an_object_that_changes_after_it_was_listed_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let (listing, store) = listing("s3://bucket/crawl", &CRAWL[1..]).expect("objects");
        put(&listing.runtime, &store, "crawl/a/one.jsonl", "longer");
        let mut work = workplace(folder.path(), &listing.identity());
        let error = listing.fetch(&mut work, &Silent).expect_err("changed").to_string();
        assert!(error.contains("crawl/a/one.jsonl") && error.contains("changed"), "{error}");
    }

    #[test]
    fn nothing_and_bad_names_are_errors_by_name() {
        let error = |address: &str| listing(address, &CRAWL).err().expect("nothing").to_string();
        assert_eq!(error("s3://bucket/cra"), "there is nothing at `s3://bucket/cra`");
        let address = Address::parse("s3://bucket/crawl").expect("an address");
        for bad in ["", ".", "..", "a/b", "a\\b", "a\0b", &"x".repeat(256)] {
            assert!(checked(bad, &address).is_err(), "{bad:?}");
        }
        for good in ["a", "...", "part-0.jsonl.zst", "ü b", "%2F"] {
            assert_eq!(checked(good, &address).expect(good), good);
        }
    }
}
