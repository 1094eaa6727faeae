//! Export and erasure of one person's work across courses.
//!
//! A person is found in the way a report names submissions: by the folder, file or archive that was handed in, as the
//! learning platform called it or by the person's name or id in it. Work inside another person's folder belongs to that
//! person.

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use fanmill_source::{GroupBy, person_of};
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use crate::error::{Answer, Refusal};
use crate::job::JobRequest;
use crate::{earlier, instructions, packed};

/// A batch in which the person is looked for.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub(crate) id: String,
    title: String,
}

/// A person's work in a batch.
#[derive(Debug)]
pub(crate) struct PersonsWork {
    batch: Batch,
    folder: PathBuf,
    work: JobRequest,
    /// Names of submissions.
    names: Vec<String>,
    /// True if other people have work in it, too.
    pub(crate) has_others: bool,
}

impl PersonsWork {
    /// Returns the batch's id.
    pub(crate) fn id(&self) -> &str {
        &self.batch.id
    }
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

/// Returns whether a submission of this name is the person's.
pub(crate) fn is_of(submission: &str, name: &str) -> bool {
    let person = person_of(submission);
    // Canvas: `lindqvistada (12345)`, a name and an id.
    let parts = person.strip_suffix(')').and_then(|rest| rest.split_once(" ("));
    submission == name || person == name || parts.is_some_and(|(own, id)| own == name || id == name)
}

/// Returns the submission that a file of an archive belongs to. `wrapper` is a folder around all of them.
fn submission_of<'f>(file: &'f str, wrapper: Option<&str>) -> &'f str {
    let rest = wrapper.and_then(|wrapper| file.strip_prefix(wrapper)?.strip_prefix('/'));
    rest.unwrap_or(file).split('/').next().unwrap_or(file)
}

/// Returns the folder that all files of an archive are in, if there is one.
fn wrapper(files: &[String]) -> Option<String> {
    let (first, _) = files.first()?.split_once('/')?;
    let is_around = |file: &String| file.split_once('/').is_some_and(|(folder, _)| folder == first);
    files.iter().all(is_around).then(|| first.to_owned())
}

/// Returns whether a file is the person's.
fn is_file_of(file: &str, wrapper: Option<&str>, group_by: GroupBy, name: &str) -> bool {
    match group_by {
        GroupBy::Auto | GroupBy::Child => is_of(submission_of(file, wrapper), name),
        // Each file, or the whole upload, is a submission: a file is the person's if any part of its path names them.
        _ => file.split('/').any(|part| is_of(part, name)),
    }
}

/// Removes from a path in an upload what could lead out of it.
fn plain(name: &str) -> String {
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    parts.collect::<Vec<_>>().join("/")
}

/// Finds the person's work in a batch, if there is any.
fn find(data: &Path, batch: &Batch, name: &str) -> Answer<Option<PersonsWork>> {
    let folder = data.join("batches").join(&batch.id);
    let Some(work) = instructions::read(&folder)? else { return Ok(None) };
    let (mut names, mut has_others) = (Vec::new(), false);
    for upload in &work.inputs.paths {
        let files = files(&folder.join(upload))?;
        let wrapper = wrapper(&files);
        for file in &files {
            if is_file_of(file, wrapper.as_deref(), work.inputs.group_by, name) {
                names.push(submission_of(file, wrapper.as_deref()).to_owned());
            } else {
                has_others = true;
            }
        }
    }
    names.sort();
    names.dedup();
    let found = PersonsWork { batch: batch.clone(), folder, work, names, has_others };
    Ok((!found.names.is_empty()).then_some(found))
}

fn files(upload: &Path) -> Answer<Vec<String>> {
    let mut files = Vec::new();
    packed::each(upload, |file, _| {
        files.push(plain(file));
        Ok(())
    })?;
    Ok(files)
}

/// Finds the person's work in the uploads of these batches. Batches without any are left out.
pub(crate) fn find_all(data: &Path, batches: &[Batch], name: &str) -> Answer<Vec<PersonsWork>> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Refusal::bad("nobody is named; give a name or an id"));
    }
    let found: Vec<Option<PersonsWork>> =
        batches.iter().map(|batch| find(data, batch, name)).collect::<Answer<_>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// Finds the person's work like [`find_all`], and refuses a person without any.
pub(crate) fn find_some(data: &Path, batches: &[Batch], name: &str) -> Answer<Vec<PersonsWork>> {
    let found = find_all(data, batches, name)?;
    if found.is_empty() { Err(nothing(name)) } else { Ok(found) }
}

pub(crate) fn nothing(name: &str) -> Refusal {
    let message = format!("nothing was handed in by `{}`", name.trim());
    Refusal::new(StatusCode::NOT_FOUND, message)
}

/// Makes a zip of the person's files, and of the pairs that they occur in. It does not name other people.
pub(crate) fn export(found: &[PersonsWork], name: &str) -> Answer<Vec<u8>> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut pairs = Vec::new();
    for found in found {
        for upload in &found.work.inputs.paths {
            let path = found.folder.join(upload);
            let wrapper = wrapper(&files(&path)?);
            packed::each(&path, |file, content| {
                let file = plain(file);
                if is_file_of(&file, wrapper.as_deref(), found.work.inputs.group_by, name) {
                    let place = format!("texts/{}/{file}", found.batch.id);
                    zip.start_file(place, SimpleFileOptions::default())?;
                    std::io::copy(content, &mut zip)?;
                }
                Ok(())
            })?;
        }
        pairs.push(json!({
            "batch": found.batch.id,
            "title": found.batch.title,
            "submissions": found.names,
            "pairs": pairs_of(found, name),
        }));
    }
    let failed = |error: zip::result::ZipError| std::io::Error::other(error);
    zip.start_file("pairs.json", SimpleFileOptions::default()).map_err(failed)?;
    zip.write_all(format!("{:#}\n", Value::Array(pairs)).as_bytes())?;
    Ok(zip.finish().map_err(failed)?.into_inner())
}

