//! Refuses settings that have no effect together with others, as they were given to change something.

use fanmill_corpus::{ShortTexts, WordKind};
use fanmill_text::message;
use fanmill_text::message::Message;
use fanmill_text::{Error, Result, Setting};

use super::{Inputs, Mode, Settings, Unit};

/// Settings by name, and whether they are given.
type Given = (&'static str, bool);

/// Refuses a setting without effect. The error names it, and the setting that makes it so.
///
/// # Errors
/// If there is one.
pub(super) fn refuse(settings: &Settings, inputs: &Inputs) -> Result<()> {
    refuse_reference(settings, inputs)?;
    if settings.limit.is_some() && settings.mode != Mode::Report {
        return Err(Error::setting(message![
            Setting("limit"),
            " leaves most of a corpus out, and none is written with it; use it with ",
            Setting("mode"),
            " report"
        ]));
    }
    if settings.mode == Mode::Report {
        let level = [("compression-level", settings.compression_level.is_some())];
        first(&level, message![Setting("mode"), (" {}", Mode::Report)], "no corpus is written")?;
    }
    if !inputs.decontaminate.is_empty() {
        let with = Setting("decontaminate");
        first(
            &of_documents(settings, inputs),
            with,
            "documents that share a run of words with test sets go, and no others",
        )?;
        let of_units = [("unit", settings.unit != Unit::Document), of_passages(settings)[1]];
        first(&of_units, with, "whole documents go")?;
        return first(&of_runs(settings), with, "whole documents go");
    }
    let of_tests = [("max-documents", settings.max_documents.is_some())];
    without(&of_tests, "decontaminate", "it says which runs shared with test sets count")?;
    refuse_for_unit(settings, inputs)?;
    refuse_addresses(settings)?;
    refuse_search(settings)
}

/// Refuses settings of addresses that have no effect.
fn refuse_addresses(settings: &Settings) -> Result<()> {
    if settings.first_by.is_none() {
        let field = [("url-field", settings.url_field.is_some())];
        without(&field, "first-by", "it says which field has the address of a record")?;
        let rules = [("url-rules", settings.url_rules.is_some())];
        return without(&rules, "first-by", "it says which addresses are the same");
    }
    if settings.only_against {
        let why = "documents are compared with the reference alone, and not with each other";
        first(&[("first-by", true)], Setting("only-against"), why)?;
    }
    Ok(())
}

/// Returns settings of the search for near-duplicates among whole documents.
fn of_documents(settings: &Settings, inputs: &Inputs) -> [Given; 20] {
    #[cfg(feature = "index")]
    let has_index = inputs.index.is_some();
    #[cfg(not(feature = "index"))]
    let has_index = false;
    [
        ("index", has_index),
        ("against", !inputs.against.is_empty()),
        ("min-score", settings.min_score.is_some()),
        ("containment", settings.containment.is_some()),
        ("shingle", settings.shingle.is_some()),
        ("weighted", settings.weighted),
        ("exact-spelling", settings.exact_spelling),
        ("words", settings.words.is_some()),
        ("short-texts", settings.short_texts.is_some()),
        ("keep", settings.keep.is_some()),
        ("first-by", settings.first_by.is_some()),
        ("url-field", settings.url_field.is_some()),
        ("url-rules", settings.url_rules.is_some()),
        ("cluster", settings.cluster.is_some()),
        ("exact", settings.exact),
        ("sketch", settings.sketch.is_some()),
        ("recall", settings.recall.is_some()),
        ("pairs", settings.pairs),
        ("sizes", settings.sizes),
        ("only-against", settings.only_against),
    ]
}

fn of_passages(settings: &Settings) -> [Given; 2] {
    [
        ("min-words", settings.min_words.is_some()),
        ("min-documents", settings.min_documents.is_some()),
    ]
}

fn of_runs(settings: &Settings) -> [Given; 3] {
    [
        ("min-bytes", settings.min_bytes.is_some()),
        ("cut", settings.cut.is_some()),
        ("min-rest", settings.min_rest.is_some()),
    ]
}

/// Refuses settings that have no effect on what is removed.
fn refuse_for_unit(settings: &Settings, inputs: &Inputs) -> Result<()> {
    let of_documents = of_documents(settings, inputs);
    let with = || message![Setting("unit"), (" {}", settings.unit)];
    if settings.unit != Unit::Run {
        first(&of_runs(settings), with(), "it concerns runs of words")?;
    }
    match settings.unit {
        Unit::Document => first(
            &of_passages(settings),
            with(),
            "it concerns paragraphs, lines or runs of words, or runs shared with test sets",
        ),
        Unit::Paragraph | Unit::Line => {
            let why = format!(
                "{}s that are equal word for word are removed from all but the first document",
                settings.unit
            );
            first(&of_documents, with(), &why)
        }
        Unit::Run => {
            let others: Vec<Given> =
                of_documents.into_iter().filter(|(name, _)| *name != "keep").collect();
            first(
                &others,
                with(),
                "runs that are equal word for word are removed from all but one place",
            )?;
            let why = "a run goes if it occurs earlier, in another document or in the same one";
            let [in_words, in_documents] = of_passages(settings);
            first(&[in_documents], with(), why)?;
            match settings.min_bytes {
                Some(_) => {
                    let why = "each of the two says how long a run must be";
                    first(&[in_words], Setting("min-bytes"), why)
                }
                None => Ok(()),
            }
        }
    }
}

/// Refuses settings that have no effect in a search for near-duplicates.
fn refuse_search(settings: &Settings) -> Result<()> {
    let of_sketches = [
        ("exact", settings.exact),
        ("recall", settings.recall.is_some()),
        ("sketch", settings.sketch.is_some()),
    ];
    if settings.containment.is_some() {
        let with = Setting("containment");
        first(&of_sketches, with, "documents inside others are always found exactly")?;
        let short = [("short-texts", settings.short_texts.is_some())];
        first(&short, with, "only long texts are contained in others")?;
        let other = [("min-score", settings.min_score.is_some())];
        first(&other, with, "each of the two defines what a duplicate is")?;
    }
    if let Some(words @ (WordKind::Code | WordKind::Maths)) = settings.words {
        let of_prose = [("exact-spelling", settings.exact_spelling)];
        first(&of_prose, message![Setting("words"), " {words}"], "each letter counts anyway")?;
        let of_short = [("short-texts", settings.short_texts == Some(ShortTexts::Slips))];
        let why = "each sign counts, and none is a slip";
        first(&of_short, message![Setting("words"), " {words}"], why)?;
    }
    if settings.exact {
        let why = "all pairs are found without a sketch";
        first(&of_sketches[1..], Setting("exact"), why)?;
    }
    if let Some(sketch) = settings.sketch.filter(|sketch| !sketch.is_aligned()) {
        let why = "it only chooses the bands of fss, perm and lead";
        first(&of_sketches[1..2], message![Setting("sketch"), " {sketch}"], why)?;
    }
    Ok(())
}

/// Refuses settings of a reference without a reference.
fn refuse_reference(settings: &Settings, inputs: &Inputs) -> Result<()> {
    let of_reference = [
        ("against-text-field", settings.against_text_field.is_some()),
        ("against-id-field", settings.against_id_field.is_some()),
        ("against-input-format", settings.against_input_format.is_some()),
    ];
    if inputs.against.is_empty() {
        let only = [("only-against", settings.only_against)];
        without(&only, "against", "it says what a reference is used for")?;
    }
    if inputs.against.is_empty() && inputs.decontaminate.is_empty() {
        without(&of_reference, "against", "it says how a reference is read")?;
    }
    Ok(())
}

/// Refuses settings that have no effect without another one.
fn without(settings: &[Given], needed: &'static str, why: &str) -> Result<()> {
    match settings.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Error::setting(message![
            Setting(name),
            " has no effect without ",
            Setting(needed),
            ": {why}; give both, or leave it out"
        ])),
        None => Ok(()),
    }
}

fn first(settings: &[Given], with: impl Into<Message>, why: &str) -> Result<()> {
    match settings.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Error::setting(message![
            Setting(name),
            " has no effect with ",
            with,
            ": {why}; leave out one of the two"
        ])),
        None => Ok(()),
    }
}
