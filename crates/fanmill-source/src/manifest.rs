//! Manifests: a CSV that names files, with person, author, label and hand-in time.
//!
//! ```text
//! file,author,label,submitted
//! submissions/ada,Ada,morning,2026-03-02T09:58:00Z
//! ```
//!
//! Columns are found by name, in any order and case; only `file` (or `path`, `filename`) must be there. Dolos's
//! `info.csv` (`filename`, `full_name`, `label`, `created_at`) can be read as it is. Fields are separated by commas,
//! semicolons or tabs, whichever the first line has most of outside its quotes.
//!
//! Cost: O(n) in the file's length, which is limited as that of any document.
//! Source: RFC 4180; the names of Dolos's columns from its documentation, "Add metadata".

use crate::handin;
use crate::label::label;
use fanmill_text::document::Submission;

/// Names that a manifest beside the files may have.
pub(super) const FILE_NAMES: [&str; 2] = ["info.csv", "manifest.csv"];

/// One line: a file and the facts about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// 1-based line in the CSV.
    pub(super) line: u64,
    /// The path as written, to be checked before it is opened.
    pub(super) file: String,
    pub(super) submission: Option<String>,
    pub(super) about: About,
}

/// Facts about a submission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct About {
    /// The person, by a login or a number that no one else has. Everything of one person is joined.
    pub(super) person: Option<String>,
    pub(super) author: Option<String>,
    pub(super) label: Option<String>,
    pub(super) submitted: Option<String>,
}

impl About {
    /// Adds the facts that a submission lacks: the first one given counts.
    pub(super) fn describe(&self, submission: &mut Submission) {
        let Submission { person, author, label, submitted, .. } = submission;
        self.fill([person, author, label, submitted]);
    }

    /// Adds the facts that are not known yet.
    pub(super) fn complete(&self, known: &mut About) {
        let About { person, author, label, submitted } = known;
        self.fill([person, author, label, submitted]);
    }

    fn fill(&self, known: [&mut Option<String>; 4]) {
        let own = [&self.person, &self.author, &self.label, &self.submitted];
        for (known, own) in known.into_iter().zip(own) {
            if known.is_none() {
                known.clone_from(own);
            }
        }
    }
}

impl Row {
    /// Returns the file as a label.
    pub(super) fn target(&self) -> String {
        label(&self.file)
    }
}

/// The rows of a manifest, and its faults.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) rows: Vec<Row>,
    /// Line and reason of each fault.
    pub(super) faults: Vec<(u64, String)>,
}

/// Positions of the columns.
struct Columns {
    count: usize,
    file: usize,
    submission: Option<usize>,
    person: Option<usize>,
    author: Option<usize>,
    label: Option<usize>,
    submitted: Option<usize>,
}

impl Columns {
    /// Finds the columns in a header; `None` if no column names files, so that the CSV is not a manifest.
    fn find(header: &csv::ByteRecord) -> Option<Columns> {
        let names: Vec<String> =
            header.iter().map(|name| text(name).unwrap_or_default().to_ascii_lowercase()).collect();
        let find = |known: &[&str]| {
            known.iter().find_map(|&name| names.iter().position(|own| own == name))
        };
        Some(Columns {
            count: names.len(),
            file: find(&["file", "path", "filename"])?,
            submission: find(&["submission", "group"]),
            person: find(&["person", "login", "username"]),
            author: find(&["author", "full_name", "full name"]),
            label: find(&["label"]),
            submitted: find(&[
                "submitted",
                "created_at",
                "submitted_at",
                "last modified (submission)",
                "time",
            ]),
        })
    }
}

/// Reads a manifest; `None` if the first line names no file column.
pub(super) fn parse(bytes: &[u8]) -> Option<Manifest> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator(bytes)).flexible(true).from_reader(bytes);
    let columns = Columns::find(reader.byte_headers().ok()?)?;
    let mut manifest = Manifest::default();
    for record in reader.byte_records() {
        match record {
            Ok(record) => add(&mut manifest, &columns, &record),
            // Only reading can fail here, and a slice does not.
            Err(error) => manifest.faults.push((0, error.to_string())),
        }
    }
    settle_times(&mut manifest);
    Some(manifest)
}

/// Brings hand-in times to one form. Times that cannot be read stay as they are written, and one fault covers all of
/// them.
fn settle_times(manifest: &mut Manifest) {
    let mut odd: Vec<(u64, &str)> = Vec::new();
    for row in &mut manifest.rows {
        // Moodle's word for "never".
        let submitted = &mut row.about.submitted;
        submitted.take_if(|time| time == "-");
        let Some(time) = submitted else { continue };
        match handin::read(time) {
            Some(read) => *time = read,
            None => odd.push((row.line, time)),
        }
    }
    let Some(&(line, time)) = odd.first() else { return };
    let others = match odd.len() - 1 {
        0 => String::new(),
        1 => " and another line have times that".to_owned(),
        n => format!(" and {n} other lines have times that"),
    };
    let reason = if others.is_empty() {
        format!("has the time `{time}`, which cannot be read; write {}", handin::ACCEPTED)
    } else {
        format!("(`{time}`){others} cannot be read; write {}", handin::ACCEPTED)
    };
    manifest.faults.push((line, reason));
}

