//! Login with another service: OpenID Connect with the authorization code flow and PKCE.
//!
//! A browser that begins a login keeps a random secret in a cookie. State, nonce and verifier are derived from it, so
//! that the server remembers nothing, and the service's answer is of no use to any other browser.
//! Source: OpenID Connect Core 1.0, 3.1 and 5.3; Discovery 1.0, 4; RFC 7636 (PKCE); RFC 9207 (issuer in the answer).

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use serde::Deserialize;
use serde_json::Value;
use url::form_urlencoded;

use crate::access::{Client, User, cookie};
use crate::config::Provider;
use crate::error::{Answer, Refusal};
use crate::identities::{self, Identity};
use crate::outgoing::{self, Age, built};
use crate::page::refused;
use crate::passwords::place_of;
use crate::signed::{self, Expected};
use crate::state::Server;
use crate::{rates, secret, sessions};

const COOKIE: &str = "fanmill_login";

/// The path that the service sends people back to.
pub(crate) const CALLBACK: &str = "/login/oidc/callback";

/// Time that a person may take to log in, in seconds.
const LASTS: u32 = 900;

/// Maximum number of failed logins from one address, in the window of [`rates`].
const MAX_FAILED: i64 = 50;

#[derive(Deserialize)]
pub(crate) struct Begin {
    /// The path of the page that is shown afterwards, or the path of a one-time link, whose account the person gets.
    next: Option<String>,
}

/// The parameters with which the service sends a browser back.
#[derive(Deserialize)]
pub(crate) struct Returned {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// The metadata that a service publishes.
#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// The service's answer to a code.
#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

/// The service's claims about a person.
#[derive(Deserialize)]
struct Claims {
    sub: String,
    nonce: Option<String>,
    name: Option<String>,
    preferred_username: Option<String>,
    email: Option<String>,
}

/// A login that a browser has begun, as its cookie records it.
struct Attempt {
    secret: String,
    next: String,
}

impl Attempt {
    fn from_headers(headers: &HeaderMap) -> Option<Attempt> {
        let kept = cookie(headers, COOKIE)?;
        let (secret, next) = kept.split_at_checked(64)?;
        is_own_path(next).then(|| Attempt { secret: secret.to_owned(), next: next.to_owned() })
    }

    fn derived(&self, what: &str) -> String {
        secret::hash(&format!("{what} of {}", self.secret))
    }

