//! Names of zips that do not say what encoding they are in.

use super::build::{RawEntry, crc, raw_zip, zip};
use super::*;
use encoding_rs::{BIG5, Encoding, GBK, IBM866, SHIFT_JIS, WINDOWS_1252};

const CODE: &[u8] = b"int x = 1;";

fn encoded(encoding: &'static Encoding, name: &str) -> Vec<u8> {
    let (bytes, _, lost) = encoding.encode(name);
    assert!(!lost, "{name}");
    bytes.into_owned()
}

fn zip_of(names: &[Vec<u8>]) -> Vec<u8> {
    let entry = |name| RawEntry { name, bytes: CODE, ..RawEntry::default() };
    raw_zip(&names.iter().map(|name| entry(name.as_slice())).collect::<Vec<_>>())
}

/// Returns Info-ZIP's field for the Unicode path of a name whose checksum is given.
fn unicode_path(checksum: u32, path: &str) -> Vec<u8> {
    let mut field = b"\x75\x70".to_vec();
    field.extend((path.len() as u16 + 5).to_le_bytes());
    field.push(1);
    field.extend(checksum.to_le_bytes());
    field.extend(path.as_bytes());
    field
}

#[test]
fn names_are_guessed_and_said_to_be() {
    let cases: [(&'static Encoding, [&str; 2]); 5] = [
        (GBK, ["实验二_孙明/图书馆.java", "实验二_赵静/订单.java"]),
        (SHIFT_JIS, ["課題二_高橋/ソート表/図書館.java", "課題二_中村/ソ.java"]),
        (IBM866, ["Зайцев Лев/отчёт.java", "Орлова Вера/Заказ.java"]),
        (WINDOWS_1252, ["Grün Käthe/Straße.java", "Jäger Örs/Übung.java"]),
        (BIG5, ["實驗二_林怡/圖書館.java", "實驗二_陳明/訂單.java"]),
    ];
    for (encoding, names) in cases {
        let place = Place::new();
        let raw = zip_of(&names.map(|name| encoded(encoding, name)));
        for (name, bytes) in [("s.zip", raw.clone()), ("in.zip", zip(&[("all/s.zip", &raw)]))] {
            let corpus = read_auto(place.write(name, bytes));
            let found: Vec<_> =
                outline(&corpus).join("|").split(['|', ':']).map(str::to_owned).collect();
            for name in names {
                let (person, file) = name.split_once('/').expect("a folder");
                let all = found.join(":");
                assert!(all.contains(person) && all.contains(file), "{name} in {all}");
            }
            let [notice] = &corpus.notices[..] else { panic!("{:?}", corpus.notices) };
            assert_eq!(notice.outcome, Outcome::Degraded);
            let guess = format!("the encoding of the names in it is a guess: {};", encoding.name());
            assert!(notice.reason.to_string().starts_with(&guess), "{}", notice.reason);
        }
    }
}

#[test]
fn names_in_a_code_page_of_dos() {
    let place = Place::new();
    let names = [&b"Gr\x81n K\x84the/\x9abung.c"[..], b"Wei\xe1 J\x94rg/a.c"];
    let corpus = read_auto(place.write("s.zip", zip_of(&names.map(<[u8]>::to_vec))));
    assert_eq!(outline(&corpus), ["Grün Käthe: Übung.c", "Weiß Jörg: a.c"]);
    assert!(corpus.notices[0].reason.to_string().contains("IBM437"));
}

#[test]
fn names_that_say_what_they_are() {
    let place = Place::new();
    let gbk = encoded(GBK, "孙明/a.c");
    let fits = RawEntry {
        name: &gbk,
        extra: unicode_path(crc(&gbk), "孙明/a.c"),
        bytes: CODE,
        is_utf8: false,
    };
    let other = RawEntry { extra: unicode_path(7, "wrong/a.c"), ..fits.clone() };
    let flagged =
        RawEntry { name: "赵静/b.c".as_bytes(), is_utf8: true, bytes: CODE, extra: Vec::new() };
    let plain = RawEntry { name: "Łucja/c.c".as_bytes(), bytes: CODE, ..RawEntry::default() };
    let corpus = read_auto(place.write("sure.zip", raw_zip(&[fits, flagged.clone(), plain])));
    assert_eq!(outline(&corpus), ["Łucja: c.c", "孙明: a.c", "赵静: b.c"]);
    assert_eq!(corpus.notices, []);
    // A field whose checksum does not fit is of another name.
    let corpus = read_auto(place.write("unsure.zip", raw_zip(&[flagged, other])));
    assert_eq!(outline(&corpus), ["孙明: a.c", "赵静: b.c"]);
    assert_eq!(corpus.notices.len(), 1);
}

#[test]
fn names_that_do_not_fit_stay_apart() {
    let place = Place::new();
    let names =
        ["Łucja/książka.c".as_bytes(), "Łucja/książka.c".as_bytes(), b"\xff/a.c", b"\xff\xff/a.c"];
    let corpus = read_auto(place.write("s.zip", zip_of(&names.map(<[u8]>::to_vec))));
    assert_eq!(
        outline(&corpus),
        [r"\xff: a.c", r"\xff\xff: a.c", "Łucja: książka (2).c, książka.c"]
    );
    assert!(corpus.notices[0].reason.to_string().contains("a guess: UTF-8"));
}

#[test]
fn a_zip_without_its_table_is_guessed_by_its_first_name() {
    let place = Place::new();
    let mut bytes = zip_of(&["孙明/图书馆.java", "赵静/订单.java"].map(|name| encoded(GBK, name)));
    bytes.truncate(bytes.len() - 30);
    let corpus = read_auto(place.write("s.zip", bytes));
    assert_eq!(outline(&corpus), ["孙明: 图书馆.java", "赵静: 订单.java"]);
    assert_eq!(corpus.notices.len(), 2, "{:?}", corpus.notices);
}
