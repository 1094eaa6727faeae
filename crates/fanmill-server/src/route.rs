//! A route: an address, who may use it, and what it takes and returns.
//!
//! Types describe the JSON: their schemas come from the same definitions that read requests and write answers, so that
//! the OpenAPI document cannot promise anything else.

use std::collections::BTreeMap;

use axum::routing::MethodRouter;
use utoipa::openapi::path::Parameter;
use utoipa::openapi::{Array, Object, Ref, RefOr, Schema, Type};
use utoipa::{IntoParams, ToSchema};

use crate::access::AccessRule;
use crate::state::Server;

/// The paths of uploads: of a new batch, and of late submissions.
pub(crate) const UPLOADS: [&str; 2] =
    ["/api/v1/courses/{id}/batches", "/api/v1/batches/{id}/submissions"];

/// The paths at which a password is tried.
pub(crate) const OF_PASSWORDS: [&str; 2] = ["/api/v1/login", "/s/{secret}/"];

/// The schemas of types, by their names.
pub(crate) type Schemas = BTreeMap<String, RefOr<Schema>>;

/// The body of a request or of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Body {
    pub(crate) media_type: &'static str,
    /// Its schema. Types that it refers to are added to the map.
    pub(crate) schema: fn(&mut Schemas) -> RefOr<Schema>,
}

/// An answer: its status and body.
#[derive(Clone, Copy)]
pub(crate) struct Reply {
    pub(crate) status: &'static str,
    pub(crate) body: Option<Body>,
}

/// A row of the table of routes.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) who: AccessRule,
    pub(crate) what: &'static str,
    pub(crate) handler: fn() -> MethodRouter<Server>,
    /// Parameters after the `?` of its address.
    pub(crate) query: Option<fn() -> Vec<Parameter>>,
    pub(crate) takes: Option<Body>,
    /// The answer to a request that succeeds.
    pub(crate) gives: Option<Reply>,
    /// A refusal that contains more than the reason.
    pub(crate) refuses: Option<Reply>,
}

impl Route {
    pub(crate) const fn new(
        method: &'static str,
        path: &'static str,
        who: AccessRule,
        what: &'static str,
        handler: fn() -> MethodRouter<Server>,
    ) -> Route {
        let (query, takes, gives, refuses) = (None, None, None, None);
        Route { method, path, who, what, handler, query, takes, gives, refuses }
    }

    pub(crate) const fn asks<T: IntoParams>(self) -> Route {
        Route { query: Some(|| T::into_params(|| None)), ..self }
    }

    pub(crate) const fn takes<T: ToSchema>(self) -> Route {
        Route { takes: Some(json::<T>()), ..self }
    }

    /// Takes a form with files.
    pub(crate) const fn takes_form<T: ToSchema>(self) -> Route {
        let body = Body { media_type: "multipart/form-data", schema: reference::<T> };
        Route { takes: Some(body), ..self }
    }

    pub(crate) const fn gives<T: ToSchema>(self, status: &'static str) -> Route {
        Route { gives: Some(Reply { status, body: Some(json::<T>()) }), ..self }
    }

    pub(crate) const fn gives_list<T: ToSchema>(self) -> Route {
        let body = Body { media_type: "application/json", schema: list::<T> };
        Route { gives: Some(Reply { status: "200", body: Some(body) }), ..self }
    }

    pub(crate) const fn gives_nothing(self, status: &'static str) -> Route {
        Route { gives: Some(Reply { status, body: None }), ..self }
    }

    pub(crate) const fn gives_file(self, media_type: &'static str) -> Route {
        let body = Body { media_type, schema: |_| Object::with_type(Type::String).into() };
        Route { gives: Some(Reply { status: "200", body: Some(body) }), ..self }
    }

    /// Gives server-sent events, with JSON as the data of each.
    pub(crate) const fn gives_events<T: ToSchema>(self) -> Route {
        let body = Body { media_type: "text/event-stream", schema: reference::<T> };
        Route { gives: Some(Reply { status: "200", body: Some(body) }), ..self }
    }

    pub(crate) const fn refuses<T: ToSchema>(self, status: &'static str) -> Route {
        Route { refuses: Some(Reply { status, body: Some(json::<T>()) }), ..self }
    }
}

pub(crate) const fn json<T: ToSchema>() -> Body {
    Body { media_type: "application/json", schema: reference::<T> }
}

/// Adds the schema of a type, and those of the types in it, and returns a reference to it.
fn reference<T: ToSchema>(all: &mut Schemas) -> RefOr<Schema> {
    let mut own = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut own);
    for (name, schema) in own {
        let known = all.insert(name.clone(), schema);
        debug_assert!(known.is_none_or(|known| known == all[&name]), "two types are called {name}");
    }
    Ref::from_schema_name(T::name()).into()
}

fn list<T: ToSchema>(all: &mut Schemas) -> RefOr<Schema> {
    Array::new(reference::<T>(all)).into()
}
