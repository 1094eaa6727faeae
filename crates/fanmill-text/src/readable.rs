//! File names made readable, even if they are not UTF-8.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;

/// Returns a name or path with every byte that is not valid UTF-8 shown as `\xff`.
pub fn readable(name: &OsStr) -> Cow<'_, str> {
    readable_bytes(name.as_encoded_bytes())
}

/// Returns a name in bytes with every byte that is not valid UTF-8 shown as `\xff`.
pub fn readable_bytes(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(name) {
        return text.into();
    }
    let mut shown = String::new();
    for chunk in name.utf8_chunks() {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(shown, "\\x{byte:02x}").expect("writing to a String succeeds");
        }
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_text_are_shown_one_by_one() {
        assert_eq!(readable(OsStr::new("größe.py")), "größe.py");
        assert_eq!(readable_bytes(b"\xffa\xc3\xa4\xc3.py"), r"\xffaä\xc3.py");
    }
}
