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

use super::clash::{self, Clash, Names};
use super::fields::check_names;
use super::left_out::{Copies, LeftOutFiles, LeftOutReason, found};
use super::name::Name;
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
    let mut finder = Finder { left_out, ..Finder::new(options.format, purpose) };
    for path in &given {
        let metadata = look_at("", path)?;
        match Ours::among_texts(path)? {
            Some(kind) => finder.leave_out(path, LeftOutReason::Beside(PassedOver::Ours(kind))),
            None if metadata.is_dir() => finder.folder(path)?,
            None => finder.file(path)?,
        }
    }
    let left_out = std::mem::take(&mut finder.left_out);
    let shards = finder.finish()?;
    if let (true, Some(Notice { place, reason, .. })) = (shards.is_empty(), left_out.first.first())
    {
        return Err(Error::input(message![
            "none of the inputs can be read: `{place}`: ",
            reason.clone()
        ]));
    }
    Ok(Survey { shards, left_out })
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
/// UTF-8 is one letter for each run of bytes, so that `?` stands for it.
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

/// A shard whose name is still open.
struct Draft {
    /// Parts of its path that a name can be made of.
    parts: Vec<OsString>,
    /// Number of last parts that are its name.
    n_parts: usize,
    shard: Shard,
}

struct Finder {
    given: Option<Format>,
    drafts: Vec<Draft>,
    /// Loose files that were given one by one, each with what it is.
    loose: Vec<(PathBuf, Sniffed)>,
    left_out: CountedList<Notice>,
    purpose: Purpose,
}

impl Finder {
    fn new(given: Option<Format>, purpose: Purpose) -> Finder {
        Finder {
            given,
            drafts: Vec::new(),
            loose: Vec::new(),
            left_out: CountedList::default(),
            purpose,
        }
    }

    fn file(&mut self, path: &Path) -> Result<()> {
        let found = sniff(path, self.given, Origin::Named)?;
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

    fn folder(&mut self, folder: &Path) -> Result<()> {
        let (mut loose, mut apart) = (None::<(Format, Stamping)>, LeftOutFiles::default());
        let (mut names, mut clash) = (Names::default(), None);
        // One clash is enough.
        let is_anywhere = self.purpose == Purpose::WriteAnywhere;
        let is_written = |clash: &Option<Clash>| is_anywhere && clash.is_none();
        let n_before = self.drafts.len();
        for met in Walk::new(folder)? {
            let met = met?;
            let (path, full) = (met.path(), folder.join(met.path()));
            let found = match found(folder, &met, self.given)? {
                Ok(found) => found,
                Err(why) => {
                    if apart.add(folder, path, why).is_some() && is_written(&clash) {
                        clash = names.add_below(folder, path);
                    }
                    continue;
                }
            };
            if let Some(format) = found.loose() {
                let (_, stamping) = loose.get_or_insert_with(|| (format, Stamping::default()));
                stamp_loose(stamping, path, &full, found)?;
                if is_written(&clash) {
                    clash = names.add_below(folder, path);
                }
            } else if let Sniffed::Records(format, packing) = found {
                let stamp = Stamp::from_path(&full)?;
                let shard = Shard::new(Place::File(full.clone()), format, packing, stamp);
                self.add(&full, path.components().count(), shard);
            }
        }
        // A folder without anything to read is a folder of texts, too, if there is something to copy.
        let has_shards = self.drafts.len() > n_before;
        if loose.is_none() && !has_shards && apart.has_copies {
            loose = Some((Format::TEXT, Stamping::default()));
        }
        let is_copied = loose.is_some() && self.purpose != Purpose::Read;
        let copies = if is_copied { Copies::Made } else { Copies::NotMade };
        let beside = apart.stamp();
        apart.note(folder, copies, &mut self.left_out);
        if let Some((format, stamping)) = loose {
            let place = Place::Folder { root: folder.to_owned(), given: self.given };
            let stamp = stamping.end();
            let mut shard = Shard::new(place, format, Packing::Plain, stamp);
            shard.set_clash(clash);
            shard.set_beside(beside);
            self.add(folder, 1, shard);
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, n_parts: usize, shard: Shard) {
        // Where `.` or `..` is in the way, the real path has names.
        let has_dots = path.components().any(|part| part == Component::ParentDir);
        let has_name = path.file_name().is_some();
        let real = (has_dots || !has_name).then(|| fs::canonicalize(path).ok()).flatten();
        let parts = real.as_deref().unwrap_or(path).components();
        let parts = parts.filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_owned()),
            _ => None,
        });
        self.drafts.push(Draft { parts: parts.collect(), n_parts, shard });
    }

    fn finish(mut self) -> Result<Vec<Shard>> {
        lengthen(&mut self.drafts)?;
        let mut all: Vec<Shard> = Vec::with_capacity(self.drafts.len() + 1);
        for Draft { parts, n_parts, mut shard } in self.drafts {
            shard.set_name(parts[parts.len() - n_parts..].iter().collect());
            all.push(shard);
        }
        if !self.loose.is_empty() {
            let mut shard = together(&self.loose, self.given, self.purpose)?;
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
fn together(
    found: &[(PathBuf, Sniffed)],
    given: Option<Format>,
    purpose: Purpose,
) -> Result<Shard> {
    let packing = Packing::Plain;
    let mut drafts = Vec::new();
    for (path, _) in found {
        let mut finder = Finder::new(given, purpose);
        let place = Place::File(path.clone());
        finder.add(path, 1, Shard::new(place, Format::TEXT, packing, Stamp::default()));
        drafts.append(&mut finder.drafts);
    }
    lengthen(&mut drafts)?;
    let named = drafts.iter().zip(found).map(|(draft, (path, found))| {
        let name: PathBuf = draft.parts[draft.parts.len() - draft.n_parts..].iter().collect();
        (name, path.clone(), *found)
    });
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
