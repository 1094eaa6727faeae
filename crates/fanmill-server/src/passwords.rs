//! Passwords, which are kept as argon2id hashes. So few attempts are allowed that guessing is hopeless.
//!
//! Wrong passwords are counted by name, whoever tries them, and by address, over all names. Otherwise a name or a network
//! could be guessed at; but so anybody could lock somebody else's name, or everybody who shares an address. A browser in
//! which an account has logged in before is therefore counted by itself, for that account: it is known by a cookie.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue};
use rusqlite::{OptionalExtension, Transaction, params};

use crate::access::{Client, cookie};
use crate::connections::client_at;
use crate::error::{Answer, Refusal};
use crate::state::Server;
use crate::store::now;
use crate::{rates, secret};

/// Maximum number of wrong passwords, in the window of [`rates`]: for a name or a known browser, for a link from one
/// address, for a link in all; and maximum number of names with a wrong password from one address.
const MAX_WRONG: i64 = 10;
const MAX_WRONG_LINK: i64 = 100;
const MAX_NAMES_FROM: i64 = 50;

/// Maximum length of a password.
const MOST_CHARACTERS: usize = 1000;

const WHAT: &str = "wrong passwords";

/// The cookie of a browser, which it sends when somebody logs in.
const BROWSER: &str = "fanmill_browser";
const LOGIN_PATH: &str = "/api/v1/login";

/// Seconds for which a browser is known since the account's last login there, and maximum number of an account's browsers.
pub(crate) const BROWSER_LASTS: i64 = 365 * 86_400;
const MAX_BROWSERS: i64 = 100;

/// Returns the address that a request comes from, hashed.
pub(crate) fn place_of(Client(client): Client) -> String {
    let network = client.map(|ip| match client_at(ip) {
        IpAddr::V6(ip) => format!("{:x}", ip.to_bits() >> 64),
        IpAddr::V4(ip) => ip.to_string(),
    });
    format!("from {}", secret::hash(&network.unwrap_or_default()))
}

/// An attempt to log in, which is counted before it is made.
pub(crate) enum LoginAttempt {
    /// From a browser in which the account has logged in before.
    Known { counted: String },
    /// From any other.
    Unknown { counted: String, from: String, name: String },
}

impl LoginAttempt {
    /// Counts a password that is about to be tried for a name, or refuses it after too many wrong ones.
    pub(crate) async fn begin(
        server: &Server,
        client: Client,
        headers: &HeaderMap,
        name: &str,
    ) -> Answer<LoginAttempt> {
        let name_hash = secret::hash(name);
        if let Some(browser) = cookie(headers, BROWSER).map(|browser| secret::hash(&browser))
            && is_known(server, browser.clone(), name.to_owned()).await?
        {
            let counted = format!("browser {browser} {name_hash}");
            rates::attempt(server, &counted, MAX_WRONG, WHAT).await?;
            return Ok(LoginAttempt::Known { counted });
        }
        let (counted, from) = (format!("login {name_hash}"), place_of(client));
        // Before the name, so that a locked address does not lock names.
        rates::attempt_once(
            server,
            &from,
            &name_hash,
            MAX_NAMES_FROM,
            "names with wrong passwords",
        )
        .await?;
        rates::attempt(server, &counted, MAX_WRONG, WHAT).await?;
        Ok(LoginAttempt::Unknown { counted, from, name: name_hash })
    }

    /// Takes the attempt back, as the password was right.
    pub(crate) fn succeed(&self, tx: &Transaction) -> rusqlite::Result<()> {
        match self {
            LoginAttempt::Known { counted } => rates::forget(tx, counted),
            LoginAttempt::Unknown { counted, from, name } => {
                rates::forget(tx, counted)?;
                rates::take_back_once(tx, from, name)
            }
        }
    }
}

/// Returns whether an account of this name has logged in in a browser before.
async fn is_known(server: &Server, browser: String, name: String) -> Answer<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM browsers JOIN users ON users.id = user \
               WHERE hash = ? AND name = ? AND used > ?)";
    let since = now() - BROWSER_LASTS;
    server
        .read(move |c| Ok(c.query_row(sql, params![browser, name, since], |row| row.get(0))?))
        .await
}

/// Remembers that an account has logged in in a browser. Returns the browser's cookie.
pub(crate) async fn remember_browser(
    server: &Server,
    headers: &HeaderMap,
    user: &str,
) -> Answer<HeaderValue> {
    let (shown, user) = (cookie(headers, BROWSER), user.to_owned());
    let browser = server.write(move |tx| {
        // A cookie that we have not made is not taken over.
        let hash = shown.as_deref().map(secret::hash).unwrap_or_default();
        let sql = "SELECT 1 FROM browsers WHERE hash = ? LIMIT 1";
        let is_ours = tx.query_row(sql, [&hash], |_| Ok(())).optional()?.is_some();
        let browser = shown.filter(|_| is_ours).unwrap_or_else(secret::random::<32>);
        let sql = "INSERT INTO browsers (hash, user, used) VALUES (?1, ?2, ?3) \
                   ON CONFLICT (hash, user) DO UPDATE SET used = ?3";
        tx.execute(sql, params![secret::hash(&browser), user, now()])?;
        let sql = "DELETE FROM browsers WHERE user = ?1 AND rowid NOT IN \
                   (SELECT rowid FROM browsers WHERE user = ?1 ORDER BY used DESC, rowid DESC LIMIT ?2)";
        tx.execute(sql, params![user, MAX_BROWSERS])?;
        Ok(browser)
    });
    let text = format!(
        "{BROWSER}={}; HttpOnly; SameSite=Strict; Path={LOGIN_PATH}; Max-Age={BROWSER_LASTS}{}",
        browser.await?,
        server.secure()
    );
    HeaderValue::from_str(&text).map_err(|_| Refusal::bad("no cookie could be made"))
}

/// Counts a password that is about to be tried for something else than a login, by somebody who is known: `who`.
pub(crate) async fn attempt(server: &Server, who: &str) -> Answer<()> {
    rates::attempt(server, who, MAX_WRONG, WHAT).await
}

/// Counts a password that is about to be tried for a link. Returns what is taken back if it was right.
pub(crate) async fn attempt_link(server: &Server, id: &str, client: Client) -> Answer<[String; 2]> {
    let all = format!("link {id}");
    let own = format!("{all} {}", place_of(client));
    rates::attempt(server, &own, MAX_WRONG, WHAT).await?;
    rates::attempt(server, &all, MAX_WRONG_LINK, WHAT).await?;
    Ok([own, all])
}

/// Hashes a new password.
pub(crate) async fn hashed(server: &Server, client: Client, password: String) -> Answer<String> {
    let n = password.chars().count();
    if !(10..=MOST_CHARACTERS).contains(&n) {
        let message = format!(
            "a password has 10 to {MOST_CHARACTERS} characters, not {n}; choose another one"
        );
        return Err(Refusal::bad(message));
    }
    server.0.hashing.hashed(&place_of(client), password).await
}

/// Returns whether this is the password. Without a hash it is not, but finding that out takes as long.
pub(crate) async fn is_password(
    server: &Server,
    client: Client,
    password: String,
    hash: Option<String>,
) -> Answer<bool> {
    if password.chars().count() > MOST_CHARACTERS {
        return Ok(false);
    }
    let Some(hash) = hash else {
        hashed(server, client, "a password that nobody has".to_owned()).await?;
        return Ok(false);
    };
    server.0.hashing.is_of(&place_of(client), password, &hash).await
}
