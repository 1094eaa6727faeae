//! Profiles: the grams of a submission from which the ranking score is computed.
//!
//! Only grams that another submission may hold are kept; of the others, which are most, only the number is needed.
//! There are several channels, each with grams of its own.
//!
//! Cost: 8 bytes for each distinct gram that is kept, and one sort.

use std::ops::Range;

use crate::score::plain::plain;
use fanmill_kernel as kernel;
use fanmill_text::frontend::Kind;
use fanmill_text::gram::{self, count_into};
use fanmill_text::token::{Stream, Symbol, Tokens};

/// The aspect of tokens that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Symbols: identifiers and literals as classes.
    Structural,
    /// Symbols in their plain form: types as names, loops as one class, without modifiers and brackets.
    Plain,
    /// Names and literals as spelled, case-folded, without punctuation.
    Lexical,
    /// Numbers and strings as spelled, one by one.
    Literal,
}

impl Channel {
    /// All channels, in the order in which they are scored.
    pub const ALL: [Channel; 4] =
        [Channel::Structural, Channel::Plain, Channel::Lexical, Channel::Literal];

    /// Returns the channels that differ for documents of one kind: in prose, a token's name is its symbol and its plain
    /// form, and no token is punctuation or a literal.
    pub fn all_of(kind: Kind) -> &'static [Channel] {
        match kind {
            Kind::Code => &Channel::ALL,
            Kind::Words | Kind::Chars => &[Channel::Structural],
        }
    }
}

/// Returns the length of a gram in tokens, by channel and kind of document.
///
/// Prose has no classes, so all channels use the same length for it.
fn gram_len(channel: Channel, kind: Kind) -> usize {
    match (kind, channel) {
        (Kind::Code, Channel::Structural | Channel::Plain) => 11,
        (Kind::Code, Channel::Literal) => 1,
        (Kind::Code, Channel::Lexical) | (Kind::Words, _) => 4,
        (Kind::Chars, _) => 16,
    }
}

/// Forms the grams of one document in one channel, from tokens that arrive part by part.
///
/// A document shorter than a gram becomes one gram.
#[derive(Debug)]
pub struct GramBuilder {
    channel: Channel,
    k: usize,
    /// Symbols with which grams may still begin, without those that the channel leaves out.
    symbols: Vec<Symbol>,
    /// The token number of each of these symbols.
    places: Vec<u32>,
    /// Scratch memory for the hashes of the grams that are formed.
    hashes: Vec<u64>,
    /// The number of the next token.
    n_tokens: u32,
    /// True if there has been a whole gram.
    is_long: bool,
}

impl GramBuilder {
    /// Creates a former for a document of this kind whose first token is number `first` of its submission.
    pub fn new(channel: Channel, kind: Kind, first: usize) -> GramBuilder {
        // Words of prose have no plain form: `private` is a word like any other.
        let compared = match (channel, kind) {
            (Channel::Plain, Kind::Words | Kind::Chars) => Channel::Structural,
            _ => channel,
        };
        GramBuilder::with_len(gram_len(channel, kind), compared, first)
    }

    /// Creates a former for grams of `k` tokens, at least 1, instead of the score's lengths.
    pub fn with_len(k: usize, channel: Channel, first: usize) -> GramBuilder {
        GramBuilder {
            channel,
            k,
            symbols: Vec::new(),
            places: Vec::new(),
            hashes: Vec::new(),
            n_tokens: first as u32,
            is_long: false,
        }
    }

    /// Returns the number of tokens in a gram.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Takes the next tokens, and calls `each` with the hash and token range of every gram that they complete.
    pub fn push(
        &mut self,
        tokens: &Tokens,
        range: Range<usize>,
        each: impl FnMut(u64, Range<usize>),
    ) {
        let symbols = &tokens.symbols[range.clone()];
        let names = || tokens.names[range].iter().copied();
        self.symbols.reserve(symbols.len());
        self.places.reserve(symbols.len());
        match self.channel {
            Channel::Structural => {
                self.symbols.extend_from_slice(symbols);
                self.places.extend(self.n_tokens..self.n_tokens + symbols.len() as u32);
            }
            Channel::Plain => self.keep(symbols.iter().map(|&symbol| plain(symbol))),
            Channel::Lexical => {
                self.keep(names().map(|name| Some(name).filter(|name| !name.is_punctuation())));
            }
            Channel::Literal => {
                let is_literal = |symbol| [Symbol::NUMBER, Symbol::STRING].contains(symbol);
                self.keep(
                    symbols
                        .iter()
                        .zip(names())
                        .map(|(symbol, name)| is_literal(symbol).then_some(name)),
                );
            }
        }
        self.n_tokens += symbols.len() as u32;
        if self.symbols.len() >= self.k {
            self.is_long = true;
            self.form(self.k, each);
            // Keep the last `k - 1` symbols, with which the next grams begin.
            let done = self.symbols.len() + 1 - self.k;
            self.symbols.drain(..done);
            self.places.drain(..done);
        }
    }

