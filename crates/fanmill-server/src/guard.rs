//! Authentication and permission checks that run before any handler.
//!
//! [`checked`] wraps every route with the rule that `routes` gives for it, so that no handler can forget to ask.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::body::HttpBody;
use axum::extract::{ConnectInfo, MatchedPath, RawPathParams, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fanmill_text::Setting;
use fanmill_text::message;
use rusqlite::{Connection, OptionalExtension, params};

use crate::access::{AccessRule, Caller, Client, User, cookie, unknown};
use crate::accounts::user_of;
use crate::connections::{ConnectionSlot, released};
use crate::error::{Answer, Cause, Refusal};
use crate::lti::platforms::{LAUNCH, LOGIN};
use crate::pace::{BufferedBytes, paced};
use crate::route::{OF_PASSWORDS, UPLOADS};
use crate::state::Server;
use crate::store::now;
use crate::{network, secret};

/// The header with the id of a request.
const REQUEST_ID: &str = "x-request-id";

/// The account that an answer was given to, for the log.
#[derive(Debug, Clone)]
struct Account(String);

/// Returns the client's address: the connection's, or the one that trusted proxies report.
fn client(server: &Server, request: &Request) -> Option<IpAddr> {
    let info = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    Some(network::client_of(&server.0.config.trusted_proxies, info.0.ip(), request.headers()))
}

/// Returns the id under which the log has a request: a random one, or that of a trusted proxy, whose log has it too.
fn request_id(server: &Server, request: &Request) -> String {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let is_trusted = peer.is_some_and(|peer| server.0.config.trusts(peer));
    let is_plain = |id: &&str| {
        (8..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let given = request.headers().get(REQUEST_ID).filter(|_| is_trusted);
    let given = given.and_then(|id| id.to_str().ok()).filter(is_plain);
    given.map_or_else(secret::random::<8>, str::to_owned)
}

/// Gives refusals that no handler made, such as for a body that is not JSON, the form of all others.
async fn worded(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_text = kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !(status.is_client_error() || status.is_server_error()) || !is_text {
        return response;
    }
    let (head, body) = response.into_parts();
    let said = axum::body::to_bytes(body, 4096).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let reason =
        if said.is_empty() { status.canonical_reason().unwrap_or_default() } else { &said };
    let mut response = Refusal::new(status, reason).into_response();
    if let Some(allowed) = head.headers.get(header::ALLOW) {
        response.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    response.extensions_mut().extend(head.extensions);
    response
}

fn forbidden(message: &str) -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, message)
}

/// Checks the head of every request, and logs it.
pub(crate) async fn head(
    State(server): State<Server>,
    mut request: Request,
    next: Next,
) -> Response {
    server.0.meter.request();
    let begun = Instant::now();
    let method = request.method().clone();
    // Log the pattern, as a path may hold a secret.
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let slot = request.extensions().get::<Arc<ConnectionSlot>>().cloned();
    let client = client(&server, &request);
    let id = request_id(&server, &request);
    let checked = has_room(&server, slot.as_deref(), client)
        .and_then(|()| is_meant_for_us(&server, &request));
    let held = BufferedBytes::default();
    request.extensions_mut().insert(Client(client));
    request.extensions_mut().insert(held.clone());
    let is_upload =
        method == Method::POST && route.as_deref().is_some_and(|route| UPLOADS.contains(&route));
    let pace = server.0.config.pace(is_upload);
    let held = Some(held).filter(|_| is_upload);
    let request = request.map(|body| paced(body, pace, slot.clone(), held));
    let mut response = match checked {
        Ok(()) => worded(next.run(request).await).await,
        Err(refusal) => refusal.into_response(),
    };
    if let Some(slot) = slot {
        response = response.map(|body| released(body, slot));
    }
    let is_refused =
        matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS);
    let is_try = route.as_deref().is_some_and(|route| OF_PASSWORDS.contains(&route));
    if is_refused && is_try && method == Method::POST {
        server.0.meter.refused();
    }
    let account = response.extensions().get::<Account>().map(|account| account.0.clone());
    let cause = response.extensions().get::<Cause>().map(|cause| cause.0.clone());
    server.0.config.log.say(
        "request",
        [
            ("id", id.as_str().into()),
            ("method", method.as_str().into()),
            ("route", route.into()),
            ("status", response.status().as_u16().into()),
            ("us", u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX).into()),
            ("bytes", response.body().size_hint().exact().into()),
            ("account", account.into()),
            ("cause", cause.into()),
        ],
    );
    add_headers(response.headers_mut(), &id);
    response
}

