//! Errands: work on uploads, done by a child process: to find what a person handed in, to give it out, to write uploads
//! without it, and to add late submissions.
//!
//! Uploads come from anybody, so the server itself never opens one: an archive of a few megabytes can take a minute and a
//! gigabyte to unpack. The child is confined like a comparison, has its limits, and reads with those of a run
//! (`docs/inputs.md`). It reads `errand.json` in a folder of its own, and leaves what it made in the folder `new`. An
//! upload that cannot be read, or is over a limit, is reported and does not end the errand.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use fanmill_source::{ExportLists, GroupBy, Limits, person_of};
use fanmill_text::progress::Progress;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use zip::write::SimpleFileOptions;

use crate::job::{self, JobRequest, JsonLines, OUTPUT, confine};
use crate::joining::{Joined, Joining};
use crate::naming::{UploadNames, file_name, handed_in, is_of, plain, submission_of, wrapper};
use crate::packed::{self, AddedFiles};

const REQUEST: &str = "errand.json";
const FINDINGS: &str = "findings.json";
const PACKED: &str = "person.zip";
const JOINED: &str = "joined.json";

/// The kind of an errand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ErrandKind {
    /// Find the person's work.
    Find,
    /// Put the person's work into a zip, with the pairs that it occurs in.
    Export,
    /// Write the uploads without the person's work.
    Rewrite,
    /// Write the archive of the first batch with the files of the second one.
    Join,
}

/// The instructions to a child.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ErrandRequest {
    pub(crate) kind: ErrandKind,
    /// The person, as searched for; empty where nobody is.
    pub(crate) name: String,
    pub(crate) batches: Vec<SearchedBatch>,
    /// Batches whose instructions cannot be read, so that nobody knows where their uploads are.
    pub(crate) unread: Vec<UnreadBatch>,
    /// Memory limit, in bytes.
    pub(crate) memory: u64,
    /// Processor time limit, in seconds.
    pub(crate) processor_seconds: u64,
    /// The process that waits for the child.
    pub(crate) parent: u32,
}

/// A batch whose uploads are opened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SearchedBatch {
    pub(crate) id: String,
    pub(crate) title: String,
    /// Uploads, relative to the batch's folder.
    pub(crate) uploads: Vec<PathBuf>,
    pub(crate) group_by: GroupBy,
}

/// The person's work in a batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FoundWork {
    /// The id of the batch.
    pub(crate) id: String,
    /// Names of submissions.
    pub(crate) names: Vec<String>,
    /// True if other people have work in it, too.
    pub(crate) has_others: bool,
}

/// A batch with an upload that could not be read.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct UnreadBatch {
    pub(crate) id: String,
    /// The error, or the limit that it is over.
    pub(crate) reason: String,
    pub(crate) title: String,
}

impl UnreadBatch {
    pub(crate) fn new(id: &str, title: &str, part: &str, error: &io::Error) -> UnreadBatch {
        let reason = format!("its {part} cannot be read: {error}");
        UnreadBatch { id: id.to_owned(), reason, title: title.to_owned() }
    }
}

/// The outcome of a search.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Findings {
    pub(crate) found: Vec<FoundWork>,
    pub(crate) unread: Vec<UnreadBatch>,
}

impl SearchedBatch {
    /// Returns the batch's folder, relative to that of an errand.
    fn folder(&self, errand: &Path) -> PathBuf {
        errand.join("../../batches").join(&self.id)
    }

    /// Returns the uploads that are archives.
    fn archives(&self) -> impl Iterator<Item = &Path> {
        self.uploads.iter().map(PathBuf::as_path).filter(|upload| !is_list(upload))
    }

    /// Returns the lists that came with an archive.
    fn lists(&self) -> impl Iterator<Item = &Path> {
        self.uploads.iter().map(PathBuf::as_path).filter(|upload| is_list(upload))
    }
}

/// Returns whether an upload is a list: all others are kept in archives.
pub(crate) fn is_list(upload: &Path) -> bool {
    upload.extension().is_some_and(|ending| ending == "csv")
}

/// Writes the instructions into the folder of an errand, which is made.
pub(crate) fn prepare(folder: &Path, request: &ErrandRequest) -> io::Result<()> {
    fs::create_dir_all(folder.join(OUTPUT))?;
    fs::write(folder.join(REQUEST), serde_json::to_vec(request)?)
}

/// Reads what an errand has found.
pub(crate) fn findings(folder: &Path) -> io::Result<Findings> {
    Ok(serde_json::from_slice(&fs::read(folder.join(OUTPUT).join(FINDINGS))?)?)
}