    /// Keeps what the channel compares of the next tokens; `None` is a token that it leaves out.
    fn keep(&mut self, compared: impl Iterator<Item = Option<Symbol>>) {
        for (symbol, place) in compared.zip(self.n_tokens..) {
            if let Some(symbol) = symbol {
                self.symbols.push(symbol);
                self.places.push(place);
            }
        }
    }

    /// Ends the document; if it is shorter than a gram, it yields its only gram now.
    pub fn finish(mut self, each: impl FnMut(u64, Range<usize>)) {
        if !self.is_long && !self.symbols.is_empty() {
            self.form(self.symbols.len(), each);
        }
    }

    fn form(&mut self, k: usize, mut each: impl FnMut(u64, Range<usize>)) {
        self.hashes.clear();
        gram::hash_all(&self.symbols, k, &mut self.hashes);
        for (&hash, places) in self.hashes.iter().zip(self.places.windows(k)) {
            each(hash, places[0] as usize..places[k - 1] as usize + 1);
        }
    }
}

/// The grams of one submission in one channel, as a multiset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// Hashes that other submissions may hold too: ascending and distinct.
    hashes: Vec<u64>,
    /// Index and count of the hashes that occur more than once: ascending.
    repeated: Vec<(u32, u32)>,
    /// Number of all grams that count, kept or not, repetitions included.
    n_grams: u64,
}

impl Profile {
    /// Collects the grams of a submission in a channel; `stream` must have the channel's columns.
    ///
    /// Grams that lie entirely in boilerplate (`grey`: token ranges, ascending) are left out; those that
    /// are not `wanted` are only counted.
    pub fn new(
        stream: &Stream,
        channel: Channel,
        grey: &[Range<usize>],
        wanted: impl Fn(u64) -> bool,
    ) -> Profile {
        let mut builder = Builder::default();
        let mut n_grams = 0;
        let mut formed = Vec::with_capacity(AT_A_TIME.min(stream.tokens.len()));
        for document in &stream.outline.documents {
            let Range { start, end } = document.range;
            let mut former = GramBuilder::new(channel, document.kind, start);
            // Part by part, so that grams that are not wanted never take much memory.
            for from in (start..end).step_by(AT_A_TIME) {
                let count = |hash: u64, tokens: Range<usize>| {
                    if !is_inside(tokens, grey) {
                        formed.push(hash);
                    }
                };
                former.push(&stream.tokens, from..end.min(from + AT_A_TIME), count);
                n_grams += builder.extend(&mut formed, &wanted);
            }
            former.finish(|hash, tokens| {
                if !is_inside(tokens, grey) {
                    formed.push(hash);
                }
            });
            n_grams += builder.extend(&mut formed, &wanted);
        }
        Profile { n_grams, ..builder.finish() }
    }

    /// Returns the number of all grams, repetitions included.
    pub fn n_grams(&self) -> u64 {
        self.n_grams
    }

    /// Returns the number of distinct grams kept.
    pub fn n_kept(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the distinct grams kept, ascending.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Returns some of the distinct grams, by their indices, each with its count.
    pub fn grams(&self, numbers: Range<usize>) -> impl Iterator<Item = (u64, u32)> + '_ {
        let start = numbers.start as u32;
        // `repeated` has the same order and is walked alongside.
        let first = self.repeated.partition_point(|&(index, _)| index < start);
        let mut repeated = self.repeated[first..].iter().peekable();
        self.hashes[numbers].iter().zip(start..).map(move |(&hash, index)| {
            let times = repeated.next_if(|&&(repeated, _)| repeated == index);
            (hash, times.map_or(1, |&(_, times)| times))
        })
    }
}

/// Number of tokens that are formed into grams at a time.
const AT_A_TIME: usize = 1 << 12;