/// Adds the headers that every answer has.
fn add_headers(headers: &mut HeaderMap, id: &str) {
    let always = [
        ("x-content-type-options", "nosniff"),
        // Other sites learn nothing. With `no-referrer`, browsers would also hide from us that a form is our own:
        // its origin would be `null`, which is refused.
        ("referrer-policy", "same-origin"),
        ("x-frame-options", "SAMEORIGIN"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
        ("cache-control", "no-store"),
    ];
    for (name, value) in always {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(HeaderName::from_static(REQUEST_ID), id);
    }
    let closed = "default-src 'none'; frame-ancestors 'none'";
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(closed));
}

/// Assigns the connection to the client, unless that has too many requests at the same time.
fn has_room(server: &Server, slot: Option<&ConnectionSlot>, client: Option<IpAddr>) -> Answer<()> {
    let most = server.0.config.connections.each_address;
    let (Some(slot), Some(client)) = (slot, client) else { return Ok(()) };
    if !slot.assign(client, most) {
        return Err(Refusal::busy(format!(
            "{most} requests come from the same address at the same time; try again"
        )));
    }
    slot.works();
    Ok(())
}

/// Checks that the request names this server, and that it comes from one of our own pages if it changes something.
fn is_meant_for_us(server: &Server, request: &Request) -> Answer<()> {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err(Refusal::bad("the request names its host twice; send one header `Host`"));
    }
    let addressed = request.uri().authority().map(Authority::as_str);
    if let Some(other) =
        [Some(host), addressed].into_iter().flatten().find(|host| !is_our_host(server, host))
    {
        let public = server.0.address.host();
        let other: String = other.chars().take(200).collect();
        let message = message![
            "the request is for the host `{other}`, and this server is `{public}`; if people reach it by that name, say so by ",
            Setting("public-url"),
            ", and let a proxy pass the header `Host` on as it came, with its port"
        ];
        return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, message.as_str()));
    }
    // A launch is sent by a page of the platform, and is trusted because the platform has signed it.
    let is_launch = [LOGIN, LAUNCH].contains(&request.uri().path());
    if is_launch || matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let is_ours = |origin: &str| {
        origin == server.0.address.origin()
            || origin.split_once("://").is_some_and(|(_, rest)| rest == host)
    };
    if text(header::ORIGIN).is_some_and(|origin| !is_ours(origin)) {
        return Err(forbidden("the request comes from a page of another site"));
    }
    Ok(())
}

/// Returns whether `host` is a name or an address of this server. Names that others could point at it are not; an IP
/// address cannot be pointed elsewhere.
fn is_our_host(server: &Server, host: &str) -> bool {
    let name = host.strip_suffix(']').map_or_else(
        || host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit())),
        |_| None,
    );
    let name = name.map_or(host, |(name, _)| name);
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    host == server.0.address.host() || name == "localhost" || bare.parse::<IpAddr>().is_ok()
}