    /// Returns the secret of the one-time link at which the login was begun.
    fn invitation(&self) -> Option<&str> {
        self.next.strip_prefix("/setup/")
    }
}

/// Returns whether this is a path of this server, in the characters that its pages use, which no browser could read as
/// another host.
fn is_own_path(path: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"/-_".contains(&b);
    path.starts_with('/')
        && !path.starts_with("//")
        && path.len() <= 200
        && path.bytes().all(is_plain)
}

/// Sends a browser to the service.
pub(crate) async fn begin(
    State(server): State<Server>,
    headers: HeaderMap,
    Query(Begin { next }): Query<Begin>,
) -> Response {
    let next = next.filter(|next| is_own_path(next)).unwrap_or_else(|| "/".to_owned());
    if headers.get(header::HOST).is_some_and(|host| host != server.0.address.host()) {
        // The cookie must belong to the host that the service sends people back to.
        let place = format!("{}/login/oidc?next={next}", server.0.address);
        return redirect(&place, None).unwrap_or_else(|refusal| failed(&server, &refusal));
    }
    sent(&server, next).await.unwrap_or_else(|refusal| failed(&server, &refusal))
}

async fn sent(server: &Server, next: String) -> Answer<Response> {
    let provider = provider(server)?;
    let metadata = discovered(server, provider).await?;
    let attempt = Attempt { secret: secret::random::<32>(), next };
    let challenge = secret::sha256(attempt.derived("verifier").as_bytes());
    let mut url = outgoing::check(&metadata.authorization_endpoint)?;
    url.query_pairs_mut().extend_pairs([
        ("response_type", "code"),
        ("scope", "openid profile email"),
        ("client_id", &provider.client_id),
        ("redirect_uri", &redirect_uri(server)),
        ("state", &attempt.derived("state")),
        ("nonce", &attempt.derived("nonce")),
        ("code_challenge", &BASE64_URL_SAFE_NO_PAD.encode(challenge)),
        ("code_challenge_method", "S256"),
    ]);
    let kept = set_cookie(server, &format!("{}{}", attempt.secret, attempt.next), LASTS)?;
    redirect(url.as_str(), Some(kept))
}

/// Receives a browser that the service sends back.
pub(crate) async fn callback(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Query(returned): Query<Returned>,
) -> Response {
    let who = format!("oidc {}", place_of(client));
    let entered = async {
        rates::attempt(&server, &who, MAX_FAILED, "logins that failed").await?;
        let entered = entered(&server, &headers, returned).await?;
        rates::take_back(&server, who.clone()).await?;
        Ok(entered)
    };
    entered.await.unwrap_or_else(|refusal| failed(&server, &refusal))
}

async fn entered(server: &Server, headers: &HeaderMap, returned: Returned) -> Answer<Response> {
    let provider = provider(server)?;
    let begun = Attempt::from_headers(headers).filter(|attempt| {
        let state = returned.state.as_deref().unwrap_or_default();
        secret::is_equal(state, &attempt.derived("state"))
    });
    let attempt = begun.ok_or_else(|| {
        Refusal::bad("this login was begun in another browser or long ago; begin again")
    })?;
    if let Some(code) = &returned.error {
        let message = format!("{} did not log you in: {}", provider.name, outgoing::plain(code));
        return Err(Refusal::new(StatusCode::FORBIDDEN, message));
    }
    let metadata = discovered(server, provider).await?;
    let must_say = metadata.authorization_response_iss_parameter_supported;
    if returned.iss.as_ref().map_or(must_say, |issuer| *issuer != provider.issuer) {
        return Err(Refusal::bad("the answer comes from another service than was asked"));
    }
    let code = returned.code.ok_or_else(|| Refusal::bad("the answer has no code"))?;
    let identity = identity(server, provider, &metadata, &attempt, &code).await?;
    let user = admitted(server, provider, &attempt, identity).await?;
    let (_, session) = sessions::begin(server, &user).await?;
    let next = attempt.invitation().map_or(attempt.next.as_str(), |_| "/");
    let mut response = redirect(next, Some(session))?;
    response.headers_mut().append(header::SET_COOKIE, set_cookie(server, "", 0)?);
    Ok(response)
}

/// Returns the person's identity, as the service states it.
async fn identity(
    server: &Server,
    provider: &Provider,
    metadata: &Metadata,
    attempt: &Attempt,
    code: &str,
) -> Answer<Identity> {
    let tokens = exchanged(server, provider, metadata, attempt, code).await?;
    let expected = Expected {
        issuer: &provider.issuer,
        client: &provider.client_id,
        keys: &metadata.jwks_uri,
    };
    let mut claims: Claims =
        signed::checked(&server.0.outgoing, &tokens.id_token, expected).await?;
    let nonce = claims.nonce.as_deref().unwrap_or_default();
    if !secret::is_equal(nonce, &attempt.derived("nonce")) || claims.sub.is_empty() {
        return Err(Refusal::bad("the service's statement belongs to another login; begin again"));
    }
    // Some services give only the id here, and the name at that address.
    if claims.name.is_none()
        && let (Some(place), Some(token)) = (&metadata.userinfo_endpoint, &tokens.access_token)
    {
        let request = Request::get(place).header(header::AUTHORIZATION, format!("Bearer {token}"));
        let said = server.0.outgoing.json(built(request.body(Vec::new()))?).await?;
        if said["sub"] == *claims.sub {
            let text = |claim: &str| said[claim].as_str().map(str::to_owned);
            claims.name = text("name");
            claims.preferred_username = claims.preferred_username.or(text("preferred_username"));
            claims.email = claims.email.or(text("email"));
        }
    }
    Ok(Identity {
        issuer: provider.issuer.clone(),
        subject: claims.sub,
        name: claims.name.or(claims.preferred_username),
        mail: claims.email,
    })
}

/// Exchanges a code for the service's tokens.
async fn exchanged(
    server: &Server,
    provider: &Provider,
    metadata: &Metadata,
    attempt: &Attempt,
    code: &str,
) -> Answer<Tokens> {
    let request = token_request(server, provider, metadata, attempt, code)?;
    let answer = server.0.outgoing.json(request).await?;
    serde_json::from_value(answer)
        .map_err(|_| Refusal::bad_gateway(&provider.name, "it gave no statement of who you are"))
}

fn token_request(
    server: &Server,
    provider: &Provider,
    metadata: &Metadata,
    attempt: &Attempt,
    code: &str,
) -> Answer<Request<Vec<u8>>> {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs([
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", &redirect_uri(server)),
        ("code_verifier", &attempt.derived("verifier")),
        ("client_id", &provider.client_id),
    ]);
    let mut request = Request::post(&metadata.token_endpoint)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ACCEPT, "application/json");
    if let Some(known) = &server.0.client_secret {
        let methods = &metadata.token_endpoint_auth_methods_supported;
        let takes = |method: &str| methods.iter().any(|one| one == method);
        // HTTP Basic is the standard's default; the form is used only if the service lists that, and not Basic.
        if takes("client_secret_post") && !takes("client_secret_basic") {
            form.append_pair("client_secret", &known.0);
        } else {
            let encoded =
                |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", encoded(&provider.client_id), encoded(&known.0));
            let basic = format!("Basic {}", BASE64_STANDARD.encode(pair));
            request = request.header(header::AUTHORIZATION, basic);
        }
    }
    built(request.body(form.finish().into_bytes()))
}

