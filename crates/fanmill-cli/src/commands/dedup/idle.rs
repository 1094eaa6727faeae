//! Options that would change nothing beside others: they are refused, since they were given to change
//! something.

use fanmill::sketch::Sketch;
use fanmill::{Error, Result};

use crate::args::{DedupArgs, UnitArg};

/// Refuses an option without effect, by its name and that of the one it does not go with.
///
/// # Errors
/// If there is one.
pub(super) fn refuse(args: &DedupArgs) -> Result<()> {
    let (duplicates, search) = (&args.duplicates, &args.search);
    let of_documents = [
        ("--threshold", duplicates.threshold.is_some()),
        ("--containment", duplicates.containment.is_some()),
        ("--shingle", duplicates.shingle.is_some()),
        ("--weighted", duplicates.weighted),
        ("--keep", duplicates.keep.is_some()),
        ("--cluster", duplicates.cluster.is_some()),
        ("--exact", search.exact),
        ("--sketch", search.sketch.is_some()),
        ("--recall", search.recall.is_some()),
        ("--pairs", args.pairs),
        ("--curve", search.curve),
    ];
    let of_passages = [
        ("--min-words", duplicates.min_words.is_some()),
        ("--min-documents", duplicates.min_documents.is_some()),
    ];
    match duplicates.unit {
        UnitArg::Paragraph => first(
            &of_documents,
            "--unit paragraph",
            "paragraphs are removed that are equal word by word, from all but the first document",
        )?,
        UnitArg::Line => first(
            &of_documents,
            "--unit line",
            "lines are removed that are equal word by word, from all but the first document",
        )?,
        UnitArg::Document => {
            first(&of_passages, "--unit document", "it is about paragraphs or lines")?;
        }
    }
    let of_sketches = [("--exact", search.exact), ("--recall", search.recall.is_some())];
    if duplicates.containment.is_some() {
        first(&of_sketches, "--containment", "what lies inside others is always found exactly")?;
    }
    if let Some(sketch) = &search.sketch {
        let sketch: Sketch = sketch.parse()?;
        if !sketch.is_aligned() {
            let why = "only the bands of fss, perm and lead are chosen by it";
            first(&of_sketches[1..], &format!("--sketch {sketch}"), why)?;
        }
    }
    Ok(())
}

fn first(options: &[(&str, bool)], with: &str, why: &str) -> Result<()> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Error::setting(format!(
            "{name} has no effect with {with}: {why}; leave one of them away"
        ))),
        None => Ok(()),
    }
}
