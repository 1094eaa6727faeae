//! One comparison: files and a request in, the files of the report out.

use std::vec;

use fanmill_jobs::compare::{self, Inputs, Settings};
use fanmill_jobs::given::SettingsLayer;
use fanmill_report::HeldFile;
use fanmill_source::MemoryFiles;
use fanmill_text::message::Vocabulary;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};

/// Files that are to be compared, and then the files of their report.
#[derive(Debug, Default)]
pub struct Session {
    held: MemoryFiles,
    report: vec::IntoIter<HeldFile>,
}

impl Session {
    /// Adds a file with its path, which is relative, with `/` between its parts.
    ///
    /// # Errors
    /// If the path is not UTF-8, leads out of the folder, or is that of another file or folder.
    pub fn add(&mut self, path: &[u8], bytes: Vec<u8>) -> Result<()> {
        let path = str::from_utf8(path)
            .map_err(|_| Error::input("the path of a file is not UTF-8; rename the file"))?;
        self.held.add(path, bytes)
    }

    /// Compares the files that were added, with the settings that `request` names in JSON, and forgets them.
    ///
    /// # Errors
    /// If the request is not valid, settings contradict each other, or the comparison fails.
    pub fn compare(&mut self, request: &[u8], progress: &dyn Progress) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        self.report = Vec::new().into_iter();
        let request = str::from_utf8(request)
            .map_err(|_| Error::setting("the settings cannot be read: they are not UTF-8"))?;
        let (settings, inputs): (Settings, Inputs) =
            SettingsLayer::from_json(request)?.fill_both()?;
        let (_, files) = compare::run_held(&settings, &inputs, held, progress)?;
        self.report = files.into_iter();
        Ok(())
    }

    /// Returns the next file of the report: its path and its bytes.
    pub fn next_file(&mut self) -> Option<HeldFile> {
        self.report.next()
    }
}

/// The vocabulary of the page, which has some of the settings as fields.
struct Page;

impl Vocabulary for Page {
    fn setting(&self, name: &str) -> String {
        match name {
            "noise" => "“Shortest match”".to_owned(),
            "guarantee" => "“Always found”".to_owned(),
            "max-docs" => "“Boilerplate if in more than”".to_owned(),
            "lang" => "“Language”".to_owned(),
            "group-by" => "“One submission is”".to_owned(),
            "base" => "“Boilerplate”".to_owned(),
            "archive" => "“Earlier work”".to_owned(),
            other => format!("`{other}`, a setting of the command"),
        }
    }

    fn task(&self, name: &str) -> String {
        format!("the command `fanmill {}`", name.replace('-', " "))
    }
}

/// Writes out an error in the words of the page.
pub fn words(error: &Error) -> String {
    error.message().say(&Page)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    use fanmill_text::progress::Silent;

    use super::*;

    const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

    /// Adds a file below `examples/`, or all files in a folder there.
    fn add(session: &mut Session, path: &str) {
        let on_disk = Path::new(EXAMPLES).join(path);
        if on_disk.is_dir() {
            for entry in fs::read_dir(on_disk).expect("a folder") {
                let name = entry.expect("a name").file_name().into_string().expect("UTF-8");
                add(session, &format!("{path}/{name}"));
            }
        } else {
            let bytes = fs::read(on_disk).expect("a file");
            session.add(path.as_bytes(), bytes).expect("a path of its own");
        }
    }

    fn report(session: &mut Session) -> BTreeMap<String, Vec<u8>> {
        std::iter::from_fn(|| session.next_file()).collect()
    }

    fn on_disk(folder: &Path, below: &str, all: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("a name");
            let name = format!("{below}{}", entry.file_name().to_str().expect("UTF-8"));
            if entry.path().is_dir() {
                on_disk(&entry.path(), &format!("{name}/"), all);
            } else {
                all.insert(name, fs::read(entry.path()).expect("a file"));
            }
        }
    }

    #[test]
    fn the_report_is_that_of_a_run_on_disk() {
        let mut session = Session::default();
        for part in ["submissions", "handout", "last-year", "manifest.csv"] {
            add(&mut session, &format!("assignment/{part}"));
        }
        let request = r#"{"max_docs": "60%", "paths": ["assignment/manifest.csv"],
            "base": ["assignment/handout"], "archive": ["assignment/last-year"], "title": "Stock"}"#;
        session.compare(request.as_bytes(), &Silent).expect("a report");
        let held = report(&mut session);

        let examples = |path: &str| Path::new(EXAMPLES).join(path);
        let mut settings = Settings::default();
        settings.max_docs = Some("60%".parse().expect("a share"));
        let mut inputs = Inputs::from_paths([examples("assignment/manifest.csv")]);
        inputs.base.push(examples("assignment/handout"));
        inputs.archive.push(examples("assignment/last-year"));
        inputs.title = Some("Stock".to_owned());
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("report");
        compare::run(&settings, &inputs, Some(&folder), &Silent).expect("a report");
        let mut expected = BTreeMap::new();
        on_disk(&folder, "", &mut expected);
        assert_eq!(held.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (name, bytes) in &expected {
            assert!(held[name] == *bytes, "{name} differs");
        }
        assert!(session.next_file().is_none());
    }

    #[test]
    fn faults_are_said_in_the_words_of_the_page() {
        let mut session = Session::default();
        let mut says = |request: &str| {
            session.add(b"class/a.py", b"x = 1".to_vec()).expect("a path");
            words(&session.compare(request.as_bytes(), &Silent).expect_err("a fault"))
        };
        let low = says(r#"{"noise": 20, "guarantee": 10, "paths": ["class"]}"#);
        assert!(low.contains("“Shortest match”"), "{low}");
        assert!(says(r#"{"path": ["class"]}"#).contains("there is no such setting"));
        assert!(says("{").starts_with("the settings cannot be read"));
        let gone = says(r#"{"paths": ["other"]}"#);
        assert!(gone.starts_with("`other` does not exist"), "{gone}");
        assert!(session.add(b"\xff", Vec::new()).is_err());
    }

    #[test]
    fn a_session_can_be_used_again() {
        let mut session = Session::default();
        let request = br#"{"paths": ["essays"]}"#;
        let mut runs = (0..2).map(|_| {
            add(&mut session, "essays");
            session.compare(request, &Silent).expect("a report");
            report(&mut session)
        });
        assert_eq!(runs.next(), runs.next());
    }
}
