//! Requests to a platform's services. This server gets access to them by a statement that it signs with its own key.
//!
//! Source: 1EdTech Security Framework 1.0, 4.1; RFC 7523, 2.2.

use std::time::{Duration, Instant};

use axum::http::request::Builder;
use axum::http::{Request, Response, header};
use serde::Deserialize;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use crate::error::Answer;
use crate::lti::platforms::Registered;
use crate::outgoing::{AnswerLimits, built};
use crate::secret;
use crate::state::Server;
use crate::store::now;

/// Margin by which a token is given up before it expires, and its lifetime in seconds if none is stated.
const MARGIN: Duration = Duration::from_mins(1);
const LASTS: u64 = 600;

/// Maximum number of addresses that are asked for a file, each redirecting to the next.
const MOST_PLACES: usize = 4;

#[derive(Deserialize)]
struct Access {
    access_token: String,
    expires_in: Option<u64>,
}

/// Returns a token for one of the platform's services: the last one, while it is valid, or a new one.
async fn token(server: &Server, of: &Registered, scope: &str) -> Answer<String> {
    let name = format!("{} {} {scope}", of.id, of.platform.token_url);
    let known = server.tokens().get(&name).cloned();
    if let Some((_, token)) = known.filter(|(until, _)| *until > Instant::now()) {
        return Ok(token);
    }
    let (own, place) = (&of.platform.client_id, &of.platform.token_url);
    let statement = json!({
        "iss": own, "sub": own, "aud": place, "iat": now(), "exp": now() + 300, "jti": secret::random::<16>(),
    });
    let signed = server.own_key().await?.sign(&statement)?;
    let form = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("grant_type", "client_credentials"),
            ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
            ("client_assertion", &signed),
            ("scope", scope),
        ])
        .finish();
    let request =
        Request::post(place).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let request = built(request.body(form.into_bytes()))?;
    let answer = server.0.outgoing.json(request).await?;
    let none = |_| of.failed("it gave no access to its services");
    let access: Access = serde_json::from_value(answer).map_err(none)?;
    let lasts = Duration::from_secs(access.expires_in.unwrap_or(LASTS)).saturating_sub(MARGIN);
    server.tokens().insert(name, (Instant::now() + lasts, access.access_token.clone()));
    Ok(access.access_token)
}

/// Sends JSON to a service.
pub(super) async fn send(
    server: &Server,
    to: &Registered,
    scope: &str,
    request: Builder,
    body: &Value,
) -> Answer<Response<Vec<u8>>> {
    let token = token(server, to, scope).await?;
    let request = request
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, "application/json");
    let request = built(request.body(body.to_string().into_bytes()))?;
    to.leads_to(&request.uri().to_string())?;
    server.0.outgoing.send(request, AnswerLimits::little()).await
}

/// Reads from an address of a service, and follows redirects. The token is sent only to the origin of the first
/// address.
pub(super) async fn get(
    server: &Server,
    from: &Registered,
    scope: &str,
    (place, kind): (&str, &str),
    take: AnswerLimits,
) -> Answer<Response<Vec<u8>>> {
    let token = token(server, from, scope).await?;
    let first = from.leads_to(place)?;
    let mut place = first.clone();
    for _ in 0..MOST_PLACES {
        let mut request = Request::get(place.as_str()).header(header::ACCEPT, kind);
        if place.origin() == first.origin() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let answer = server.0.outgoing.send(built(request.body(Vec::new()))?, take.clone()).await?;
        if !answer.status().is_redirection() {
            return Ok(answer);
        }
        let leads = answer.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
        let next: Option<Url> = leads.and_then(|to| place.join(to).ok());
        place = from.leads_to(next.ok_or_else(|| from.failed("it leads nowhere"))?.as_str())?;
    }
    Err(from.failed("it leads from place to place"))
}
