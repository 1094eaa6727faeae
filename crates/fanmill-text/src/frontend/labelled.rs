//! Choice of the front end for code within a document: by the label that the document gives it, unless its content says
//! clearly otherwise.
//!
//! A label is a word that anybody can write or change. An essay under `java` would be read as a program, and a program
//! under `text` as an essay, and neither would be found alike with its original. So sentences are prose and programs are
//! code under any label, and a program that is clearly in another language is read as that.
//!
//! Cost: O(n) time for n bytes; at most some tens of comparisons for each byte.

use super::code_or_prose::{count_sentences, is_clearly_code};
use super::front_end::FrontEnd;
use super::recognition::LabelVerdict;
use super::registry::{GENERIC, Registry, interpreter, sample};
use crate::token::Kind;

impl Registry {
    /// Returns the front end that a label of code names: by a name, an alias or an extension.
    fn labelled(&self, label: &str, sample: &str) -> Option<&dyn FrontEnd> {
        let label = label.to_lowercase();
        // `python3` and `lua5.4` are names, too.
        let bare = label.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let by_extension = || self.likeliest(self.by_extension.get(&*label)?, sample);
        self.named(&label).or_else(by_extension).or_else(|| self.named(bare))
    }

    /// Returns the front end for code that a document says is in `language`; by the text if that names none that there
    /// is. The text cannot overrule the label.
    pub fn find_by_label(&self, language: Option<&str>, text: &str) -> &dyn FrontEnd {
        let sample = sample(text);
        let by_content =
            || self.claimed("", sample).unwrap_or_else(|| self.fallback(sample)).front_end;
        language.and_then(|label| self.labelled(label, sample)).unwrap_or_else(by_content)
    }

    /// Returns the front end for text that a document marks as code in `language`, if it names one; `None` for prose,
    /// unless the label names a front end for that.
    pub fn find_for_code(&self, language: Option<&str>, text: &str) -> Option<&dyn FrontEnd> {
        let sample = sample(text);
        let labelled = language.and_then(|label| self.labelled(label, sample));
        if let Some(labelled) = labelled.filter(|labelled| labelled.kind() == Kind::Code) {
            let own = *self.by_name.get(labelled.name())?;
            let LabelVerdict { is_own, other } = self.idioms.judge_label(text, own);
            return match other {
                Some(other) => Some(&*self.front_ends[other]),
                None => Some(labelled).filter(|_| is_own || !is_prose(text)),
            };
        }
        let by_interpreter =
            || self.likeliest(self.by_interpreter.get(&*interpreter(sample)?)?, sample);
        let is_code = || is_clearly_code(sample) && !is_prose(text);
        let generic = || self.by_name.get(GENERIC).copied().filter(|_| is_code());
        let by_content = || self.idioms.evidence(text).language().or_else(generic);
        by_interpreter().or_else(|| Some(&*self.front_ends[by_content()?])).or(labelled)
    }

    /// Returns the front end of the language that text marked as prose is clearly in, if it is a program.
    pub fn find_for_text(&self, text: &str) -> Option<&dyn FrontEnd> {
        let language = self.idioms.evidence(text).language().filter(|_| !is_prose(text))?;
        Some(&*self.front_ends[language])
    }
}

/// Returns whether half of a text that is not very short are sentences, or all of a very short one. What is nothing but
/// comments is prose, too.
fn is_prose(text: &str) -> bool {
    /// Fewer rows may be a command that reads like a sentence.
    const FEWEST: usize = 4;
    let (n_rows, n_prose) = count_sentences(text);
    if n_rows == 0 {
        return text.lines().filter(|line| !line.trim().is_empty()).count() >= FEWEST;
    }
    2 * n_prose >= n_rows && n_rows >= FEWEST || n_prose == n_rows && n_rows > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::Idioms;
    use crate::frontend::fake::Fake;

    /// Two languages with idioms, each in a line of its own, and code of any language.
    fn registry() -> Registry {
        let with = |fake: Fake, sure| {
            Fake { idioms: Idioms { common: "", typical: "^call", sure }, ..fake }.boxed()
        };
        let languages = [
            with(Fake::new("solid", &["so"]), "^cube ^cone"),
            with(Fake::new("plane", &["pl"]), "^square ^circle"),
            Fake::new(GENERIC, &[]).boxed(),
        ];
        Registry::new(languages.into()).expect("the names differ")
    }

    const ESSAY: &str = "It was late when we came home, so late that nobody saw us.\n";
    const SOLID: &str = "cube 1\ncone 2\ncall 3\ncube 4\ncone 5\n";

    #[test]
    fn a_label_names_a_language_as_people_write_it() {
        let registry = registry();
        let found = |label, text| registry.find_by_label(label, text).name();
        assert_eq!(found(Some("SOLID"), ""), "solid");
        assert_eq!(found(Some("so"), ""), "solid", "an extension");
        assert_eq!(found(Some("plane5.1"), ""), "plane");
        for unknown in [None, Some("poem"), Some("")] {
            assert_eq!(found(unknown, "f(x[1]) = {y};"), GENERIC, "{unknown:?}");
            assert_eq!(found(unknown, "A line of verse"), "words", "{unknown:?}");
        }
        assert_eq!(found(Some("solid"), &ESSAY.repeat(5)), "solid", "whatever the text is");
    }

    #[test]
    fn no_label_hides_an_essay_or_a_program() {
        let registry = registry();
        let found = |label, text: &str| {
            registry.find_for_code(label, text).map_or("prose", |front_end| front_end.name())
        };
        let program = "f(x) = {1};\ng(x) = [2];\n".repeat(4);
        for label in [Some("solid"), Some("poem"), None] {
            assert_eq!(found(label, &ESSAY.repeat(5)), "prose", "{label:?}");
        }
        assert_eq!(found(Some("words"), &ESSAY.repeat(5)), "words");
        let comments = ESSAY.replace("It was", "# It was").repeat(5);
        assert_eq!(found(Some("solid"), &comments), "prose");
        for label in [Some("solid"), Some("plane"), Some("words"), Some("poem"), None] {
            assert_eq!(found(label, SOLID), "solid", "{label:?}");
        }
        for label in [Some("words"), Some("poem"), None] {
            assert_eq!(found(label, &program), GENERIC, "{label:?}");
        }
        assert_eq!(found(Some("plane"), &program), "plane");
    }

    #[test]
    fn a_few_lines_are_as_labelled() {
        let registry = registry();
        let found = |label, text: &str| registry.find_for_code(label, text).map(FrontEnd::name);
        assert_eq!(found(Some("solid"), "call 1\n"), Some("solid"));
        assert_eq!(found(Some("solid"), "say hello to all\n"), Some("solid"));
        assert_eq!(found(Some("solid"), &ESSAY.repeat(2)), None);
        assert_eq!(found(None, "a (short) = [line]\n"), None);
        assert_eq!(found(Some("words"), "a (short) = [line]\n"), Some("words"));
    }

    #[test]
    fn an_essay_is_prose_wherever_a_program_comes_before_it() {
        let registry = registry();
        let text = format!("{}{}", SOLID.repeat(700), ESSAY.repeat(4000));
        assert_eq!(registry.find_for_code(Some("solid"), &text).map(FrontEnd::name), None);
        let text = format!("{}{}", "x = [1];\n".repeat(2000), ESSAY.repeat(4000));
        assert_eq!(registry.find_for_code(Some("plane"), &text).map(FrontEnd::name), None);
    }
}
