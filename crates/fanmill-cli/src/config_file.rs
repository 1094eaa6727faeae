//! The config file: settings of `fanmill compare` that are kept, as TOML.
//!
//! It is read only where `--config` names it, never because it lies in the folder that one stands
//! in: a result that is used as evidence must not depend on where it was made. Unknown keys and
//! wrong types are errors, so that a misspelt threshold is not passed over.

use std::fmt;
use std::io::Read;
use std::path::Path;

use fanmill::Error;
use fanmill::pipeline::{Config, MaxDocs, Wanted};
use fanmill::select::Thresholds;
use fanmill::token::Kind;
use fanmill_source::given;
use serde::de::{self, Deserialize, Deserializer, Visitor};

/// Largest file that is read, in bytes; a whole one has a few hundred.
const MOST_BYTES: u64 = 1 << 20;

/// The file.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    compare: Option<Compare>,
}

/// `[compare]`, each key named as its flag.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Compare {
    noise: Option<u32>,
    guarantee: Option<u32>,
    select: Option<String>,
    max_docs: Option<MaxDocsText>,
    min_score: Option<f64>,
    max_pairs: Option<usize>,
    cluster_threshold: Option<f64>,
    code: Option<OfKind>,
    words: Option<OfKind>,
    chars: Option<OfKind>,
}

/// `[compare.code]` and its like.
#[derive(Debug, Clone, Copy, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct OfKind {
    noise: Option<u32>,
    guarantee: Option<u32>,
}

/// `12` or `"30%"`.
#[derive(Debug)]
struct MaxDocsText(String);

impl<'de> Deserialize<'de> for MaxDocsText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MaxDocsText, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = MaxDocsText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of submissions, 12, or a share of them, \"30%\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<MaxDocsText, E> {
                Ok(MaxDocsText(text.to_owned()))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<MaxDocsText, E> {
                Ok(MaxDocsText(number.to_string()))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The settings of a file over the presets.
///
/// # Errors
/// If it cannot be read, is no TOML, or has a key or a value that means nothing.
pub(crate) fn read(path: &Path) -> fanmill::Result<Config> {
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

/// The settings of a text; an error's text goes on after the file's name.
fn parse(text: &str) -> Result<Config, String> {
    let tables: Tables = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
        let message = error.message().replace("unknown field", "unknown key");
        format!(", line {line}: {}", message.replace('\n', " "))
    })?;
    let mut config = Config::standard();
    let Some(compare) = tables.compare else { return Ok(config) };
    compare.apply(&mut config).map_err(|why| format!(", {why}"))?;
    Ok(config)
}

impl Compare {
    fn apply(self, config: &mut Config) -> Result<(), String> {
        let of_kind = [
            (Kind::Code, "code", self.code),
            (Kind::Words, "words", self.words),
            (Kind::Chars, "chars", self.chars),
        ];
        for (kind, name, own) in of_kind {
            let own = own.unwrap_or_default();
            let wanted = Wanted {
                noise: own.noise.or(self.noise),
                guarantee: own.guarantee.or(self.guarantee),
            };
            config.by_kind.insert(kind, wanted);
            config.recipe(kind).map_err(|error| format!("thresholds for {name}: {error}"))?;
        }
        if let Some(name) = self.select {
            config.selector =
                Some(name.parse().map_err(|error: Error| format!("select: {error}"))?);
        }
        if let Some(MaxDocsText(text)) = self.max_docs {
            let limit: Result<MaxDocs, Error> = text.parse();
            config.max_docs = Some(limit.map_err(|error| format!("max-docs: {error}"))?);
        }
        config.max_pairs = self.max_pairs.unwrap_or(config.max_pairs);
        config.min_score = score("min-score", self.min_score)?.unwrap_or(config.min_score);
        config.cluster_threshold = score("cluster-threshold", self.cluster_threshold)?;
        Ok(())
    }
}

