//! Recognises a program's language by its idioms: pieces of text that its programs are full of.
//!
//! Each front end lists its own ([`Idioms`](super::idioms::Idioms)). A text is a program of a language if that language's idioms are many and
//! some of them unmistakable, if they are in many of its lines, if few other lines are sentences, and if no other
//! language comes near. So an essay about programs is prose, whatever words it uses, and a program in a language that
//! two others resemble is left to [`is_clearly_code`](super::code_or_prose::is_clearly_code).
//!
//! Cost: O(n) time for n bytes; at most some tens of comparisons for each byte.

use std::sync::{Arc, OnceLock};

use super::code_or_prose::{has_signs, is_sentence, lines_of_code, n_rows};
use super::front_end::FrontEnd;
use super::idioms::SURE;

/// The idioms of the front ends of a registry, indexed when a text first needs them: most names decide.
#[derive(Debug, Default)]
pub(super) struct Recogniser {
    front_ends: Vec<Arc<dyn FrontEnd>>,
    index: OnceLock<IdiomIndex>,
}

impl Recogniser {
    /// Takes the idioms of these front ends, which are numbered in this order.
    pub(super) fn new(front_ends: Vec<Arc<dyn FrontEnd>>) -> Recogniser {
        Recogniser { front_ends, index: OnceLock::new() }
    }

    fn index(&self) -> &IdiomIndex {
        let front_ends = || self.front_ends.iter().map(|front_end| &**front_end);
        self.index.get_or_init(|| IdiomIndex::new(front_ends()))
    }

    /// Judges a text that is labelled as being of the front end `own`.
    pub(super) fn judge_label(&self, text: &str, own: usize) -> LabelVerdict {
        let index = self.index();
        let (lines, rows) = Rows::count(text);
        let mut tally = Tally::new(index);
        for (line, is_sentence) in lines {
            tally.add(line, is_sentence);
        }
        let Owner { sum, n_prose, .. } = tally.owners[own];
        // Statements of COBOL and SQL are sentences, but have idioms.
        let is_own = 2 * sum >= Evidence::ENOUGH && 4 * (rows.prose - n_prose) <= rows.all;
        let evidence = tally.evidence(rows);
        let is_other = |&language: &usize| {
            !index.relatives[language].contains(&own)
                && !evidence.allows(own)
                && evidence.languages.iter().any(|&(of, all)| of == language && all > 4 * sum)
        };
        LabelVerdict { is_own, other: evidence.language().filter(is_other) }
    }

    /// Returns what the idioms in a text say about its language.
    pub(super) fn evidence(&self, text: &str) -> Evidence {
        // Most texts under the name of prose are, and looking for idioms takes longer.
        let (lines, rows) = Rows::count(text);
        let prose = Evidence { rows, ..Evidence::default() };
        if prose.is_nearly_all_prose() {
            prose
        } else {
            self.index().evidence(&lines, rows).unwrap_or(prose)
        }
    }
}

/// The idioms of all front ends, by the bytes that they begin with.
#[derive(Debug, Clone, Default)]
struct IdiomIndex {
    idioms: Vec<Idiom>,
    /// Idioms that open a line, and all others.
    openings: Buckets,
    others: Buckets,
    /// Other front ends that claim the same files, by front end: dialects, and languages that contain each other.
    relatives: Vec<Vec<usize>>,
}

/// Numbers of idioms, by the bytes that they begin with in lower case.
#[derive(Debug, Clone)]
struct Buckets {
    /// Idioms of one byte.
    by_first: Vec<Vec<u16>>,
    /// Longer ones.
    by_two: Vec<Vec<u16>>,
}

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets { by_first: vec![Vec::new(); 256], by_two: vec![Vec::new(); BUCKETS] }
    }
}

impl Buckets {
    fn add(&mut self, number: u16, lower: &[u8]) {
        match *lower {
            [] => {}
            [only] => self.by_first[usize::from(only)].push(number),
            [first, second, ..] => self.by_two[bucket(first, second)].push(number),
        }
    }

