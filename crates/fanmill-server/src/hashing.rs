//! Hashes of passwords, by argon2id, in memory that is reused.
//!
//! Each hash fills 19 MiB. Taken anew for each password, that memory stays with the threads that freed it: 48 wrong
//! logins at once took the server from 19 to 839 MB. So there are [`AT_ONCE`] pieces of it, each for one password at a
//! time, and whoever comes meanwhile waits in a queue of bounded length, in which no address has more than its part.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use argon2::password_hash::{Output, PasswordHash, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;

use crate::error::{Answer, Refusal};
use crate::permits::Permits;
use crate::run_blocking::run_blocking;

/// Number of passwords that are hashed at the same time.
const AT_ONCE: usize = 2;

/// Maximum number of passwords that wait: in all, and from one address. Two hundred take about three seconds.
const MAX_WAITING: usize = 200;
const MAX_WAITING_FROM: usize = 40;

/// Hashes passwords. Clones share memory and queue.
#[derive(Debug, Clone)]
pub(crate) struct Hashing(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    turns: Semaphore,
    /// Memory that nobody uses at the moment.
    memory: Mutex<Vec<Vec<Block>>>,
    /// The queue, by where passwords come from.
    queue: Permits,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hashing {
    pub(crate) fn new() -> Hashing {
        Hashing(Arc::new(Shared {
            turns: Semaphore::new(AT_ONCE),
            memory: Mutex::default(),
            queue: Permits::new(MAX_WAITING, MAX_WAITING_FROM),
        }))
    }

    /// Hashes a password with salt, into `length` bytes.
    async fn fill(
        &self,
        from: &str,
        password: String,
        salt: Vec<u8>,
        params: Params,
        length: usize,
    ) -> Answer<Vec<u8>> {
        let full = || Refusal::busy("too many people log in at this moment; try again");
        let _place = self.0.queue.take(from).ok_or_else(full)?;
        let _turn = self.0.turns.acquire().await;
        let shared = self.0.clone();
        run_blocking(move || {
            let mut memory = lock(&shared.memory).pop().unwrap_or_default();
            memory.resize(params.block_count(), Block::default());
            let mut hash = vec![0; length];
            let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
            let filled = argon2.hash_password_into_with_memory(
                password.as_bytes(),
                &salt,
                &mut hash,
                &mut memory,
            );
            lock(&shared.memory).push(memory);
            filled.map_err(|_| Refusal::bad("the password cannot be hashed"))?;
            Ok(hash)
        })
        .await
    }

    /// Hashes a new password that comes from `from`.
    pub(crate) async fn hashed(&self, from: &str, password: String) -> Answer<String> {
        let failed = |_| Refusal::bad("the password could not be kept");
        let mut salt = [0_u8; 16];
        getrandom::fill(&mut salt).map_err(|_| Refusal::bad("no random numbers"))?;
        let params = Params::default();
        let length = Params::DEFAULT_OUTPUT_LEN;
        let hash = self.fill(from, password, salt.to_vec(), params.clone(), length).await?;
        let salt = SaltString::encode_b64(&salt).map_err(failed)?;
        let whole = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: (&params).try_into().map_err(failed)?,
            salt: Some(salt.as_salt()),
            hash: Some(Output::new(&hash).map_err(failed)?),
        };
        Ok(whole.to_string())
    }

    /// Returns whether a hash is that of a password that comes from `from`.
    pub(crate) async fn is_of(&self, from: &str, password: String, hash: &str) -> Answer<bool> {
        let Some((params, salt, expected)) = parsed(hash) else { return Ok(false) };
        let found = self.fill(from, password, salt, params, expected.len()).await?;
        Ok(found.ct_eq(&expected).into())
    }
}

/// Returns the parameters, the salt and the hash that are written in a hash of ours.
fn parsed(hash: &str) -> Option<(Params, Vec<u8>, Vec<u8>)> {
    let parsed = PasswordHash::new(hash).ok()?;
    let is_ours = parsed.algorithm == Algorithm::Argon2id.ident()
        && parsed.version == Some(Version::V0x13.into());
    let mut salt = [0; 64];
    let salt = parsed.salt?.decode_b64(&mut salt).ok()?.to_vec();
    let params = Params::try_from(&parsed).ok().filter(|_| is_ours)?;
    Some((params, salt, parsed.hash?.as_bytes().to_vec()))
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::{PasswordHasher, PasswordVerifier};

    use super::*;

    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(work)
    }

    /// The library's own functions, which take their memory anew.
    #[test]
    fn hashes_are_those_of_the_library() {
        let hashing = Hashing::new();
        for password in ["correct horse battery", "ein anderes Wort", ""] {
            let ours = run(hashing.hashed("here", password.to_owned())).expect("hashed");
            let parsed = PasswordHash::new(&ours).expect("a hash");
            assert!(Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok());
            let salt = SaltString::encode_b64(b"sixteen bytes...").expect("a salt");
            let theirs =
                Argon2::default().hash_password(password.as_bytes(), &salt).expect("hashed");
            for (hash, tried, is_right) in [
                (theirs.to_string(), password, true),
                (ours.clone(), password, true),
                (ours, "another word", false),
                ("no hash".to_owned(), password, false),
            ] {
                let found = run(hashing.is_of("here", tried.to_owned(), &hash)).expect("tried");
                assert_eq!(found, is_right, "{tried} {hash}");
            }
        }
        assert_eq!(lock(&hashing.0.memory).len(), 1, "it is used again");
    }
}
