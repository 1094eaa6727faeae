//! Launches: a person comes from a platform, which states who they are, from which course, and what for.
//!
//! From the beginning of a launch to its end, the browser keeps a random secret in a cookie. State and nonce are
//! derived from it, as in a login with another service. That cookie works in a frame of the platform's page, too. The
//! session's does not: in a frame, a link that works once opens a window for it.
//! Source: 1EdTech Security Framework 1.0, 5.1; LTI 1.3 Core, 4.

use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rusqlite::params;
use serde::Deserialize;
use serde_json::Value;

use crate::access::{Client, User, cookie};
use crate::accounts::user_of;
use crate::error::{Answer, Refusal};
use crate::identities::{self, Identity};
use crate::lti::claims::Launch;
use crate::lti::courses::PlatformCourse;
use crate::lti::linking;
use crate::lti::platforms::{self, LAUNCH, Registered};
use crate::outgoing;
use crate::page::{self, Page};
use crate::passwords::place_of;
use crate::signed::{self, Expected};
use crate::state::Server;
use crate::store::{audit, now};
use crate::{rates, secret, sessions};

/// Lifetime of a launch, and of a link that opens a window, in seconds.
const LASTS: i64 = 600;

/// Maximum number of failed launches from one address, in the window of [`rates`].
const MAX_FAILED: i64 = 100;

/// The parameters with which a platform begins a launch.
#[derive(Deserialize)]
pub(crate) struct Begin {
    iss: String,
    login_hint: String,
    client_id: Option<String>,
    lti_message_hint: Option<String>,
}

/// The form with a platform's statement, or its error.
#[derive(Deserialize)]
pub(crate) struct LaunchForm {
    state: Option<String>,
    id_token: Option<String>,
    error: Option<String>,
}

pub(crate) async fn login(state: State<Server>, Query(begin): Query<Begin>) -> Response {
    login_by_form(state, Form(begin)).await
}

/// Sends a browser back to the platform, which is asked who the person is.
pub(crate) async fn login_by_form(
    State(server): State<Server>,
    Form(begin): Form<Begin>,
) -> Response {
    sent(&server, begin).await.unwrap_or_else(|refusal| failed(&server, &refusal))
}

async fn sent(server: &Server, begin: Begin) -> Answer<Response> {
    let (issuer, clients) = (begin.iss, begin.client_id.into_iter().collect::<Vec<_>>());
    let platform = server.read(move |c| platforms::called(c, &issuer, &clients)).await?;
    let attempt = Attempt { secret: secret::random::<32>(), platform: platform.id.clone() };
    let mut url = outgoing::check(&platform.platform.login_url)?;
    url.query_pairs_mut().extend_pairs([
        ("scope", "openid"),
        ("response_type", "id_token"),
        ("response_mode", "form_post"),
        ("prompt", "none"),
        ("client_id", &platform.platform.client_id),
        ("redirect_uri", &format!("{}{LAUNCH}", server.0.address)),
        ("login_hint", &begin.login_hint),
        ("state", &attempt.derived("state")),
        ("nonce", &attempt.derived("nonce")),
    ]);
    if let Some(hint) = &begin.lti_message_hint {
        url.query_pairs_mut().append_pair("lti_message_hint", hint);
    }
    let kept = format!("{}{}", attempt.secret, attempt.platform);
    let kept = set_cookie(&attempt.derived("state"), &kept, LASTS)?;
    let place = HeaderValue::from_str(url.as_str());
    let place = place.map_err(|_| Refusal::bad("the platform's address cannot be used"))?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, place), (header::SET_COOKIE, kept)])
        .into_response())
}

/// A launch that a browser has begun, as its cookie records it.
struct Attempt {
    secret: String,
    platform: String,
}

impl Attempt {
    fn from_headers(headers: &HeaderMap, state: &str) -> Option<Attempt> {
        let kept = cookie(headers, &cookie_name(state))?;
        let (secret, platform) = kept.split_at_checked(64)?;
        let attempt = Attempt { secret: secret.to_owned(), platform: platform.to_owned() };
        secret::is_equal(state, &attempt.derived("state")).then_some(attempt)
    }

    fn derived(&self, what: &str) -> String {
        secret::hash(&format!("{what} of a launch {}", self.secret))
    }
}

/// Returns a cookie name that differs for each launch, as a page may have several frames.
fn cookie_name(state: &str) -> String {
    let start: String = state.chars().filter(char::is_ascii_alphanumeric).take(12).collect();
    format!("fanmill_launch_{start}")
}