    /// Returns the idioms that two bytes may begin.
    fn of(&self, first: u8, second: u8) -> impl Iterator<Item = usize> {
        let idioms = &self.by_two[bucket(first, second)];
        self.by_first[usize::from(first)].iter().chain(idioms).map(|&number| usize::from(number))
    }
}

/// An idiom of one front end.
#[derive(Debug, Clone)]
struct Idiom {
    /// The front end's number.
    owner: usize,
    weight: u32,
    is_case_ignored: bool,
    place: IdiomPosition,
    is_before_blank: bool,
    /// Text without blanks at its ends.
    text: Vec<u8>,
}

/// Evidence of a language in a text: the idioms that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Front ends whose idioms are in enough of its lines, with the sum of the weights; the greatest sum comes first,
    /// and the first front end of equals.
    pub(super) languages: Vec<(usize, u32)>,
    /// The greatest sum of a front end that does not claim the same files as the first.
    second: u32,
    /// True if an idiom of the first is unmistakable.
    is_sure: bool,
    rows: Rows,
}

impl Evidence {
    /// Smallest sum of weights by which a text shows its language.
    const ENOUGH: u32 = 12;

    /// Smallest sum of weights if no idiom is unmistakable.
    const ENOUGH_UNSURE: u32 = 15;

    /// Returns the front end that the text belongs to, if it is clear.
    pub(super) fn language(&self) -> Option<usize> {
        let &(first, sum) = self.languages.first()?;
        let is_clear = 4 * sum >= 5 * self.second + 8;
        let is_enough = sum >= Evidence::ENOUGH && self.is_sure
            || sum >= Evidence::ENOUGH_UNSURE && sum >= 2 * self.second;
        (is_enough && is_clear).then_some(first)
    }

    /// Returns whether the text may well belong to this front end, if others of its batch do.
    pub(super) fn allows(&self, language: usize) -> bool {
        let best = self.languages.first().map_or(0, |first| first.1);
        let own = self.languages.iter().find(|&&(owner, _)| owner == language);
        own.is_some_and(|&(_, sum)| 2 * sum >= Evidence::ENOUGH && 3 * sum >= 2 * best)
    }

    /// Returns whether so much of the text is sentences, or so little else is in it, that the rest does not matter.
    pub(super) fn is_nearly_all_prose(&self) -> bool {
        5 * self.rows.prose >= 3 * self.rows.all
    }
}

/// The verdict on a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LabelVerdict {
    /// True if idioms of its language are in the text, and in most of its sentences.
    pub(super) is_own: bool,
    /// The language that the text is clearly in, if that is another one.
    pub(super) other: Option<usize>,
}

/// The place on its line where an idiom may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdiomPosition {
    Anywhere,
    LineStart,
    AfterBlank,
}

/// Number of buckets for the first two bytes of idioms.
const BUCKETS: usize = 1 << 12;

/// Returns the bucket of two bytes, in lower case.
fn bucket(first: u8, second: u8) -> usize {
    (usize::from(first) * 61 + usize::from(second)) % BUCKETS
}

