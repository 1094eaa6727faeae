//! One decision on the kind of all files of an extension in a batch, where names do not decide.
//!
//! A short header by itself is as likely C as C++, and of the scripts of one course some look like code and others
//! like words. Files that are read in different ways are never found alike. So the files of an extension vote
//! ([`Registry::ballot`]), and each is read as most of them are unless its content says clearly otherwise
//! ([`Registry::agree`]).
//!
//! Cost: for each document whose name does not decide, what its own choice costs; it need not be made again.

use std::collections::BTreeMap;

use super::code_or_prose::{count_sentences, is_clearly_code};
use super::front_end::FrontEnd;
use super::recognition::Evidence;
use super::registry::{Choice, ChoiceReason, GENERIC, Registry, extensions, interpreter, sample};
use super::words::Words;

/// The vote of one document on the kind of the files with its extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ballot {
    extension: String,
    /// The choice for this document by itself: a front end's number, and the reason.
    own: (usize, ChoiceReason),
    content: Content,
}

/// Evidence in the content of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// Several front ends claim the extension: how sure each of them is, in the order of registration.
    Rivals(Vec<(usize, u32)>),
    /// The extension is one of prose.
    ProseName(Evidence),
    /// The extension is unclaimed. Half of a text that is prose are sentences; a program is clearly one.
    Unclaimed { is_prose: bool, is_program: bool },
}

impl Registry {
    /// Returns whether the content of a document at `path` may matter for the choice of its front end.
    pub fn is_undecided(&self, path: &str) -> bool {
        self.undecided(&file_name(path)).is_some()
    }

    /// Returns the vote of a document at `path` whose folded text is `text`; `None` if its name or its first line
    /// decides.
    pub fn ballot(&self, path: &str, text: &str) -> Option<Ballot> {
        let (name, text) = (file_name(path), sample(text));
        let extension = self.undecided(&name)?;
        if interpreter(text).is_some_and(|by| self.by_interpreter.contains_key(&*by)) {
            return None;
        }
        let (choice, content) = match self.by_extension.get(extension) {
            Some(claimants) if claimants[0] == 0 => {
                if self.disguised_name(&name, text).is_some() {
                    return None;
                }
                let evidence = self.idioms.evidence(text);
                let choice = self.recognised(&evidence, text);
                (choice, Content::ProseName(evidence))
            }
            Some(claimants) => {
                let sure = |&index: &usize| (index, self.front_ends[index].likeness(text));
                (None, Content::Rivals(claimants.iter().map(sure).collect()))
            }
            None => {
                let (n_rows, n_prose) = count_sentences(text);
                let (is_prose, is_program) = (2 * n_prose >= n_rows, is_clearly_code(text));
                (None, Content::Unclaimed { is_prose, is_program })
            }
        };
        let choice = match (choice, &content) {
            (Some(choice), _) => choice,
            (None, Content::ProseName(_)) => {
                Choice { front_end: &*self.front_ends[0], why: ChoiceReason::Extension }
            }
            (None, _) => self.choose(path, text, None).ok()?,
        };
        let own = (*self.by_name.get(choice.front_end.name())?, choice.why);
        Some(Ballot { extension: extension.to_owned(), own, content })
    }