/// Makes a cookie that frames in pages of one other site send back, and frames of no other site.
fn set_cookie(state: &str, value: &str, lasts: i64) -> Answer<HeaderValue> {
    let cookie = format!(
        "{}={value}; HttpOnly; Secure; SameSite=None; Partitioned; Path=/lti; Max-Age={lasts}",
        cookie_name(state)
    );
    HeaderValue::from_str(&cookie).map_err(|_| Refusal::bad("no cookie could be made"))
}

/// Receives a person who comes from a platform.
pub(crate) async fn launch(
    State(server): State<Server>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Form(said): Form<LaunchForm>,
) -> Response {
    let who = format!("launch {}", place_of(client));
    let come = async {
        rates::attempt(&server, &who, MAX_FAILED, "launches that failed").await?;
        let state = said.state.clone().unwrap_or_default();
        let mut come = come(&server, &headers, said).await?;
        rates::take_back(&server, who.clone()).await?;
        come.headers_mut().append(header::SET_COOKIE, set_cookie(&state, "", 0)?);
        Ok(come)
    };
    come.await.unwrap_or_else(|refusal| failed(&server, &refusal))
}

async fn come(server: &Server, headers: &HeaderMap, said: LaunchForm) -> Answer<Response> {
    let attempt = Attempt::from_headers(headers, said.state.as_deref().unwrap_or_default());
    let attempt = attempt.ok_or_else(|| {
        Refusal::bad(
            "the browser did not keep the cookie of this launch, or it was begun long ago; \
             open Fanmill in a new window, or allow cookies for it",
        )
    })?;
    let id = attempt.platform.clone();
    let platform = server.read(move |c| platforms::of_id(c, &id)).await?;
    if let Some(code) = &said.error {
        let message = format!(
            "{} did not say who you are: {}",
            platform.platform.name,
            outgoing::plain(code)
        );
        return Err(Refusal::new(StatusCode::FORBIDDEN, message));
    }
    let launch = stated(server, &platform, &attempt, said.id_token.unwrap_or_default()).await?;
    if !launch.is_teacher() {
        let message = "only teachers of a course see what its submissions share, as it shows the work of others";
        return Err(Refusal::new(StatusCode::FORBIDDEN, message));
    }
    if launch.message_type == "LtiDeepLinkingRequest" {
        return linking::asked(server, &platform, &launch).await;
    }
    let (user, place) = entered(server, platform, launch).await?;
    shown(server, headers, &user, &place).await
}

/// Returns the platform's statement about the launch, if it is genuine, belongs to this launch, and is used for the
/// first time.
async fn stated(
    server: &Server,
    platform: &Registered,
    attempt: &Attempt,
    token: String,
) -> Answer<Launch> {
    let expected = Expected {
        issuer: &platform.platform.issuer,
        client: &platform.platform.client_id,
        keys: &platform.platform.keys_url,
    };
    let launch: Launch = signed::checked(&server.0.outgoing, &token, expected).await?;
    let nonce = launch.nonce.clone().unwrap_or_default();
    if !secret::is_equal(&nonce, &attempt.derived("nonce")) {
        return Err(Refusal::bad(
            "the platform's statement belongs to another launch; begin again",
        ));
    }
    // The nonce is recorded, so that a copy of the statement is refused.
    let (hash, until) = (secret::hash(&nonce), now() + 2 * LASTS);
    let sql = "INSERT INTO nonces (hash, expires) VALUES (?, ?) ON CONFLICT DO NOTHING";
    if server.write(move |tx| Ok(tx.execute(sql, params![hash, until])?)).await? == 0 {
        return Err(Refusal::bad("the platform's statement was used before; begin again"));
    }
    if launch.version != "1.3.0" || !platform.has(&launch.deployment) {
        let message = format!(
            "{} is not registered with the deployment `{}`; ask the administrator to add it",
            platform.platform.name, launch.deployment
        );
        return Err(Refusal::new(StatusCode::FORBIDDEN, message));
    }
    Ok(launch)
}

/// Returns whether the claims are those of a launch by a teacher.
pub(crate) fn is_of_teacher(claims: Value) -> bool {
    serde_json::from_value(claims).is_ok_and(|launch: Launch| launch.is_teacher())
}

