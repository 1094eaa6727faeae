//! The config file: settings as TOML.
//!
//! It is read only if named, never because it is in the current folder: a result that is used as evidence
//! must not depend on where it was made. Unknown keys and wrong types are errors, so that a misspelt
//! threshold does not go unnoticed.

use std::fmt;
use std::io::Read;
use std::path::Path;

use fanmill::select::Thresholds;
use fanmill::token::Kind;
use fanmill::{Error, Result};
use fanmill_source::given;

use crate::compare;

/// Maximum size of a config file in bytes; usual ones have a few hundred.
const MOST_BYTES: u64 = 1 << 20;

/// The file: one table per job.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Tables {
    compare: compare::Settings,
}

/// Reads the settings of a file.
///
/// # Errors
/// If it cannot be read, is not TOML, or has an unknown key or an invalid value.
pub fn read(path: &Path) -> Result<compare::Settings> {
    let mut bytes = Vec::new();
    let file = given::open_file("config file", path)?;
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::io("read config file", path, error))?;
    let at_fault =
        |why: &dyn fmt::Display| Error::setting(format!("config file `{}`{why}", path.display()));
    if bytes.len() as u64 > MOST_BYTES {
        return Err(at_fault(&format_args!(" is above the limit of {MOST_BYTES} bytes")));
    }
    let text = str::from_utf8(&bytes)
        .map_err(|_| at_fault(&" is not UTF-8; TOML is: save it as UTF-8"))?;
    parse(text).map_err(|why| at_fault(&why))
}

/// Parses the settings; an error's text continues after the file's name.
fn parse(text: &str) -> std::result::Result<compare::Settings, String> {
    let Tables { compare } = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
        let message = error.message().replace("unknown field", "unknown key");
        let message = ["u32", "usize"].iter().fold(message, |message, kind| {
            message.replace(&format!("expected {kind}"), "expected a whole number from 0 up")
        });
        format!(", line {line}: {}", message.replace('\n', " "))
    })?;
    let config = compare.config().map_err(|error| format!(", {error}"))?;
    for kind in [Kind::Code, Kind::Words, Kind::Chars] {
        let recipe = config.recipe(kind);
        recipe.map_err(|error| format!(", thresholds for {kind}: {error}"))?;
    }
    Ok(compare)
}

/// A config file with thresholds for kinds of text; `why` stands above them as a comment.
pub fn write(why: &str, thresholds: &[(Kind, Thresholds)]) -> String {
    let comment = why.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n");
    let tables = thresholds.iter().map(|(kind, thresholds)| {
        let (noise, guarantee) = (thresholds.noise(), thresholds.guarantee());
        format!("\n[compare.{kind}]\nnoise = {noise}\nguarantee = {guarantee}\n")
    });
    comment.chain(tables).collect()
}

#[cfg(test)]
mod tests {
    use fanmill::pipeline::MaxDocs;

    use super::*;

    fn thresholds(settings: &compare::Settings, kind: Kind) -> (usize, usize) {
        let config = settings.config().expect("checked");
        let thresholds = config.recipe(kind).expect("checked").thresholds;
        (thresholds.noise(), thresholds.guarantee())
    }

    #[test]
    fn every_key_is_read() {
        let settings = parse(
            "[compare]\nnoise = 8\nguarantee = 20\nselect = 'winnow'\nmax-docs = '30%'\n\
             min-score = 0.2\nmax-pairs = 7\ncluster-threshold = 1\n\n\
             [compare.code]\nguarantee = 36\n[compare.words]\nnoise = 4\n",
        )
        .expect("fine");
        assert_eq!(thresholds(&settings, Kind::Code), (8, 36));
        assert_eq!(thresholds(&settings, Kind::Words), (4, 20));
        assert_eq!(thresholds(&settings, Kind::Chars), (8, 20));
        assert_eq!(settings.select.expect("given").to_string(), "winnow");
        assert_eq!(settings.max_docs, Some(MaxDocs::Share(0.3)));
        assert_eq!(
            (settings.min_score, settings.max_pairs, settings.cluster_threshold),
            (0.2, 7, Some(1.0))
        );
        let settings = parse("[compare]\nmax-docs = 12\n").expect("fine");
        assert_eq!(settings.max_docs, Some(MaxDocs::Count(12)));
    }

    #[test]
    fn an_empty_file_changes_nothing() {
        for text in ["", "[compare]\n", "# nothing\n"] {
            let settings = parse(text).expect("fine");
            assert_eq!(thresholds(&settings, Kind::Code), (11, 24));
            assert_eq!((settings.max_pairs, settings.max_docs), (1500, None));
        }
    }

    #[test]
    fn errors_name_the_line_and_what_is_known() {
        let wrong = |text: &str| parse(text).expect_err("wrong");
        assert_eq!(
            wrong("[compare]\nnois = 8\n"),
            ", line 2: unknown key `nois`, expected one of `noise`, `guarantee`, `select`, `max-docs`, \
             `quotes`, `min-score`, `max-pairs`, `cluster-threshold`, `code`, `words`, `chars`"
        );
        assert_eq!(wrong("\n[dedup]\n"), ", line 2: unknown key `dedup`, expected `compare`");
        assert_eq!(
            wrong("[compare.code]\nselect = 'all'\n"),
            ", line 2: unknown key `select`, expected `noise` or `guarantee`"
        );
        assert_eq!(
            wrong("[compare]\n\nnoise = '8'\n"),
            ", line 3: invalid type: string \"8\", expected a whole number from 0 up"
        );
        assert!(
            wrong("[compare]\nmax-pairs = -1\n").ends_with("expected a whole number from 0 up")
        );
        assert!(wrong("[compare]\nmax-docs = 0.3\n").contains("a share of them, \"30%\""));
        assert!(wrong("[compare]\nmax-docs = -1\n").starts_with(", line 2: `-1` is neither"));
        assert!(wrong("[compare]\nmin-score = 60\n").contains("60 is not a score"));
        assert!(wrong("[compare]\nmin-score = nan\n").contains("is not a score"));
        assert!(wrong("[compare]\nselect = 'best'\n").starts_with(", line 2: unknown selector"));
        assert!(wrong("noise 8").starts_with(", line 1: "));
        assert!(
            wrong("[compare.words]\nnoise = 30\nguarantee = 9\n")
                .starts_with(", thresholds for words: guarantee threshold 9 is below")
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        let of = |noise, guarantee| Thresholds::new(noise, guarantee).expect("ordered");
        let text =
            write("Two lines\n\nand one", &[(Kind::Code, of(9, 36)), (Kind::Words, of(4, 6))]);
        assert!(text.starts_with("# Two lines\n#\n# and one\n\n[compare.code]\n"), "{text}");
        let settings = parse(&text).expect("ours");
        assert_eq!(thresholds(&settings, Kind::Code), (9, 36));
        assert_eq!(thresholds(&settings, Kind::Words), (4, 6));
        assert_eq!(thresholds(&settings, Kind::Chars), (25, 50));
    }
}
