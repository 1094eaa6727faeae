//! Identities at other services: an account is found by the service and the service's id for the person.
//!
//! Names and mail addresses are only shown. Nobody is recognised by them: they change, and others may claim them.

use axum::http::StatusCode;
use rusqlite::{OptionalExtension, Transaction, params};

use crate::access::User;
use crate::accounts::{insert_user, is_taken, redeem, user_of};
use crate::error::{Answer, Refusal};
use crate::store::audit;

/// Maximum length of a name that comes from another service, in bytes.
const NAME_BYTES: usize = 120;

/// A person, as another service knows them.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// The service: an issuer of OpenID Connect, or a learning platform.
    pub(crate) issuer: String,
    /// The service's permanent id for the person.
    pub(crate) subject: String,
    pub(crate) name: Option<String>,
    pub(crate) mail: Option<String>,
}

/// Returns the person's account, if there is one, and updates its mail address.
pub(crate) fn account_of(tx: &Transaction, identity: &Identity) -> Answer<Option<User>> {
    let sql = "SELECT user FROM identities WHERE issuer = ? AND subject = ?";
    let known: Option<String> =
        tx.query_row(sql, [&identity.issuer, &identity.subject], |row| row.get(0)).optional()?;
    let Some(id) = known else { return Ok(None) };
    let sql = "UPDATE identities SET mail = ? WHERE issuer = ? AND subject = ?";
    tx.execute(sql, params![identity.mail, identity.issuer, identity.subject])?;
    user_of(tx, &id).map(Some)
}

/// Adds an account for a person who logs in for the first time.
pub(crate) fn newcomer(tx: &Transaction, identity: &Identity, role: &str) -> Answer<User> {
    let id = insert_user(tx, &free_name(tx, identity)?, role)?;
    audit(tx, &id, "account added by another service", &id)?;
    add(tx, identity, &id)
}

/// Gives the account of a one-time secret to this person. The first secret makes them a new administrator.
pub(crate) fn invited(tx: &Transaction, identity: &Identity, secret_hash: &str) -> Answer<User> {
    if let Some(other) = account_of(tx, identity)? {
        let message = format!(
            "you have an account already, `{}`; log in without the one-time link",
            other.name
        );
        return Err(Refusal::new(StatusCode::CONFLICT, message));
    }
    let id = match redeem(tx, secret_hash)? {
        Some(id) => id,
        None => insert_user(tx, &free_name(tx, identity)?, "administrator")?,
    };
    audit(tx, &id, "login by another service set by a one-time link", &id)?;
    add(tx, identity, &id)
}

fn add(tx: &Transaction, identity: &Identity, user: &str) -> Answer<User> {
    let Identity { issuer, subject, mail, .. } = identity;
    let sql = "INSERT INTO identities (issuer, subject, user, mail) VALUES (?, ?, ?, ?)";
    tx.execute(sql, params![issuer, subject, user, mail])?;
    user_of(tx, user)
}

/// Returns the person's name, or a similar one that is not taken.
fn free_name(tx: &Transaction, identity: &Identity) -> Answer<String> {
    let name = identity.name.as_deref().map(cleaned).filter(|name| !name.is_empty());
    let mail = identity.mail.as_deref().map(cleaned).filter(|mail| !mail.is_empty());
    let plain = name.clone().or_else(|| mail.clone()).unwrap_or_else(|| "somebody".to_owned());
    let with_mail = name.zip(mail).map(|(name, mail)| format!("{name} ({mail})"));
    let numbered = (2..1000).map(|n| format!("{plain} ({n})"));
    for name in [plain.clone()].into_iter().chain(with_mail).chain(numbered) {
        if !is_taken(tx, &name)? {
            return Ok(name);
        }
    }
    Err(Refusal::new(StatusCode::CONFLICT, format!("too many accounts are called `{plain}`")))
}

/// Removes control characters from a name, and shortens it if it is too long.
fn cleaned(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    let end = (0..=NAME_BYTES.min(name.len())).rev().find(|at| name.is_char_boundary(*at));
    name[..end.unwrap_or(0)].trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn identity(subject: &str, name: &str) -> Identity {
        Identity {
            issuer: "https://login.example.edu".to_owned(),
            subject: subject.to_owned(),
            name: Some(name.to_owned()),
            mail: Some(format!("{subject}@example.edu")),
        }
    }

    #[test]
    fn people_of_one_name_have_accounts_of_their_own() {
        let folder = tempfile::tempdir().expect("folder");
        let store = Store::open(folder.path()).expect("opens");
        let come = |subject: &str, name: &str| {
            store
                .write(|tx| newcomer(tx, &identity(subject, name), "teacher"))
                .expect("an account")
                .name
        };
        assert_eq!(come("a", "Mei"), "Mei");
        assert_eq!(come("b", "Mei"), "Mei (b@example.edu)");
        assert_eq!(come("c", " M\u{7}ei\n"), "Mei (c@example.edu)");
        assert_eq!(come("d", &"ß".repeat(100)).chars().count(), NAME_BYTES / 2);
        let known = store.write(|tx| account_of(tx, &identity("b", "another name"))).expect("read");
        assert_eq!(known.expect("an account").name, "Mei (b@example.edu)");
        let other = Identity { issuer: "https://other.example".to_owned(), ..identity("b", "Mei") };
        assert!(store.write(|tx| account_of(tx, &other)).expect("read").is_none());
    }
}
