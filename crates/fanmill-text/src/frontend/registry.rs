//! Choice of a document's front end: by order, by name, by `#!` line, or as a fallback.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chars::Chars;
use super::code_or_prose::{is_clearly_code, looks_like_code};
use super::earlier::Earlier;
use super::front_end::FrontEnd;
use super::recognition::{Evidence, Recogniser};
use super::words::Words;
use crate::error::{Error, Result};
use crate::message;
use crate::message::Message;
use crate::near::nearness;
use crate::scheme::FrontEndVersion;
use crate::setting::Task;

/// Name of the front end for code in a language that nothing else claims.
pub const GENERIC: &str = "generic";

/// Number of bytes of a text that are looked at to distinguish code from prose, and one claimant from another.
const SAMPLE: usize = 16 << 10;

/// All front ends, by name and by their claims.
#[derive(Debug, Clone)]
pub struct Registry {
    pub(super) front_ends: Vec<Arc<dyn FrontEnd>>,
    pub(super) by_name: BTreeMap<&'static str, usize>,
    /// Claimants in the order of registration; never empty.
    by_alias: BTreeMap<&'static str, Vec<usize>>,
    pub(super) by_extension: BTreeMap<&'static str, Vec<usize>>,
    pub(super) by_file_name: BTreeMap<&'static str, Vec<usize>>,
    pub(super) by_interpreter: BTreeMap<&'static str, Vec<usize>>,
    pub(super) idioms: Arc<Recogniser>,
}

/// A front end, and the reason for choosing it.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// The front end that turns the document into tokens.
    pub front_end: &'a dyn FrontEnd,
    /// The reason for choosing it.
    pub why: ChoiceReason,
}

/// A reason for choosing a front end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChoiceReason {
    /// The user asked for it.
    Forced,
    /// The whole file name is claimed: `makefile`.
    FileName,
    /// The extension is claimed.
    Extension,
    /// The interpreter of the `#!` line is claimed.
    Interpreter,
    /// The extension is one of prose, and the one before it is claimed: `a.py.txt`.
    InnerExtension,
    /// The name is one of prose, and the text is clearly code.
    Content,
    /// The content leaves it open, and most files of the batch with this extension are read so.
    Batch,
    /// Nothing claims it, and it looks like code.
    FallbackCode,
    /// Nothing claims it, and it does not look like code, or there is no generic front end.
    FallbackProse,
}

impl ChoiceReason {
    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            ChoiceReason::Forced => "forced",
            ChoiceReason::FileName => "file-name",
            ChoiceReason::Extension => "extension",
            ChoiceReason::Interpreter => "interpreter",
            ChoiceReason::InnerExtension => "inner-extension",
            ChoiceReason::Content => "content",
            ChoiceReason::Batch => "batch",
            ChoiceReason::FallbackCode => "fallback-code",
            ChoiceReason::FallbackProse => "fallback-prose",
        }
    }

    /// Returns whether the choice is a guess, which the report shows: no front end claimed the document, or the one that
    /// did was overruled by the content, by the rest of the name or by the batch.
    pub fn is_fallback(self) -> bool {
        match self {
            ChoiceReason::InnerExtension
            | ChoiceReason::Content
            | ChoiceReason::Batch
            | ChoiceReason::FallbackCode
            | ChoiceReason::FallbackProse => true,
            ChoiceReason::Forced
            | ChoiceReason::FileName
            | ChoiceReason::Extension
            | ChoiceReason::Interpreter => false,
        }
    }

    /// Returns the reason for reports, to follow "taken as python": `by its extension`.
    pub fn reason(self) -> &'static str {
        match self {
            ChoiceReason::Forced => "as ordered",
            ChoiceReason::FileName => "by its file name",
            ChoiceReason::Extension => "by its extension",
            ChoiceReason::Interpreter => "by its #! line",
            ChoiceReason::InnerExtension => "by the extension before its last",
            ChoiceReason::Content => "because it is clearly code, whatever its name says",
            ChoiceReason::Batch => "because most files with its extension here are",
            ChoiceReason::FallbackCode => "because it looks like code of an unknown language",
            ChoiceReason::FallbackProse => "because no language claims it",
        }
    }
}

