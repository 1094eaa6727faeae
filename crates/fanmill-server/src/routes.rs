//! The table of every address that the server answers, and of who may use it.
//!
//! The router, the OpenAPI document and the tests of access are made from it, so that a new route has all three. A
//! route under `/api/v1` describes what it takes and returns by the types of its handler.

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use axum::{Json, Router, middleware};
use std::future::{Ready, ready};

use crate::access::{AccessRule, CourseRole};
use crate::accounts::{Account, Heir, Invited, NewUser, OneTimeLink};
use crate::batches::{Batch, BatchEvent, BatchForm, Rerun};
use crate::courses::{Course, Member, Membership, NewCourse};
use crate::errands::ListedErrand;
use crate::error::{Answer, Refusal};
use crate::joining::Joined;
use crate::languages::Language;
use crate::late::LateForm;
use crate::links::{Link, MadeLink, NewLink};
use crate::lti::platforms::{Platform, Platforms};
use crate::lti::{launch, notices, platforms};
use crate::made::Made;
use crate::meter::Gauges;
use crate::openapi::{self, Document};
use crate::people::{DiskSearch, Erased, NotErased, Person};
use crate::route::{Route, UPLOADS};
use crate::sessions::{LoggedOut, Login, MossId, PasswordChange, Session, Setup};
use crate::state::Server;
use crate::tokens::{MadeToken, NewToken, Token};
use crate::{
    accounts, batches, courses, earlier, guard, journal, languages, late, links, oidc, people,
    removal, reports, sessions, tokens,
};

macro_rules! route {
    ($method:ident $path:literal $who:expr, $what:literal => $handler:expr) => {
        Route::new(stringify!($method), $path, $who, $what, || $method($handler))
    };
}

/// The path of a report's marks.
const MARKS: &str = "/batches/{id}/report/marks";

const READER: CourseRole = CourseRole::Reader;
const TEACHER: CourseRole = CourseRole::Teacher;
const OWNER: CourseRole = CourseRole::Owner;

