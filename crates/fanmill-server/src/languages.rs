//! The languages that comparisons read.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

/// A language, or a kind of text.
#[derive(Serialize, ToSchema)]
pub(crate) struct Language {
    /// The name that the setting `lang` takes.
    name: &'static str,
    /// Other names that it takes.
    aliases: &'static [&'static str],
    /// Extensions of its files, without the dot.
    extensions: &'static [&'static str],
}

/// Lists all, in the order in which the command line lists them.
pub(crate) async fn list() -> Json<Vec<Language>> {
    let registry = fanmill_lang::registry();
    let languages = registry.iter().map(|front_end| {
        let claims = front_end.claims();
        let name = front_end.name();
        Language { name, aliases: claims.aliases, extensions: claims.extensions }
    });
    Json(languages.collect())
}