/// Returns whether `range` lies entirely in one of the `grey` ranges.
fn is_inside(range: Range<usize>, grey: &[Range<usize>]) -> bool {
    // Only the first grey range that reaches to the end of `range` can contain it.
    let first = grey.partition_point(|run| run.end < range.end);
    grey.get(first).is_some_and(|run| run.start <= range.start)
}

/// Collects grams, in memory for all of them, or only for the distinct ones where these are few.
///
/// A file of one line repeated a million times has a dozen distinct grams, and must not take memory for every one of
/// its tokens.
#[derive(Debug, Default)]
struct Builder {
    /// Hashes not counted yet.
    fresh: Vec<u64>,
    /// Length of `fresh` at which to try counting next.
    limit: usize,
    /// Counted hashes, ascending; used only if there were many repetitions.
    counted: Vec<(u64, u32)>,
}

impl Builder {
    /// Adds the hashes that are `wanted`, and empties the list; returns the number of hashes that it had.
    fn extend(&mut self, hashes: &mut Vec<u64>, wanted: impl Fn(u64) -> bool) -> u64 {
        // Without a branch, so that the processor can wait for many memory accesses at once.
        let n_hashes = hashes.len();
        let mut n_wanted = 0;
        for at in 0..n_hashes {
            let hash = hashes[at];
            hashes[n_wanted] = hash;
            n_wanted += usize::from(wanted(hash));
        }
        if self.fresh.len() + n_wanted > self.limit {
            self.tidy();
        }
        self.fresh.extend_from_slice(&hashes[..n_wanted]);
        hashes.clear();
        n_hashes as u64
    }

    /// Counts the collected hashes if that saves at least half of them; otherwise raises the limit.
    #[cold]
    fn tidy(&mut self) {
        const LEAST: usize = 1 << 16;
        kernel::sort_in_place(&mut self.fresh);
        let n_distinct = self.fresh.chunk_by(|x, y| x == y).count();
        if 2 * n_distinct < self.fresh.len() {
            count_into(&mut self.counted, &mut self.fresh);
        }
        self.limit = LEAST.max(2 * self.fresh.len()) + AT_A_TIME;
    }