/// All routes.
#[rustfmt::skip]
pub(crate) const ROUTES: &[Route] = &[
    route!(get "/api/v1/me" AccessRule::Anyone, "who is logged in" => sessions::me).gives::<Session>("200").refuses::<LoggedOut>("401"),
    route!(post "/api/v1/setup" AccessRule::Anyone, "set a password by a one-time secret" => sessions::setup)
        .takes::<Setup>().gives::<Session>("200"),
    route!(post "/api/v1/login" AccessRule::Anyone, "log in" => sessions::login).takes::<Login>().gives::<Session>("200"),
    route!(get "/login/oidc" AccessRule::Anyone, "log in by another service" => oidc::begin),
    route!(get "/login/oidc/callback" AccessRule::Anyone, "come back from it" => oidc::callback),
    route!(post "/api/v1/logout" AccessRule::User, "log out" => sessions::logout).gives_nothing("204"),
    route!(post "/api/v1/me/password" AccessRule::User, "change the own password" => sessions::change_password)
        .takes::<PasswordChange>().gives_nothing("204"),
    route!(post "/api/v1/me/moss" AccessRule::Teacher, "make another id for clients of MOSS" => sessions::new_moss_id).gives::<MossId>("200"),
    route!(get "/api/v1/tokens" AccessRule::User, "list own tokens" => tokens::list).gives_list::<Token>(),
    route!(post "/api/v1/tokens" AccessRule::User, "make a token for programs" => tokens::add).takes::<NewToken>().gives::<MadeToken>("201"),
    route!(delete "/api/v1/tokens/{id}" AccessRule::User, "revoke a token" => tokens::remove).gives_nothing("204"),
    route!(get "/api/v1/users" AccessRule::Administrator, "list accounts" => accounts::users).gives_list::<Account>(),
    route!(post "/api/v1/users" AccessRule::Administrator, "add an account" => accounts::add_user).takes::<NewUser>().gives::<Invited>("201"),
    route!(post "/api/v1/users/{id}/reset" AccessRule::Administrator, "make a link to set a new password" => accounts::reset_user)
        .gives::<OneTimeLink>("200"),
    route!(delete "/api/v1/users/{id}" AccessRule::Administrator, "remove an account" => accounts::remove_user)
        .asks::<Heir>().gives_nothing("204"),
    route!(get "/api/v1/languages" AccessRule::User, "list the languages that are read" => languages::list).gives_list::<Language>(),
    route!(get "/api/v1/courses" AccessRule::User, "list own courses" => courses::list).gives_list::<Course>(),
    route!(post "/api/v1/courses" AccessRule::Teacher, "add a course" => courses::add).takes::<NewCourse>().gives::<Made>("201"),
    route!(delete "/api/v1/courses/{id}" AccessRule::Course(OWNER), "delete a course and its batches" => courses::remove).gives_nothing("202"),
    route!(get "/api/v1/courses/{id}/members" AccessRule::Course(READER), "list members" => courses::members).gives_list::<Member>(),
    route!(put "/api/v1/courses/{id}/members" AccessRule::Course(OWNER), "add, change or remove a member" => courses::set_member)
        .takes::<Membership>().gives_nothing("204"),
    route!(get "/api/v1/courses/{id}/batches" AccessRule::Course(READER), "list batches, newest first" => batches::list).gives_list::<Batch>(),
    route!(post "/api/v1/courses/{id}/batches" AccessRule::Course(TEACHER), "upload a batch and compare it" => batches::add)
        .takes_form::<BatchForm>().gives::<Made>("201"),
    route!(get "/api/v1/batches/{id}" AccessRule::Batch(READER), "show a batch" => batches::show).gives::<Batch>("200"),
    route!(post "/api/v1/batches/{id}/submissions" AccessRule::Batch(TEACHER), "add late submissions to a batch" => late::add)
        .takes_form::<LateForm>().gives::<Joined>("202"),
    route!(post "/api/v1/batches/{id}/run" AccessRule::Batch(TEACHER), "compare again" => batches::run).takes::<Rerun>().gives_nothing("202"),
    route!(post "/api/v1/batches/{id}/cancel" AccessRule::Batch(TEACHER), "stop comparing" => batches::cancel).gives_nothing("204"),
    route!(delete "/api/v1/batches/{id}" AccessRule::Batch(TEACHER), "delete a batch" => removal::remove).gives_nothing("202"),
    route!(post "/api/v1/batches/{id}/archive" AccessRule::Batch(TEACHER), "make a batch earlier work of its course" => earlier::archive)
        .gives_nothing("202"),
    route!(get "/api/v1/batches/{id}/events" AccessRule::Batch(READER), "follow a batch" => batches::events).gives_events::<BatchEvent>(),
    route!(get "/api/v1/batches/{id}/links" AccessRule::Batch(TEACHER), "list links" => links::list).gives_list::<Link>(),
    route!(post "/api/v1/batches/{id}/links" AccessRule::Batch(TEACHER), "make a link" => links::add).takes::<NewLink>().gives::<MadeLink>("201"),
    route!(delete "/api/v1/links/{id}" AccessRule::Link(TEACHER), "revoke a link" => links::remove).gives_nothing("204"),
    route!(get "/batches/{id}/report/" AccessRule::Batch(READER), "the report's page" => reports::index),
    route!(get "/batches/{id}/report/{*file}" AccessRule::Batch(READER), "a file of the report" => reports::part),
    route!(get "/batches/{id}/report/marks" AccessRule::Batch(READER), "read marks" => reports::marks),
    route!(put "/batches/{id}/report/marks" AccessRule::Batch(TEACHER), "save marks" => reports::set_marks),
    route!(get "/s/{secret}/" AccessRule::Anyone, "a shared report" => links::index),
    route!(post "/s/{secret}/" AccessRule::Anyone, "open a shared report by its password" => links::open),
    route!(get "/s/{secret}/{*file}" AccessRule::Anyone, "a file of a shared report" => links::part),
    route!(get "/results/{first}/{rest}" AccessRule::Anyone, "a result for clients of MOSS" => links::result),
    route!(get "/results/{first}/{rest}/" AccessRule::Anyone, "a result for clients of MOSS" => links::result),
    route!(get "/results/{first}/{rest}/{page}" AccessRule::Anyone, "a page of such a result" => links::result_page),
    route!(get "/api/v1/people/export" AccessRule::User, "one person's texts and pairs, from own courses" => people::export)
        .asks::<Person>().gives_file("application/zip"),
    route!(post "/api/v1/people/erase" AccessRule::User, "erase one person from own courses" => people::erase)
        .takes::<Person>().gives::<Erased>("202").refuses::<NotErased>("409"),
    route!(get "/api/v1/people/erasures/{number}" AccessRule::User, "how far an erasure is" => people::erasure).gives::<DiskSearch>("200"),
    route!(get "/api/v1/people/errands" AccessRule::User, "list own exports and searches, with their progress" => people::list)
        .gives_list::<ListedErrand>(),
    route!(get "/api/v1/platforms" AccessRule::Administrator, "list learning platforms" => platforms::list).gives::<Platforms>("200"),
    route!(post "/api/v1/platforms" AccessRule::Administrator, "register a learning platform, or change it" => platforms::add)
        .takes::<Platform>().gives::<Made>("201"),
    route!(delete "/api/v1/platforms/{id}" AccessRule::Administrator, "remove a learning platform" => platforms::remove).gives_nothing("204"),
    route!(get "/lti/login" AccessRule::Anyone, "begin a launch from a learning platform" => launch::login),
    route!(post "/lti/login" AccessRule::Anyone, "begin a launch from a learning platform" => launch::login_by_form),
    route!(post "/lti/launch" AccessRule::Anyone, "come from a learning platform" => launch::launch),
    route!(get "/lti/enter/{secret}" AccessRule::Anyone, "leave a learning platform's frame" => launch::enter),
    route!(post "/lti/notices" AccessRule::Anyone, "what was handed in on a learning platform" => notices::receive),
    route!(get "/lti/keys.json" AccessRule::Anyone, "this server's public keys" => platforms::keys),
    route!(get "/health" AccessRule::Anyone, "whether the server works" => health),
    route!(get "/livez" AccessRule::Anyone, "whether the process works" => live),
    route!(get "/readyz" AccessRule::Anyone, "whether requests can be served" => ready_to_serve),
    route!(get "/metrics" AccessRule::Near, "numbers for Prometheus" => metrics),
    route!(get "/api/v1/openapi.json" AccessRule::Anyone, "this interface" => openapi).gives::<Document>("200"),
    route!(get "/" AccessRule::Anyone, "the page" => page),
    route!(get "/login" AccessRule::Anyone, "the page" => page),
    route!(get "/setup/{secret}" AccessRule::Anyone, "the page" => page),
    route!(get "/courses/{id}" AccessRule::Anyone, "the page" => page),
    route!(get "/batches/{id}" AccessRule::Anyone, "the page" => page),
    route!(get "/account" AccessRule::Anyone, "the page" => page),
    route!(get "/users" AccessRule::Anyone, "the page" => page),
];

