//! Requests to other servers: the one that people log in with, and learning platforms.
//!
//! Requests go only to addresses that an administrator has set, or that such a server names. They use TLS, with the
//! certificates that the system trusts; without TLS, only addresses on this machine are reached. Answers are limited in
//! size and time.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{Request, Response, StatusCode, header};
use serde_json::Value;
use tokio::sync::Semaphore;
use ureq::tls::{RootCerts, TlsConfig};
use url::{Host, Url};

use crate::error::{Answer, Refusal};
use crate::run_blocking::run_blocking;

/// Maximum size of an answer that is not a file, in bytes.
const MOST: u64 = 1 << 20;

/// Maximum time for an answer that is not a file.
pub(crate) const SOON: Duration = Duration::from_secs(10);

/// Time for which a published document is used, and time until it may be requested again if it lacks something.
const FRESH: Duration = Duration::from_hours(1);
const AGAIN: Duration = Duration::from_secs(30);

/// Maximum number of requests at the same time. Each takes one of the threads that also read the database.
const AT_ONCE: usize = 8;

/// The client that sends requests to other servers.
#[derive(Debug)]
pub(crate) struct Outgoing {
    agent: ureq::Agent,
    turns: Semaphore,
    /// Documents that other servers publish, by address, each with the time when it was read.
    documents: Mutex<HashMap<String, (Instant, Arc<Value>)>>,
}

/// The limits of an answer, and its destination.
#[derive(Debug, Clone)]
pub(crate) struct AnswerLimits {
    /// Maximum size, in bytes.
    pub(crate) most: u64,
    /// Maximum time.
    pub(crate) time: Duration,
    /// The file that a successful answer is written to; without one, it is kept in memory.
    pub(crate) file: Option<PathBuf>,
}

impl AnswerLimits {
    /// Returns the limits of an answer that is not a file.
    pub(crate) fn little() -> AnswerLimits {
        AnswerLimits { most: MOST, time: SOON, file: None }
    }
}

/// The age that a document may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Age {
    /// At most an hour.
    Known,
    /// At most half a minute, as the known document lacks something.
    Now,
}

