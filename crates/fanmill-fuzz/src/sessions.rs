//! A target for conversations with clients of MOSS.

use fanmill_moss::{Event, FileHead, Limits, Session};

/// Everything that a session makes of its bytes.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    users: Vec<String>,
    /// Lines that are written to the client.
    answers: String,
    /// Files, each with its bytes, and whether it is complete.
    files: Vec<(FileHead, Vec<u8>, bool)>,
    queries: Vec<String>,
    is_fault: bool,
    is_over: bool,
}

/// Reads a session: the first byte chooses the sizes of the pieces in which the other bytes arrive, and the limits.
///
/// # Panics
/// If something follows the end, a limit is exceeded, an answer is not one short line, two files share a path or a path
/// leads out of a folder, or pieces of another size make a difference.
pub fn moss(bytes: &[u8]) {
    let Some((&first, session)) = bytes.split_first() else { return };
    let limits = if first < 128 {
        Limits { file_bytes: 300, session_bytes: 2000, files: 5, line_bytes: 80 }
    } else {
        Limits::standard()
    };
    let whole = heard(&limits, session, session.len().max(1));
    check(&limits, &whole);
    let pieces = heard(&limits, session, 1 + usize::from(first % 32));
    check(&limits, &pieces);
    compare(whole, pieces);
}

/// Lets a session hear the bytes in pieces, and then nothing for a while.
fn heard(limits: &Limits, bytes: &[u8], n: usize) -> Heard {
    let mut session = Session::new(limits.clone());
    let mut heard = Heard::default();
    let most = limits.file_bytes as usize + limits.line_bytes + (64 << 10);
    for piece in bytes.chunks(n) {
        hear(&mut session, piece, &mut heard);
        assert!(session.n_held() <= most, "{} bytes are held of {most}", session.n_held());
    }
    session.idle();
    hear(&mut session, b"", &mut heard);
    heard
}

fn hear(session: &mut Session, mut piece: &[u8], heard: &mut Heard) {
    while let Some(event) = session.next(&mut piece) {
        assert!(!heard.is_fault && !heard.is_over, "{event:?} after the end");
        let is_open = heard.files.last().is_some_and(|file| !file.2);
        match event {
            Event::User(user) => {
                if user == "0" {
                    session.refuse("no such user");
                }
                heard.users.push(user);
            }
            Event::Answer(line) => heard.answers += &line,
            Event::Begin(head) => {
                assert!(!is_open, "a file begins in another");
                heard.files.push((head, Vec::new(), false));
            }
            Event::Bytes(bytes) => {
                assert!(is_open && !bytes.is_empty(), "bytes of no file");
                if let Some(file) = heard.files.last_mut() {
                    file.1.extend(bytes);
                }
            }
            Event::End => {
                assert!(is_open, "the end of no file");
                heard.files.last_mut().into_iter().for_each(|file| file.2 = true);
            }
            Event::Query(comment) => {
                assert!(!is_open && session.is_asked(), "a query inside of a file");
                heard.queries.push(comment);
            }
            Event::Fault(line) => {
                heard.answers += &line;
                heard.is_fault = true;
            }
            Event::Over => heard.is_over = true,
        }
    }
    assert!(piece.is_empty(), "bytes are left");
}

/// Checks what holds of every session.
fn check(limits: &Limits, heard: &Heard) {
    assert!(heard.users.len() <= 1 && heard.queries.len() <= 1, "{heard:?}");
    assert!(heard.files.len() <= limits.files as usize, "{} files", heard.files.len());
    let n_bytes: usize = heard.files.iter().map(|file| file.1.len()).sum();
    assert!(n_bytes as u64 <= limits.session_bytes, "{n_bytes} bytes of files");
    for line in heard.answers.split_inclusive('\n') {
        let text = line.strip_suffix('\n').expect("an answer is a whole line");
        assert!(line.len() <= 1000 && !text.contains(char::is_control), "{line:?}");
    }
    let mut paths: Vec<String> = Vec::new();
    for (head, bytes, _) in &heard.files {
        assert!(bytes.len() as u64 <= limits.file_bytes, "a file of {} bytes", bytes.len());
        let is_inside = head.path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        assert!(is_inside && !head.path.contains(['\\', '\0']), "{:?}", head.path);
        paths.push(head.path.to_lowercase());
    }
    paths.sort();
    assert!(paths.is_sorted_by(|a, b| a < b), "two files share a path: {paths:?}");
}

/// Compares what was heard of the same bytes in pieces of two sizes: before an error, fewer bytes of a file may come.
fn compare(mut one: Heard, mut other: Heard) {
    if one.is_fault && other.is_fault {
        let (one, other) = (one.files.last_mut(), other.files.last_mut());
        if let (Some(one), Some(other)) = (one, other) {
            let n = one.1.len().min(other.1.len());
            one.1.truncate(n);
            other.1.truncate(n);
        }
    }
    assert_eq!(one, other, "pieces of another size make a difference");
}

/// Returns sessions: as the clients write them, with a wrong size, with a base file, and with a user who is refused.
pub fn seeds() -> Vec<Vec<u8>> {
    let head = "moss 17\ndirectory 0\nX 0\nmaxmatches 10\nshow 250\nlanguage java\n";
    let sessions = [
        format!(
            "{head}file 1 java 7 a/A.java\nint x;\nfile 2 java 3 A.java\ny;\nquery 0 week 3\nend\n"
        ),
        format!(
            "{head}file 0 java 2 b\r\n{{}}file 1 java 30 ../c d.java\nint x;\nfile 2 java 4 e\nlongerquery 0 \n"
        ),
        "moss 0\r\nlanguage c\r\nfile 1 c 2 a\r\nx\nquery 0 \n".to_owned(),
        "moss 1\nlanguage klingon\nfile 1 c 0 a\nquery 0 \nend\n".to_owned(),
    ];
    let pieces = [3_u8, 131, 40, 255].into_iter().cycle();
    sessions.iter().zip(pieces).map(|(text, first)| [&[first], text.as_bytes()].concat()).collect()
}