/// Lists every route as method, path and who may use it, for tests.
pub fn paths() -> Vec<(&'static str, &'static str, String)> {
    ROUTES.iter().map(|route| (route.method, route.path, format!("{:?}", route.who))).collect()
}

/// Returns the limit of the body that a route takes. As bodies are held in memory, those of people who are not known are
/// small. Uploaded batches are counted as they arrive.
fn limit(route: &Route) -> DefaultBodyLimit {
    let is_from_platform = route.path.starts_with("/lti/");
    match (route.method, route.path, route.who) {
        ("post", path, _) if UPLOADS.contains(&path) => DefaultBodyLimit::disable(),
        ("put", MARKS, _) => DefaultBodyLimit::max(4 << 20),
        (_, _, AccessRule::Anyone) if !is_from_platform => DefaultBodyLimit::max(64 << 10),
        _ => DefaultBodyLimit::max(1 << 20),
    }
}

/// Builds the router from the table.
pub(crate) fn router(server: &Server) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let check = middleware::from_fn_with_state((server.clone(), route.who), guard::checked);
        router = router.route(route.path, (route.handler)().layer(limit(route)).layer(check));
    }
    router
        .fallback(|| async { Refusal::missing() })
        .layer(middleware::from_fn_with_state(server.clone(), guard::head))
        .with_state(server.clone())
}

async fn health(State(server): State<Server>) -> Answer<&'static str> {
    server.read(|c| Ok(c.query_row("SELECT 1", [], |_| Ok(()))?)).await?;
    Ok("ok")
}

/// Answers while the process works, whatever its database does.
async fn live() -> &'static str {
    "ok"
}

/// Answers if requests can be served: the database answers, and there is room for uploads.
async fn ready_to_serve(state: State<Server>) -> Answer<&'static str> {
    batches::enough_room(&state.0)?;
    health(state).await
}

async fn metrics(State(server): State<Server>) -> Answer<String> {
    let sql = "SELECT (SELECT count(*) FROM jobs), (SELECT count(*) FROM batches), (SELECT count(*) FROM users)";
    let read = server.read(|c| {
        let row = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        Ok((c.query_row(sql, [], row)?, journal::count(c)?))
    });
    let ((jobs_waiting, batches, users), removals_waiting) = read.await?;
    let free_bytes = batches::free_bytes(&server)?;
    Ok(server.0.meter.text(Gauges { jobs_waiting, batches, users, removals_waiting, free_bytes }))
}

/// Returns the application's page. Its policy allows only its own scripts and styles, by their hashes.
async fn page(State(server): State<Server>) -> Response {
    let policy = include_str!("app/csp.txt").trim();
    let head = format!("<meta charset=\"utf-8\" />{}", crate::page::settings(&server));
    let page =
        Html(include_str!("app/index.html").replacen("<meta charset=\"utf-8\" />", &head, 1));
    (StatusCode::OK, [(header::CONTENT_SECURITY_POLICY, policy)], page).into_response()
}

/// Returns the OpenAPI document. It is not `async`: the type of such a function would depend on the table, and the
/// table on it.
fn openapi() -> Ready<Json<Document>> {
    ready(Json(openapi::document(ROUTES)))
}