fn score(key: &str, value: Option<f64>) -> Result<Option<f64>, String> {
    match value {
        Some(score) if !(0.0..=1.0).contains(&score) => {
            Err(format!("{key}: {score} is not a score; scores go from 0 to 1"))
        }
        other => Ok(other),
    }
}

/// A config file with thresholds for kinds of text; `why` stands above them as a comment.
pub(crate) fn write(why: &str, thresholds: &[(Kind, Thresholds)]) -> String {
    let comment = why.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n");
    let tables = thresholds.iter().map(|(kind, thresholds)| {
        let (noise, guarantee) = (thresholds.noise(), thresholds.guarantee());
        format!("\n[compare.{kind}]\nnoise = {noise}\nguarantee = {guarantee}\n")
    });
    comment.chain(tables).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thresholds(config: &Config, kind: Kind) -> (usize, usize) {
        let thresholds = config.recipe(kind).expect("checked").thresholds;
        (thresholds.noise(), thresholds.guarantee())
    }

    #[test]
    fn every_key_is_read() {
        let config = parse(
            "[compare]\nnoise = 8\nguarantee = 20\nselect = 'winnow'\nmax-docs = '30%'\n\
             min-score = 0.2\nmax-pairs = 7\ncluster-threshold = 1\n\n\
             [compare.code]\nguarantee = 36\n[compare.words]\nnoise = 4\n",
        )
        .expect("fine");
        assert_eq!(thresholds(&config, Kind::Code), (8, 36));
        assert_eq!(thresholds(&config, Kind::Words), (4, 20));
        assert_eq!(thresholds(&config, Kind::Chars), (8, 20));
        assert_eq!(config.selector.expect("given").to_string(), "winnow");
        assert_eq!(config.max_docs, Some(MaxDocs::Share(0.3)));
        assert_eq!(
            (config.min_score, config.max_pairs, config.cluster_threshold),
            (0.2, 7, Some(1.0))
        );
        let config = parse("[compare]\nmax-docs = 12\n").expect("fine");
        assert_eq!(config.max_docs, Some(MaxDocs::Count(12)));
    }

    #[test]
    fn an_empty_file_changes_nothing() {
        for text in ["", "[compare]\n", "# nothing\n"] {
            let config = parse(text).expect("fine");
            assert_eq!(thresholds(&config, Kind::Code), (11, 24));
            assert_eq!((config.max_pairs, config.max_docs), (500, None));
        }
    }

    #[test]
    fn errors_name_the_line_and_what_is_known() {
        let wrong = |text: &str| parse(text).expect_err("wrong");
        assert_eq!(
            wrong("[compare]\nnois = 8\n"),
            ", line 2: unknown key `nois`, expected one of `noise`, `guarantee`, `select`, `max-docs`, \
             `min-score`, `max-pairs`, `cluster-threshold`, `code`, `words`, `chars`"
        );
        assert_eq!(wrong("\n[dedup]\n"), ", line 2: unknown key `dedup`, expected `compare`");
        assert_eq!(
            wrong("[compare.code]\nselect = 'all'\n"),
            ", line 2: unknown key `select`, expected `noise` or `guarantee`"
        );
        assert_eq!(
            wrong("[compare]\n\nnoise = '8'\n"),
            ", line 3: invalid type: string \"8\", expected u32"
        );
        assert!(wrong("[compare]\nmax-docs = 0.3\n").contains("a share of them, \"30%\""));
        assert!(wrong("[compare]\nmax-docs = -1\n").starts_with(", max-docs: `-1` is neither"));
        assert!(wrong("[compare]\nmin-score = 60\n").contains("60 is not a score"));
        assert!(wrong("[compare]\nmin-score = nan\n").contains("is not a score"));
        assert!(wrong("[compare]\nselect = 'best'\n").starts_with(", select: unknown selector"));
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
        let config = parse(&text).expect("ours");
        assert_eq!(thresholds(&config, Kind::Code), (9, 36));
        assert_eq!(thresholds(&config, Kind::Words), (4, 6));
        assert_eq!(thresholds(&config, Kind::Chars), (25, 50));
    }
}
