//! From given paths to shards: folders searched, patterns expanded, names made distinct.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use fanmill_disk::given::look_at;
use fanmill_disk::ours::Ours;
use fanmill_disk::packing::Packing;
use fanmill_source::{Files, Glob, overlaps};
use fanmill_text::document::Role;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

use super::beside::{BesideShards, check_no_table, has_text, is_of_shards, is_unsure};
use super::clash::{self, Clash, Names};
use super::copied::CopiedFiles;
use super::fields::check_names;
use super::left_out::{Copies, LeftOutFiles, LeftOutReason, found};
use super::name::Name;
use super::options::Given;
use super::shard::{Place, Shard};
use super::sniff::{OF_A_PAGE, Origin, Sniffed, sniff};
use super::stamp::{Stamp, Stamping, look};
use super::walk::{PassedOver, Walk, WalkEntry};
use super::{Format, Options};
use crate::account::{CountedList, Notice};

/// The purpose that shards are found for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// They are read.
    Read,
    /// They are read, and written again.
    Write,
    /// The same, to a place where names may count without their case: `check_clashes` can tell.
    WriteAnywhere,
}

/// Shards and other files found at some paths.
#[derive(Debug)]
pub struct Survey {
    /// Shards that are read.
    pub shards: Vec<Shard>,
    /// Files that are not, and why.
    pub left_out: CountedList<Notice>,
}

/// Finds the shards that `paths` stand for: files, folders with all that is below them, and patterns
/// with `*`, `?`, `**` and `[…]` where no file has that very name.
///
/// They come in the order of the paths, those of a folder in the order of their names, and have
/// distinct names. The loose files of a folder are one shard, after its others; loose files that were
/// given one by one are one shard together, at the end. What is not read is noted, and
/// what happens to it.
///
/// # Errors
/// If a path does not exist or cannot be read, a pattern fits nothing, a path is given twice or lies
/// in another one, a field of `options` cannot be one, a file is not what its name or
/// `options.format` says, or nothing can be read; the text says why of the first.
pub fn survey(paths: &[PathBuf], options: &Options, purpose: Purpose) -> Result<Survey> {
    check_names(options)?;
    let (mut given, mut left_out) = (Vec::new(), CountedList::default());
    for path in paths {
        expand(path, &mut given, &mut left_out)?;
    }
    overlaps(&Files::Disk, &[(&given, Role::New)])?;
    let mut finder = Finder { left_out, ..Finder::new(options, purpose) };
    for path in &given {
        let metadata = look_at("", path)?;
        match Ours::among_texts(path)? {
            Some(kind) => finder.leave_out(path, LeftOutReason::Beside(PassedOver::Ours(kind))),
            None if metadata.is_dir() => finder.folder(path)?,
            None => finder.file(path)?,
        }
    }
    let left_out = std::mem::take(&mut finder.left_out);
    let shards = finder.finish(given.len() == 1)?;
    check_any(&shards, &given, &left_out)?;
    Ok(Survey { shards, left_out })
}

/// Makes sure that there is something to read.
fn check_any(shards: &[Shard], given: &[PathBuf], left_out: &CountedList<Notice>) -> Result<()> {
    match (shards, left_out.first.first(), given) {
        ([], Some(Notice { place, reason, .. }), _) => Err(Error::input(message![
            "none of the inputs can be read: `{place}`: ",
            reason.clone()
        ])),
        ([], None, [first, ..]) => Err(Error::input(format!(
            "there is nothing to read: `{}` is an empty folder; name one with files",
            first.display()
        ))),
        _ => Ok(()),
    }
}

