//! The protocol between parent and child: numbers of eight bytes, and bytes preceded by their length.
//!
//! The child sends a hello ([`HELLO`] and its locks), receives a document, and answers once. Every length in an answer
//! is checked against the bytes that are there.

use fanmill_text::document::Outcome;
use fanmill_text::message::{Message, Part};

use super::locks::{Lock, Locks};
use crate::extracted::{
    Extracted, Flag, Format, LocatedSpan, Location, Metadata, ReadFailure, Scans, SetApartReason,
    SetApartText, Unread,
};
use crate::pdf::limits::{MOST_ATTACHED, MOST_PAGES};

/// First bytes that a child sends. They differ between versions of the program.
pub(super) const HELLO: &[u8] =
    concat!("fanmill extract ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

/// Exit status of a child that could not start a program of the user's; its standard error has the reason.
pub(super) const NOT_STARTED: u8 = 121;

/// Exit status of a child whose program of the user's has used up its processor time.
#[cfg(windows)]
pub(super) const OUT_OF_TIME: u8 = 122;

/// Bytes of a hello: [`HELLO`], and a byte for each lock.
pub(super) const HELLO_BYTES: usize = HELLO.len() + 2;

/// Bytes allowed for an answer besides its text: places, asides, names.
const OVERHEAD: u64 = 16 << 20;

/// Returns the maximum number of bytes of an answer whose text may have `of_text` bytes.
pub(super) fn most_bytes(of_text: u64) -> u64 {
    of_text.saturating_mul(4).saturating_add(OVERHEAD)
}

pub(super) fn hello(locks: Locks) -> Vec<u8> {
    let mut hello = HELLO.to_vec();
    hello.extend([lock_byte(locks.landlock), lock_byte(locks.seccomp)]);
    hello
}

/// Reads the locks from a hello; `None` if it is not a hello of this version.
pub(super) fn hello_of(bytes: &[u8]) -> Option<Locks> {
    let [landlock, seccomp] = *bytes.strip_prefix(HELLO)? else { return None };
    Some(Locks { landlock: lock_of(landlock)?, seccomp: lock_of(seccomp)? })
}

fn lock_byte(lock: Lock) -> u8 {
    match lock {
        Lock::None => b'0',
        Lock::Partial => b'1',
        Lock::Full => b'2',
    }
}

fn lock_of(byte: u8) -> Option<Lock> {
    match byte {
        b'0' => Some(Lock::None),
        b'1' => Some(Lock::Partial),
        b'2' => Some(Lock::Full),
        _ => None,
    }
}

/// Encodes an answer.
pub(super) fn answer(answer: &Result<Extracted, ReadFailure>) -> Vec<u8> {
    let mut out = Vec::new();
    match answer {
        Ok(document) => {
            // The first number is the kind of answer: 0 is a document, 1 was skipped, 2 failed.
            number(&mut out, 0);
            bytes(&mut out, document.text.as_bytes());
            number(&mut out, document.places.len() as u64);
            for place in &document.places {
                number(&mut out, u64::from(place.start));
                number(&mut out, number_of(place.at));
            }
            number(&mut out, document.asides.len() as u64);
            for aside in &document.asides {
                number(&mut out, aside.kind as u64);
                number(&mut out, number_of(aside.at));
                bytes(&mut out, aside.text.as_bytes());
            }
            number(&mut out, document.flags.len() as u64);
            for flag in &document.flags {
                number(&mut out, *flag as u64);
            }
            number(&mut out, u64::from(document.unread.is_some()));
            if let Some(Unread { percent, first, last }) = document.unread {
                for part in [percent, first, last] {
                    number(&mut out, u64::from(part));
                }
            }
            number(&mut out, document.scans.unread.len() as u64);
            for page in &document.scans.unread {
                number(&mut out, u64::from(*page));
            }
            let Metadata { author, created, program, .. } = &document.metadata;
            for said in [author, created, program] {
                bytes(&mut out, said.as_deref().unwrap_or_default().as_bytes());
            }
        }
        Err(unread) => {
            failure(&mut out, unread);
        }
    }
    out
}

/// Returns the number of a place: that of its page, and those of attached files after all of these. Only documents with
/// pages are read in a cage, so other places need none.
fn number_of(at: Location) -> u64 {
    match at {
        Location::Page(page) => u64::from(page),
        Location::Attachment(number) => MOST_PAGES as u64 + u64::from(number),
        _ => 0,
    }
}

/// Encodes the picture of a page, or the reason why there is none.
pub(super) fn picture(picture: &Result<Vec<u8>, ReadFailure>) -> Vec<u8> {
    let mut out = Vec::new();
    match picture {
        Ok(picture) => {
            number(&mut out, 0);
            bytes(&mut out, picture);
        }
        Err(unread) => failure(&mut out, unread),
    }
    out
}

fn failure(out: &mut Vec<u8>, unread: &ReadFailure) {
    number(out, if unread.outcome == Outcome::Skipped { 1 } else { 2 });
    unread.reason.write(out);
}

/// Encodes what a child receives: the page to draw, or 0 if it is to read all text; the maximum number of bytes of text,
/// the passwords, and the document.
pub(super) fn question(document: &[u8], page: u32, most_bytes: u64, passwords: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(document.len() + passwords.len() + 32);
    number(&mut out, page.into());
    number(&mut out, most_bytes);
    bytes(&mut out, passwords.as_bytes());
    bytes(&mut out, document);
    out
}

fn number(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    number(out, bytes.len() as u64);
    out.extend(bytes);
}

/// Decodes the answer of a child that read a document; `None` if it is not valid.
pub(super) fn answer_of(bytes: &[u8]) -> Option<Result<Extracted, ReadFailure>> {
    answered(bytes, document)
}

/// Decodes the answer of a child that drew a page; `None` if it is not valid.
pub(super) fn picture_of(bytes: &[u8]) -> Option<Result<Vec<u8>, ReadFailure>> {
    answered(bytes, |rest| Some(rest.bytes()?.to_vec()))
}

fn answered<T>(
    bytes: &[u8],
    decode: impl FnOnce(&mut Rest<'_>) -> Option<T>,
) -> Option<Result<T, ReadFailure>> {
    let mut rest = Rest(bytes);
    let answer = match rest.number()? {
        0 => Ok(decode(&mut rest)?),
        kind @ (1 | 2) => {
            let outcome = if kind == 1 { Outcome::Skipped } else { Outcome::Failed };
            let reason = Message::read(&mut rest.0)?;
            Err(ReadFailure { outcome, reason: presentable(&reason) })
        }
        _ => return None,
    };
    rest.0.is_empty().then_some(answer)
}

/// Returns at most the first 500 characters of a reason, with control characters escaped, so that it is fit for a
/// report whatever the document made the reader say.
fn presentable(reason: &Message) -> Message {
    let mut left = 500;
    let parts = reason.parts().map(|part| match part {
        Part::Words(words) => {
            let kept: String = words.chars().take(left).flat_map(escaped).collect();
            left -= words.chars().take(left).count();
            Message::from(kept)
        }
        // Names consist of letters, digits and hyphens only.
        Part::Setting(_) | Part::Task(_) => part.into(),
    });
    parts.take(32).collect()
}

fn escaped(c: char) -> impl Iterator<Item = char> {
    let is_shown = !c.is_control();
    let escape = (!is_shown).then(|| c.escape_default());
    is_shown.then_some(c).into_iter().chain(escape.into_iter().flatten())
}

fn document(rest: &mut Rest<'_>) -> Option<Extracted> {
    let text = rest.text()?;
    let mut places: Vec<LocatedSpan> = Vec::new();
    // Counts are checked against the bytes of the smallest item: two numbers for a place, three for an aside, one for a
    // flag.
    for _ in 0..rest.count(16)? {
        let start = u32::try_from(rest.number()?).ok()?;
        let at = rest.place()?;
        let is_next = places
            .last()
            .is_none_or(|last| last.start < start && number_of(last.at) < number_of(at));
        if !is_next || start as usize >= text.len() || !text.is_char_boundary(start as usize) {
            return None;
        }
        places.push(LocatedSpan { start, at });
    }
    let mut asides = Vec::new();
    for _ in 0..rest.count(24)? {
        let kind = rest.number()?;
        let kind = SetApartReason::ALL.into_iter().find(|known| *known as u64 == kind)?;
        asides.push(SetApartText { kind, at: rest.place()?, text: rest.text()? });
    }
    let mut flags = Vec::new();
    for _ in 0..rest.count(8)? {
        let flag = rest.number()?;
        flags.push(Flag::ALL.into_iter().find(|known| *known as u64 == flag)?);
    }
    let unread = match rest.number()? {
        0 => None,
        1 => Some(unread(rest)?),
        _ => return None,
    };
    let mut scans = Scans::default();
    for _ in 0..rest.count(8)? {
        let page = rest.page_number()?;
        if scans.unread.last().is_some_and(|last| *last >= page) {
            return None;
        }
        scans.unread.push(page);
    }
    let mut said = || rest.text().map(|text| (!text.is_empty()).then_some(text));
    let (author, created, program) = (said()?, said()?, said()?);
    let metadata = Metadata { author, created, program, ..Metadata::default() };
    let is_blank = text.trim().is_empty();
    let document = Extracted {
        format: Format::Pdf,
        text,
        places,
        sheets: Vec::new(),
        asides,
        flags,
        unread,
        scans,
        metadata,
    };
    (!is_blank || !document.scans.unread.is_empty()).then_some(document)
}

fn unread(rest: &mut Rest<'_>) -> Option<Unread> {
    let percent = u32::try_from(rest.number()?).ok()?;
    let unread = Unread { percent, first: rest.page_number()?, last: rest.page_number()? };
    ((1..=100).contains(&percent) && unread.first <= unread.last).then_some(unread)
}

/// The unread rest of an answer.
struct Rest<'b>(&'b [u8]);

impl Rest<'_> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// Reads the number of items that follow, each at least `item_bytes` long; `None` if the rest is too short for
    /// them.
    fn count(&mut self, item_bytes: usize) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len() / item_bytes).then_some(count)
    }

    fn bytes(&mut self) -> Option<&[u8]> {
        let length = self.count(1)?;
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    fn place(&mut self) -> Option<Location> {
        let number = u32::try_from(self.number()?).ok()?;
        let most_pages = MOST_PAGES as u32;
        match number.checked_sub(most_pages) {
            Some(attached @ 1..) if attached as usize <= MOST_ATTACHED => {
                Some(Location::Attachment(attached))
            }
            None | Some(0) if number > 0 => Some(Location::Page(number)),
            _ => None,
        }
    }

    fn page_number(&mut self) -> Option<u32> {
        match self.place()? {
            Location::Page(page) => Some(page),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_arrives_as_it_was_sent() {
        let at = |start, at| LocatedSpan { start, at };
        let document = Extracted {
            format: Format::Pdf,
            text: "one\ntwo\nthree\n".to_owned(),
            places: vec![
                at(0, Location::Page(1)),
                at(4, Location::Page(MOST_PAGES as u32)),
                at(8, Location::Attachment(1)),
                at(9, Location::Attachment(MOST_ATTACHED as u32)),
            ],
            sheets: Vec::new(),
            asides: vec![SetApartText {
                kind: SetApartReason::Comment,
                at: Location::Attachment(2),
                text: "four".to_owned(),
            }],
            flags: vec![Flag::Limit, Flag::Embedded],
            unread: Some(Unread { percent: 7, first: 2, last: 3 }),
            scans: Scans { unread: vec![2, 4], ..Scans::default() },
            metadata: Metadata { author: Some("Ada".to_owned()), ..Metadata::default() },
        };
        let sent = answer(&Ok(document.clone()));
        assert_eq!(answer_of(&sent), Some(Ok(document.clone())));
        for end in 0..sent.len() {
            assert_eq!(answer_of(&sent[..end]), None, "{end}");
        }
        // A place that no document of so many pages and files has.
        let places = vec![at(0, Location::Attachment(MOST_ATTACHED as u32 + 1))];
        assert_eq!(answer_of(&answer(&Ok(Extracted { places, ..document }))), None);
    }
}