impl Registry {
    /// Creates a registry of the front ends for prose alone: code is compared by its words.
    ///
    /// # Panics
    /// Never: their names differ.
    pub fn prose() -> Registry {
        Registry::new(Vec::new()).expect("two names")
    }

    /// Creates a registry of the front ends for prose, and `languages`.
    ///
    /// # Errors
    /// If two front ends have the same name, which is a mistake of the program.
    pub fn new(languages: Vec<Box<dyn FrontEnd>>) -> Result<Registry> {
        let mut registry = Registry {
            front_ends: Vec::with_capacity(languages.len() + 2),
            by_name: BTreeMap::new(),
            by_alias: BTreeMap::new(),
            by_extension: BTreeMap::new(),
            by_file_name: BTreeMap::new(),
            by_interpreter: BTreeMap::new(),
            idioms: Arc::default(),
        };
        let prose: [Box<dyn FrontEnd>; 2] = [Box::new(Words), Box::new(Chars)];
        for front_end in prose.into_iter().chain(languages) {
            registry.add(Arc::from(front_end))?;
        }
        registry.idioms = Arc::new(Recogniser::new(registry.front_ends.clone()));
        Ok(registry)
    }

    fn add(&mut self, front_end: Arc<dyn FrontEnd>) -> Result<()> {
        let (index, name, claims) = (self.front_ends.len(), front_end.name(), front_end.claims());
        if self.by_name.insert(name, index).is_some() {
            return Err(Error::setting(format!("two front ends are called `{name}`; rename one")));
        }
        let maps = [
            (&mut self.by_alias, claims.aliases),
            (&mut self.by_extension, claims.extensions),
            (&mut self.by_file_name, claims.file_names),
            (&mut self.by_interpreter, claims.interpreters),
        ];
        for (map, claimed) in maps {
            for claim in claimed {
                map.entry(claim).or_default().push(index);
            }
        }
        self.front_ends.push(front_end);
        Ok(())
    }

