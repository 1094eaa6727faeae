//! Secrets: random, shown once, and kept only as their hash.

use aws_lc_rs::digest;
use subtle::ConstantTimeEq;

/// `n` random bytes in hexadecimal: 16 are an id or a link, 32 a session or a token.
pub(crate) fn random<const N: usize>() -> String {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    hex(&bytes)
}

/// A random whole number below `limit`.
pub(crate) fn number_below(limit: u64) -> u64 {
    let mut bytes = [0_u8; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    u64::from_le_bytes(bytes) % limit
}

/// What is kept of a secret. It needs no salt: the secret is random.
pub(crate) fn hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// SHA-256, which other services ask for.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest::digest(&digest::SHA256, bytes).as_ref());
    hash
}

/// A secret of the configuration, which no debugging output shows.
pub(crate) struct Hidden(pub(crate) String);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hidden")
    }
}

/// The token that a page of this session sends with every change.
pub(crate) fn csrf(session: &str) -> String {
    hash(&format!("csrf of {session}"))
}

/// Whether two secrets are equal, in a time that does not depend on where they differ.
pub(crate) fn is_equal(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