/// Reads which submissions an errand has joined.
pub(crate) fn joined(folder: &Path) -> io::Result<Joined> {
    Ok(serde_json::from_slice(&fs::read(folder.join(OUTPUT).join(JOINED))?)?)
}

/// Returns the path of the zip that an errand has made.
pub(crate) fn packed_in(folder: &Path) -> PathBuf {
    folder.join(OUTPUT).join(PACKED)
}

/// Returns the path at which an errand has written an upload anew.
pub(crate) fn rewritten_in(folder: &Path, upload: &Path) -> PathBuf {
    folder.join(OUTPUT).join("uploads").join(upload)
}

/// Does the job or the errand of a folder, and writes its progress to `out`.
///
/// # Errors
/// If the limits cannot be set, or the work fails.
pub fn child(folder: &Path, out: impl Write + Send) -> anyhow::Result<()> {
    if !folder.join(REQUEST).exists() {
        return job::child(folder, out);
    }
    std::env::set_current_dir(folder).context("the errand has no folder")?;
    let request: ErrandRequest = serde_json::from_slice(&fs::read(REQUEST)?)?;
    let mut work = JobRequest {
        memory: request.memory,
        processor_seconds: request.processor_seconds,
        parent: request.parent,
        ..JobRequest::default()
    };
    let here = Path::new("");
    work.inputs.archive = request.batches.iter().map(|batch| batch.folder(here)).collect();
    work.inputs.archive.retain(|path| path.exists());
    confine(&work)?;
    let lines = JsonLines::new(out);
    carry_out(&request, here, &lines).inspect_err(|error| lines.fail(error))
}

/// Carries out an errand in the folder that was prepared for it.
pub(crate) fn carry_out(
    request: &ErrandRequest,
    folder: &Path,
    progress: &dyn Progress,
) -> anyhow::Result<()> {
    let limits = Limits::standard();
    let errand = Errand { request, folder, limits, progress };
    match request.kind {
        ErrandKind::Find => errand.write_findings(&errand.find()),
        ErrandKind::Export => {
            let mut findings = errand.find();
            errand.export(&mut findings)?;
            errand.write_findings(&findings)
        }
        ErrandKind::Rewrite => errand.rewrite(),
        ErrandKind::Join => errand.join(),
    }
}

struct Errand<'a> {
    request: &'a ErrandRequest,
    folder: &'a Path,
    limits: Limits,
    progress: &'a dyn Progress,
}