/// Returns the person's account, and the place that the launch leads to: a report, a batch, or the course.
async fn entered(server: &Server, platform: Registered, launch: Launch) -> Answer<(User, String)> {
    let context = launch.context.clone();
    let context =
        context.ok_or_else(|| Refusal::bad("the platform does not say which course it is"))?;
    let subject = launch.sub.clone().filter(|sub| !sub.is_empty());
    let subject = subject.ok_or_else(|| Refusal::bad("the platform does not say who you are"))?;
    let identity = Identity {
        issuer: platform.issuer_of_people(),
        subject,
        name: launch.name.clone(),
        mail: launch.email.clone(),
    };
    let place = PlatformCourse { platform, deployment: launch.deployment.clone(), context };
    let is_of_activity = matches!(
        &*launch.message_type,
        "LtiReportReviewRequest" | "LtiAssetProcessorSettingsRequest"
    );
    let is_known = is_of_activity || launch.message_type == "LtiResourceLinkRequest";
    if !is_known {
        let kind = outgoing::plain(&launch.message_type);
        return Err(Refusal::bad(format!("a launch for `{kind}` is nothing that Fanmill knows")));
    }
    let entered = server.write(move |tx| {
        let user = match identities::account_of(tx, &identity)? {
            Some(user) => user,
            None => identities::newcomer(tx, &identity, "reader")?,
        };
        let course = place.taught_by(tx, &user)?;
        if let Some(names) = &launch.names {
            place.names_at(tx, &names.context_memberships_url)?;
        }
        // Launches for an assignment lead to its batch, once something was handed in; all others lead to the course.
        let activity = launch.activity.as_ref().filter(|_| is_of_activity);
        let batch = activity.map(|activity| place.known_batch(tx, activity)).transpose()?.flatten();
        let Some(batch) = batch else { return Ok((user, format!("/courses/{course}"))) };
        let sql = "SELECT state = 'done' FROM batches WHERE id = ?";
        let is_done: bool = tx.query_row(sql, [&batch], |row| row.get(0))?;
        let is_report = launch.message_type == "LtiReportReviewRequest" && is_done;
        let end = if is_report { "/report/" } else { "" };
        Ok((user, format!("/batches/{batch}{end}")))
    });
    entered.await
}

/// Leads to a place: directly from a window, by a link from a frame.
async fn shown(server: &Server, headers: &HeaderMap, user: &User, place: &str) -> Answer<Response> {
    if headers.get("sec-fetch-dest").is_some_and(|to| to == "document") {
        return began(server, user, place).await;
    }
    let (id, secret, to) = (user.id.clone(), secret::random::<32>(), place.to_owned());
    let hash = secret::hash(&secret);
    let sql = "INSERT INTO entries (hash, user, place, expires) VALUES (?, ?, ?, ?)";
    server.write(move |tx| Ok(tx.execute(sql, params![hash, id, to, now() + LASTS])?)).await?;
    let page = Page::new("Fanmill")
        .says("What submissions share is shown in a window of its own.")
        .opens("Open", &server.0.address.outer(&format!("/lti/enter/{secret}")))
        .within_frames();
    Ok(page.shown())
}

/// Follows a link that works once.
pub(crate) async fn enter(State(server): State<Server>, Path(secret): Path<String>) -> Response {
    let hash = secret::hash(&secret);
    let entered = async {
        let found = server.write(move |tx| {
            let sql = "DELETE FROM entries WHERE hash = ? AND expires > ? RETURNING user, place";
            let row =
                |row: &rusqlite::Row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
            let (user, place) = tx.query_row(sql, params![hash, now()], row)?;
            let user = user_of(tx, &user)?;
            audit(tx, &user.id, "came from a learning platform", &user.id)?;
            Ok((user, place))
        });
        let (user, place) = found.await.map_err(|_| {
            Refusal::new(
                StatusCode::NOT_FOUND,
                "the link was used, or is too old; open Fanmill from the course again",
            )
        })?;
        began(&server, &user, &place).await
    };
    entered.await.unwrap_or_else(|refusal| failed(&server, &refusal))
}

/// Begins a session and redirects to a place.
async fn began(server: &Server, user: &User, place: &str) -> Answer<Response> {
    let (_, session) = sessions::begin(server, user).await?;
    let place = HeaderValue::from_str(place).map_err(|_| Refusal::missing())?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, place), (header::SET_COOKIE, session)])
        .into_response())
}

/// Returns a page for someone whose launch failed.
fn failed(server: &Server, refusal: &Refusal) -> Response {
    server.0.config.log.say("launch", [("refused", refusal.message.clone().into())]);
    page::refused("Fanmill cannot be opened", refusal).within_frames().response(refusal)
}