    /// Returns the extension of a file whose name, in lower case, does not decide.
    fn undecided<'n>(&self, name: &'n str) -> Option<&'n str> {
        if self.by_file_name.contains_key(name) {
            return None;
        }
        match extensions(name).find(|ext| self.by_extension.contains_key(ext)) {
            None => extensions(name).last().filter(|ext| !ext.is_empty()),
            Some(ext) => {
                let claimants = &self.by_extension[ext];
                (claimants.len() > 1 || claimants[0] == 0).then_some(ext)
            }
        }
    }

    /// Returns the choices for the documents of a batch that these are the votes of, in their order. It does not matter
    /// in which order they are.
    pub fn agree<'r>(&'r self, ballots: &[Option<Ballot>]) -> Vec<Option<Choice<'r>>> {
        let mut polls: BTreeMap<&str, Vec<&Ballot>> = BTreeMap::new();
        for ballot in ballots.iter().flatten() {
            polls.entry(&ballot.extension).or_default().push(ballot);
        }
        let verdicts: BTreeMap<&str, Verdict> =
            polls.into_iter().map(|(extension, poll)| (extension, self.verdict(&poll))).collect();
        let words = self.by_name.get(Words.name()).copied().unwrap_or(0);
        let choice = |ballot: &Ballot| {
            let (own, why) = ballot.own;
            let index = verdicts[&*ballot.extension].apply(ballot, words);
            let why = if index == own { why } else { ChoiceReason::Batch };
            Choice { front_end: &*self.front_ends[index], why }
        };
        ballots.iter().map(|ballot| ballot.as_ref().map(choice)).collect()
    }

    /// Counts the votes of one extension.
    fn verdict(&self, poll: &[&Ballot]) -> Verdict {
        let generic = self.by_name.get(GENERIC).copied();
        let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
        let (mut n_generic, mut n_words, mut n_prose) = (0usize, 0usize, 0usize);
        for ballot in poll {
            let (own, why) = ballot.own;
            match &ballot.content {
                Content::Rivals(sure) => {
                    for &(index, likeness) in sure {
                        *sums.entry(index).or_default() += u64::from(likeness);
                    }
                }
                Content::ProseName(_) if why == ChoiceReason::Content && Some(own) != generic => {
                    *sums.entry(own).or_default() += 1;
                }
                Content::ProseName(_) => {}
                Content::Unclaimed { is_prose, .. } => {
                    let is_code = Some(own) == generic;
                    n_generic += usize::from(is_code);
                    n_words += usize::from(!is_code);
                    n_prose += usize::from(!is_code && *is_prose);
                }
            }
        }
        // The first of equals, in the order of registration.
        let first = sums.into_iter().min_by_key(|&(index, sum)| (std::cmp::Reverse(sum), index));
        Verdict {
            language: first.map(|(index, _)| index),
            generic,
            is_code: n_generic > n_words.saturating_sub(n_prose),
        }
    }
}

/// The outcome of a vote.
#[derive(Debug, Clone, Copy)]
struct Verdict {
    /// The language with the most votes.
    language: Option<usize>,
    /// The front end for code of any language.
    generic: Option<usize>,
    /// True if more files look like code than like neither code nor prose.
    is_code: bool,
}

impl Verdict {
    /// Returns the front end's number for one of the documents that voted.
    fn apply(&self, ballot: &Ballot, words: usize) -> usize {
        let (own, _) = ballot.own;
        match &ballot.content {
            Content::Rivals(sure) => self.rival(sure, own),
            Content::ProseName(evidence) => match self.language {
                Some(language) if evidence.allows(language) => language,
                _ => own,
            },
            Content::Unclaimed { is_prose, is_program } => match self.generic {
                Some(generic) if self.is_code && !is_prose => generic,
                // Nobody hides a program by the company that it is in.
                _ if self.is_code || *is_program => own,
                _ => words,
            },
        }
    }

    /// Returns the winner among rivals unless another one is clearly surer of this document, or the only one that has
    /// a hint.
    fn rival(&self, sure: &[(usize, u32)], own: usize) -> usize {
        let likeness =
            |of: usize| sure.iter().find(|&&(index, _)| index == of).map_or(0, |sure| sure.1);
        match self.language {
            Some(winner) if likeness(winner) == 0 && likeness(own) >= ONE_HINT => own,
            Some(winner) if likeness(own) < 2 * likeness(winner) + CLEAR => winner,
            _ => own,
        }
    }
}

/// Least lead in weight by which a document contradicts its batch: two hints, usually.
const CLEAR: u32 = 5;

/// Weight from which a single hint counts, if the other language has none.
const ONE_HINT: u32 = 2;

