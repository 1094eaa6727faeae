//! The languages that comparisons read.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

/// A language, or a kind of text.
#[derive(Serialize, ToSchema)]
pub(crate) struct Language {
    /// The name that the setting `lang` takes.
    name: String,
    /// Other names that it takes.
    aliases: Vec<String>,
    /// Extensions of its files, without the dot.
    extensions: Vec<String>,
}

/// Lists all, in the order in which the command line lists them.
pub(crate) async fn list() -> Json<Vec<Language>> {
    let registry = fanmill_lang::registry();
    let languages = registry.iter().map(|front_end| {
        let claims = front_end.claims();
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let (aliases, extensions) = (owned(claims.aliases), owned(claims.extensions));
        Language { name: front_end.name().to_owned(), aliases, extensions }
    });
    Json(languages.collect())
}