/// Passes a request on if its sender may use the route.
pub(crate) async fn checked(
    State((server, who)): State<(Server, AccessRule)>,
    params: RawPathParams,
    mut request: Request,
    next: Next,
) -> Answer<Response> {
    let id = params.iter().next().map(|(_, value)| value.to_owned()).unwrap_or_default();
    let headers = request.headers();
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|text| text.strip_prefix("Bearer ")).map(secret::hash);
    // A request with a token is not a browser's: its cookie is ignored, and it needs no CSRF token.
    let session = cookie(headers, "fanmill_session").filter(|_| bearer.is_none());
    let shown_csrf =
        headers.get("x-csrf-token").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let is_near = request
        .extensions()
        .get::<ConnectInfo<SocketAddr>>()
        .is_some_and(|info| info.0.ip().is_loopback() && !headers.contains_key("x-forwarded-for"));
    let hash = session.as_deref().map(secret::hash);
    let used = bearer.clone();
    let (user, allowed) = server
        .read(move |c| {
            let user = recognised(c, hash, bearer)?;
            let allowed = may(c, who, user.as_ref(), &id, is_near);
            Ok((user, allowed))
        })
        .await?;
    allowed?;
    // The time of a token's last use is written at most once a minute.
    if let (Some(hash), Some(_)) = (used, &user) {
        let sql = "UPDATE tokens SET used = ? WHERE hash = ? AND coalesce(used, 0) < ?";
        server.write(move |tx| Ok(tx.execute(sql, params![now(), hash, now() - 60])?)).await?;
    }
    let session = session.filter(|_| user.is_some());
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if let (Some(session), true, false) = (&session, changes, matches!(who, AccessRule::Anyone)) {
        let expected = secret::csrf(session);
        if !shown_csrf.is_some_and(|shown| secret::is_equal(&shown, &expected)) {
            return Err(forbidden(
                "the header X-CSRF-Token is missing or wrong; load the page again",
            ));
        }
    }
    let account = user.as_ref().map(|user| Account(user.id.clone()));
    request.extensions_mut().insert(Caller { user, session });
    let mut response = next.run(request).await;
    if let Some(account) = account {
        response.extensions_mut().insert(account);
    }
    Ok(response)
}

fn recognised(
    c: &Connection,
    session: Option<String>,
    token: Option<String>,
) -> Answer<Option<User>> {
    let id: Option<String> = match (token, session) {
        (Some(token), _) => {
            let sql = "SELECT user FROM tokens WHERE hash = ?";
            c.query_row(sql, [token], |row| row.get(0)).optional()?
        }
        (None, Some(session)) => {
            let sql = "SELECT user FROM sessions WHERE hash = ? AND expires > ?";
            c.query_row(sql, params![session, now()], |row| row.get(0)).optional()?
        }
        (None, None) => None,
    };
    Ok(id.and_then(|id| user_of(c, &id).ok()))
}

fn may(
    c: &Connection,
    who: AccessRule,
    user: Option<&User>,
    id: &str,
    is_near: bool,
) -> Answer<()> {
    if matches!(who, AccessRule::Anyone) || (matches!(who, AccessRule::Near) && is_near) {
        return Ok(());
    }
    let user = user.ok_or_else(unknown)?;
    let role_in = |sql: &str| -> Answer<String> {
        let role = c.query_row(sql, [id, &user.id], |row| row.get(0)).optional()?;
        // Non-members get 404, as if the course did not exist.
        role.ok_or_else(Refusal::missing)
    };
    let (role, least) = match who {
        AccessRule::Anyone | AccessRule::User => return Ok(()),
        AccessRule::Teacher if user.role != "reader" => return Ok(()),
        AccessRule::Near | AccessRule::Administrator if user.role == "administrator" => {
            return Ok(());
        }
        AccessRule::Teacher => return Err(forbidden("only teachers may do that")),
        AccessRule::Near | AccessRule::Administrator => {
            return Err(forbidden("only administrators may do that"));
        }
        AccessRule::Course(least) => {
            (role_in("SELECT role FROM members WHERE course = ? AND user = ?")?, least)
        }
        AccessRule::Batch(least) => (
            role_in(
                "SELECT role FROM batches JOIN members ON members.course = batches.course \
                 WHERE batches.id = ? AND user = ?",
            )?,
            least,
        ),
        AccessRule::Link(least) => (
            role_in(
                "SELECT role FROM links JOIN batches ON batches.id = batch \
                 JOIN members ON members.course = batches.course WHERE links.id = ? AND user = ?",
            )?,
            least,
        ),
    };
    if least.includes(&role) {
        Ok(())
    } else {
        Err(forbidden("your role in the course does not allow that"))
    }
}