    /// Returns the profile, except for `n_grams`.
    fn finish(mut self) -> Profile {
        kernel::sort_in_place(&mut self.fresh);
        let mut repeated = Vec::new();
        let mut note = |index: usize, times: usize| {
            if times > 1 {
                repeated.push((index as u32, times as u32));
            }
        };
        let mut hashes = self.fresh;
        if self.counted.is_empty() {
            // In place: each distinct hash moves to the front, never past its old position.
            let (mut at, mut n_kept) = (0, 0);
            while let Some(&hash) = hashes.get(at) {
                let times = hashes[at..].iter().take_while(|&&next| next == hash).count();
                note(n_kept, times);
                hashes[n_kept] = hash;
                n_kept += 1;
                at += times;
            }
            hashes.truncate(n_kept);
        } else {
            let mut counted = self.counted;
            count_into(&mut counted, &mut hashes);
            for (index, &(_, times)) in counted.iter().enumerate() {
                note(index, times as usize);
            }
            hashes.extend(counted.iter().map(|&(hash, _)| hash));
        }
        hashes.shrink_to_fit();
        Profile { hashes, repeated, n_grams: 0 }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use fanmill_kernel::hash::mix::mix;
    use fanmill_text::span::Span;
    use fanmill_text::token::{Columns, Token};

    /// Returns a profile of these hashes, all of them kept.
    pub(in crate::score) fn profile(hashes: &[u64]) -> Profile {
        let mut builder = Builder::default();
        builder.extend(&mut hashes.to_vec(), |_| true);
        Profile { n_grams: hashes.len() as u64, ..builder.finish() }
    }

    fn spell(text: &str, tokens: &mut Tokens) {
        for byte in text.bytes() {
            let name = Symbol::spelled(&[byte]);
            let symbol = match byte {
                b'a'..=b'z' => Symbol::IDENTIFIER,
                b'0'..=b'9' => Symbol::NUMBER,
                _ => name,
            };
            tokens.push(Token { symbol, name, span: Span::default() });
        }
    }

    /// The naive twin: returns all windows, with the token range of each.
    fn naive(text: &str, channel: Channel, kind: Kind, first: usize) -> Vec<(u64, Range<usize>)> {
        let mut tokens = Tokens::default();
        spell(text, &mut tokens);
        let kept: Vec<(Symbol, usize)> = match channel {
            Channel::Structural => tokens.symbols.into_iter().zip(first..).collect(),
            Channel::Plain => {
                let symbols = tokens.symbols.into_iter().zip(first..);
                let is_code = kind == Kind::Code;
                let left_out = "(){}[]".chars().map(|c| Symbol::spelled(c.to_string().as_bytes()));
                let left_out: Vec<Symbol> = left_out.collect();
                symbols.filter(|(symbol, _)| !is_code || !left_out.contains(symbol)).collect()
            }
            Channel::Literal => {
                let all = tokens.symbols.iter().zip(&tokens.names).zip(first..);
                let literals = all.filter(|((symbol, _), _)| **symbol == Symbol::NUMBER);
                literals.map(|((_, name), at)| (*name, at)).collect()
            }
            Channel::Lexical => {
                let names = tokens.names.into_iter().zip(first..);
                names.filter(|(name, _)| !name.is_punctuation()).collect()
            }
        };
        let k = gram_len(channel, kind).min(kept.len().max(1));
        let gram = |window: &[(Symbol, usize)]| {
            let symbols: Vec<Symbol> = window.iter().map(|(symbol, _)| *symbol).collect();
            (gram::hash(&symbols), window[0].1..window[k - 1].1 + 1)
        };
        kept.windows(k).map(gram).collect()
    }

    fn counts(hashes: impl IntoIterator<Item = u64>) -> Vec<(u64, u32)> {
        let mut counts = BTreeMap::new();
        for hash in hashes {
            *counts.entry(hash).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }

    #[test]
    fn a_line_repeated_a_million_times_is_counted_on_the_way() {
        let mut builder = Builder::default();
        for i in 0..1_000_000_u64 {
            builder.extend(&mut vec![mix(i % 7); 3], |_| true);
        }
        assert!(builder.fresh.capacity() < 1 << 18, "{}", builder.fresh.capacity());
        let profile = builder.finish();
        let found: u32 = profile.grams(0..profile.n_kept()).map(|(_, times)| times).sum();
        assert_eq!(found, 3_000_000);
    }

    proptest! {
        #[test]
        fn grams_from_parts_are_those_of_the_whole(
            texts in proptest::collection::vec(("[ab;,+(7-9]{0,40}", 0..3_usize), 0..4),
            parts in proptest::collection::vec(1..20_usize, 1..5),
            cut in 0..60_usize,
            grey in (0..40_usize, 0..60_usize),
        ) {
            let kinds = [Kind::Code, Kind::Words, Kind::Chars];
            let grey = grey.0..grey.0 + grey.1;
            for channel in Channel::ALL {
                let mut stream = Stream::from_columns(Columns::Spelled);
                let mut expected = Vec::new();
                for (document, (text, kind)) in texts.iter().enumerate() {
                    let kind = kinds[*kind];
                    let first = stream.outline.next_start();
                    let mut tokens = Tokens::default();
                    spell(text, &mut tokens);
                    let own = naive(text, channel, kind, first);
                    let (mut found, mut former) = (Vec::new(), GramBuilder::new(channel, kind, first));
                    // The former gets the tokens in parts of changing length.
                    let (mut at, mut lens) = (0, parts.iter().cycle());
                    while at < tokens.len() {
                        let end = tokens.len().min(at + lens.next().expect("endless"));
                        former.push(&tokens, at..end, |hash, tokens| found.push((hash, tokens)));
                        at = end;
                    }
                    former.finish(|hash, tokens| found.push((hash, tokens)));
                    prop_assert_eq!(&found, &own);
                    expected.extend(own);
                    stream.push(document, kind, |all| *all = tokens);
                }
                expected.retain(|(_, tokens)| !(grey.start <= tokens.start && tokens.end <= grey.end));
                let odd = |hash: u64| hash % 2 == 1;
                let profile = Profile::new(&stream, channel, std::slice::from_ref(&grey), odd);
                prop_assert_eq!(profile.n_grams(), expected.len() as u64);
                let kept = counts(expected.into_iter().map(|(hash, _)| hash).filter(|&h| odd(h)));
                let (n, cut) = (profile.n_kept(), cut.min(profile.n_kept()));
                let found: Vec<_> = [0..cut, cut..n].into_iter().flat_map(|part| profile.grams(part)).collect();
                prop_assert_eq!((found, n, profile.hashes().len()), (kept.clone(), kept.len(), kept.len()));
            }
        }
    }
}