/// Returns the last part of a path, in lower case.
fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::Idioms;
    use crate::frontend::fake::Fake;

    fn registry() -> Registry {
        let idioms = Idioms { common: "^do", typical: "^call", sure: "^cube ^cone" };
        let languages = [
            Fake::new("red", &["s"]).boxed(),
            Fake::new("sky", &["s"]).boxed(),
            Fake { idioms, ..Fake::new("solid", &["sol"]) }.boxed(),
            Fake::new(GENERIC, &[]).boxed(),
        ];
        Registry::new(languages.into()).expect("the names differ")
    }

    /// Returns what each document of a batch is read as, and why.
    fn agreed(documents: &[(&str, &str)]) -> Vec<Option<(&'static str, ChoiceReason)>> {
        let registry = registry();
        let ballots: Vec<Option<Ballot>> =
            documents.iter().map(|(path, text)| registry.ballot(path, text)).collect();
        let choices = registry.agree(&ballots);
        let named = |choice: &Choice<'_>| (choice.front_end.name(), choice.why);
        choices.iter().map(|choice| choice.as_ref().map(named)).collect()
    }

    #[test]
    fn rivals_are_decided_by_the_batch_unless_one_is_clear() {
        let got = agreed(&[
            ("a.s", "sky sky"),
            ("b.S", "sky red"),
            ("c.s", "nothing"),
            ("d.s", "red red"),
            ("e.s", "red"),
            ("f.s", "sky sky"),
            ("g.sol", "red"),
        ]);
        assert_eq!(
            got,
            [
                Some(("sky", ChoiceReason::Extension)),
                Some(("sky", ChoiceReason::Batch)),
                Some(("sky", ChoiceReason::Batch)),
                Some(("red", ChoiceReason::Extension)),
                Some(("red", ChoiceReason::Extension)),
                Some(("sky", ChoiceReason::Extension)),
                None,
            ]
        );
    }

    #[test]
    fn an_extension_that_nothing_claims_is_of_one_kind() {
        let words = "push constant seven\nadd\npop local two\n";
        let code = "f(x) = {1};\ng(x) = [2];\n";
        let essay = "It was late when we came home (so late that nobody saw us).\n".repeat(5);
        let kinds = |documents: &[(&str, &str)]| -> Vec<&str> {
            agreed(documents).into_iter().map(|choice| choice.expect("a choice").0).collect()
        };
        let all = [("a.vm", words), ("b.vm", words), ("c.vm", code)];
        assert_eq!(kinds(&all), ["words", "words", "words"]);
        let all = [("a.vm", words), ("b.vm", words), ("c.vm", &code.repeat(4))];
        assert_eq!(kinds(&all), ["words", "words", GENERIC]);
        let all = [("a.vm", words), ("b.vm", code), ("c.vm", code), ("d.vm", &*essay)];
        assert_eq!(kinds(&all), [GENERIC, GENERIC, GENERIC, "words"]);
        let program = code.repeat(4);
        let all = [("a.vm", &*essay), ("b.vm", &essay), ("c.vm", &program)];
        assert_eq!(kinds(&all), ["words", "words", GENERIC]);
        assert_eq!(agreed(&[("a", code), ("b.sol", code)]), [None, None]);
        assert_eq!(kinds(&[("a.vm", code)]), [GENERIC]);
    }

    #[test]
    fn texts_join_the_language_of_the_programs_among_them() {
        let sure = "cube 1\ncone 2\ndo 3\ncall 4\n";
        let unsure = "cube 1\ndo 2\ndo 3\ndo 5\n";
        let essay = "It was late when we came home, so late that nobody saw us.\n".repeat(5);
        let got = agreed(&[("a.txt", sure), ("b.txt", unsure), ("c.txt", &essay)]);
        let got: Vec<(&str, ChoiceReason)> = got.into_iter().flatten().collect();
        assert_eq!(
            got,
            [
                ("solid", ChoiceReason::Content),
                ("solid", ChoiceReason::Batch),
                ("words", ChoiceReason::Extension)
            ]
        );
        let alone = agreed(&[("b.txt", unsure)]);
        assert_eq!(alone, [Some(("words", ChoiceReason::Extension))]);
    }

    #[test]
    fn the_order_of_documents_does_not_matter() {
        let texts = ["red", "sky red", "", "sky sky", "red red", "x = {}; f(x);"];
        let names = ["a.s", "b.q", "c.txt"];
        let mut documents: Vec<(&str, &str)> =
            names.iter().flat_map(|&name| texts.map(|text| (name, text))).collect();
        let forward = agreed(&documents);
        documents.reverse();
        let mut backward = agreed(&documents);
        backward.reverse();
        assert_eq!(forward, backward);
    }
}
