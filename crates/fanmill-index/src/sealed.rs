//! Keyed indexes: without the key, nobody can test whether a text is in the index.
//!
//! Fingerprints, and the hash of each document's contents, are hashed again with subkeys of the key. Someone who has
//! the folder but not the key sees how many fingerprints there are, which ones are equal, and at which positions they
//! are. Names, paths, groups, times and sizes are stored as they were given. Texts are not stored.
//!
//! The manifest contains the key's identifier, so that a wrong key is an error and never an empty answer.

use fanmill_sift::key::{Key, Sealer};
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

use crate::snapshot::Index;

impl Index {
    /// Returns the identifier of its key, if it has one.
    pub fn key_id(&self) -> Option<&str> {
        self.manifest.key.as_deref()
    }

    /// Unlocks a keyed index, so that it can be searched.
    ///
    /// # Errors
    /// If this is not its key, or if it does not have one.
    pub fn unlock(&mut self, key: &Key) -> Result<()> {
        let (folder, given) = (self.folder().display(), key.id().to_string());
        match self.key_id() {
            Some(own) if own == given => {
                self.sealer = Some(key.sealer());
                Ok(())
            }
            Some(own) => Err(Error::input(format!(
                "index `{folder}` was begun with key {own}, and this is key {given}; give the other one"
            ))),
            None => Err(Error::setting(message![
                "index `{folder}` was begun without ",
                Setting("key"),
                "; leave it out, or begin another index"
            ])),
        }
    }

    /// Returns the sealer that makes its values; `None` if it does not have a key.
    ///
    /// # Errors
    /// If it has a key, and is not unlocked.
    pub(crate) fn sealer(&self) -> Result<Option<&Sealer>> {
        match (self.key_id(), &self.sealer) {
            (Some(id), None) => Err(Error::setting(message![
                ("index `{}` was begun with key {id}; give it with ", self.folder().display()),
                Setting("key")
            ])),
            (_, sealer) => Ok(sealer.as_ref()),
        }
    }

    /// Returns the value that represents a hash in its table.
    ///
    /// # Errors
    /// If it has a key, and is not unlocked.
    pub(crate) fn sealed(&self, hash: u64) -> Result<u64> {
        Ok(self.sealer()?.map_or(hash, |sealer| sealer.value(hash)))
    }
}
