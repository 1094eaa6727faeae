//! Folders on disk: every file below them, in byte order of names.
//!
//! Symbolic links below a given path are never followed, wherever they lead: a target inside is
//! read under its own name already, and to read it twice would show its author copying; one
//! outside is not ours to read. Only regular files are opened, and what was opened must be what
//! was looked at, so that a file swapped for a pipe or a link in between is not read.
//!
//! What cannot be read is noted, and the walk goes on: the other submissions are still worth comparing.
//! A corpus is walked by `records/format/walk.rs`, which ends there, since part of a corpus is a wrong
//! answer.
//!
//! Cost: O(n log n) in the names of a folder; an explicit stack, so depth costs memory only.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::trouble;
use crate::collect::{Collector, Input};
use crate::earlier::no_input;
use crate::files::{Files, Seen};
use crate::label::{Lossy, Trail};
use fanmill::document::{Origin, Outcome};

/// One name in a folder.
struct Child {
    path: PathBuf,
    /// Distinct in its folder.
    label: String,
}

/// What to do after looking at a child.
enum Step {
    On,
    Into,
    /// A limit is reached, with the reason.
    Full(String),
}

impl Collector<'_> {
    /// Takes each child of a given folder, whose path has no links in it; all of them are looked at, whatever the limits.
    ///
    /// # Errors
    /// If the folder itself cannot be listed.
    pub(super) fn top_folder(&mut self, folder: &Path) -> io::Result<usize> {
        let children = list(&self.options.files, folder)?;
        for child in &children {
            let trail = Trail::whole(&child.label);
            match self.child(&child.path, &trail, folder) {
                Step::On => {}
                Step::Into => self.folder(&child.path, &trail, folder),
                Step::Full(reason) => self.leave_out(&trail, reason),
            }
        }
        Ok(children.len())
    }

    /// Takes everything below a folder; `root` is the given path that it lies in.
    pub(super) fn folder(&mut self, folder: &Path, trail: &Trail, root: &Path) {
        self.expect(trail);
        self.is(trail, Origin::Folder);
        let mut stack = vec![(folder.to_owned(), trail.clone())];
        while let Some((folder, folder_trail)) = stack.pop() {
            let children = match list(&self.options.files, &folder) {
                Ok(children) => children,
                Err(error) => {
                    let reason = format!("folder that cannot be read: {}", trouble(&error));
                    self.note(&folder_trail, Outcome::Failed, reason);
                    continue;
                }
            };
            let mut folders = Vec::new();
            for child in children {
                let child_trail = folder_trail.join(&child.label);
                match self.child(&child.path, &child_trail, root) {
                    Step::On => {}
                    Step::Into => folders.push((child.path, child_trail)),
                    Step::Full(reason) => {
                        let reason = format!("{reason}; this and what follows is left out");
                        return self.note(&child_trail, Outcome::Skipped, reason);
                    }
                }
            }
            stack.extend(folders.into_iter().rev());
        }
    }

    fn child(&mut self, path: &Path, trail: &Trail, root: &Path) -> Step {
        if self.is_left_out(trail) {
            return Step::On;
        }
        if let Some(reason) = no_input(path, self.options) {
            self.set_aside(trail, &trail.full(), &reason);
            return Step::On;
        }
        if let Err(reason) = self.admit(trail) {
            return Step::Full(reason);
        }
        let files = &self.options.files;
        let seen = match files.look_itself(path) {
            Ok(seen) if seen.is_folder() => return Step::Into,
            Ok(seen) => seen,
            Err(error) => {
                self.note(trail, Outcome::Failed, trouble(&error));
                return Step::On;
            }
        };
        if seen.is_link() {
            self.note(trail, Outcome::Skipped, link(files, path, root));
        } else if seen.is_file() {
            match files.open(path, &seen) {
                Ok(file) => self.file_or_manifest(trail, Input::File(file), 0),
                Err(error) => self.note(trail, Outcome::Failed, trouble(&error)),
            }
        } else {
            self.note(trail, Outcome::Skipped, special_file(&seen));
        }
        Step::On
    }
}

/// The children of a folder, in the order of their names.
fn list(files: &Files, folder: &Path) -> io::Result<Vec<Child>> {
    let mut lossy = Lossy::default();
    let child = |name: OsString| Child {
        path: folder.join(&name),
        label: lossy.text(name.as_encoded_bytes()),
    };
    Ok(files.names_in(folder)?.into_iter().map(child).collect())
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

/// Why what is neither a file nor a folder is not read.
pub(super) fn special_file(seen: &Seen) -> String {
    format!("special file: {}", seen.special().unwrap_or("not read"))
}