/// Appends what a given path means: itself or, if it is a pattern, what fits it.
///
/// A pattern means what a shell would put in its place: links to files, too, but hidden files only if it names
/// them. Whatever else fits it is left out, and noted.
fn expand(path: &Path, given: &mut Vec<PathBuf>, left_out: &mut CountedList<Notice>) -> Result<()> {
    let pattern = path.to_string_lossy();
    if path.as_os_str() == "-" {
        return Err(Error::setting("standard input is one of several paths; give it alone"));
    }
    if fs::symlink_metadata(path).is_ok() || !pattern.contains(['*', '?', '[']) {
        given.push(path.to_owned());
        return Ok(());
    }
    let is_plain = |part: &Component| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
    let root: PathBuf = path.components().take_while(is_plain).collect();
    let inside: PathBuf = path.components().skip_while(is_plain).collect();
    let glob = Glob::new(&matched(&inside))?;
    let here = if root.as_os_str().is_empty() { Path::new(".") } else { &root };
    let is_hidden = |part: Component| part.as_os_str().as_encoded_bytes().starts_with(b".");
    let names_hidden = inside.components().any(is_hidden);
    let before = given.len();
    look_at("", here)?;
    let (mut links, mut apart) = (Vec::new(), LeftOutFiles::default());
    for met in Walk::new(here)? {
        let met = met?;
        if !glob.matches(&matched(met.path())) {
            continue;
        }
        match met {
            WalkEntry::File(path) => given.push(root.join(path)),
            WalkEntry::Beside(path, PassedOver::Hidden) if names_hidden => {
                given.push(root.join(path));
            }
            WalkEntry::Beside(path, PassedOver::Link) if here.join(&path).is_file() => {
                links.push(path);
            }
            WalkEntry::Beside(path, beside) => {
                drop(apart.add(&root, &path, LeftOutReason::Beside(beside)));
            }
        }
    }
    // A link beside the file that it leads to is another name of it, and not another file.
    let real = |path: &PathBuf| fs::canonicalize(path).ok();
    let files: BTreeSet<PathBuf> = if links.is_empty() {
        BTreeSet::new()
    } else {
        given[before..].iter().filter_map(real).collect()
    };
    for link in links {
        let full = root.join(&link);
        if real(&full).is_some_and(|file| files.contains(&file)) {
            apart.add(&root, &link, LeftOutReason::Beside(PassedOver::Link));
        } else {
            given.push(full);
        }
    }
    if given.len() == before {
        return Err(Error::input(format!("no file fits `{pattern}`")));
    }
    given[before..].sort();
    apart.note(&root, Copies::NotMade, left_out);
    Ok(())
}

/// A path as patterns are compared with it, and a pattern as itself: whole, so beginning with a slash; what is not
/// UTF-8 is one letter for each run of bytes, so that `?` matches it.
fn matched(path: &Path) -> String {
    let parts = path.iter().map(|part| format!("/{}", part.to_string_lossy()));
    parts.collect()
}

/// Makes sure that no two files of the output have names that are one on some systems.
///
/// # Errors
/// If two have; the text names both.
pub fn check_clashes(shards: &[Shard]) -> Result<()> {
    let between = clash::among(&shards.iter().map(Shard::path));
    let inside = || shards.iter().find_map(Shard::clash).cloned();
    match between.or_else(inside) {
        None => Ok(()),
        Some(Clash(first, second)) => Err(Error::setting(format!(
            "`{first}` and `{second}` are one name where case, or how an accent is written, does not count (macOS, \
             Windows), and one text would be lost there; rename one, or allow case clashes"
        ))),
    }
}