impl Errand<'_> {
    /// Begins a step that goes through uploads; its progress is in bytes of them.
    fn begin<'b>(&self, step: &'static str, batches: impl Iterator<Item = &'b SearchedBatch>) {
        let size = |batch: &SearchedBatch| -> u64 {
            let folder = batch.folder(self.folder);
            let sizes = batch.uploads.iter().map(|upload| size(&folder.join(upload)));
            sizes.sum()
        };
        self.progress.begin(step, batches.map(size).sum());
    }

    /// Finds the person's work in all batches.
    fn find(&self) -> Findings {
        let mut findings = Findings { found: Vec::new(), unread: self.request.unread.clone() };
        self.begin("searching uploads", self.request.batches.iter());
        for batch in &self.request.batches {
            match self.find_in(batch) {
                Ok(found) => findings.found.extend(found),
                Err(error) => findings.unread.push(unread(batch, "upload", &error)),
            }
        }
        findings
    }

    fn find_in(&self, batch: &SearchedBatch) -> io::Result<Option<FoundWork>> {
        let (mut names, mut has_others) = (Vec::new(), false);
        let mut is_listed = false;
        let lists = self.lists_beside(batch)?;
        for upload in batch.archives() {
            let path = batch.folder(self.folder).join(upload);
            let (files, upload) = self.files(&path, batch.group_by, &lists)?;
            for file in &files {
                if upload.is_of(file, &self.request.name) {
                    let own = submission_of(file, upload.wrapper.as_deref());
                    names.extend_from_slice(upload.lists.people(own));
                    names.extend([own.to_owned(), person_of(own)]);
                } else {
                    has_others |= handed_in(file, upload.wrapper.as_deref()).is_some();
                }
            }
            is_listed |= upload.lists.names(&self.request.name);
            self.progress.advance_by(size(&path));
        }
        if names.is_empty() && is_listed {
            // Somebody of the class who handed in nothing is in its list all the same.
            names.push(self.request.name.clone());
        }
        names.sort();
        names.dedup();
        let found = FoundWork { id: batch.id.clone(), names, has_others };
        Ok((!found.names.is_empty()).then_some(found))
    }

    /// Reads the lists that were uploaded beside an archive.
    fn lists_beside(&self, batch: &SearchedBatch) -> io::Result<ExportLists> {
        let mut lists = ExportLists::default();
        for list in batch.lists() {
            lists.add_csv(&self.read_list(&batch.folder(self.folder).join(list))?);
        }
        Ok(lists)
    }

    fn read_list(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(self.limits.file_bytes).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns the names of an upload's files, and whose they are by these lists and those in it.
    fn files(
        &self,
        upload: &Path,
        group_by: GroupBy,
        lists: &ExportLists,
    ) -> io::Result<(Vec<String>, UploadNames)> {
        let names = packed::names(upload, &self.limits)?;
        let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
        let mut lists = lists.clone();
        let may_name = |name: &str| ExportLists::may_name_people(file_name(&plain(name)));
        if names.iter().any(|name| may_name(name)) {
            packed::each(upload, &self.limits, may_name, |name, content| {
                let mut bytes = Vec::new();
                content.take(self.limits.file_bytes).read_to_end(&mut bytes)?;
                lists.add(file_name(&plain(name)), &bytes);
                Ok(())
            })?;
        }
        let wrapper = wrapper(&names);
        Ok((names, UploadNames { wrapper, group_by, lists }))
    }

    fn write_findings(&self, findings: &Findings) -> anyhow::Result<()> {
        let place = self.folder.join(OUTPUT).join(FINDINGS);
        Ok(fs::write(place, serde_json::to_vec(findings)?)?)
    }

    /// Makes a zip of the person's files, and of the pairs that they occur in. It does not name other people.
    fn export(&self, findings: &mut Findings) -> anyhow::Result<()> {
        let out = BufWriter::new(File::create(self.folder.join(OUTPUT).join(PACKED))?);
        let mut zip = zip::ZipWriter::new(out);
        let mut pairs = Vec::new();
        let with_work =
            |batch: &&SearchedBatch| findings.found.iter().any(|one| one.id == batch.id);
        self.begin("packing files", self.request.batches.iter().filter(with_work));
        for found in &findings.found {
            let batch = self.request.batches.iter().find(|batch| batch.id == found.id);
            let Some(batch) = batch else { continue };
            if let Err(error) = self.export_of(batch, &mut zip) {
                findings.unread.push(unread(batch, "upload", &error));
            }
            let own_pairs = pairs_of(&batch.folder(self.folder), &self.request.name);
            if let Err(error) = &own_pairs {
                findings.unread.push(unread(batch, "report", error));
            }
            pairs.push(json!({
                "batch": batch.id,
                "title": batch.title,
                "submissions": found.names,
                "pairs": own_pairs.ok(),
            }));
        }
        add(&mut zip, "pairs.json", &Value::Array(pairs))?;
        if !findings.unread.is_empty() {
            add(&mut zip, "not-searched.json", &serde_json::to_value(&findings.unread)?)?;
        }
        zip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(())
    }

    fn export_of(
        &self,
        batch: &SearchedBatch,
        zip: &mut zip::ZipWriter<BufWriter<File>>,
    ) -> io::Result<()> {
        let lists = self.lists_beside(batch)?;
        for upload in batch.archives() {
            let path = batch.folder(self.folder).join(upload);
            let (_, names) = self.files(&path, batch.group_by, &lists)?;
            let is_own = |file: &str| names.is_of(&plain(file), &self.request.name);
            packed::each(&path, &self.limits, is_own, |file, content| {
                let place = format!("texts/{}/{}", batch.id, plain(file));
                zip.start_file(place, SimpleFileOptions::default())?;
                io::copy(content, zip).map(drop)
            })?;
            self.progress.advance_by(size(&path));
        }
        Ok(())
    }

    /// Returns the path at which an upload is written anew, in a folder that is made.
    fn place_of(&self, upload: &Path) -> io::Result<PathBuf> {
        let new = rewritten_in(self.folder, upload);
        fs::create_dir_all(new.parent().unwrap_or(self.folder))?;
        Ok(new)
    }

    /// Writes the archive of the first batch anew, with the files of the second one.
    fn join(&self) -> anyhow::Result<()> {
        self.begin("adding late submissions", self.request.batches.iter());
        let archives: Vec<(&Path, PathBuf)> = self
            .request
            .batches
            .iter()
            .flat_map(|batch| {
                batch.archives().map(|one| (one, batch.folder(self.folder).join(one)))
            })
            .collect();
        let [(upload, former), (_, later)] = &archives[..] else {
            anyhow::bail!("{} archives are there to be joined, and not two", archives.len());
        };
        let names = |path: &Path| -> io::Result<Vec<String>> {
            Ok(packed::names(path, &self.limits)?.iter().map(|name| plain(name)).collect())
        };
        let unread =
            |error: io::Error| anyhow::anyhow!("what was uploaded cannot be read: {error}");
        let joining = Joining::new(&names(former)?, &names(later).map_err(unread)?);
        let added = AddedFiles { path: later, place: &|name: &str| joining.place(&plain(name)) };
        let stays = |file: &str| joining.stays(&plain(file));
        packed::write_anew(former, &self.place_of(upload)?, &self.limits, stays, Some(&added))?;
        let joined = Joined { added: joining.added(), replaced: joining.replaced() };
        let place = self.folder.join(OUTPUT).join(JOINED);
        Ok(fs::write(place, serde_json::to_vec(&joined)?)?)
    }

    /// Writes the uploads of all batches without the person's files. One that cannot be read ends the errand.
    fn rewrite(&self) -> anyhow::Result<()> {
        self.begin("writing uploads anew", self.request.batches.iter());
        for batch in &self.request.batches {
            let lists = self.lists_beside(batch)?;
            for list in batch.lists() {
                let bytes = self.read_list(&batch.folder(self.folder).join(list))?;
                fs::write(self.place_of(list)?, lists.csv_without(&bytes, &self.request.name))?;
            }
            for upload in batch.archives() {
                let path = batch.folder(self.folder).join(upload);
                let (_, names) = self.files(&path, batch.group_by, &lists)?;
                let is_other = |file: &str| {
                    let (file, name) = (plain(file), &self.request.name);
                    !names.is_of(&file, name) && !names.is_list_with(&file, name)
                };
                let new = self.place_of(upload)?;
                packed::keep(&path, &new, &self.limits, is_other)?;
                self.check_without(&new, &names)?;
                self.progress.advance_by(size(&path));
            }
        }
        Ok(())
    }
}

