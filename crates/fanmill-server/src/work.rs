//! The instructions to a batch's child: the settings that a teacher chose, and the files.

use std::borrow::Cow;
use std::collections::BTreeSet;

use fanmill_jobs::compare;
use fanmill_jobs::given::SettingsLayer;
use fanmill_source::Limits;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{Answer, Refusal};
use crate::job::JobRequest;
use crate::state::Server;
use crate::upload::Uploaded;
use crate::{compared, earlier, instructions, results};

/// The settings that a teacher chose: those of a comparison, except for the operator's, and one of the service. The
/// fields are those that the service itself reads.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct Settings {
    /// If set, compares with earlier work of the course, too.
    use_archive: bool,
    /// If set, shows pseudonyms in place of names.
    #[serde(skip)]
    pub(crate) anonymous: bool,
}

/// Settings of a comparison, beside all limits, that a teacher may not choose: the service chooses files, and its operator
/// what a job may use.
const OF_OPERATOR: [&str; 14] = [
    "paths",
    "task",
    "base-rev",
    "base",
    "archive",
    "title",
    "language",
    "password-file",
    "no-cage",
    "pdf-command",
    "ocr-command",
    "ps-command",
    "doc-command",
    "max-pairs",
];

impl PartialSchema for Settings {
    /// Lists the settings by their names in the types of the job.
    fn schema() -> RefOr<Schema> {
        let mut object = ObjectBuilder::new().description(Some(
            "Settings of a comparison, as docs/config.md describes them, and `use_archive`",
        ));
        for (name, default) in known() {
            let kind = match default {
                Value::Bool(_) => SchemaType::new(Type::Boolean),
                Value::Number(_) => SchemaType::new(Type::Number),
                Value::String(_) => SchemaType::new(Type::String),
                Value::Array(_) => SchemaType::new(Type::Array),
                Value::Object(_) => SchemaType::new(Type::Object),
                Value::Null => SchemaType::AnyValue,
            };
            let property = ObjectBuilder::new().schema_type(kind).build();
            object = object.property(name.replace('-', "_"), property);
        }
        let none_else = AdditionalProperties::FreeForm(false);
        RefOr::T(Schema::Object(object.additional_properties(Some(none_else)).build()))
    }
}

impl ToSchema for Settings {
    fn name() -> Cow<'static, str> {
        "Settings".into()
    }
}

/// Returns the settings that a teacher may choose, with their defaults.
fn known() -> Map<String, Value> {
    let mut all = Map::new();
    let parts = [
        serde_json::to_value(compare::Settings::standard()),
        serde_json::to_value(compare::Inputs::default()),
        serde_json::to_value(Settings::default()),
    ];
    for part in parts.into_iter().flatten() {
        if let Value::Object(part) = part {
            all.extend(part);
        }
    }
    all.retain(|name, _| !is_of_operator(name));
    all
}

/// Returns whether a teacher may not choose a setting.
fn is_of_operator(name: &str) -> bool {
    OF_OPERATOR.contains(&name) || Limits::NAMES.contains(&name)
}

/// Lists the names of the settings of a batch, with hyphens; JSON has underscores in their place.
pub fn settings_of_batches() -> Vec<String> {
    known().into_iter().map(|(name, _)| name).collect()
}

pub(crate) fn unreadable(error: &serde_json::Error) -> Refusal {
    Refusal::bad(format!("the settings cannot be read: {error}"))
}

/// Reads the settings that a teacher chose.
fn chosen(settings: &Value, work: &mut JobRequest) -> Answer<Settings> {
    let values = match settings {
        Value::Null => Map::new(),
        Value::Object(values) => values.clone(),
        _ => return Err(Refusal::bad("the settings are a JSON object: {\"guarantee\": 30}")),
    };
    let mut given = SettingsLayer::from_map(values);
    let mut own = Settings::default();
    let read = given
        .allow(|name| !is_of_operator(name))
        .and_then(|()| given.fill(&mut work.settings))
        .and_then(|()| given.fill(&mut work.inputs))
        .and_then(|()| given.fill(&mut own))
        .and_then(|()| given.finish());
    read.map_err(|fault| Refusal::bad(fault.to_string()))?;
    own.anonymous = work.inputs.anonymous;
    Ok(own)
}

/// A comparison as a teacher asks for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) title: &'a str,
    pub(crate) settings: &'a Value,
    /// True if the inputs are only read.
    pub(crate) look_first: bool,
}

/// Writes the instructions to the child of a batch. Returns the settings that the service itself reads, and the batches
/// that it is compared with.
pub(crate) fn write(
    server: &Server,
    id: &str,
    plan: &Plan<'_>,
    uploaded: Uploaded,
    archive: &[String],
    moss: Option<results::MossPages>,
) -> Answer<(Settings, BTreeSet<String>)> {
    let mut work = JobRequest {
        parent: std::process::id(),
        memory: server.0.config.jobs.memory,
        processor_seconds: server.0.config.jobs.processor_seconds,
        moss,
        only_reads: plan.look_first,
        ..JobRequest::default()
    };
    let chosen = chosen(plan.settings, &mut work)?;
    work.settings.check().map_err(|error| Refusal::bad(error.to_string()))?;
    work.inputs.paths = uploaded.submissions;
    work.inputs.base = uploaded.base;
    work.inputs.documents.no_cage = server.0.config.jobs.no_cage;
    if chosen.use_archive && !archive.is_empty() {
        work.inputs.archive = earlier::paths(server, archive)?;
    }
    work.inputs.language.clone_from(&server.0.config.language);
    work.inputs.title = Some(plan.title.to_owned()).filter(|title| !title.is_empty());
    instructions::save(&server.folder(id), &work)?;
    Ok((chosen, compared::earlier_of(&work)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever adds a limit on inputs adds it for operators, too.
    #[test]
    fn no_teacher_sets_a_limit_on_inputs() {
        let limits = fanmill_jobs::given::names(&Limits::standard());
        assert!(limits.len() >= 5, "{limits:?}");
        for name in limits {
            assert!(is_of_operator(&name), "{name}");
        }
    }
}