/// Makes sure that no file is of a corpus and of its reference, given as `paths` and `reference`: all of its documents
/// would be found in themselves.
///
/// # Errors
/// If a path of one is, or lies in, a path of the other; the text names both.
pub fn check_apart(paths: &[PathBuf], reference: &[PathBuf]) -> Result<()> {
    let real = |given: &[PathBuf]| -> Result<BTreeMap<PathBuf, PathBuf>> {
        let (mut expanded, mut left_out) = (Vec::new(), CountedList::default());
        given.iter().try_for_each(|path| expand(path, &mut expanded, &mut left_out))?;
        let real = |path: PathBuf| Some((fs::canonicalize(&path).ok()?, path));
        Ok(expanded.into_iter().filter_map(real).collect())
    };
    let (own, reference) = (real(paths)?, real(reference)?);
    // The path that another one is or lies in.
    let above = |path: &Path, others: &BTreeMap<PathBuf, PathBuf>| {
        path.ancestors().find_map(|above| others.get(above)).cloned()
    };
    let shared = own.iter().find_map(|(real, path)| Some((path.clone(), above(real, &reference)?)));
    let shared = shared.or_else(|| {
        reference.iter().find_map(|(real, path)| Some((above(real, &own)?, path.clone())))
    });
    match shared {
        None => Ok(()),
        Some((own, reference)) => {
            let (own, reference) = (own.display(), reference.display());
            Err(Error::setting(message![
                "the input `{own}` and `{reference}`, given with ",
                Setting("against"),
                ", are the same files or hold some of the same: \
                 each document would be found in itself; leave one of them out"
            ]))
        }
    }
}

/// Tables that Stack Exchange's archive has beside `Posts.xml`.
const BESIDE_POSTS: [&str; 7] = [
    "Badges.xml",
    "Comments.xml",
    "PostHistory.xml",
    "PostLinks.xml",
    "Tags.xml",
    "Users.xml",
    "Votes.xml",
];

/// Returns whether a folder holds records and nothing else: JSONL, columns, web archives, libraries. Tables of text and
/// mailboxes may be somebody's work, and do not count; what other programs left beside shards does no harm.
///
/// # Errors
/// If a folder in it cannot be listed.
pub fn holds_records_alone(folder: &Path) -> Result<bool> {
    let mut n_files = 0_u64;
    let mut walk = Walk::new(folder)?;
    while let Some(path) = walk.next_file()? {
        let full = folder.join(&path);
        let is_of_records = |path: &Path| {
            let is_work = |format: Format| format.is_table() || format == Format::MBOX;
            Format::from_file(path).is_some_and(|format| !is_work(format) && !format.is_loose())
        };
        let is_beside = || {
            BESIDE_POSTS.iter().any(|name| path.ends_with(name))
                && is_of_records(&full.with_file_name("Posts.xml"))
        };
        if !is_of_records(&full) && !is_beside() {
            return Ok(false);
        }
        n_files += 1;
    }
    Ok(n_files > 0)
}

/// A shard whose name is still open.
struct Draft {
    /// Parts of its path that a name can be made of.
    parts: Vec<OsString>,
    /// Number of last parts that are its name.
    n_parts: usize,
    shard: Shard,
}

impl Draft {
    fn new(path: &Path, n_parts: usize, shard: Shard) -> Draft {
        // Where `.` or `..` is in the way, the real path has names.
        let has_dots = path.components().any(|part| part == Component::ParentDir);
        let has_name = path.file_name().is_some();
        let real = (has_dots || !has_name).then(|| fs::canonicalize(path).ok()).flatten();
        let parts = real.as_deref().unwrap_or(path).components();
        let parts = parts.filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_owned()),
            _ => None,
        });
        Draft { parts: parts.collect(), n_parts, shard }
    }

    /// Returns a draft of which only the name is wanted.
    fn from_name(path: &Path) -> Draft {
        let place = Place::File(path.to_owned());
        Draft::new(path, 1, Shard::new(place, Format::TEXT, Packing::Plain, Stamp::default()))
    }

    fn name(&self) -> PathBuf {
        self.parts[self.parts.len() - self.n_parts..].iter().collect()
    }
}

struct Finder<'a> {
    options: &'a Options,
    drafts: Vec<Draft>,
    /// Loose files that were given one by one, each with what it is.
    loose: Vec<(PathBuf, Sniffed)>,
    left_out: CountedList<Notice>,
    purpose: Purpose,
}

