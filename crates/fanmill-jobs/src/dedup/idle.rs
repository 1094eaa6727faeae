//! Refuses settings that have no effect together with others: they were given to change something.

use fanmill::{Error, Result, Setting};

use super::{Inputs, Settings, Unit};

/// Refuses a setting without effect, naming it and the setting that makes it so.
///
/// # Errors
/// If there is one.
pub(super) fn refuse(settings: &Settings) -> Result<()> {
    let of_documents = [
        ("threshold", settings.threshold.is_some()),
        ("containment", settings.containment.is_some()),
        ("shingle", settings.shingle.is_some()),
        ("weighted", settings.weighted),
        ("keep", settings.keep.is_some()),
        ("cluster", settings.cluster.is_some()),
        ("exact", settings.exact),
        ("sketch", settings.sketch.is_some()),
        ("recall", settings.recall.is_some()),
        ("pairs", settings.pairs),
    ];
    let of_passages = [
        ("min-words", settings.min_words.is_some()),
        ("min-documents", settings.min_documents.is_some()),
    ];
    let unit = Setting("unit");
    match settings.unit {
        Unit::Paragraph => first(
            &of_documents,
            &format!("{unit} paragraph"),
            "paragraphs that are equal word for word are removed from all but the first document",
        )?,
        Unit::Line => first(
            &of_documents,
            &format!("{unit} line"),
            "lines that are equal word for word are removed from all but the first document",
        )?,
        Unit::Document => {
            let why = "it concerns paragraphs or lines";
            first(&of_passages, &format!("{unit} document"), why)?;
        }
    }
    let of_sketches = [
        ("exact", settings.exact),
        ("recall", settings.recall.is_some()),
        ("sketch", settings.sketch.is_some()),
    ];
    if settings.containment.is_some() {
        let with = Setting("containment").to_string();
        first(&of_sketches, &with, "documents inside others are always found exactly")?;
        let other = [("threshold", settings.threshold.is_some())];
        first(&other, &with, "each of the two defines what a duplicate is")?;
    }
    if settings.exact {
        let why = "all pairs are found without a sketch";
        first(&of_sketches[1..], &Setting("exact").to_string(), why)?;
    }
    if let Some(sketch) = settings.sketch.filter(|sketch| !sketch.is_aligned()) {
        let why = "it only chooses the bands of fss, perm and lead";
        first(&of_sketches[1..2], &format!("{} {sketch}", Setting("sketch")), why)?;
    }
    Ok(())
}

/// Refuses a reference where it has no effect, and settings of one where there is none.
///
/// # Errors
/// If there is such a thing.
pub(super) fn refuse_reference(settings: &Settings, inputs: &Inputs) -> Result<()> {
    let of_reference = [
        ("only-against", settings.only_against),
        ("against-text-field", settings.against_text_field.is_some()),
        ("against-id-field", settings.against_id_field.is_some()),
        ("against-input-format", settings.against_input_format.is_some()),
    ];
    if inputs.against.is_empty() {
        return match of_reference.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(Error::setting(format!(
                "{} has no effect without {}: it says how a reference is read or used; name one, or leave it out",
                Setting(name),
                Setting("against")
            ))),
            None => Ok(()),
        };
    }
    let with = match settings.unit {
        Unit::Document => return Ok(()),
        Unit::Paragraph => "paragraph",
        Unit::Line => "line",
    };
    let why = "passages are compared with those of earlier documents of the corpus";
    first(&[("against", true)], &format!("{} {with}", Setting("unit")), why)
}

fn first(settings: &[(&'static str, bool)], with: &str, why: &str) -> Result<()> {
    match settings.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Error::setting(format!(
            "{} has no effect with {with}: {why}; leave out one of the two",
            Setting(name)
        ))),
        None => Ok(()),
    }
}