impl Outgoing {
    pub(crate) fn new() -> Outgoing {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(provider)
            .root_certs(RootCerts::PlatformVerifier)
            .build();
        let config = ureq::Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("fanmill/", env!("CARGO_PKG_VERSION")));
        Outgoing {
            agent: config.build().into(),
            turns: Semaphore::new(AT_ONCE),
            documents: Mutex::default(),
        }
    }

    /// Sends a request, and returns the answer whatever its status is.
    pub(crate) async fn send(
        self: &Arc<Outgoing>,
        request: Request<Vec<u8>>,
        take: AnswerLimits,
    ) -> Answer<Response<Vec<u8>>> {
        check(&request.uri().to_string())?;
        let asked = self.clone();
        let _turn = self.turns.acquire().await;
        run_blocking(move || {
            let host = request.uri().host().unwrap_or_default().to_owned();
            let failed = |error: ureq::Error| unreachable(&host, &error.to_string());
            let request =
                asked.agent.configure_request(request).timeout_global(Some(take.time)).build();
            let answer = asked.agent.run(request).map_err(failed)?;
            let (head, mut body) = answer.into_parts();
            // One byte more than allowed shows that the answer is too large.
            let mut reader = body.as_reader().take(take.most.saturating_add(1));
            let mut bytes = Vec::new();
            let is_file = take.file.is_some();
            let read = match take.file.filter(|_| head.status.is_success()) {
                Some(path) => io::copy(&mut reader, &mut File::create(path)?),
                None => reader.read_to_end(&mut bytes).map(|n| n as u64),
            };
            let n_bytes = read.map_err(|error| unreachable(&host, &error.to_string()))?;
            if n_bytes > take.most {
                let mut refusal =
                    unreachable(&host, &format!("it sent more than {} bytes", take.most));
                if is_file {
                    refusal.status = StatusCode::PAYLOAD_TOO_LARGE;
                }
                return Err(refusal);
            }
            Ok(Response::from_parts(head, bytes))
        })
        .await
    }

    /// Sends a request, and parses its answer as JSON.
    pub(crate) async fn json(self: &Arc<Outgoing>, request: Request<Vec<u8>>) -> Answer<Value> {
        let host = request.uri().host().unwrap_or_default().to_owned();
        let answer = self.send(request, AnswerLimits::little()).await?;
        let parsed: Option<Value> = serde_json::from_slice(answer.body()).ok();
        if !answer.status().is_success() {
            let code = parsed.as_ref().and_then(|value| value["error"].as_str()).map(plain);
            let code = code.map_or_else(String::new, |code| format!(": {code}"));
            return Err(unreachable(
                &host,
                &format!("it answered {}{code}", answer.status().as_u16()),
            ));
        }
        parsed.ok_or_else(|| unreachable(&host, "its answer is no JSON"))
    }

    /// Returns a document that a server publishes, without a request if a recent one is known.
    pub(crate) async fn document(self: &Arc<Outgoing>, url: &str, age: Age) -> Answer<Arc<Value>> {
        let known = self.known().get(url).cloned();
        let good = if age == Age::Known { FRESH } else { AGAIN };
        if let Some((_, document)) = known.filter(|(at, _)| at.elapsed() < good) {
            return Ok(document);
        }
        let request = Request::get(url).header(header::ACCEPT, "application/json");
        let document = Arc::new(self.json(built(request.body(Vec::new()))?).await?);
        self.known().insert(url.to_owned(), (Instant::now(), document.clone()));
        Ok(document)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Instant, Arc<Value>)>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the request, unless its address or a header has characters that are not allowed there.
pub(crate) fn built(
    request: Result<Request<Vec<u8>>, axum::http::Error>,
) -> Answer<Request<Vec<u8>>> {
    request
        .map_err(|error| Refusal::new(StatusCode::BAD_GATEWAY, format!("no such request: {error}")))
}

/// Parses an address. Refuses it if it is reached without TLS, unless it is on this machine, or if it contains a
/// password.
pub(crate) fn check(url: &str) -> Answer<Url> {
    let parsed = Url::parse(url).map_err(|_| Refusal::bad(format!("`{url}` is no address")))?;
    let is_here = match parsed.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => IpAddr::from(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::from(ip).is_loopback(),
        None => false,
    };
    let has_password = !parsed.username().is_empty() || parsed.password().is_some();
    match parsed.scheme() {
        "https" if !has_password => Ok(parsed),
        "http" if is_here && !has_password => Ok(parsed),
        _ => Err(Refusal::bad(format!(
            "`{url}` is not reached by TLS; use an address that begins with https://"
        ))),
    }
}

fn unreachable(host: &str, why: &str) -> Refusal {
    Refusal::new(StatusCode::BAD_GATEWAY, format!("`{host}` could not be asked: {why}"))
}

/// Keeps the characters that belong in a code from another server, at most 100 of them.
pub(crate) fn plain(code: &str) -> String {
    code.chars().filter(|c| c.is_ascii_alphanumeric() || "_-. ".contains(*c)).take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_asked_without_tls() {
        for url in [
            "https://login.example.edu/realm",
            "http://127.0.0.1:3000",
            "http://[::1]/x",
            "http://localhost/",
        ] {
            assert!(check(url).is_ok(), "{url}");
        }
        for url in [
            "http://login.example.edu",
            "http://127.0.0.1.example.edu",
            "https://user:password@example.edu",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "/relative",
            "",
        ] {
            assert!(check(url).is_err(), "{url}");
        }
    }

    #[test]
    fn codes_of_others_are_plain() {
        assert_eq!(plain("access_denied<script>"), "access_deniedscript");
    }
}
