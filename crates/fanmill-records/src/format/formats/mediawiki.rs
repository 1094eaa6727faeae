//! Dumps of MediaWiki: pages in XML, such as those that Wikimedia offers.

use std::path::Path;
use std::sync::Arc;

use fanmill_library::mediawiki::{self, Page, Site};
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

/// Files of pages.
pub(super) struct MediaWiki;

const FORM: Form = Form {
    begin: mediawiki::PAGE,
    close: mediawiki::PAGE_END,
    end: mediawiki::page_end,
    is_document: mediawiki::is_article,
};

static FACTS: Facts = Facts {
    named_by: NamedBy::Address,
    begins: mediawiki::begins_dump,
    names_authors: true,
    ..Facts::for_many("mediawiki", Shape::Sequence)
};

impl Format {
    /// Dumps of MediaWiki: articles, as text without markup.
    pub const MEDIAWIKI: Format = Format(&FACTS);
}

impl RecordFormat for MediaWiki {
    fn format(&self) -> Format {
        Format::MEDIAWIKI
    }

    fn open(&self, input: Input<'_>, options: &Options, _: Columns) -> Result<Box<dyn Source>> {
        let blocks = Blocks::open(input.path, input.packing, options)?;
        let parser = |head: &[u8]| -> Arc<dyn Parser> {
            Arc::new(Pages { site: Site::new(head), fields: FactFields::new(options) })
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

/// A parser of pages.
#[derive(Debug)]
struct Pages {
    site: Site,
    fields: FactFields,
}

impl Parser for Pages {
    fn parse<'a>(
        &self,
        record: &'a [u8],
        _: Option<&'a mut Vec<u8>>,
    ) -> std::result::Result<Record<'a>, String> {
        let Page { facts, text } = self.site.page(record)?;
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