/// Returns a person's account: their own, that of a one-time link, or a new one.
async fn admitted(
    server: &Server,
    provider: &Provider,
    attempt: &Attempt,
    identity: Identity,
) -> Answer<User> {
    let invitation = attempt.invitation().map(secret::hash);
    let (newcomers, name) = (provider.newcomers.clone(), provider.name.clone());
    let admitted = server.write(move |tx| {
        if let Some(invitation) = invitation {
            return identities::invited(tx, &identity, &invitation);
        }
        if let Some(user) = identities::account_of(tx, &identity)? {
            return Ok(user);
        }
        let Some(role) = newcomers else {
            let message = format!(
                "{name} knows you, but you have no account here; ask the administrator for a link"
            );
            return Err(Refusal::new(StatusCode::FORBIDDEN, message));
        };
        identities::newcomer(tx, &identity, &role)
    });
    admitted.await
}

fn provider(server: &Server) -> Answer<&Provider> {
    server.0.config.provider.as_ref().ok_or_else(Refusal::missing)
}

async fn discovered(server: &Server, provider: &Provider) -> Answer<Metadata> {
    let issuer = provider.issuer.trim_end_matches('/');
    let place = format!("{issuer}/.well-known/openid-configuration");
    let document: Arc<Value> = server.0.outgoing.document(&place, Age::Known).await?;
    let metadata: Metadata = Metadata::deserialize(&*document).map_err(|error| {
        Refusal::bad_gateway(&provider.name, &format!("its description lacks something: {error}"))
    })?;
    if metadata.issuer != provider.issuer {
        let why = format!("it calls itself `{}`, not `{}`", metadata.issuer, provider.issuer);
        return Err(Refusal::bad_gateway(&provider.name, &why));
    }
    Ok(metadata)
}

fn redirect_uri(server: &Server) -> String {
    format!("{}{CALLBACK}", server.0.address)
}

fn set_cookie(server: &Server, value: &str, lasts: u32) -> Answer<HeaderValue> {
    let secure = server.secure();
    let cookie = format!(
        "{COOKIE}={value}; HttpOnly; SameSite=Lax; Path=/login/oidc; Max-Age={lasts}{secure}"
    );
    HeaderValue::from_str(&cookie).map_err(|_| Refusal::bad("no cookie could be made"))
}

fn redirect(place: &str, cookie: Option<HeaderValue>) -> Answer<Response> {
    let place =
        HeaderValue::from_str(place).map_err(|_| Refusal::bad("there is no such address"))?;
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Returns a page for someone who could not be logged in.
fn failed(server: &Server, refusal: &Refusal) -> Response {
    server.0.config.log.say("login", [("refused", refusal.message.clone().into())]);
    refused("You are not logged in", refusal)
        .leads("Log in", &server.0.address.outer("/login"))
        .response(refusal)
}