fn add(manifest: &mut Manifest, columns: &Columns, record: &csv::ByteRecord) {
    let line = record.position().map_or(0, csv::Position::line);
    let Some(file) = record.get(columns.file).and_then(text) else {
        manifest.faults.push((line, "names no file".to_owned()));
        return;
    };
    let sound = record.len() == columns.count;
    if !sound {
        let (has, wants) = (record.len(), columns.count);
        let reason = format!(
            "has {has} fields where the header has {wants}: only its file is used \
             (is a quote or a separator missing?)"
        );
        manifest.faults.push((line, reason));
    }
    let field = |column: Option<usize>| {
        column.filter(|_| sound).and_then(|column| record.get(column)).and_then(text)
    };
    manifest.rows.push(Row {
        line,
        file,
        submission: field(columns.submission),
        about: About {
            // Some export nobody as this.
            person: field(columns.person).filter(|person| person.contains(char::is_alphanumeric)),
            author: field(columns.author),
            label: field(columns.label),
            submitted: field(columns.submitted),
        },
    });
}

/// Returns a field without the blanks around it; `None` if nothing is left.
pub(super) fn text(field: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(field);
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the character that separates fields.
pub(super) fn separator(bytes: &[u8]) -> u8 {
    let line = bytes.split(|&byte| byte == b'\n' || byte == b'\r').next().unwrap_or_default();
    let count = |separator: u8| {
        let mut quoted = false;
        line.iter()
            .filter(|&&byte| {
                quoted ^= byte == b'"';
                byte == separator && !quoted
            })
            .count()
    };
    // `max_by_key` returns the last of equals, so the comma.
    [b'\t', b';', b','].into_iter().max_by_key(|&separator| count(separator)).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(csv: &str) -> Vec<Row> {
        parse(csv.as_bytes()).expect("a manifest").rows
    }

    #[test]
    fn columns_are_found_by_name() {
        let row = &rows("Label, AUTHOR ,file,submitted\nb,Ada,a.py,2026-03-02\n")[0];
        assert_eq!(row.file, "a.py");
        assert_eq!(row.about.author.as_deref(), Some("Ada"));
        assert_eq!(row.about.label.as_deref(), Some("b"));
        assert_eq!(row.about.submitted.as_deref(), Some("2026-03-02"));
        assert_eq!(row.line, 2);
    }

    #[test]
    fn the_csv_of_dolos_reads_as_it_is() {
        let csv =
            "id,filename,status,full_name,label,created_at\n7,a/b.js,ok,\"B, Bo\",x,2020-01-01\n";
        let row = &rows(csv)[0];
        assert_eq!((row.file.as_str(), row.about.author.as_deref()), ("a/b.js", Some("B, Bo")));
        assert_eq!(row.about.submitted.as_deref(), Some("2020-01-01"));
    }

    #[test]
    fn bom_semicolons_crlf_and_newlines_in_quotes_are_read() {
        let csv = "\u{feff}file;author\r\n\"a\nb.py\";\"Smith; \"\"Jo\"\"\"\r\nc.py;Cy\r\n";
        let rows = rows(csv);
        assert_eq!(rows[0].file, "a\nb.py");
        assert_eq!(rows[0].about.author.as_deref(), Some("Smith; \"Jo\""));
        assert_eq!(rows[1].file, "c.py");
    }

    /// A column `name` holds names of people or of files: two rows with the same name are two submissions.
    #[test]
    fn a_column_called_name_joins_nothing() {
        let rows = rows("file,name\na.py,Kim Lee\nb.py,Kim Lee\n");
        assert!(rows.iter().all(|row| row.submission.is_none()), "{rows:?}");
    }

    #[test]
    fn times_are_brought_to_one_form_and_odd_ones_are_told() {
        let csv = "file;submitted\n\
            a.py;Sunday, 1 March 2026, 5:42 PM\nb.py;soon\nc.py;-\nd.py;\ne.py;2026-03-01\n";
        let manifest = parse(csv.as_bytes()).expect("a manifest");
        let times: Vec<Option<&str>> =
            manifest.rows.iter().map(|row| row.about.submitted.as_deref()).collect();
        let read = Some("2026-03-01T17:42:00");
        assert_eq!(times, [read, Some("soon"), None, None, Some("2026-03-01")]);
        let [(line, reason)] = &manifest.faults[..] else { panic!("{:?}", manifest.faults) };
        assert_eq!(*line, 3);
        assert!(reason.starts_with("has the time `soon`, which cannot be read; write `2026-"));
        let many = parse(format!("{csv}f.py;later\ng.py;never\n").as_bytes()).expect("a manifest");
        let [(3, reason)] = &many.faults[..] else { panic!("{:?}", many.faults) };
        assert!(reason.starts_with("(`soon`) and 2 other lines have times that cannot be read"));
    }

    #[test]
    fn a_csv_without_a_file_column_is_no_manifest() {
        assert_eq!(parse(b"name,score\nada,3\n"), None);
        assert_eq!(parse(b""), None);
    }

    #[test]
    fn a_malformed_line_keeps_its_file_and_says_so() {
        let manifest = parse(b"file,author\na.py,Smith, Jo\n,Cy\nb.py,Bo\n").expect("a manifest");
        let files: Vec<&str> = manifest.rows.iter().map(|row| row.file.as_str()).collect();
        assert_eq!(files, ["a.py", "b.py"]);
        assert_eq!(manifest.rows[0].about.author, None);
        assert_eq!(manifest.faults[0].0, 2);
        assert_eq!(manifest.faults[1], (3, "names no file".to_owned()));
    }

    proptest! {
        #[test]
        fn no_csv_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut csv = b"file,author\n".to_vec();
            csv.extend(bytes);
            prop_assert!(parse(&csv).is_some());
        }
    }
}