impl IdiomIndex {
    /// Creates the index of these front ends.
    fn new<'f>(front_ends: impl Iterator<Item = &'f dyn FrontEnd>) -> IdiomIndex {
        let mut index = IdiomIndex::default();
        let front_ends: Vec<&dyn FrontEnd> = front_ends.collect();
        for (owner, front_end) in front_ends.iter().enumerate() {
            let own = front_end.claims().extensions;
            let is_relative =
                |other: &&dyn FrontEnd| own.iter().any(|e| other.claims().extensions.contains(e));
            let relatives = front_ends.iter().enumerate().filter(|(_, other)| is_relative(other));
            index.relatives.push(relatives.map(|(at, _)| at).collect());
            for (written, weight) in front_end.idioms().weighed() {
                index.add(Idiom::new(owner, written, weight, front_end.ignores_case()));
            }
        }
        index
    }

    fn add(&mut self, idiom: Idiom) {
        let number = u16::try_from(self.idioms.len()).expect("few thousand idioms");
        let lower = idiom.text.to_ascii_lowercase();
        match idiom.place {
            IdiomPosition::LineStart => self.openings.add(number, &lower),
            IdiomPosition::Anywhere | IdiomPosition::AfterBlank => self.others.add(number, &lower),
        }
        self.idioms.push(idiom);
    }

    /// Returns what the idioms in lines of code say about their language; `None` for Markdown with code, and if they say
    /// nothing about any. Sentences are marked, and `rows` are those of all lines.
    fn evidence(&self, lines: &[(&str, bool)], rows: Rows) -> Option<Evidence> {
        let (mut tally, mut n_left) = (Tally::new(self), lines.len());
        // Sentences come first: idioms are in few of those that people write, and these rule out all languages.
        for sentences in [true, false] {
            let own = lines.iter().filter(|(_, is_sentence)| *is_sentence == sentences);
            for &(line, is_sentence) in own {
                if !tally.may_be_full(&rows, n_left) {
                    return None;
                }
                tally.add(line, is_sentence);
                n_left -= 1;
                if tally.is_markdown {
                    return None;
                }
            }
        }
        Some(tally.evidence(rows))
    }

    /// Calls `found` for each idiom in a line.
    fn find(&self, line: &[u8], lower: &[u8], mut found: impl FnMut(usize)) {
        for (at, &first) in lower.iter().enumerate() {
            // Most places are inside of words, and most idioms begin with a word.
            if opens_word(first) && at.checked_sub(1).is_some_and(|before| is_prefix(line[before]))
            {
                continue;
            }
            let second = lower.get(at + 1).copied().unwrap_or(b' ');
            let openings = (at == 0).then(|| self.openings.of(first, second)).into_iter().flatten();
            let at_place = |&number: &usize| self.idioms[number].is_at(line, lower, at);
            openings.chain(self.others.of(first, second)).filter(at_place).for_each(&mut found);
        }
    }
}

impl Idiom {
    fn new(owner: usize, written: &str, weight: u32, is_case_ignored: bool) -> Idiom {
        let (place, rest) = match written.strip_prefix('^') {
            // `^` alone means itself.
            Some(rest) if !rest.is_empty() => (IdiomPosition::LineStart, rest),
            _ if written.starts_with('·') => (IdiomPosition::AfterBlank, written),
            _ => (IdiomPosition::Anywhere, written),
        };
        let text = rest.trim_matches('·').replace('·', " ").into_bytes();
        Idiom { owner, weight, is_case_ignored, place, is_before_blank: rest.ends_with('·'), text }
    }

    /// Returns whether the idiom is at `at` in a line without blanks at its ends.
    fn is_at(&self, line: &[u8], lower: &[u8], at: usize) -> bool {
        if self.place == IdiomPosition::LineStart && at > 0 {
            return false;
        }
        let Some(end) = self.end(if self.is_case_ignored { lower } else { line }, at) else {
            return false;
        };
        let before = at.checked_sub(1).map(|before| line[before]);
        let after = line.get(end).copied();
        let ends_word = self.text.last().is_some_and(|&byte| opens_word(byte));
        let is_blank = |byte: u8| matches!(byte, b' ' | b'\t');
        !(opens_word(self.text[0]) && before.is_some_and(is_prefix)
            || ends_word && after.is_some_and(is_in_word)
            || self.place == IdiomPosition::AfterBlank
                && before.is_some_and(|byte| !is_blank(byte))
            || self.is_before_blank && after.is_some_and(|byte| !is_blank(byte)))
    }

