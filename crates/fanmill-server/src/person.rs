//! One person's work across courses: the batches in which it is looked for, and the rows that name the person.

use std::io;
use std::path::Path;

use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::{Value, json};

use crate::errand::{ErrandKind, ErrandRequest, SearchedBatch, UnreadBatch};
use crate::error::{Answer, Refusal};
use crate::instructions;

/// A batch in which the person is looked for.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub(crate) id: String,
    title: String,
}

/// Lists the batches of the courses that an account owns, or, without an account, of all courses.
pub(crate) fn batches(c: &Connection, owner: Option<&str>) -> rusqlite::Result<Vec<Batch>> {
    let mut statement = c.prepare(
        "SELECT id, title FROM batches WHERE ?1 IS NULL OR course IN \
         (SELECT course FROM members WHERE user = ?1 AND role = 'owner') ORDER BY created, rowid",
    )?;
    let rows =
        statement.query_map([owner], |row| Ok(Batch { id: row.get(0)?, title: row.get(1)? }))?;
    rows.collect()
}

/// Lists the ids of batches.
pub(crate) fn all_ids(batches: &[Batch]) -> Vec<String> {
    batches.iter().map(|batch| batch.id.clone()).collect()
}

/// Makes the request for an errand that looks for a person in these batches. Batches without instructions have no
/// uploads; those whose instructions are damaged are reported, and do not end the errand.
pub(crate) fn request(
    data: &Path,
    kind: ErrandKind,
    name: &str,
    batches: &[Batch],
) -> Answer<ErrandRequest> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Refusal::bad("nobody is named; give a name or an id"));
    }
    let (mut searched, mut unread) = (Vec::new(), Vec::new());
    for batch in batches {
        let (id, title) = (batch.id.clone(), batch.title.clone());
        match instructions::read(&data.join("batches").join(&id)) {
            Ok(None) => {}
            Ok(Some(work)) => {
                let (uploads, group_by) = (work.inputs.paths, work.inputs.group_by);
                searched.push(SearchedBatch { id, title, uploads, group_by });
            }
            Err(error) => unread.push(UnreadBatch::new(&id, &title, "settings", &error)),
        }
    }
    Ok(ErrandRequest {
        kind,
        name: name.to_owned(),
        batches: searched,
        unread,
        memory: 0,
        processor_seconds: 0,
        parent: std::process::id(),
    })
}

/// Makes the request for an errand that writes the uploads of a batch without a person.
pub(crate) fn rewriting(data: &Path, name: &str, batch: &str) -> Answer<ErrandRequest> {
    let batch = Batch { id: batch.to_owned(), title: String::new() };
    let request = request(data, ErrandKind::Rewrite, name, &[batch])?;
    // Nobody knows which uploads are to be written without the person.
    match request.unread.first() {
        Some(unread) => Err(io::Error::other(unread.reason.clone()).into()),
        None => Ok(request),
    }
}

pub(crate) fn nothing(name: &str) -> Refusal {
    let message = format!("nothing was handed in by `{}`", name.trim());
    Refusal::new(StatusCode::NOT_FOUND, message)
}

/// Deletes from the rows of a batch what names the person: links to its report, assets, and marks.
pub(crate) fn erase_rows(tx: &Transaction, batch: &str, names: &[String]) -> Answer<()> {
    tx.execute("DELETE FROM links WHERE batch = ?", [batch])?;
    for name in names {
        tx.execute("DELETE FROM assets WHERE batch = ? AND folder = ?", [batch, name])?;
    }
    let sql = "SELECT content FROM marks WHERE batch = ?";
    let marks: Option<String> = tx.query_row(sql, [batch], |row| row.get(0)).optional()?;
    if let Some(marks) = marks {
        let sql = "UPDATE marks SET content = ?, version = version + 1 WHERE batch = ?";
        tx.execute(sql, [&*without(&marks, names), batch])?;
    }
    Ok(())
}

/// Returns the marks without those that name one of the submissions.
fn without(marks: &str, names: &[String]) -> String {
    let names_one = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
    let mut all: Value = serde_json::from_str(marks).unwrap_or_default();
    if let Some(list) = all["marks"].as_array_mut() {
        list.retain(|mark| !names_one(&mark.to_string()));
    }
    let left = all.to_string();
    if names_one(&left) { json!({ "marks": [] }).to_string() } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_others_stay() {
        let marks = json!({ "marks": [{ "a": "hana", "b": "ivo" }, { "a": "bob", "b": "ivo" }] });
        let left: Value =
            serde_json::from_str(&without(&marks.to_string(), &["hana".to_owned()])).expect("JSON");
        assert_eq!(left, json!({ "marks": [{ "a": "bob", "b": "ivo" }] }));
        assert_eq!(without("{\"1\":\"hana\"}", &["hana".to_owned()]), "{\"marks\":[]}");
    }
}