    /// Returns a registry with front ends in these versions, and all others as they are: the one that an earlier
    /// release read texts with.
    ///
    /// `None` if there are two versions of one front end, or one that this release does not have any more.
    pub fn as_of<'v>(
        &self,
        versions: impl IntoIterator<Item = &'v FrontEndVersion>,
    ) -> Option<Registry> {
        let mut earlier = self.clone();
        let mut numbers = BTreeMap::new();
        for FrontEndVersion { name, number, .. } in versions {
            if *numbers.entry(name).or_insert(number) != number {
                return None;
            }
            let index = *self.by_name.get(&**name)?;
            earlier.front_ends[index] = Earlier::version(&self.front_ends[index], *number)?;
        }
        Some(earlier)
    }

    /// Returns the names of all front ends, ascending.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.by_name.keys().copied()
    }

    /// Returns all front ends, ascending by name.
    pub fn iter(&self) -> impl Iterator<Item = &dyn FrontEnd> {
        self.by_name.values().map(|&index| &*self.front_ends[index])
    }

    /// Returns the front end called `name`, by its own name or an alias, in upper or lower case.
    ///
    /// # Errors
    /// If no front end has it; the text lists front ends whose names, extensions or interpreters are near.
    pub fn find(&self, name: &str) -> Result<&dyn FrontEnd> {
        let lower = name.to_lowercase();
        self.named(&lower).ok_or_else(|| Error::setting(self.unknown(name, &lower)))
    }

    /// Returns the front end with this name or alias, which is in lower case.
    pub(super) fn named(&self, lower: &str) -> Option<&dyn FrontEnd> {
        let by_alias = || self.by_alias.get(lower).and_then(|claimants| claimants.first());
        let index = *self.by_name.get(lower).or_else(by_alias)?;
        Some(&*self.front_ends[index])
    }

    fn unknown(&self, name: &str, lower: &str) -> Message {
        let near = self.near(lower);
        let hint = match &near[..] {
            [] => String::new(),
            names => format!("; did you mean {}?", names.join(" or ")),
        };
        let stop = if near.is_empty() { "; " } else { " " };
        message!["unknown language `{name}`{hint}{stop}", Task("languages"), " lists all"]
    }

    /// Returns at most three names that `lower` may have been meant for, quoted.
    fn near(&self, lower: &str) -> Vec<String> {
        let claimed = [&self.by_extension, &self.by_interpreter]
            .into_iter()
            .filter_map(|map| map.get(lower))
            .flatten();
        let mut near: Vec<(usize, &str)> =
            claimed.map(|&index| (0, self.front_ends[index].name())).collect();
        for name in self.names() {
            near.extend(nearness(lower, name).map(|distance| (distance, name)));
        }
        near.sort_unstable();
        near.dedup_by_key(|(_, name)| *name);
        near.into_iter().take(3).map(|(_, name)| format!("`{name}`")).collect()
    }

    /// Returns the front end for a document at `path`, whose folded text is `text`; `forced` is the user's choice. Only
    /// the part of `path` after the last `/` or `\` counts.
    ///
    /// # Errors
    /// If `forced` is not a front end's name ([`Registry::find`]).
    pub fn choose(&self, path: &str, text: &str, forced: Option<&str>) -> Result<Choice<'_>> {
        if let Some(name) = forced {
            return Ok(Choice { front_end: self.find(name)?, why: ChoiceReason::Forced });
        }
        let sample = sample(text);
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase();
        Ok(match self.claimed(&name, sample) {
            Some(choice) if choice.front_end.name() == Words.name() => {
                self.disguised(&name, sample).unwrap_or(choice)
            }
            Some(choice) => choice,
            None => self.fallback(sample),
        })
    }

    /// Returns the front end for code under a name that claims prose; `None` if it may well be prose.
    fn disguised(&self, name: &str, sample: &str) -> Option<Choice<'_>> {
        self.disguised_name(name, sample)
            .or_else(|| self.recognised(&self.idioms.evidence(sample), sample))
    }

    /// Returns the front end that the rest of a name that claims prose names, or a `#!` line.
    pub(super) fn disguised_name(&self, name: &str, sample: &str) -> Option<Choice<'_>> {
        let is_prose = |ext: &&str| self.by_extension.get(ext).is_some_and(|claim| claim[0] == 0);
        let by_inner = || {
            let inner = extensions(name).next()?.rsplit('.').find(|ext| !is_prose(ext))?;
            // A single letter is just as likely an initial: `smith.r.txt`.
            let claimants = self.by_extension.get(inner)?;
            (inner.len() > 1 || looks_like_code(sample))
                .then_some((claimants, ChoiceReason::InnerExtension))
        };
        let by_interpreter =
            || Some((self.by_interpreter.get(&*interpreter(sample)?)?, ChoiceReason::Interpreter));
        let (claimants, why) = by_inner().or_else(by_interpreter)?;
        Some(Choice { front_end: self.likeliest(claimants, sample)?, why })
    }

    /// Returns the front end for what is clearly code by its content.
    pub(super) fn recognised(&self, evidence: &Evidence, sample: &str) -> Option<Choice<'_>> {
        let generic = || {
            let is_code = !evidence.is_nearly_all_prose() && is_clearly_code(sample);
            self.by_name.get(GENERIC).copied().filter(|_| is_code)
        };
        let front_end = &*self.front_ends[evidence.language().or_else(generic)?];
        Some(Choice { front_end, why: ChoiceReason::Content })
    }

    /// Returns the front end that claims the file `name`, in lower case, or its `#!` line.
    pub(super) fn claimed(&self, name: &str, sample: &str) -> Option<Choice<'_>> {
        let by_name =
            self.by_file_name.get(name).map(|claimants| (claimants, ChoiceReason::FileName));
        let by_extension = || {
            extensions(name)
                .find_map(|ext| self.by_extension.get(ext))
                .map(|claimants| (claimants, ChoiceReason::Extension))
        };
        let by_interpreter = || {
            let interpreter = interpreter(sample)?;
            self.by_interpreter
                .get(&*interpreter)
                .map(|claimants| (claimants, ChoiceReason::Interpreter))
        };
        let (claimants, why) = by_name.or_else(by_extension).or_else(by_interpreter)?;
        Some(Choice { front_end: self.likeliest(claimants, sample)?, why })
    }

    /// Returns the claimant that is surest of `sample`; the first of equals.
    pub(super) fn likeliest(&self, claimants: &[usize], sample: &str) -> Option<&dyn FrontEnd> {
        if let [only] = claimants {
            return Some(&*self.front_ends[*only]);
        }
        let front_ends = claimants.iter().rev().map(|&index| &*self.front_ends[index]);
        front_ends.max_by_key(|front_end| front_end.likeness(sample))
    }

    pub(super) fn fallback(&self, sample: &str) -> Choice<'_> {
        match self.by_name.get(GENERIC) {
            Some(&index) if looks_like_code(sample) => {
                Choice { front_end: &*self.front_ends[index], why: ChoiceReason::FallbackCode }
            }
            _ => Choice { front_end: &*self.front_ends[0], why: ChoiceReason::FallbackProse },
        }
    }
}