    /// Returns the end of the idiom's text at `at`; a blank in it means one or more.
    fn end(&self, line: &[u8], mut at: usize) -> Option<usize> {
        for &byte in &self.text {
            match byte {
                b' ' => {
                    let blanks = line[at..].iter().take_while(|b| matches!(b, b' ' | b'\t'));
                    at += Some(blanks.count()).filter(|&n| n > 0)?;
                }
                _ => at += Some(1).filter(|_| line.get(at) == Some(&byte))?,
            }
        }
        Some(at)
    }
}

fn is_in_word(byte: u8) -> bool {
    opens_word(byte) || byte == b'-'
}

/// Returns whether an idiom that begins with this byte begins with a word; one that ends with it ends with a word.
fn opens_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns whether an idiom's word cannot begin after this byte.
fn is_prefix(byte: u8) -> bool {
    is_in_word(byte) || matches!(byte, b'.' | b'$' | b'@' | b'%')
}

/// Counts of rows besides blank ones and comments. A long line counts as several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Rows {
    all: usize,
    /// Rows of sentences.
    prose: usize,
    /// Rows of lines with a sign or a digit, and of others with three words and more.
    signed: usize,
    worded: usize,
}

impl Rows {
    /// Fewer rows show nothing.
    const FEWEST: usize = 4;
    /// With so many unmistakable idioms, statements may be sentences: COBOL.
    const MANY: usize = 4;

    /// Returns the lines of code of a text, each with whether it is a sentence, and counts their rows.
    fn count(text: &str) -> (Vec<(&str, bool)>, Rows) {
        let mut rows = Rows::default();
        let line = |line| {
            let is_sentence = is_sentence(line);
            rows.add(line, is_sentence);
            (line, is_sentence)
        };
        let lines = lines_of_code(text).map(line).collect();
        (lines, rows)
    }

    /// Counts a line, which may be a sentence.
    fn add(&mut self, line: &str, is_sentence: bool) {
        let n_rows = n_rows(line);
        self.all += n_rows;
        self.prose += if is_sentence { n_rows } else { 0 };
        if has_signs(line) {
            self.signed += n_rows;
        } else if line.split_whitespace().nth(2).is_some() {
            self.worded += n_rows;
        }
    }

    /// Returns whether a front end of these counts is in enough of the rows.
    fn are_full_of(&self, owner: &Owner) -> bool {
        // A list of words has keywords, too, but nothing that they work on.
        let is_signed = 2 * self.prose <= self.all && 3 * self.signed >= self.all;
        let is_worded = 3 * (self.signed + self.worded) >= self.all;
        self.all >= Rows::FEWEST
            && 4 * owner.n_rows >= self.all
            && 8 * self.prose.saturating_sub(owner.n_prose) <= self.all
            && (is_signed || is_worded && owner.n_sure >= Rows::MANY)
    }
}

/// Counts idioms, and the lines that have any, by front end.
struct Tally<'i> {
    index: &'i IdiomIndex,
    /// Flags of the idioms that were found.
    found: Vec<bool>,
    owners: Vec<Owner>,
    /// The greatest count of each kind that a front end has.
    most: Owner,
    /// Rows of sentences so far.
    n_prose: usize,
    /// True if a line fences off code in a text of Markdown.
    is_markdown: bool,
    lower: Vec<u8>,
    /// Front ends with idioms in the current line.
    current: Vec<usize>,
}

/// Counts of one front end.
#[derive(Debug, Clone, Copy, Default)]
struct Owner {
    sum: u32,
    n_rows: usize,
    /// Rows with its idioms that look like sentences.
    n_prose: usize,
    /// Number of its idioms that are unmistakable.
    n_sure: usize,
    is_current: bool,
}

