//! The answer to a request that fails: a status and a sentence.

use std::error::Error;

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// The reason why a request was refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
    /// Number of seconds after which it is worth asking again.
    pub(crate) retry_after: Option<u64>,
    /// A member that the body has beside the reason, by its name.
    pub(crate) more: Option<(&'static str, Value)>,
    /// The internal fault behind it, which is for the log alone.
    pub(crate) cause: Option<String>,
}

/// The internal fault behind an answer, for the log.
#[derive(Debug, Clone)]
pub(crate) struct Cause(pub(crate) String);

/// The body of every refusal.
#[derive(Serialize, ToSchema)]
pub(crate) struct Refused {
    /// The reason, in one sentence.
    pub(crate) error: String,
}

pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into(), retry_after: None, more: None, cause: None }
    }

    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// Refuses a request for now; it is worth asking again soon.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        let refusal = Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message);
        Refusal { retry_after: Some(10), ..refusal }
    }

    /// Refuses a request because another server does not do its part.
    pub(crate) fn bad_gateway(name: &str, why: &str) -> Refusal {
        Refusal::new(StatusCode::BAD_GATEWAY, format!("{name} cannot be used: {why}"))
    }

    /// Refuses a request that an error in the program has ended.
    pub(crate) fn fault() -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the request ended in a fault")
    }

    /// Refuses a request that an internal fault has ended. Clients read `message` alone.
    fn internal(message: &str, cause: &dyn Error) -> Refusal {
        let refusal = Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message);
        Refusal { cause: Some(cause.to_string()), ..refusal }
    }

    pub(crate) fn missing() -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address that you may see")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = match self.more {
            None => (self.status, Json(Refused { error: self.message })).into_response(),
            Some((name, value)) => {
                let body = json!({ "error": self.message, name: value });
                (self.status, Json(body)).into_response()
            }
        };
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(cause) = self.cause {
            response.extensions_mut().insert(Cause(cause));
        }
        response
    }
}

/// Refuses a request that needs more room than there is.
fn disk_is_full() -> Refusal {
    let message = "the server's disk is full; delete batches, or ask the administrator for room";
    Refusal::new(StatusCode::INSUFFICIENT_STORAGE, message)
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Refusal {
        match error {
            rusqlite::Error::QueryReturnedNoRows => Refusal::missing(),
            _ if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull) => disk_is_full(),
            _ => Refusal::internal("the database could not be used", &error),
        }
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Refusal {
        match error.kind() {
            std::io::ErrorKind::NotFound => Refusal::missing(),
            std::io::ErrorKind::StorageFull => disk_is_full(),
            _ => Refusal::internal("a file could not be used", &error),
        }
    }
}