/// Lists the pairs of a report that the person occurs in, with the places in the person's own files.
fn pairs_of(found: &PersonsWork, name: &str) -> Vec<Value> {
    let read = fs::read(found.folder.join("report/report.json")).unwrap_or_default();
    let report: Value = serde_json::from_slice(&read).unwrap_or_default();
    let is_own = |index: &Value| {
        let submission = &report["submissions"][index.as_u64().unwrap_or(u64::MAX) as usize];
        submission["name"].as_str().is_some_and(|submission| is_of(submission, name))
    };
    let own_side = |pair: &Value| {
        let side = ["a", "b"].into_iter().find(|side| is_own(&pair[side]))?;
        let files = &report["submissions"][pair[side].as_u64()? as usize]["files"];
        let matches = pair["passages"].as_array()?.iter().flat_map(|passage| {
            passage["matches"].as_array().into_iter().flatten().map(|one| {
                let mut place = one[side].clone();
                place["file"] =
                    files[place["file"].as_u64().unwrap_or(u64::MAX) as usize]["path"].clone();
                json!({ "tokens": one["tokens"], "place": place })
            })
        });
        Some(json!({ "score": pair["score"], "matches": matches.collect::<Vec<_>>() }))
    };
    report["pairs"].as_array().into_iter().flatten().filter_map(own_side).collect()
}

/// Rewrites the uploads of a batch without the person's files.
pub(crate) fn erase(folder: &Path, name: &str) -> Answer<()> {
    let Some(work) = instructions::read(folder)? else { return Ok(()) };
    for upload in &work.inputs.paths {
        let path = folder.join(upload);
        let wrapper = wrapper(&files(&path)?);
        let is_other =
            |file: &str| !is_file_of(&plain(file), wrapper.as_deref(), work.inputs.group_by, name);
        packed::keep(&path, is_other)?;
        earlier::relink(folder, &path)?;
    }
    Ok(())
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

/// Lists the names of the person's submissions in all batches.
pub(crate) fn names(found: &[PersonsWork]) -> Vec<String> {
    found.iter().flat_map(|found| found.names.iter().cloned()).collect()
}

/// Lists the ids of batches.
pub(crate) fn all_ids(batches: &[Batch]) -> Vec<String> {
    batches.iter().map(|batch| batch.id.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_found_by_folder_name_and_id() {
        for (submission, name) in [
            ("hana", "hana"),
            ("hana.py", "hana"),
            ("Ada Lindqvist_1011840_assignsubmission_file", "Ada Lindqvist"),
            ("lindqvistada_12345_678901_inventory.py", "12345"),
            ("lindqvistada_LATE_12345_678955_store.py", "lindqvistada"),
        ] {
            assert!(is_of(submission, name), "{submission}");
        }
        for (submission, name) in
            [("hanar", "hana"), ("bob", "hana"), ("x_12345_678901_a.py", "678901")]
        {
            assert!(!is_of(submission, name), "{submission}");
        }
        let files = ["all/hana/a.py", "all/bob/hana/notes.py"].map(str::to_owned);
        let around = wrapper(&files);
        assert_eq!(around.as_deref(), Some("all"));
        let is_hers = |file: &str| is_file_of(file, around.as_deref(), GroupBy::Auto, "hana");
        assert!(is_hers(&files[0]) && !is_hers(&files[1]));
    }

    #[test]
    fn an_archive_is_written_anew_without_some_files() {
        let folder = tempfile::tempdir().expect("folder");
        for ending in ["zip", "tar", "tar.gz", "tgz", "tar.zst"] {
            let path = folder.path().join(format!("submissions.{ending}"));
            // A tar stores names of more than 100 bytes in an entry of their own.
            let long = format!("kept/{}", "x".repeat(150));
            let mut tar = tar::Builder::new(Vec::new());
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            for name in ["hana/a.py", "bob/a.py", &long] {
                let mut header = tar::Header::new_gnu();
                header.set_size(name.len() as u64);
                tar.append_data(&mut header, name, name.as_bytes()).expect("added");
                zip.start_file(name, SimpleFileOptions::default()).expect("begun");
                zip.write_all(name.as_bytes()).expect("added");
            }
            let tar = tar.into_inner().expect("whole");
            let bytes = match ending {
                "zip" => zip.finish().expect("whole").into_inner(),
                "tar" => tar,
                "tar.zst" => zstd::encode_all(&*tar, 0).expect("packed"),
                _ => {
                    let mut out =
                        flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                    out.write_all(&tar).expect("packed");
                    out.finish().expect("packed")
                }
            };
            fs::write(&path, bytes).expect("written");
            packed::keep(&path, |name| !name.starts_with("hana")).expect("kept");
            let mut left = Vec::new();
            packed::each(&path, |name, content| {
                let mut text = String::new();
                content.read_to_string(&mut text)?;
                assert_eq!(text, name);
                left.push(text);
                Ok(())
            })
            .expect("read");
            assert_eq!(left, ["bob/a.py", &*long], "{ending}");
        }
    }

    #[test]
    fn marks_of_others_stay() {
        let marks = json!({ "marks": [{ "a": "hana", "b": "ivo" }, { "a": "bob", "b": "ivo" }] });
        let left: Value =
            serde_json::from_str(&without(&marks.to_string(), &["hana".to_owned()])).expect("JSON");
        assert_eq!(left, json!({ "marks": [{ "a": "bob", "b": "ivo" }] }));
        assert_eq!(without("{\"1\":\"hana\"}", &["hana".to_owned()]), "{\"marks\":[]}");
    }
}
