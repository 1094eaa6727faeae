//! Tests with streams written here, and with arbitrary ones.

use proptest::prelude::*;

use super::*;

/// Writes streams.
#[derive(Debug, Clone)]
pub(crate) struct Stream(Vec<u8>);

impl Stream {
    pub(crate) fn new() -> Stream {
        Stream([SIGNATURE, &[1, 0]].concat())
    }

    pub(crate) fn attribute(mut self, level: u8, number: u32, contents: &[u8]) -> Stream {
        self.0.push(level);
        self.0.extend_from_slice(&number.to_le_bytes());
        self.0.extend_from_slice(&u32::try_from(contents.len()).expect("small").to_le_bytes());
        self.0.extend_from_slice(contents);
        let sum: u32 = contents.iter().map(|&byte| u32::from(byte)).sum();
        self.0.extend_from_slice(&sum.to_le_bytes()[..2]);
        self
    }

    pub(crate) fn body(self, text: &str) -> Stream {
        self.attribute(1, attribute::BODY, format!("{text}\0").as_bytes())
    }

    pub(crate) fn properties(self, list: &[(u32, &[u8])]) -> Stream {
        self.attribute(1, attribute::MESSAGE_PROPERTIES, &written(list))
    }

    pub(crate) fn file(self, name: &str, bytes: &[u8]) -> Stream {
        self.attribute(2, attribute::ATTACH_BEGIN, &[1; 14])
            .attribute(2, attribute::ATTACH_TITLE, format!("{name}\0").as_bytes())
            .attribute(2, attribute::ATTACH_DATA, bytes)
    }

    pub(crate) fn message(self, stream: &Stream) -> Stream {
        let object = [MESSAGE_OBJECT, &*stream.0].concat();
        self.attribute(2, attribute::ATTACH_BEGIN, &[1; 14]).attribute(
            2,
            attribute::ATTACH_PROPERTIES,
            &written(&[(0x3701_000D, &object)]),
        )
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Writes a list of properties whose values have any length.
fn written(list: &[(u32, &[u8])]) -> Vec<u8> {
    let number = |n: usize| u32::try_from(n).expect("small").to_le_bytes();
    let mut out = number(list.len()).to_vec();
    for (tag, value) in list {
        out.extend_from_slice(&tag.to_le_bytes());
        out.extend_from_slice(&number(1));
        out.extend_from_slice(&number(value.len()));
        out.extend_from_slice(value);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    out
}

fn plain(bytes: &[u8]) -> Option<String> {
    let wrapped = unwrap(bytes)?;
    wrapped.plain.map(|text| wrapped.decode(text, &mut Remarks::default()))
}

#[test]
fn the_text_of_a_message_is_read_in_its_code_page() {
    assert_eq!(plain(&Stream::new().body("two\nlines").bytes()).as_deref(), Some("two\nlines"));
    let russian = Stream::new()
        .attribute(1, attribute::CODE_PAGE, &[0xE3, 4, 0, 0, 0, 0, 0, 0])
        .attribute(1, attribute::BODY, b"\xEF\xF0\xE8\0");
    assert_eq!(plain(&russian.bytes()).as_deref(), Some("при"));
    let wide: Vec<u8> = "漢字\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let both = Stream::new().body("??").properties(&[(0x1000_001F, &wide)]);
    assert_eq!(plain(&both.bytes()).as_deref(), Some("漢字"));
    assert_eq!(plain(b"no stream"), None);
}

#[test]
fn pages_rich_text_and_attachments_are_found() {
    let inner = Stream::new().body("inner");
    let bytes = Stream::new()
        .attribute(1, attribute::SUBJECT, b"Sea\0")
        .properties(&[(0x1013_0102, b"<p>page"), (0x1009_0102, b"packed")])
        .file("a.txt", b"a file")
        .message(&inner)
        .bytes();
    let wrapped = unwrap(&bytes).expect("a stream");
    let mut remarks = Remarks::default();
    assert_eq!(wrapped.decode(wrapped.subject.expect("one"), &mut remarks), "Sea");
    assert_eq!(wrapped.decode_html(wrapped.html.expect("one"), &mut remarks), "<p>page");
    assert_eq!(wrapped.compressed_rtf, Some(&b"packed"[..]));
    let [file, message] = &wrapped.attachments[..] else { panic!("two") };
    assert_eq!((wrapped.name(file).as_deref(), file.bytes), (Some("a.txt"), &b"a file"[..]));
    assert_eq!((wrapped.name(message), message.bytes), (None, &*inner.bytes()));
    assert!(!wrapped.is_damaged);
}

#[test]
fn a_stream_that_is_cut_is_read_up_to_its_end() {
    let bytes = Stream::new().body("all of it").bytes();
    let cut = &bytes[..bytes.len() - 6];
    assert!(unwrap(cut).is_some_and(|wrapped| wrapped.is_damaged));
    assert_eq!(plain(cut).as_deref(), Some("all of"));
    assert_eq!(unwrap(SIGNATURE), Some(Wrapped::default()));
}

proptest! {
    #[test]
    fn no_bytes_panic(rest in prop::collection::vec(any::<u8>(), 0..300)) {
        let wrapped = unwrap(&[SIGNATURE, &rest].concat()).map(|wrapped| wrapped.attachments.len());
        prop_assert!(wrapped.is_some());
        let bytes = Stream::new().properties(&[(0x1000_001E, &rest)]).bytes();
        prop_assert!(unwrap(&bytes).is_some());
    }

    #[test]
    fn no_damage_panics(at in 0..120_usize, byte: u8) {
        let mut bytes = Stream::new().properties(&[(0x1000_001E, b"text")]).file("a", b"b").bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Some(wrapped) = unwrap(&bytes) {
            wrapped.attachments.iter().for_each(|file| drop(wrapped.name(file)));
        }
    }
}
