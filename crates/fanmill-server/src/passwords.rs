//! Passwords, which are kept as argon2id hashes. So few attempts are allowed that guessing is hopeless.

use std::net::IpAddr;

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};

use crate::access::Client;
use crate::error::{Answer, Refusal};
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::{rates, secret};

/// Maximum number of wrong passwords for a name or a link, and for all names from one address, in the window of
/// [`rates`].
const MAX_WRONG: i64 = 10;
const MAX_WRONG_FROM: i64 = 50;
const WHAT: &str = "wrong passwords";

/// Returns the address that a request comes from, hashed. Of an IPv6 address it takes only the /64 network, all of
/// which one machine may have.
pub(crate) fn place_of(Client(client): Client) -> String {
    let network = match client {
        Some(IpAddr::V6(ip)) => format!("{:x}", ip.to_bits() >> 64),
        Some(IpAddr::V4(ip)) => ip.to_string(),
        None => String::new(),
    };
    format!("from {}", secret::hash(&network))
}

/// Counts a password that is about to be tried for a name or a link, or refuses it after too many wrong ones.
pub(crate) async fn attempt(server: &Server, who: &str) -> Answer<()> {
    rates::attempt(server, who, MAX_WRONG, WHAT).await
}

/// Counts or refuses a password like [`attempt`], over all names from one address.
pub(crate) async fn attempt_from(server: &Server, place: &str) -> Answer<()> {
    rates::attempt(server, place, MAX_WRONG_FROM, WHAT).await
}

/// Hashes a new password, with argon2id.
pub(crate) async fn hashed(server: &Server, password: String) -> Answer<String> {
    if !(10..=1000).contains(&password.len()) {
        return Err(Refusal::bad("a password has 10 to 1000 bytes; choose a longer one"));
    }
    let _turn = server.0.hashing.acquire().await;
    run_blocking(move || {
        let mut salt = [0_u8; 16];
        let failed = |_| Refusal::bad("the password could not be kept");
        getrandom::fill(&mut salt).map_err(|_| Refusal::bad("no random numbers"))?;
        let salt = SaltString::encode_b64(&salt).map_err(failed)?;
        Ok(Argon2::default().hash_password(password.as_bytes(), &salt).map_err(failed)?.to_string())
    })
    .await
}

/// Returns whether this is the password. Without a hash it is not, but finding that out takes as long.
pub(crate) async fn is_password(
    server: &Server,
    password: String,
    hash: Option<String>,
) -> Answer<bool> {
    if password.len() > 1000 {
        return Ok(false);
    }
    let Some(hash) = hash else {
        hashed(server, "a password that nobody has".to_owned()).await?;
        return Ok(false);
    };
    let _turn = server.0.hashing.acquire().await;
    run_blocking(move || {
        let parsed = PasswordHash::new(&hash);
        let verify = |hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok();
        Ok(parsed.is_ok_and(verify))
    })
    .await
}
