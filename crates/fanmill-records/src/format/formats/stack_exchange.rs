//! Posts of Stack Exchange: questions and answers, as its archive offers them.

use std::path::Path;
use std::sync::Arc;

use fanmill_extract::html::fenced;
use fanmill_library::posts::{self, Post};
use fanmill_text::Result;

use super::super::batch::Parser;
use super::super::blocks::Blocks;
use super::super::elements::{self, Elements, Form, UNCHANGEABLE};
use super::super::facts::{Facts, Format, NamedBy, Shape};
use super::super::library::FactFields;
use super::super::raw_out::Files;
use super::super::record_format::{Input, RecordFormat, Sink, Source};
use super::super::{Columns, Options, OutputForm};
use crate::record::{Record, RecordAction};

/// Files of posts.
pub(super) struct StackExchange;

const FORM: Form = Form {
    begin: posts::ROW,
    close: posts::ROW_END,
    end: posts::row_end,
    is_document: posts::is_post,
};

static FACTS: Facts = Facts {
    named_by: NamedBy::Address,
    begins: posts::begins_posts,
    names_authors: true,
    is_markdown: true,
    ..Facts::for_many("stackexchange", Shape::Sequence)
};

impl Format {
    /// Posts of Stack Exchange, as Markdown with code in fences.
    pub const STACK_EXCHANGE: Format = Format(&FACTS);
}

impl RecordFormat for StackExchange {
    fn format(&self) -> Format {
        Format::STACK_EXCHANGE
    }

    fn open(&self, input: Input<'_>, options: &Options, _: Columns) -> Result<Box<dyn Source>> {
        let blocks = Blocks::open(input.path, input.packing, options)?;
        let site = posts::site_of(input.path);
        let parser = |_: &[u8]| -> Arc<dyn Parser> {
            Arc::new(Rows { site, fields: FactFields::new(options) })
        };
        Ok(Box::new(Elements::open(blocks, FORM, options, parser)?))
    }

    fn create<'a>(
        &self,
        input: Input<'_>,
        to: (&'a dyn Files, &Path),
        options: &Options,
        writes: OutputForm,
    ) -> Result<Box<dyn Sink + 'a>> {
        elements::create(input, to, options, writes)
    }

    fn check_output(&self, input: Input<'_>, writes: OutputForm) -> Result<()> {
        elements::check_output(input, writes)
    }

    fn unchangeable(&self, _: Input<'_>, _: &Options) -> Result<Option<String>> {
        Ok(Some(UNCHANGEABLE.to_owned()))
    }
}

/// A parser of posts.
#[derive(Debug)]
struct Rows {
    site: Option<String>,
    fields: FactFields,
}

impl Parser for Rows {
    fn parse<'a>(
        &self,
        record: &'a [u8],
        _: Option<&'a mut Vec<u8>>,
    ) -> std::result::Result<Record<'a>, String> {
        let Post { facts, body } = posts::post(record, self.site.as_deref())?;
        let body = fenced(&body);
        let text = match &facts.title {
            Some(title) => format!("{title}\n\n{body}"),
            None => body,
        };
        Ok(self.fields.record(&facts, text.into(), None))
    }

    fn edit(
        &self,
        record: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        elements::edit(record, action, out)
    }

    fn unchangeable(&self, _: &[u8]) -> Option<&'static str> {
        Some(UNCHANGEABLE)
    }
}
