//! The same program in many encodings: the files are copies of each other, with spans in their original bytes.

use fanmill::report::{Place as Stretch, Report};

use crate::place::{Place, example};
use crate::report::Ask;

/// How a text is turned into bytes, and bytes into text.
#[derive(Clone, Copy)]
enum Form {
    Utf8 { bom: bool },
    Utf16 { big: bool, bom: bool },
    Latin1,
}

impl Form {
    fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Form::Utf8 { bom } => [if bom { "\u{feff}" } else { "" }, text].concat().into_bytes(),
            Form::Utf16 { big, bom } => {
                let text = [if bom { "\u{feff}" } else { "" }, text].concat();
                let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                text.encode_utf16().flat_map(bytes).collect()
            }
            Form::Latin1 => text.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect(),
        }
    }

    fn decode(self, bytes: &[u8]) -> String {
        match self {
            Form::Utf8 { .. } => {
                String::from_utf8(bytes.to_vec()).expect("a span of whole characters")
            }
            Form::Utf16 { big, .. } => {
                assert_eq!(bytes.len() % 2, 0, "a span of whole units");
                let unit = |pair: &[u8]| {
                    let pair = [pair[0], pair[1]];
                    if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
                };
                let units: Vec<u16> = bytes.chunks(2).map(unit).collect();
                String::from_utf16(&units).expect("a span of whole characters")
            }
            Form::Latin1 => bytes.iter().map(|&byte| char::from(byte)).collect(),
        }
    }
}

const FORMS: [(&str, Form); 7] = [
    ("utf-8", Form::Utf8 { bom: false }),
    ("utf-8-bom", Form::Utf8 { bom: true }),
    ("utf-16le", Form::Utf16 { big: false, bom: false }),
    ("utf-16le-bom", Form::Utf16 { big: false, bom: true }),
    ("utf-16be", Form::Utf16 { big: true, bom: false }),
    ("utf-16be-bom", Form::Utf16 { big: true, bom: true }),
    ("latin-1", Form::Latin1),
];

/// Compares a text in all forms; every pair must be a copy, and every match the same text.
fn check(file: &str, text: &str) -> Report {
    let place = Place::new();
    for (name, form) in FORMS {
        place.write(format!("in/{name}/{file}"), form.encode(text));
    }
    let report = place.fanmill("compare in").report();
    assert_eq!(
        report.pairs.len(),
        FORMS.len() * (FORMS.len() - 1) / 2,
        "{:#?}",
        report.submissions
    );
    for pair in &report.pairs {
        let (a, b) = report.names(pair);
        assert!(pair.score > 0.99, "{a} and {b}: {}", pair.score);
        assert!(!pair.passages.is_empty(), "{a} and {b}");
        for found in pair.passages.iter().flat_map(|passage| &passage.matches) {
            let (in_a, in_b) = (written(text, a, &found.a), written(text, b, &found.b));
            assert_eq!(in_a, in_b, "{a} and {b}");
            let start = text.find(&in_a).expect("in the text");
            assert!(in_a.len() * 10 > text.len() * 8, "most of it, not {in_a}");
            let line = text[..start].matches('\n').count() as u32 + 1;
            assert_eq!((found.a.first_line, found.b.first_line), (line, line), "{a} and {b}");
        }
    }
    report
}

/// The text of a span of the original bytes.
fn written(text: &str, name: &str, stretch: &Stretch) -> String {
    let form = FORMS.iter().find(|(own, _)| *own == name).expect("one of ours").1;
    form.decode(&form.encode(text)[stretch.start as usize..stretch.end as usize])
}

#[test]
fn a_program_in_every_encoding_is_the_same_program() {
    let program = example("assignment/submissions/lena/inventory.py");
    let program =
        program.replace("    return ", "    # zurück: Größe prüfen, façon à part\n    return ");
    let report = check("a.py", &program);
    assert_eq!(report.of("utf-16be").files[0].encoding, "UTF-16BE");
    assert_eq!(report.of("utf-16le-bom").files[0].encoding, "UTF-16LE");
    assert_eq!(report.of("latin-1").files[0].encoding, "windows-1252");
}

#[test]
fn line_ends_change_neither_spans_nor_lines() {
    let program = example("assignment/submissions/dana/Inventory.java").replace('\n', "\r\n");
    check("Inventory.java", &program);
}

#[test]
fn an_essay_in_every_encoding_is_the_same_essay() {
    let essay = example("essays/quinn.txt");
    let latin: String = essay.chars().map(|c| if c as u32 > 255 { '\u{b4}' } else { c }).collect();
    check("essay.txt", &latin.replace("bus", "büs"));
}

#[test]
fn a_guess_is_said_and_a_mark_is_none() {
    let program = example("assignment/submissions/lena/inventory.py")
        .replace("return", "return  # ähnlich für\n       ");
    let report = check("a.py", &program);
    let guessed: Vec<&str> =
        report.notices.iter().map(|notice| notice.submission.as_str()).collect();
    for certain in ["utf-8", "utf-8-bom", "utf-16le-bom", "utf-16be-bom"] {
        assert!(!guessed.contains(&certain), "{:#?}", report.notices);
    }
    assert!(guessed.contains(&"latin-1"), "{:#?}", report.notices);
}

#[test]
fn beyond_the_basic_plane_spans_stay_whole() {
    let program = "def greet(name):\n    return '\u{1f600} hello, ' + name + ' \u{1f469}\u{200d}\u{1f4bb}!'\n\n\
                   def count(xs):\n    total = 0\n    for x in xs:\n        total += len(x)\n    return total  # \u{20000}\n";
    let place = Place::new();
    for (name, form) in FORMS.iter().filter(|(name, _)| *name != "latin-1") {
        place.write(format!("in/{name}/a.py"), form.encode(program));
    }
    let report = place.fanmill("compare in").report();
    assert_eq!(report.pairs.len(), 15);
    for pair in &report.pairs {
        let (a, b) = report.names(pair);
        for found in pair.passages.iter().flat_map(|passage| &passage.matches) {
            assert_eq!(written(program, a, &found.a), written(program, b, &found.b), "{a} and {b}");
        }
    }
}
