//! The languages that comparisons read.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

/// A language, or a kind of text.
#[derive(Serialize, ToSchema)]
pub(crate) struct Language {
    /// Other names that the setting `lang` takes.
    aliases: Vec<String>,
    /// Extensions of its files, without the dot.
    extensions: Vec<String>,
    /// The name that the setting `lang` takes.
    name: String,
}

/// Lists all languages, in the order in which the command line lists them.
pub(crate) async fn list() -> Json<Vec<Language>> {
    let registry = fanmill_lang::registry();
    let languages = registry.iter().map(|front_end| {
        let claims = front_end.claims();
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let (aliases, extensions) = (owned(claims.aliases), owned(claims.extensions));
        Language { aliases, extensions, name: front_end.name().to_owned() }
    });
    Json(languages.collect())
}