impl<'a> Finder<'a> {
    fn new(options: &'a Options, purpose: Purpose) -> Finder<'a> {
        Finder {
            options,
            drafts: Vec::new(),
            loose: Vec::new(),
            left_out: CountedList::default(),
            purpose,
        }
    }

    fn file(&mut self, path: &Path) -> Result<()> {
        let found = sniff(path, self.options.given(), Origin::Named)?;
        match found {
            Sniffed::NoText(OF_A_PAGE) => Err(Error::input(format!(
                "`{}` is {OF_A_PAGE}; leave it out, or name its format to have it read",
                path.display()
            ))),
            Sniffed::NoText(what) => {
                self.leave_out(path, LeftOutReason::NoText(what));
                Ok(())
            }
            Sniffed::Records(format, packing) if !format.is_loose() => {
                let stamp = Stamp::from_path(path)?;
                let shard = Shard::new(Place::File(path.to_owned()), format, packing, stamp);
                self.add(path, 1, shard);
                Ok(())
            }
            Sniffed::Records(..) | Sniffed::Unreadable(_) => {
                self.loose.push((path.to_owned(), found));
                Ok(())
            }
        }
    }

    /// Notes a given path that is not read.
    fn leave_out(&mut self, path: &Path, why: LeftOutReason) {
        self.left_out.add(|| Notice {
            place: path.to_string_lossy().into_owned(),
            record: None,
            offset: None,
            reason: why.reason(Copies::NotMade).into(),
        });
    }

    /// Adds the shards below a folder: its files of many records or, without any, one of all its texts.
    fn folder(&mut self, folder: &Path) -> Result<()> {
        let n_before = self.drafts.len();
        let mut unsure = Vec::new();
        let mut texts = Texts::new(folder, self.purpose);
        for met in Walk::new(folder)? {
            let met = met?;
            let full = folder.join(met.path());
            check_no_table(folder, met.path())?;
            let is_unsure =
                matches!(met, WalkEntry::File(_)) && is_unsure(met.path(), self.options);
            if is_unsure && (is_of_shards(folder, met.path()) || !has_text(&full, self.options)) {
                unsure.push(met.path().to_owned());
                continue;
            }
            match found(folder, &met, self.options.given())? {
                Ok(Sniffed::Records(format, packing)) if !format.is_loose() => {
                    self.add_records(folder, met.path(), (format, packing))?;
                }
                found => texts.add(met.path(), found)?,
            }
        }
        if self.drafts.len() > n_before {
            return self.beside(folder);
        }
        // Where nothing else is a shard, these are: the reader then says what they lack.
        for path in unsure {
            if let Sniffed::Records(format, packing) =
                sniff(&folder.join(&path), self.options.given(), Origin::Met)?
            {
                self.add_records(folder, &path, (format, packing))?;
            }
        }
        let has_shards = self.drafts.len() > n_before;
        if let Some(shard) = texts.end(self.options.given(), has_shards, &mut self.left_out) {
            self.add(folder, 1, shard);
        }
        Ok(())
    }

    fn add_records(
        &mut self,
        folder: &Path,
        path: &Path,
        (format, packing): (Format, Packing),
    ) -> Result<()> {
        let full = folder.join(path);
        let stamp = Stamp::from_path(&full)?;
        let shard = Shard::new(Place::File(full.clone()), format, packing, stamp);
        self.add(&full, path.components().count(), shard);
        Ok(())
    }

    /// Finds what lies beside the shards that were just found below a folder; the last of them takes it along.
    fn beside(&mut self, folder: &Path) -> Result<()> {
        let mut beside = BesideShards::new(folder);
        let (mut names, mut clash) = (Names::default(), None);
        for met in Walk::new(folder)? {
            let met = met?;
            if beside.add(&met, self.options)? && is_written_anywhere(self.purpose, clash.as_ref())
            {
                clash = names.add_below(folder, met.path());
            }
        }
        let is_written = self.purpose != Purpose::Read;
        let copies = if is_written { Copies::Made } else { Copies::NotMade };
        let copied = beside.end(copies, &mut self.left_out);
        if let (Some(copied), Some(draft)) = (copied, self.drafts.last_mut()) {
            draft.shard.set_copied(copied);
            draft.shard.set_clash(clash);
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, n_parts: usize, shard: Shard) {
        self.drafts.push(Draft::new(path, n_parts, shard));
    }

    /// Chooses folders of their own, by the names of theirs, for files that are copied.
    fn name_copies(&mut self) -> Result<()> {
        let copied = self.drafts.iter_mut().filter_map(|draft| draft.shard.copied_mut());
        let mut copied: Vec<&mut CopiedFiles> = copied.collect();
        let draft = |copied: &&mut CopiedFiles| Draft::from_name(&copied.root);
        let mut names: Vec<Draft> = copied.iter().map(draft).collect();
        lengthen(&mut names)?;
        for (copied, draft) in copied.iter_mut().zip(names) {
            copied.folder = draft.name();
        }
        Ok(())
    }

    /// Returns the shards; `is_only` says that a single path was given.
    fn finish(mut self, is_only: bool) -> Result<Vec<Shard>> {
        if !is_only {
            self.name_copies()?;
        }
        lengthen(&mut self.drafts)?;
        let mut all: Vec<Shard> = Vec::with_capacity(self.drafts.len() + 1);
        for mut draft in self.drafts {
            let name = draft.name();
            draft.shard.set_name(name);
            all.push(draft.shard);
        }
        if !self.loose.is_empty() {
            let mut shard = together(&self.loose, self.options.given())?;
            let is_taken = |name: &str| all.iter().any(|shard| shard.path().starts_with(name));
            let names = (2..).map(|n| format!("texts-{n}"));
            let mut names = std::iter::once("texts".to_owned()).chain(names);
            shard.set_name(names.find(|name| !is_taken(name)).unwrap_or_default().into());
            all.push(shard);
        }
        if let [shard] = all.as_mut_slice() {
            shard.set_alone();
        }
        Ok(all)
    }
}

/// Returns whether names are still to be compared: they go to any file system, and none has clashed.
fn is_written_anywhere(purpose: Purpose, clash: Option<&Clash>) -> bool {
    purpose == Purpose::WriteAnywhere && clash.is_none()
}

/// The texts of a folder, and other files beside them, as they are met.
struct Texts<'f> {
    folder: &'f Path,
    purpose: Purpose,
    loose: Option<(Format, Stamping)>,
    apart: LeftOutFiles,
    names: Names,
    clash: Option<Clash>,
}

impl<'f> Texts<'f> {
    fn new(folder: &'f Path, purpose: Purpose) -> Texts<'f> {
        let (apart, names) = (LeftOutFiles::default(), Names::default());
        Texts { folder, purpose, loose: None, apart, names, clash: None }
    }

    fn add(
        &mut self,
        path: &Path,
        found: std::result::Result<Sniffed, LeftOutReason>,
    ) -> Result<()> {
        let is_written = match found {
            Err(why) => self.apart.add(self.folder, path, why).is_some(),
            Ok(found) => {
                let format = found.loose().unwrap_or(Format::TEXT);
                let (_, stamping) = self.loose.get_or_insert_with(|| (format, Stamping::default()));
                stamp_loose(stamping, path, &self.folder.join(path), found)?;
                true
            }
        };
        if is_written && is_written_anywhere(self.purpose, self.clash.as_ref()) {
            self.clash = self.names.add_below(self.folder, path);
        }
        Ok(())
    }

    /// Returns the shard of all texts, if there are any, and adds notices on the other files.
    fn end(
        self,
        given: Given,
        has_shards: bool,
        left_out: &mut CountedList<Notice>,
    ) -> Option<Shard> {
        let Texts { folder, purpose, mut loose, apart, clash, .. } = self;
        // A folder without anything to read is a folder of texts, too, if there is something to copy.
        if loose.is_none() && !has_shards && apart.has_copies {
            loose = Some((Format::TEXT, Stamping::default()));
        }
        let is_copied = loose.is_some() && purpose != Purpose::Read;
        let copies = if is_copied { Copies::Made } else { Copies::NotMade };
        let beside = apart.stamp();
        apart.note(folder, copies, left_out);
        let (format, stamping) = loose?;
        let place = Place::Folder { root: folder.to_owned(), given };
        let mut shard = Shard::new(place, format, Packing::Plain, stamping.end());
        shard.set_clash(clash);
        shard.set_beside(beside);
        Some(shard)
    }
}

/// Makes names longer until no two are the same.
fn lengthen(drafts: &mut [Draft]) -> Result<()> {
    loop {
        let mut by_name: BTreeMap<&[OsString], Vec<usize>> = BTreeMap::new();
        for (i, draft) in drafts.iter().enumerate() {
            let from = draft.parts.len().saturating_sub(draft.n_parts);
            by_name.entry(&draft.parts[from..]).or_default().push(i);
        }
        // Sorted by parts, whatever lies in a folder follows it at once.
        let after = by_name.keys().skip(1).copied().chain([&[][..]]);
        let is_folder = by_name.keys().zip(after).map(|(name, after)| after.starts_with(name));
        let taken: Vec<(usize, bool)> = by_name
            .values()
            .zip(is_folder)
            .filter(|(all, is_folder)| all.len() > 1 || *is_folder)
            .flat_map(|(all, is_folder)| all.iter().map(move |&i| (i, is_folder)))
            .collect();
        if taken.is_empty() {
            return Ok(());
        }
        let mut has_grown = false;
        for (i, is_folder) in taken {
            let draft = &mut drafts[i];
            if let (true, Place::Folder { .. }, Some(last)) =
                (is_folder, draft.shard.place(), draft.parts.last_mut())
            {
                // More of its path need not set it apart from what is in it.
                last.push("-texts");
                has_grown = true;
                continue;
            }
            has_grown |= draft.n_parts < draft.parts.len();
            draft.n_parts = draft.parts.len().min(draft.n_parts + 1);
        }
        if !has_grown {
            return Err(Error::setting(
                "two inputs have the same name in the output; rename one, or give their folder",
            ));
        }
    }
}

/// One shard of loose files that were given one by one, in the order of their names.
fn together(found: &[(PathBuf, Sniffed)], given: Given) -> Result<Shard> {
    let packing = Packing::Plain;
    let mut drafts = Vec::new();
    for (path, _) in found {
        drafts.push(Draft::from_name(path));
    }
    lengthen(&mut drafts)?;
    let named =
        drafts.iter().zip(found).map(|(draft, (path, found))| (draft.name(), path.clone(), *found));
    let mut files: Vec<(PathBuf, PathBuf, Sniffed)> = named.collect();
    // By bytes, as if the name were one word.
    files.sort_by(|a, b| a.0.as_os_str().cmp(b.0.as_os_str()));
    let mut stamping = Stamping::default();
    for (name, path, found) in &files {
        stamp_loose(&mut stamping, name, path, *found)?;
    }
    let clash = clash::among(&files.iter().map(|(name, _, _)| name.as_path()));
    let files = files.into_iter().map(|(name, path, _)| (Name::new(name), path)).collect();
    let place = Place::Files { files, given };
    let mut shard = Shard::new(place, Format::TEXT, packing, stamping.end());
    shard.set_clash(clash);
    Ok(shard)
}

/// Adds a loose file to the stamp of its shard, as it will be when it is read.
fn stamp_loose(stamping: &mut Stamping, name: &Path, path: &Path, found: Sniffed) -> Result<()> {
    match found {
        Sniffed::Unreadable(_) => stamping.unreadable(name),
        _ => stamping.add(name, &look(path)?),
    }
    Ok(())
}