/// Returns the extensions of a file name, longest first: `d.ts`, `ts`. A dot at the start does not count.
pub(super) fn extensions(name: &str) -> impl Iterator<Item = &str> {
    name.char_indices().skip(1).filter(|(_, c)| *c == '.').map(|(at, _)| &name[at + 1..])
}

/// Returns the start of `text`, cut on a character boundary.
pub(super) fn sample(text: &str) -> &str {
    let mut end = text.len().min(SAMPLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the interpreter of a `#!` line, in lower case and without path and version.
pub(super) fn interpreter(text: &str) -> Option<String> {
    let line = text.strip_prefix("#!")?.split(['\n', '\r']).next()?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?;
    if program.rsplit('/').next() == Some("env") {
        // `env -S python3 -u`, `env LANG=C perl`.
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let name = program.rsplit(['/', '\\']).next()?.to_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    Some(if bare.is_empty() { name } else { bare }.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::Claims;
    use crate::frontend::Folding;
    use crate::frontend::fake::Fake;

    fn fake(
        name: &'static str,
        extensions: &'static [&'static str],
        file_names: &'static [&'static str],
        interpreters: &'static [&'static str],
    ) -> Box<dyn FrontEnd> {
        let claims = Claims { aliases: &[], extensions, file_names, interpreters };
        Fake { claims, ..Fake::new(name, &[]) }.boxed()
    }

    fn registry() -> Registry {
        Registry::new(vec![
            fake("python", &["py", "pyw"], &["sconstruct"], &["python", "pypy"]),
            fake("c", &["c", "h"], &[], &[]),
            fake("cpp", &["cpp", "h"], &[], &[]),
            fake("make", &["mk"], &["makefile"], &[]),
            fake("dts", &["d.ts"], &[], &[]),
            fake("typescript", &["ts"], &[], &["node"]),
            fake(GENERIC, &[], &[], &[]),
        ])
        .expect("the names differ")
    }

    fn chosen(path: &str, text: &str) -> (&'static str, ChoiceReason) {
        let registry = registry();
        let choice = registry.choose(path, text, None).expect("nothing is forced");
        (choice.front_end.name(), choice.why)
    }

    #[test]
    fn front_ends_for_prose_are_there_as_they_were() {
        let now = Registry::prose();
        let versions = |numbers: &[(&str, u32)]| -> Vec<FrontEndVersion> {
            numbers.iter().map(|&(name, number)| FrontEndVersion::new(name, number)).collect()
        };
        let before = now.as_of(&versions(&[("words", 1)])).expect("known");
        let folding = |registry: &Registry, name: &str| {
            let front_end = registry.find(name).expect("known");
            (front_end.version(), front_end.folding())
        };
        assert_eq!(folding(&before, "words"), (1, Folding::Disguises));
        assert_eq!(folding(&before, "chars"), (2, Folding::Spelling));
        assert_eq!(folding(&now, "words"), (2, Folding::Spelling));
        for unknown in [&[("words", 3)][..], &[("words", 1), ("words", 2)], &[("poems", 1)]] {
            assert!(now.as_of(&versions(unknown)).is_none(), "{unknown:?}");
        }
    }

    #[test]
    fn by_name_then_extension_then_interpreter() {
        for (path, text, want) in [
            ("a/B.PY", "", ("python", ChoiceReason::Extension)),
            ("a.zip!/x/Makefile", "", ("make", ChoiceReason::FileName)),
            ("lib.d.ts", "", ("dts", ChoiceReason::Extension)),
            ("lib.x.ts", "", ("typescript", ChoiceReason::Extension)),
            ("notes.txt", "int main() { return 0; }", ("words", ChoiceReason::Extension)),
            ("run", "#!/usr/bin/env -S python3.11 -u\n", ("python", ChoiceReason::Interpreter)),
            ("run", "#! /opt/pypy3\r\n", ("python", ChoiceReason::Interpreter)),
            ("run", "#!/usr/bin/env LANG=C node\n", ("typescript", ChoiceReason::Interpreter)),
            ("run.txt", "#!/usr/bin/python3\rimport x\r", ("python", ChoiceReason::Interpreter)),
            ("x.h", "// plain", ("c", ChoiceReason::Extension)),
            ("x.h", "namespace cpp {", ("cpp", ChoiceReason::Extension)),
            (".py", "", ("words", ChoiceReason::FallbackProse)),
        ] {
            assert_eq!(chosen(path, text), want, "{path}");
        }
    }

    #[test]
    fn what_nobody_claims_is_code_or_prose() {
        for code in [
            "PROCEDURE Foo(x: INTEGER);\nBEGIN\n  x := x + 1;\nEND Foo;\n",
            "fn main() {\n    println!(\"hi\");\n}\n",
            "def f(x):\n    return x\n\nprint(f(3))\n",
        ] {
            assert_eq!(chosen("x.zzz", code), (GENERIC, ChoiceReason::FallbackCode), "{code}");
        }
        for prose in [
            "It was the best of times, it was the worst of times (so they said); it was an age.\n",
            "Съешь же ещё этих мягких французских булок, да выпей чаю.",
            "1.5, 2.5\n3.5, 4.5\n",
            "",
            "{}",
        ] {
            assert_eq!(chosen("x.zzz", prose), ("words", ChoiceReason::FallbackProse), "{prose}");
        }
    }

    #[test]
    fn code_under_the_name_of_prose_is_compared_with_code() {
        let python = "def total(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n\nprint(total([1, 2]))\n";
        for (path, want) in [
            ("a.py.txt", ("python", ChoiceReason::InnerExtension)),
            ("a.py.txt.log", ("python", ChoiceReason::InnerExtension)),
            ("A.PY.TXT", ("python", ChoiceReason::InnerExtension)),
            ("smith.c.txt", ("c", ChoiceReason::InnerExtension)),
            ("a.txt", (GENERIC, ChoiceReason::Content)),
            ("a.b.log", (GENERIC, ChoiceReason::Content)),
            ("a.txt.org", (GENERIC, ChoiceReason::Content)),
            ("readme", (GENERIC, ChoiceReason::Content)),
        ] {
            assert_eq!(chosen(path, python), want, "{path}");
            assert_eq!(chosen(path, &python.replace('\n', "\r")), want, "{path}");
        }
        let prose = "I went to the market (it was early) and bought apples.\n";
        assert_eq!(chosen("smith.c.txt", prose), ("words", ChoiceReason::Extension));
        assert_eq!(chosen("smith.txt", prose), ("words", ChoiceReason::Extension));
    }

    #[test]
    fn a_guess_is_reported_as_one() {
        for why in [ChoiceReason::InnerExtension, ChoiceReason::Content, ChoiceReason::FallbackCode]
        {
            assert!(why.is_fallback(), "{why:?}");
        }
        assert!(!ChoiceReason::Extension.is_fallback());
    }

    #[test]
    fn an_unknown_name_is_answered_with_near_ones() {
        let registry = registry();
        assert_eq!(registry.find("Python").map(FrontEnd::name).ok(), Some("python"));
        let text = |name: &str| registry.find(name).expect_err("unknown").to_string();
        assert_eq!(
            text("pyton"),
            "unknown language `pyton`; did you mean `python`? the task `languages` lists all"
        );
        assert_eq!(
            text("py"),
            "unknown language `py`; did you mean `python` or `c`? the task `languages` lists all"
                .replace(" or `c`", "")
        );
        assert_eq!(text("zzzzzz"), "unknown language `zzzzzz`; the task `languages` lists all");
        assert!(registry.choose("a.py", "", Some("pyton")).is_err_and(|error| error.is_setting()));
    }

    #[test]
    fn names_are_unique_and_sorted() {
        let twice = Registry::new(vec![fake("c", &[], &[], &[]), fake("c", &[], &[], &[])]);
        assert_eq!(
            twice.err().map(|error| error.to_string()).as_deref(),
            Some("two front ends are called `c`; rename one")
        );
        let registry = registry();
        assert_eq!(registry.names().next(), Some("c"));
        assert_eq!(registry.iter().count(), 9);
    }
}
