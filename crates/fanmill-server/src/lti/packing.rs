//! Packs the files fetched for an assignment as a teacher would upload them, with a folder for each person, and has
//! them compared once nothing new has come for a while.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{BufWriter, IntoInnerError};
use std::path::Path;

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::batches::{self, Again};
use crate::error::Answer;
use crate::lti::courses::shortened;
use crate::lti::{intake, names};
use crate::run_blocking::run_blocking;
use crate::state::Server;
use crate::store::now;
use crate::upload::{self, Uploaded};
use crate::{earlier, packed};

/// The archive, and the folder in it that contains all others.
const ARCHIVE: &str = "submissions.tar";
const AROUND: &str = "submissions";

/// Seconds until a batch that could not be packed is tried again.
const LATER: i64 = 60;

/// Packs and queues the batches for which nothing new has come for a while.
pub(super) async fn compare(server: &Server) -> Answer<()> {
    let due = server.read(|c| {
        let sql = "SELECT activities.batch, settings FROM activities JOIN batches ON batches.id = activities.batch \
                   WHERE due <= ? AND state NOT IN ('queued', 'running') AND NOT EXISTS \
                   (SELECT 1 FROM assets WHERE assets.batch = activities.batch AND assets.state = 'wanted')";
        let mut statement = c.prepare(sql)?;
        let rows = statement.query_map([now()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<Vec<(String, String)>, _>>()?)
    });
    for (batch, settings) in due.await? {
        let id = batch.clone();
        if let Err(refusal) = one(server, batch, &settings).await {
            let fields = [("refused", refusal.message.into()), ("batch", id.clone().into())];
            server.0.config.log.say("pack", fields);
            let sql = "UPDATE activities SET due = ? WHERE batch = ?";
            server.write(move |tx| Ok(tx.execute(sql, params![now() + LATER, id])?)).await?;
        }
    }
    Ok(())
}

async fn one(server: &Server, batch: String, settings: &str) -> Answer<()> {
    let has_changed = pack(server, &batch).await?;
    let done = batch.clone();
    let sql = "UPDATE activities SET since = NULL, due = NULL WHERE batch = ?";
    server.write(move |tx| Ok(tx.execute(sql, [done])?)).await?;
    if has_changed {
        let settings: Value = serde_json::from_str(settings).unwrap_or_default();
        let uploaded = Uploaded { submissions: vec![ARCHIVE.into()], base: Vec::new() };
        let files = Again::Uploaded(uploaded);
        batches::again(server, "platform".to_owned(), batch, settings, files).await?;
    }
    Ok(())
}

/// A file of a batch, from its row, with its place in the archive.
#[derive(Debug, Clone)]
struct ArchivedFile {
    id: String,
    person: String,
    name: Option<String>,
    folder: Option<String>,
    file: String,
    state: String,
}

impl ArchivedFile {
    fn place(&self) -> String {
        format!("{AROUND}/{}/{}", self.folder.as_deref().unwrap_or_default(), self.file)
    }

    fn is(&self, state: &str) -> bool {
        self.state == state
    }
}

/// Brings a batch's archive up to date. Returns true if something has changed and the archive is not empty.
async fn pack(server: &Server, batch: &str) -> Answer<bool> {
    // Archives are rewritten by one task at a time.
    let _turn = server.0.rewriting.lock().await;
    let id = batch.to_owned();
    let mut all = server.read(move |c| files(c, &id)).await?;
    if all.iter().all(|one| one.is("kept")) {
        return Ok(false);
    }
    let names = names::of_batch(server, batch).await.unwrap_or_else(|refusal| {
        server.0.config.log.say("names", [("refused", refusal.message.into())]);
        HashMap::new()
    });
    for one in &mut all {
        one.name = one.name.take().or_else(|| names.get(&one.person).cloned());
    }
    put_into_folders(&mut all);
    name_apart(&mut all);
    let (folder, fetched, moved) =
        (server.folder(batch), intake::folder(server, batch), all.clone());
    let n_bytes = run_blocking(move || write_archive(&folder, &fetched, &moved)).await?;
    let n_files = all.iter().filter(|one| !one.is("replaced")).count();
    let id = batch.to_owned();
    let saved = server.write(move |tx| {
        for one in all.iter().filter(|one| one.is("fetched")) {
            let sql = "UPDATE assets SET state = 'kept', folder = ?, file = ?, name = NULL, attempts = 0, again = 0 \
                       WHERE id = ? AND state = 'fetched'";
            tx.execute(sql, params![one.folder, one.file, one.id])?;
        }
        for one in all.iter().filter(|one| one.is("replaced")) {
            tx.execute("DELETE FROM assets WHERE id = ?", [&one.id])?;
        }
        let sql = "UPDATE batches SET n_files = ?, bytes = ? WHERE id = ?";
        Ok(tx.execute(sql, params![n_files.cast_signed() as i64, n_bytes.cast_signed(), id])?)
    });
    saved.await?;
    // These files are in the archive now, and their rows say so.
    let fetched = intake::folder(server, batch);
    if fetched.exists() {
        fs::remove_dir_all(fetched)?;
    }
    Ok(n_files > 0)
}

fn files(c: &Connection, batch: &str) -> Answer<Vec<ArchivedFile>> {
    let sql = "SELECT id, person, name, folder, file, state FROM assets \
               WHERE batch = ? AND state IN ('fetched', 'kept', 'replaced') ORDER BY noticed, rowid";
    let mut statement = c.prepare(sql)?;
    let rows = statement.query_map([batch], |row| {
        Ok(ArchivedFile {
            id: row.get(0)?,
            person: row.get(1)?,
            name: row.get(2)?,
            folder: row.get(3)?,
            file: row.get(4)?,
            state: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<Vec<_>, _>>()?)
}

/// Gives each person a folder of their own, called by their name, and by their id too if others have that name.
fn put_into_folders(all: &mut [ArchivedFile]) {
    let known = all.iter().filter_map(|one| Some((one.person.clone(), one.folder.clone()?)));
    let mut folders: BTreeMap<String, String> = known.collect();
    let mut taken: BTreeSet<String> = folders.values().cloned().collect();
    for one in all.iter_mut().filter(|one| one.is("fetched")) {
        let folder = folders.entry(one.person.clone()).or_insert_with(|| {
            let (name, person) = (one.name.as_deref().map(plain), plain(&one.person));
            let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| person.clone());
            if taken.contains(&name) { format!("{name} ({person})") } else { name }
        });
        taken.insert(folder.clone());
        one.folder = Some(folder.clone());
    }
}

/// Gives every file a name of its own in its folder.
fn name_apart(all: &mut [ArchivedFile]) {
    let kept = all.iter().filter(|one| one.is("kept"));
    let mut places: BTreeSet<String> = kept.map(ArchivedFile::place).collect();
    for one in all.iter_mut().filter(|one| one.is("fetched")) {
        let file = one.file.clone();
        let (stem, ending) = match file.rfind('.') {
            Some(at) if at > 0 => file.split_at(at),
            _ => (&*file, ""),
        };
        for n in 2.. {
            if places.insert(one.place()) {
                break;
            }
            one.file = format!("{stem} ({n}){ending}");
        }
    }
}

/// Turns a name into the name of a folder.
fn plain(name: &str) -> String {
    let is_odd = |c: char| c == '/' || c == '\\' || c.is_control();
    let name: String = name.chars().map(|c| if is_odd(c) { '_' } else { c }).collect();
    shortened(name.trim_matches(['.', ' ']))
}

/// Rewrites the archive, without replaced files and with fetched ones. Returns its size in bytes.
fn write_archive(folder: &Path, fetched: &Path, all: &[ArchivedFile]) -> Answer<u64> {
    let archive = folder.join(ARCHIVE);
    let kept = all.iter().filter(|one| one.is("kept"));
    let stays: BTreeSet<String> = kept.map(ArchivedFile::place).collect();
    let new = folder.join("packed.new");
    let mut tar = tar::Builder::new(BufWriter::new(File::create(&new)?));
    if archive.exists() {
        packed::copy(File::open(&archive)?, &mut tar, |name| stays.contains(name))?;
    }
    for one in all.iter().filter(|one| one.is("fetched")) {
        upload::append(&mut tar, &fetched.join(&one.id), &one.place())?;
    }
    let out = tar.into_inner()?.into_inner().map_err(IntoInnerError::into_error)?;
    out.sync_all()?;
    fs::rename(new, &archive)?;
    earlier::relink(folder, &archive)?;
    Ok(fs::metadata(&archive)?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetched(person: &str, name: Option<&str>, file: &str) -> ArchivedFile {
        ArchivedFile {
            id: String::new(),
            person: person.to_owned(),
            name: name.map(str::to_owned),
            folder: None,
            file: file.to_owned(),
            state: "fetched".to_owned(),
        }
    }

    #[test]
    fn people_have_folders_and_files_names_of_their_own() {
        let mut all = [
            fetched("u1", Some("Mei Lin"), "a.py"),
            fetched("u2", Some("Mei Lin"), "a.py"),
            fetched("u1", Some("Mei Lin"), "a.py"),
            fetched("u1", Some("Mei Lin"), "a.py"),
            fetched("u/3", None, ".profile"),
            fetched("u4", Some("../x"), "b"),
        ];
        put_into_folders(&mut all);
        name_apart(&mut all);
        let places: Vec<String> = all.iter().map(ArchivedFile::place).collect();
        let expected = [
            "submissions/Mei Lin/a.py",
            "submissions/Mei Lin (u2)/a.py",
            "submissions/Mei Lin/a (2).py",
            "submissions/Mei Lin/a (3).py",
            "submissions/u_3/.profile",
            "submissions/_x/b",
        ];
        assert_eq!(places, expected);
    }
}
