//! Statements that another server has signed: JSON Web Tokens, verified with the keys that it publishes.
//!
//! Signatures are RS256 or ES256. Issuer, audience and time are checked here. Other claims, such as the nonce, are
//! checked by the caller.
//! Source: OpenID Connect Core 1.0, 3.1.3.7; RFC 7515, 7517, 7519; RFC 8725.

use std::sync::Arc;

use axum::http::StatusCode;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Answer, Refusal};
use crate::outgoing::{Age, Outgoing};

/// Maximum length of a token, in bytes.
const MOST_BYTES: usize = 256 << 10;

/// Number of seconds by which the clocks of two servers may differ.
const LEEWAY: u64 = 60;

/// The issuer that must have signed, and the client it must have signed for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    pub(crate) issuer: &'a str,
    /// The client id of this server.
    pub(crate) client: &'a str,
    /// The address where the issuer publishes its keys.
    pub(crate) keys: &'a str,
}

/// Returns the issuer and the audience that a token claims. They can be trusted only once [`checked`] has accepted it.
pub(crate) fn claimed(token: &str) -> Answer<(String, Vec<String>)> {
    #[derive(Deserialize)]
    struct Claimed {
        iss: String,
        aud: Value,
    }
    let payload = token.split('.').nth(1).filter(|_| token.len() <= MOST_BYTES);
    let payload = payload.and_then(|text| BASE64_URL_SAFE_NO_PAD.decode(text).ok());
    let claimed = payload.and_then(|bytes| serde_json::from_slice::<Claimed>(&bytes).ok());
    let Claimed { iss, aud } = claimed.ok_or_else(|| invalid("it is not a token"))?;
    let list = aud.as_array().cloned().unwrap_or_else(|| vec![aud]);
    Ok((iss, list.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()))
}

/// The audience of a token, and the party it was issued to, if there are several.
#[derive(Deserialize)]
struct Party {
    aud: Value,
    azp: Option<String>,
}

/// Returns the claims of a token, if it is genuine, current, and for us.
pub(crate) async fn checked<T: DeserializeOwned>(
    outgoing: &Arc<Outgoing>,
    token: &str,
    expected: Expected<'_>,
) -> Answer<T> {
    let header = header_of(token)?;
    let known = outgoing.document(expected.keys, Age::Known).await?;
    let key = match key_of(&known, &header) {
        Some(key) => key,
        // The issuer may have changed its keys.
        None => key_of(&*outgoing.document(expected.keys, Age::Now).await?, &header)
            .ok_or_else(|| invalid("its issuer publishes no key of that name"))?,
    };
    verified(token, &header, &key, expected)
}

/// Returns the claims of a token as [`checked`] does, by keys that are at hand.
pub(crate) fn checked_by<T: DeserializeOwned>(
    published: &Value,
    token: &str,
    expected: Expected<'_>,
) -> Answer<T> {
    let header = header_of(token)?;
    let key = key_of(published, &header)
        .ok_or_else(|| invalid("its key has another name than those published"))?;
    verified(token, &header, &key, expected)
}

/// Returns the header of a token, if its length and the way it is signed are accepted.
fn header_of(token: &str) -> Answer<Header> {
    if token.len() > MOST_BYTES {
        return Err(invalid("it is too long"));
    }
    let header = decode_header(token).map_err(|_| invalid("it is not a token"))?;
    if !matches!(header.alg, Algorithm::RS256 | Algorithm::ES256) {
        return Err(invalid("it is signed in another way than RS256 and ES256"));
    }
    Ok(header)
}

/// Returns the claims of a token that this key has signed, if it is current, and for us.
fn verified<T: DeserializeOwned>(
    token: &str,
    header: &Header,
    key: &DecodingKey,
    expected: Expected<'_>,
) -> Answer<T> {
    let mut rules = Validation::new(header.alg);
    rules.leeway = LEEWAY;
    rules.validate_nbf = true;
    rules.set_issuer(&[expected.issuer]);
    rules.set_audience(&[expected.client]);
    rules.set_required_spec_claims(&["exp", "iss", "aud"]);
    let read = |error: jsonwebtoken::errors::Error| invalid(&error.to_string());
    let party: Party = decode(token, key, &rules).map_err(read)?.claims;
    let is_shared = party.aud.as_array().is_some_and(|all| all.len() > 1);
    if party.azp.as_ref().map_or(is_shared, |azp| azp != expected.client) {
        return Err(invalid("it was issued to somebody else"));
    }
    Ok(decode(token, key, &rules).map_err(read)?.claims)
}

/// Returns the key that a token names, or, if it names none, the only one that fits.
fn key_of(published: &Value, header: &Header) -> Option<DecodingKey> {
    let all = published["keys"].as_array()?;
    // Keys of unknown kinds are skipped, and do not spoil the others.
    let keys = all.iter().filter_map(|key| serde_json::from_value::<Jwk>(key.clone()).ok());
    let mut fitting = keys.filter(|key| fits(key, header));
    let key = fitting.next()?;
    if header.kid.is_none() && fitting.next().is_some() {
        return None;
    }
    DecodingKey::from_jwk(&key).ok()
}

fn fits(key: &Jwk, header: &Header) -> bool {
    let common = &key.common;
    let is_named = header.kid.is_none() || common.key_id == header.kid;
    let is_for_signing = !matches!(common.public_key_use, Some(PublicKeyUse::Encryption));
    let named = common.key_algorithm.as_ref().map(ToString::to_string);
    let is_of_kind = named.is_none_or(|named| named == format!("{:?}", header.alg));
    is_named && is_for_signing && is_of_kind
}

fn invalid(why: &str) -> Refusal {
    Refusal::new(
        StatusCode::UNAUTHORIZED,
        format!("the signed statement of the other server is not valid: {why}"),
    )
}
