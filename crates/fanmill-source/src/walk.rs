//! Folders on disk: every file below them, in byte order of names.
//!
//! Symbolic links below a given path are never followed, wherever they lead: a target inside is already read under its
//! own name, and reading it twice would show its author copying; a target outside is not ours to read. Only regular
//! files are opened, and the opened file must be the one that was looked at, so that a file swapped for a pipe or a
//! link in between is not read.
//!
//! An unreadable file or folder is noted, and the walk goes on: the other submissions are still worth comparing.
//! `format/walk.rs` of `fanmill-records`, which walks a corpus, stops there, since part of a corpus would be a wrong answer.
//!
//! Cost: O(n log n) in the names of a folder; an explicit stack, so depth costs memory only.

use fanmill_text::message;
use fanmill_text::message::Message;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::ahead::{Child, Prefetched, PrefetchedContent, list};
use crate::archive::trouble;
use crate::collect::{Collector, Input};
use crate::earlier::{may_be_own, own_folder};
use crate::files::{FileStat, Files};
use crate::label::Trail;
use fanmill_text::document::{Origin, Outcome};

/// The next step after looking at a child.
enum Step {
    On,
    /// It is a folder; its children may be known already.
    Into(Option<Vec<Child>>),
    /// A limit is reached, for this reason.
    Full(Message),
}

impl Collector<'_> {
    /// Takes each child of a given folder, whose path has no links in it, and returns their number. All of them are
    /// looked at, whatever the limits.
    ///
    /// # Errors
    /// If the folder itself cannot be listed.
    pub(super) fn top_folder(&mut self, folder: &Path) -> io::Result<usize> {
        let children = list(&self.options.files, folder)?;
        let n_children = children.len();
        let take = |here: &mut Self, child: Child| {
            let (path, trail) = (child.path.clone(), Trail::whole(&child.label));
            match here.child(child, &trail, folder) {
                Step::On => {}
                Step::Into(children) => here.below(&path, children, &trail, folder),
                Step::Full(reason) => here.leave_out(&trail, reason),
            }
            ControlFlow::Continue(())
        };
        let _ = self.each_child(children, true, Trail::whole, take);
        Ok(n_children)
    }

    /// Takes everything below a folder; `root` is the given path that it lies in.
    pub(super) fn folder(&mut self, folder: &Path, trail: &Trail, root: &Path) {
        self.below(folder, None, trail, root);
    }

    /// Takes everything below a folder whose children may be known already.
    fn below(&mut self, folder: &Path, known: Option<Vec<Child>>, trail: &Trail, root: &Path) {
        self.expect(trail);
        self.is(trail, Origin::Folder);
        let mut stack = vec![(folder.to_owned(), known, trail.clone())];
        while let Some((folder, known, folder_trail)) = stack.pop() {
            let children = match known.map_or_else(|| list(&self.options.files, &folder), Ok) {
                Ok(children) => children,
                Err(error) => {
                    let reason = format!("folder that cannot be read: {}", trouble(&error));
                    self.note(&folder_trail, Outcome::Failed, reason);
                    continue;
                }
            };
            let mut folders = Vec::new();
            let take = |here: &mut Self, child: Child| {
                let (path, child_trail) = (child.path.clone(), folder_trail.join(&child.label));
                match here.child(child, &child_trail, root) {
                    Step::On => {}
                    Step::Into(children) => folders.push((path, children, child_trail)),
                    Step::Full(reason) => {
                        let reason = message![reason, "; this and what follows is left out"];
                        here.note(&child_trail, Outcome::Skipped, reason);
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            };
            if self.each_child(children, false, |label| folder_trail.join(label), take).is_break() {
                return;
            }
            // Reversed, so that the first folder is taken from the stack first.
            stack.extend(folders.into_iter().rev());
        }
    }

    fn child(&mut self, child: Child, trail: &Trail, root: &Path) -> Step {
        let Child { path, found, .. } = child;
        if self.is_left_out(trail) {
            return Step::On;
        }
        let files = &self.options.files;
        let (seen, inside) = match found {
            Some(Prefetched { seen, inside }) => (Ok(seen), inside),
            None => (files.look_itself(&path), PrefetchedContent::Nothing),
        };
        // A folder that was read ahead and has no file of ours need not be looked at again.
        let may_be_ours = match &inside {
            PrefetchedContent::Folder(children) => {
                children.iter().any(|child| may_be_own(&child.label))
            }
            _ => seen.as_ref().is_ok_and(FileStat::is_folder),
        };
        let left_out = self.options.leaves_out(&path).cloned();
        let ours = || may_be_ours.then(|| own_folder(&path, self.options)).flatten();
        if let Some(reason) = left_out.or_else(ours) {
            self.set_aside(trail, &trail.full(), reason);
            return Step::On;
        }
        if let Err(reason) = self.admit(trail) {
            return Step::Full(reason);
        }
        let files = &self.options.files;
        match (seen, inside) {
            (Ok(_), PrefetchedContent::Folder(children)) => return Step::Into(Some(children)),
            (Ok(_), PrefetchedContent::File(file)) => {
                self.file_or_manifest(trail, Input::File(file), 0);
            }
            (Ok(seen), PrefetchedContent::Nothing) if seen.is_folder() => return Step::Into(None),
            (Ok(seen), PrefetchedContent::Nothing) if seen.is_link() => {
                self.note(trail, Outcome::Skipped, link(files, &path, root));
            }
            (Ok(seen), PrefetchedContent::Nothing) if seen.is_file() => {
                match files.open(&path, &seen) {
                    Ok(file) => self.file_or_manifest(trail, Input::File(file), 0),
                    Err(error) => self.note(trail, Outcome::Failed, trouble(&error)),
                }
            }
            (Ok(seen), PrefetchedContent::Nothing) => {
                self.note(trail, Outcome::Skipped, special_file(&seen));
            }
            (Err(error), _) => self.note(trail, Outcome::Failed, trouble(&error)),
        }
        Step::On
    }
}

fn link(files: &Files, path: &Path, root: &Path) -> &'static str {
    match (files.real(path), files.real(root)) {
        (Ok(target), Ok(root)) if target.starts_with(&root) => {
            "symbolic link: not followed; what it leads to is read under its own name"
        }
        (Ok(_), _) => "symbolic link that leads out of the input: not followed",
        (Err(_), _) => "symbolic link that leads nowhere, or in a circle",
    }
}

/// Returns the reason why something that is neither a file nor a folder is not read.
pub(super) fn special_file(seen: &FileStat) -> String {
    format!("special file: {}", seen.special().unwrap_or("not read"))
}