impl Errand<'_> {
    /// Looks through an upload that was written anew: nothing in it may be the person's, by the names of the former one.
    fn check_without(&self, upload: &Path, names: &UploadNames) -> anyhow::Result<()> {
        let files = packed::names(upload, &self.limits)?;
        let is_own = |file: &&String| names.is_of(&plain(file), &self.request.name);
        let left = files.iter().filter(is_own).count();
        anyhow::ensure!(
            left == 0,
            "{left} files of the person are still in `{}`",
            upload.display()
        );
        Ok(())
    }
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

fn unread(batch: &SearchedBatch, part: &str, error: &io::Error) -> UnreadBatch {
    UnreadBatch::new(&batch.id, &batch.title, part, error)
}

fn add<W: Write + io::Seek>(
    zip: &mut zip::ZipWriter<W>,
    name: &str,
    content: &Value,
) -> anyhow::Result<()> {
    zip.start_file(name, SimpleFileOptions::default())?;
    Ok(zip.write_all(format!("{content:#}\n").as_bytes())?)
}

/// Maximum size of a report that is searched for pairs, in bytes.
const MAX_REPORT: u64 = 256 << 20;

/// Lists the pairs of a report that the person occurs in, with the places in the person's own files. A batch without
/// a report has none.
///
/// # Errors
/// If there is a report that cannot be read, or is larger than [`MAX_REPORT`].
fn pairs_of(batch: &Path, name: &str) -> io::Result<Vec<Value>> {
    let mut read = Vec::new();
    match File::open(batch.join("report/report.json")) {
        Ok(file) => file.take(MAX_REPORT + 1).read_to_end(&mut read)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    if read.len() as u64 > MAX_REPORT {
        return Err(io::Error::other(format!("it has more than {MAX_REPORT} bytes, the limit")));
    }
    let report: Value = serde_json::from_slice(&read)?;
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
    Ok(report["pairs"].as_array().into_iter().flatten().filter_map(own_side).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_report_is_not_one_without_pairs() {
        let batch = tempfile::tempdir().expect("folder");
        assert_eq!(pairs_of(batch.path(), "anna").expect("no report yet"), Vec::<Value>::new());
        let report = batch.path().join("report/report.json");
        fs::create_dir(batch.path().join("report")).expect("made");
        fs::write(&report, r#"{"submissions":[],"pairs":["#).expect("written");
        assert!(pairs_of(batch.path(), "anna").is_err());
        fs::write(&report, r#"{"submissions":[],"pairs":[]}"#).expect("written");
        assert!(pairs_of(batch.path(), "anna").expect("whole").is_empty());
    }
}
