//! This server's own key, with which learning platforms verify its statements. It is made when it is first needed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::secret;

pub(crate) const FILE: &str = "lti-key.p8";

/// The key: RSA of 2048 bits, which the standard asks for.
#[derive(Debug)]
pub(crate) struct OwnKey {
    pair: KeyPair,
    name: String,
}

impl OwnKey {
    /// Reads the key of a data folder, or makes one.
    pub(crate) fn open(data: &Path) -> io::Result<OwnKey> {
        let path = data.join(FILE);
        let kept = if path.exists() { fs::read(path)? } else { made(&path)? };
        let pair = KeyPair::from_pkcs8(&kept).map_err(io::Error::other)?;
        let name =
            secret::hash(&encoded(pair.public_key().modulus().big_endian_without_leading_zero()));
        Ok(OwnKey { pair, name: name.chars().take(16).collect() })
    }

    /// Signs a statement of this server, with RS256.
    pub(crate) fn sign(&self, claims: &Value) -> io::Result<String> {
        let header = json!({ "typ": "JWT", "alg": "RS256", "kid": self.name });
        let said = [&header, claims].map(|part| encoded(part.to_string().as_bytes())).join(".");
        let mut signature = vec![0; self.pair.public_modulus_len()];
        self.pair
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), said.as_bytes(), &mut signature)
            .map_err(io::Error::other)?;
        Ok(format!("{said}.{}", encoded(&signature)))
    }

    /// Returns the public key with which others verify its statements.
    pub(crate) fn published(&self) -> Value {
        let public = self.pair.public_key();
        let (n, e) = (public.modulus(), public.exponent());
        json!({ "keys": [{
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.name,
            "n": encoded(n.big_endian_without_leading_zero()),
            "e": encoded(e.big_endian_without_leading_zero()),
        }] })
    }
}

/// Makes a new key, and saves it so that nobody else can read it.
fn made(path: &Path) -> io::Result<Vec<u8>> {
    let pair = KeyPair::generate(KeySize::Rsa2048).map_err(io::Error::other)?;
    let der = pair.as_der().map_err(io::Error::other)?.as_ref().to_vec();
    let new = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    file.write_all(&der)?;
    file.sync_all()?;
    fs::rename(new, path)?;
    Ok(der)
}

fn encoded(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::jwk::JwkSet;
    use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};

    use super::*;

    #[test]
    fn what_it_signs_is_checked_by_what_it_publishes_and_it_stays_the_same() {
        let folder = tempfile::tempdir().expect("folder");
        let first = OwnKey::open(folder.path()).expect("made");
        let again = OwnKey::open(folder.path()).expect("read");
        assert_eq!(first.published(), again.published());
        let token =
            first.sign(&json!({ "iss": "fanmill", "exp": 4_000_000_000_u64 })).expect("signed");
        let keys: JwkSet = serde_json::from_value(again.published()).expect("a set");
        let key = DecodingKey::from_jwk(&keys.keys[0]).expect("a key");
        let mut rules = Validation::new(Algorithm::RS256);
        rules.set_issuer(&["fanmill"]);
        assert!(decode::<Value>(&token, &key, &rules).is_ok());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join(FILE)).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