impl Tally<'_> {
    fn new(index: &IdiomIndex) -> Tally<'_> {
        Tally {
            index,
            found: vec![false; index.idioms.len()],
            owners: vec![Owner::default(); index.relatives.len()],
            most: Owner::default(),
            n_prose: 0,
            is_markdown: false,
            lower: Vec::new(),
            current: Vec::new(),
        }
    }

    /// Counts a line, which may be a sentence.
    fn add(&mut self, line: &str, is_sentence: bool) {
        self.is_markdown |= line.starts_with("```");
        self.n_prose += if is_sentence { n_rows(line) } else { 0 };
        self.lower.clear();
        self.lower.extend(line.bytes().map(|byte| byte.to_ascii_lowercase()));
        let Tally { index, found, owners, lower, current, .. } = self;
        index.find(line.as_bytes(), lower, |number| {
            let idiom = &index.idioms[number];
            let owner = &mut owners[idiom.owner];
            if !std::mem::replace(&mut found[number], true) {
                owner.sum += idiom.weight;
                owner.n_sure += usize::from(idiom.weight == SURE);
            }
            if !std::mem::replace(&mut owner.is_current, true) {
                current.push(idiom.owner);
            }
        });
        for owner in self.current.drain(..) {
            let owner = &mut self.owners[owner];
            owner.is_current = false;
            // A long line with one idiom in it is not full of them.
            owner.n_rows += 1;
            owner.n_prose += usize::from(is_sentence);
            self.most.n_rows = self.most.n_rows.max(owner.n_rows);
            self.most.n_prose = self.most.n_prose.max(owner.n_prose);
        }
    }

    /// Returns whether `all` rows may turn out to be full of the idioms of a front end, if the last `n_left` lines are
    /// still to be counted and all sentences are among the first.
    fn may_be_full(&self, all: &Rows, n_left: usize) -> bool {
        // Each line that is left has the idioms of all front ends at best, and counts as one row of each.
        let n_missing = self.n_prose - self.most.n_prose;
        let best = Owner {
            n_rows: self.most.n_rows + n_left,
            n_prose: all.prose.saturating_sub(n_missing),
            n_sure: Rows::MANY,
            ..self.most
        };
        all.are_full_of(&best)
    }

    /// Returns the evidence in all lines, of these rows.
    fn evidence(self, rows: Rows) -> Evidence {
        let sums = self.owners.iter().enumerate().filter(|(_, owner)| rows.are_full_of(owner));
        let mut languages: Vec<(usize, u32)> = sums.map(|(at, owner)| (at, owner.sum)).collect();
        languages.sort_by_key(|&(at, sum)| (std::cmp::Reverse(sum), at));
        let first = languages.first().map(|first| first.0);
        let relatives = first.map_or(&[][..], |first| &self.index.relatives[first]);
        let others = self.owners.iter().enumerate().filter(|(at, _)| !relatives.contains(at));
        Evidence {
            second: others.map(|(_, owner)| owner.sum).max().unwrap_or(0),
            is_sure: first.is_some_and(|first| self.owners[first].n_sure > 0),
            languages,
            rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a line has an idiom of a language that heeds case.
    fn has(line: &str, written: &str) -> bool {
        let idiom = Idiom::new(0, written, 1, false);
        let lower = line.to_ascii_lowercase();
        (0..line.len()).any(|at| idiom.is_at(line.as_bytes(), lower.as_bytes(), at))
    }

    #[test]
    fn idioms_are_found_where_they_are_written() {
        for (line, written, wanted) in [
            ("end do", "^end·do", true),
            ("end \t do", "^end·do", true),
            ("enddo", "^end·do", false),
            ("end done", "^end·do", false),
            ("the end do", "^end·do", false),
            ("f :: Int", "·::·", true),
            ("f ::", "·::·", true),
            ("std::cout", "·::·", false),
            ("End do", "^end·do", false),
            ("x = sizeof(y)", "sizeof(", true),
            ("x = my_sizeof(y)", "sizeof(", false),
            ("$a0, 3", "a0,", false),
            ("li a0, 3", "a0,", true),
            ("^x", "^", true),
            ("end-if", "^end", false),
            ("é end", "end", true),
        ] {
            assert_eq!(has(line, written), wanted, "{written} in {line}");
        }
    }

    #[test]
    fn case_is_ignored_where_the_language_does() {
        let idiom = Idiom::new(0, "^go·to", 1, true);
        assert!(idiom.is_at(b"GO TO 10", b"go to 10", 0));
    }

    #[test]
    fn a_language_is_clear_if_no_other_comes_near() {
        let evidence = |languages: &[(usize, u32)], second: u32, is_sure: bool| {
            Evidence { languages: languages.to_vec(), second, is_sure, ..Evidence::default() }
                .language()
        };
        assert_eq!(evidence(&[(3, 20), (4, 11)], 11, true), Some(3));
        assert_eq!(evidence(&[(3, 20), (4, 18)], 18, true), None);
        assert_eq!(evidence(&[(3, 11)], 0, true), None);
        assert_eq!(evidence(&[(3, 14)], 0, false), None);
        assert_eq!(evidence(&[(3, 16)], 8, false), Some(3));
        assert_eq!(evidence(&[], 0, false), None);
    }

    proptest::proptest! {
        /// The index finds what the naive twin finds by trying all idioms at all places.
        #[test]
        fn the_index_finds_all_idioms(line in "[iIn.t( _-]{1,12}") {
            let line = line.trim();
            let lower = line.to_ascii_lowercase();
            let mut index = IdiomIndex::default();
            for written in ["int", "^in", "i·", "in·t", "(", ".t", "_in", "-i", "t-", "n(", "·(", "t"] {
                index.add(Idiom::new(0, written, 1, written.len() % 2 == 0));
            }
            let (line, lower) = (line.as_bytes(), lower.as_bytes());
            let mut found = Vec::new();
            index.find(line, lower, |number| found.push(number));
            let all = (0..line.len()).flat_map(|at| {
                let idioms = index.idioms.iter().enumerate();
                let here = idioms.filter(move |(_, idiom)| idiom.is_at(line, lower, at));
                here.map(|(number, _)| number)
            });
            let mut all: Vec<usize> = all.collect();
            found.sort_unstable();
            all.sort_unstable();
            proptest::prop_assert_eq!(found, all);
        }

        /// A text that is left early says of its language what it says when all lines are counted.
        #[test]
        fn lines_that_are_left_out_decide_nothing(
            lines in proptest::collection::vec(
                ("(int |for |end |the old man went |x |```| = 1|;|[a-z]{90}|one two three ){1,4}", proptest::bool::ANY), 0..24
            ),
        ) {
            let mut index = IdiomIndex { relatives: vec![Vec::new(); 3], ..IdiomIndex::default() };
            for (owner, written, weight) in [(0, "int", SURE), (0, "for", 3), (1, "end", SURE), (1, "the·old", 4), (2, "=", 2)] {
                index.add(Idiom::new(owner, written, weight, false));
            }
            let lines: Vec<(&str, bool)> = lines.iter().map(|(line, is_sentence)| (line.trim(), *is_sentence)).collect();
            let (mut tally, mut rows) = (Tally::new(&index), Rows::default());
            for &(line, is_sentence) in &lines {
                tally.add(line, is_sentence);
                rows.add(line, is_sentence);
            }
            let all = if tally.is_markdown { Evidence::default() } else { tally.evidence(rows) };
            let early = index.evidence(&lines, rows).unwrap_or_default();
            proptest::prop_assert_eq!(early.language(), all.language());
            proptest::prop_assert_eq!(&early.languages, &all.languages);
        }

        #[test]
        fn any_text_is_looked_at(text in proptest::prelude::any::<String>()) {
            let index = IdiomIndex::new(std::iter::empty());
            let (lines, rows) = Rows::count(&text);
            let language = index.evidence(&lines, rows).and_then(|evidence| evidence.language());
            proptest::prop_assert_eq!(language, None);
            let written = text.replace(char::is_whitespace, "·");
            let idiom = Idiom::new(0, &written, 1, true);
            if !idiom.text.is_empty() {
                let lower = text.to_ascii_lowercase();
                for at in 0..text.len() {
                    idiom.is_at(text.as_bytes(), lower.as_bytes(), at);
                }
            }
        }
    }
}
