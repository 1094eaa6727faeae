//! Messages as Outlook wraps them: `winmail.dat`, with the text, and the attachments, of the message that it comes with.
//!
//! A stream is a signature and attributes, each of a message or of an attachment. Two of them hold properties, among
//! which are the text as HTML and RTF, longer names, and messages inside the message. Checksums are not looked at.
//!
//! Cost: O(n).
//! Source: [MS-OXTNEF], §2.1.3; [MS-OXPROPS], §2 for the numbers of properties.
//! Departs from it: an attribute that is longer than the stream is read up to the end, and attributes may come in any
//! order.

mod properties;

use crate::charset;
use crate::remark::Remarks;
use properties::{Kind, Property};

/// `0x223E9F78`, as it is stored.
const SIGNATURE: &[u8] = b"\x78\x9F\x3E\x22";

/// Bytes of the signature and the key behind it.
const BEGINNING: usize = 6;

/// Identifies messages inside a message: `00020307-0000-0000-C000-000000000046`.
const MESSAGE_OBJECT: &[u8; 16] = b"\x07\x03\x02\0\0\0\0\0\xC0\0\0\0\0\0\0\x46";

/// Attributes that are read, by their numbers.
mod attribute {
    pub(super) const SUBJECT: u32 = 0x0001_8004;
    pub(super) const ATTACH_TITLE: u32 = 0x0001_8010;
    pub(super) const BODY: u32 = 0x0002_800C;
    pub(super) const ATTACH_DATA: u32 = 0x0006_800F;
    pub(super) const ATTACH_BEGIN: u32 = 0x0006_9002;
    pub(super) const MESSAGE_PROPERTIES: u32 = 0x0006_9003;
    pub(super) const ATTACH_PROPERTIES: u32 = 0x0006_9005;
    pub(super) const CODE_PAGE: u32 = 0x0006_9007;
}

/// Properties that are read, by their numbers.
mod property {
    pub(super) const SUBJECT: u16 = 0x0037;
    pub(super) const BODY: u16 = 0x1000;
    pub(super) const COMPRESSED_RTF: u16 = 0x1009;
    pub(super) const HTML: u16 = 0x1013;
    pub(super) const ATTACH_DATA: u16 = 0x3701;
    pub(super) const ATTACH_NAME: u16 = 0x3704;
    pub(super) const ATTACH_LONG_NAME: u16 = 0x3707;
    pub(super) const INTERNET_CODE_PAGE: u16 = 0x3FDE;
}

/// Text in the encoding that the stream says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text<'a> {
    bytes: &'a [u8],
    /// If set, it is UTF-16.
    is_wide: bool,
}

/// A message as its stream says it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Wrapped<'a> {
    pub(crate) subject: Option<Text<'a>>,
    pub(crate) plain: Option<Text<'a>>,
    pub(crate) html: Option<Text<'a>>,
    pub(crate) compressed_rtf: Option<&'a [u8]>,
    pub(crate) attachments: Vec<File<'a>>,
    /// If set, some of the stream could not be read.
    pub(crate) is_damaged: bool,
    code_page: Option<u32>,
    html_code_page: Option<u32>,
}

/// An attachment.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct File<'a> {
    name: Option<Text<'a>>,
    /// Its bytes; those of a message are a stream of their own.
    pub(crate) bytes: &'a [u8],
}

/// Reads a stream; `None` if it is none.
pub(crate) fn unwrap(bytes: &[u8]) -> Option<Wrapped<'_>> {
    if !bytes.starts_with(SIGNATURE) {
        return None;
    }
    let mut wrapped = Wrapped::default();
    let mut rest = bytes.get(BEGINNING..).unwrap_or_default();
    while !rest.is_empty() {
        // A level of one byte, a number, a length; the contents; a checksum of two bytes.
        let Some((head, behind)) = rest.split_first_chunk::<9>() else {
            wrapped.is_damaged = true;
            break;
        };
        let number =
            |at: usize| head[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
        let length = usize::try_from(number(5)).unwrap_or(usize::MAX);
        let (contents, behind) = behind.split_at(length.min(behind.len()));
        wrapped.is_damaged |= contents.len() < length || !matches!(head[0], 1 | 2);
        wrapped.take(number(1), contents);
        rest = behind.get(2..).unwrap_or_default();
    }
    Some(wrapped)
}

