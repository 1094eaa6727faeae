//! Records of libraries: their facts as names and further fields.

use std::borrow::Cow;

use fanmill_library::facts::Facts;

use super::Options;
use crate::record::{Flaw, Record};

/// The facts that a job wants of each document.
#[derive(Debug)]
pub(super) struct FactFields {
    id: Option<String>,
    extra: Vec<String>,
}

impl FactFields {
    pub(super) fn new(options: &Options) -> FactFields {
        FactFields { id: options.id.clone(), extra: options.extra.clone() }
    }

    /// Returns the record of a document; it is named by its address, unless the user wants another fact.
    pub(super) fn record<'a>(
        &self,
        facts: &Facts<'a>,
        text: Cow<'a, str>,
        flaw: Option<Flaw>,
    ) -> Record<'a> {
        let id = match &self.id {
            Some(name) => facts.get(name),
            None => facts.name(),
        };
        let extra = self.extra.iter().map(|name| facts.get(name)).collect();
        Record { text, id, extra, flaw }
    }
}
