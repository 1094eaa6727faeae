//! The description of the API for programs (OpenAPI 3.1), made from the table of routes.
//!
//! Routes under `/api/v1` are described with what they take and return. The others are pages, reports and endpoints of
//! other protocols; of these, only the addresses are listed, and who may use them.
//!
//! Cost: it is made anew for each request, from about 60 routes.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{
    Components, Content, Info, ObjectBuilder, OpenApi, OpenApiBuilder, Paths, Required, Response,
    Type,
};

use crate::access::AccessRule;
use crate::error::Refused;
use crate::route::{Body, Reply, Route, Schemas, json as body_of};

/// An OpenAPI document.
#[derive(Serialize, ToSchema)]
#[schema(value_type = Object)]
pub(crate) struct Document(OpenApi);

/// Describes these routes, except for the pages, which are one application.
pub(crate) fn document(routes: &[Route]) -> Document {
    let (mut paths, mut schemas) = (Paths::new(), Schemas::new());
    for route in routes.iter().filter(|route| route.what != "the page") {
        let path = route.path.replace("{*", "{");
        let operation = operation(route, &path, &mut schemas);
        paths.add_path_operation(path, vec![method(route.method)], operation);
    }
    let mut components = Components::new();
    components.schemas = schemas;
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    let cookie = ApiKey::Cookie(ApiKeyValue::new("fanmill_session"));
    components.add_security_scheme("token", SecurityScheme::Http(bearer));
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    let info = Info::new("fanmill serve", env!("CARGO_PKG_VERSION"));
    Document(OpenApiBuilder::new().info(info).paths(paths).components(Some(components)).build())
}

fn method(name: &str) -> HttpMethod {
    match name {
        "get" => HttpMethod::Get,
        "put" => HttpMethod::Put,
        "post" => HttpMethod::Post,
        _ => HttpMethod::Delete,
    }
}

fn operation(route: &Route, path: &str, schemas: &mut Schemas) -> Operation {
    let names = path.split(['{', '}']).skip(1).step_by(2);
    let query = route.query.map(|query| query()).unwrap_or_default();
    let parameters: Vec<Parameter> = names.map(in_path).chain(query).collect();
    let security = match route.who {
        AccessRule::Anyone => Vec::new(),
        _ => ["token", "session"].map(|name| SecurityRequirement::new(name, [""; 0])).to_vec(),
    };
    let role = json!(format!("{:?}", route.who));
    let body = route.takes.map(|takes| {
        let content = content(takes, schemas);
        let required = Some(Required::True);
        RequestBodyBuilder::new().required(required).content(takes.media_type, content).build()
    });
    let mut operation = OperationBuilder::new()
        .summary(Some(route.what))
        .parameters(Some(parameters))
        .securities(Some(security))
        .request_body(body)
        .extensions(Some(ExtensionsBuilder::new().add("x-role", role).build()));
    for (reply, what) in [(route.gives, "done"), (route.refuses, "refused")] {
        if let Some(reply) = reply {
            operation = operation.response(reply.status, response(reply, what, schemas));
        }
    }
    operation.response("default", otherwise(route, schemas)).build()
}

fn in_path(name: &str) -> Parameter {
    let object = match name {
        // Numbers up to this one are the same in every program that reads JSON.
        "number" => ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(0))
            .maximum(Some((1_u64 << 53) - 1)),
        _ => ObjectBuilder::new().schema_type(Type::String),
    };
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(object))
        .build()
}

fn content(body: Body, schemas: &mut Schemas) -> Content {
    Content::new(Some((body.schema)(schemas)))
}

fn response(reply: Reply, what: &str, schemas: &mut Schemas) -> Response {
    let described = ResponseBuilder::new().description(what);
    match reply.body {
        Some(body) => described.content(body.media_type, content(body, schemas)).build(),
        None => described.build(),
    }
}

/// Describes the answers that the table does not list.
fn otherwise(route: &Route, schemas: &mut Schemas) -> Response {
    if route.gives.is_none() {
        return Response::new("as docs/serve.md describes");
    }
    let refused = Reply { status: "default", body: Some(body_of::<Refused>()) };
    response(refused, "refused; `error` says why", schemas)
}
