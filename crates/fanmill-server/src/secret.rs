//! Secrets, which are random, shown once, and kept only as their hash.

use aws_lc_rs::digest;
use subtle::ConstantTimeEq;

/// Returns `N` random bytes in hexadecimal: 16 are an id or a link, 32 a session or a token.
pub(crate) fn random<const N: usize>() -> String {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    hex(&bytes)
}

/// Returns a random integer below `limit`.
pub(crate) fn number_below(limit: u64) -> u64 {
    let mut bytes = [0_u8; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    u64::from_le_bytes(bytes) % limit
}

/// Returns the hash under which a secret is kept. It needs no salt, as the secret is random.
pub(crate) fn hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// Returns the SHA-256 of `bytes`, which other services ask for.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest::digest(&digest::SHA256, bytes).as_ref());
    hash
}

/// A secret from the configuration, which debugging output does not show.
pub(crate) struct Hidden(pub(crate) String);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hidden")
    }
}

/// Returns the token that a page of this session sends with every change.
pub(crate) fn csrf(session: &str) -> String {
    hash(&format!("csrf of {session}"))
}

/// Returns whether two secrets are equal, in a time that does not depend on where they differ.
pub(crate) fn is_equal(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// Writes bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