impl<'a> Wrapped<'a> {
    fn take(&mut self, number: u32, contents: &'a [u8]) {
        let text = Some(Text { bytes: contents, is_wide: false });
        match number {
            attribute::SUBJECT => self.subject = self.subject.or(text),
            attribute::BODY => self.plain = self.plain.or(text),
            attribute::CODE_PAGE => self.code_page = little_endian(contents),
            attribute::MESSAGE_PROPERTIES => {
                self.is_damaged |= !properties::each(contents, |found| self.message(&found));
            }
            attribute::ATTACH_BEGIN => self.attachments.push(File::default()),
            attribute::ATTACH_TITLE => {
                let file = self.file();
                file.name = file.name.or(text);
            }
            attribute::ATTACH_DATA => self.file().bytes = contents,
            attribute::ATTACH_PROPERTIES => {
                let file = self.file();
                let is_whole = properties::each(contents, |found| file.take(&found));
                self.is_damaged |= !is_whole;
            }
            _ => {}
        }
    }

    /// Returns the attachment that is being read.
    fn file(&mut self) -> &mut File<'a> {
        if self.attachments.is_empty() {
            self.attachments.push(File::default());
        }
        let last = self.attachments.len() - 1;
        &mut self.attachments[last]
    }

    fn message(&mut self, found: &Property<'a>) {
        match found.number {
            property::SUBJECT => self.subject = Text::from_property(found).or(self.subject),
            // This one may have characters that the code page of the other lacks.
            property::BODY => self.plain = Text::from_property(found).or(self.plain),
            property::HTML => {
                let bytes = Text { bytes: found.value, is_wide: false };
                self.html = Text::from_property(found).or(Some(bytes));
            }
            property::COMPRESSED_RTF => self.compressed_rtf = Some(found.value),
            property::INTERNET_CODE_PAGE => self.html_code_page = little_endian(found.value),
            _ => {}
        }
    }

    /// Decodes a text of this message, up to the NUL that ends it.
    pub(crate) fn decode(&self, text: Text<'_>, remarks: &mut Remarks) -> String {
        let decoded = text.decode(self.code_page, remarks);
        decoded.split('\0').next().unwrap_or_default().to_owned()
    }

    /// Decodes the page of this message, which has a code page of its own. NULs do not end it.
    pub(crate) fn decode_html(&self, text: Text<'_>, remarks: &mut Remarks) -> String {
        text.decode(self.html_code_page, remarks).trim_end_matches('\0').to_owned()
    }

    /// Returns the name of one of its attachments.
    pub(crate) fn name(&self, file: &File<'_>) -> Option<String> {
        let name = file.name.map(|name| self.decode(name, &mut Remarks::default()));
        name.filter(|name| !name.trim().is_empty())
    }
}

impl<'a> File<'a> {
    fn take(&mut self, found: &Property<'a>) {
        match found.number {
            property::ATTACH_DATA if found.kind == Kind::Object => {
                // Behind the identifier of what it is; only messages are understood here.
                self.bytes = found.value.strip_prefix(MESSAGE_OBJECT).unwrap_or(found.value);
            }
            property::ATTACH_DATA => self.bytes = found.value,
            property::ATTACH_LONG_NAME => self.name = Text::from_property(found).or(self.name),
            property::ATTACH_NAME => self.name = self.name.or(Text::from_property(found)),
            _ => {}
        }
    }
}

impl<'a> Text<'a> {
    fn from_property(found: &Property<'a>) -> Option<Text<'a>> {
        let is_wide = found.kind == Kind::Wide;
        let is_text = is_wide || found.kind == Kind::Narrow;
        is_text.then_some(Text { bytes: found.value, is_wide })
    }

    fn decode(self, code_page: Option<u32>, remarks: &mut Remarks) -> String {
        let label = if self.is_wide { Some("utf-16le".to_owned()) } else { label(code_page) };
        charset::decode(self.bytes, label.as_deref(), remarks)
    }
}

fn little_endian(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|four| u32::from_le_bytes(*four))
}

/// Returns the name of an encoding by the number of its code page.
fn label(code_page: Option<u32>) -> Option<String> {
    Some(match code_page? {
        0 | 20127 => return None,
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        1200 => "utf-16le".to_owned(),
        20866 => "koi8-r".to_owned(),
        21866 => "koi8-u".to_owned(),
        50220..=50222 => "iso-2022-jp".to_owned(),
        51932 => "euc-jp".to_owned(),
        54936 => "gb18030".to_owned(),
        65000 => "utf-7".to_owned(),
        65001 => "utf-8".to_owned(),
        page @ (874 | 1250..=1258) => format!("windows-{page}"),
        page @ 28591..=28606 => format!("iso-8859-{}", page - 28590),
        page => format!("cp{page}"),
    })
}

#[cfg(test)]
pub(crate) mod tests;
