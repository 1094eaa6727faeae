//! Code pages by their numbers, and by the character set numbers of fonts.

use encoding_rs::{Encoding, WINDOWS_1252};

/// Returns the code page with a number; unknown ones are read as Western European.
pub(super) fn of_number(number: i32) -> &'static Encoding {
    let label = match number {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        866 => "ibm866".to_owned(),
        10_000 => "macintosh".to_owned(),
        10_007 => "x-mac-cyrillic".to_owned(),
        20_866 => "koi8-r".to_owned(),
        65_001 => "utf-8".to_owned(),
        _ => format!("windows-{number}"),
    };
    Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252)
}

/// Returns the code page of a font's character set; `None` if it is that of the document.
pub(super) fn of_charset(charset: i32) -> Option<&'static Encoding> {
    let number = match charset {
        77 => 10_000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    };
    Some(of_number(number))
}
