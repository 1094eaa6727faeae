//! One honest conversation of each client, as it writes to its socket.

use fanmill_moss::Settings;

use crate::talk::{Dice, Heard, Server, hear};

/// The submission script: base files first, blanks in names made underscores, folders as submissions.
const SCRIPT: &[u8] = b"moss 355\ndirectory 1\nX 0\nmaxmatches 4\nshow 20\nlanguage java\n\
    file 0 java 13 given/A.java\nclass A { }\n\n\
    file 1 java 22 hana/my_A.java\nclass A { int hana; }\n\
    file 2 java 9 ivo/A.java\nclass Ivo\
    query 0 \nend\n";

/// mosspy: names given by its caller, with blanks and without UTF-8; a comment; sizes in bytes.
const MOSSPY: &[u8] = b"moss 9001\ndirectory 0\nX 1\nmaxmatches 10\nshow 250\nlanguage python\n\
    file 1 python 22 group 7/B x.py\nprint('h\xc3\xa9llo')\r\n\r\n \n\
    file 2 python 1 /home/\xe9va/../x.py\n#\
    file 3 python 0 empty.py\n\
    query 0 a comment of ours\nend\n";

/// moss-cappa: neither `directory` nor `X`, and everything else in one go.
const CAPPA: &[u8] = b"moss 3\nmaxmatches 10\nshow 65536\nlanguage cc\n\
    file 1 cc 13 ./a.cpp\nint main(){}\n\
    file 2 cc 13 ./b.cpp\nint main(){}\n\
    query 0 Language set as cc\nend\n";

/// A person with a terminal: lines end in CR LF.
const TYPED: &[u8] =
    b"moss 1\r\nlanguage ascii\r\nfile 1 ascii 6 a b.txt\r\nwords\nquery 0\r\nend\r\n";

const ALL: [&[u8]; 4] = [SCRIPT, MOSSPY, CAPPA, TYPED];

#[test]
fn the_script_is_understood() {
    let mut server = Server::new();
    server.push(SCRIPT);
    let settings = Settings {
        directory: true,
        experimental: false,
        max_matches: 4,
        show: 20,
        language: "java".to_owned(),
    };
    assert_eq!(*server.session.settings(), settings);
    assert_eq!(settings.options(), "-l java -d -m 4 -n 20");
    let heard = server.heard;
    assert_eq!(heard.user.as_deref(), Some("355"));
    assert_eq!((&*heard.written, heard.query.as_deref(), heard.is_over), ("yes\n", Some(""), true));
    assert_eq!(heard.names(), ["given/A.java", "hana/my_A.java", "ivo/A.java"]);
    assert_eq!(heard.contents()[0], b"class A { }\n\n");
    assert_eq!(heard.contents()[2], b"class Ivo");
    let folders: Vec<&str> = heard.files.iter().map(|(head, ..)| head.folder()).collect();
    assert_eq!(folders, ["given/", "hana/", "ivo/"]);
    let is_base: Vec<bool> = heard.files.iter().map(|(head, ..)| head.is_base()).collect();
    assert_eq!(is_base, [true, false, false]);
}

#[test]
fn mosspy_is_understood() {
    let heard = hear(MOSSPY);
    assert!(heard.is_over && !heard.is_fault);
    assert_eq!(heard.query.as_deref(), Some("a comment of ours"));
    assert_eq!(heard.names(), ["group 7/B x.py", "/home/\u{fffd}va/../x.py", "empty.py"]);
    let paths: Vec<&str> = heard.files.iter().map(|(head, ..)| head.path.as_str()).collect();
    assert_eq!(paths, ["group 7/B x.py", "home/\u{fffd}va/x.py", "empty.py"]);
    assert_eq!(heard.contents()[0], "print('héllo')\r\n\r\n \n".as_bytes());
    assert_eq!(heard.contents()[1..], [b"#".as_slice(), b""]);
}

#[test]
fn a_client_that_leaves_out_lines_gets_the_defaults() {
    let mut server = Server::new();
    server.push(CAPPA);
    let settings = server.session.settings();
    assert!(!settings.directory && !settings.experimental && settings.show == 65_536);
    assert_eq!(server.heard.query.as_deref(), Some("Language set as cc"));
    assert_eq!(server.heard.contents(), [b"int main(){}\n", b"int main(){}\n"]);
}

#[test]
fn lines_may_end_in_cr_lf() {
    let heard = hear(TYPED);
    assert_eq!((heard.names(), heard.contents()), (vec!["a b.txt"], vec![b"words\n".as_slice()]));
    assert_eq!((heard.query.as_deref(), heard.is_over), (Some(""), true));
}

/// One piece, single bytes, pieces of random sizes: the same events.
#[test]
fn pieces_make_no_difference() {
    for bytes in ALL {
        let whole = hear(bytes);
        let cut = |size: &mut dyn FnMut() -> usize| -> Heard {
            let (mut server, mut rest) = (Server::new(), bytes);
            while !rest.is_empty() {
                let (piece, later) = rest.split_at(size().min(rest.len()));
                server.push(piece);
                rest = later;
            }
            server.heard
        };
        assert_eq!(cut(&mut || 1), whole);
        for seed in 0..200 {
            let mut dice = Dice::new(seed);
            assert_eq!(cut(&mut || 1 + dice.below(20)), whole, "seed {seed}");
        }
    }
}

/// A pause between any two bytes: nothing is lost, and nothing is concluded from it.
#[test]
fn an_honest_client_may_pause_anywhere() {
    for bytes in ALL {
        let whole = hear(bytes);
        for at in 0..bytes.len() {
            let mut server = Server::new();
            server.push(&bytes[..at]).wait().push(&bytes[at..]);
            assert_eq!(server.heard, whole, "a pause at {at}");
        }
    }
}

#[test]
fn a_refused_user_is_told_where_clients_look() {
    let mut server = Server::new();
    server.only = Some("17");
    server.push(SCRIPT);
    let Heard { written, files, query, is_fault, .. } = &server.heard;
    assert_eq!(written, "yes\nerror: user is not known\n");
    assert!(files.is_empty() && query.is_none() && *is_fault);
    assert!(server.session.is_over());
}

#[test]
fn an_unknown_language_is_answered_no() {
    // The script leaves.
    let heard = hear(b"moss 1\nlanguage klingon\nend\n");
    assert_eq!((&*heard.written, heard.is_over), ("no\n", true));
    // mosspy does not see the answer.
    let heard = hear(b"moss 1\nlanguage klingon\nfile 1 klingon 1 a\nxquery 0 \nend\n");
    assert_eq!(heard.written, "no\nerror: language \"klingon\" is not known\n");
    assert!(heard.files.is_empty() && heard.is_fault);
}

#[test]
fn a_server_may_know_more_languages() {
    let session = fanmill_moss::Session::new(fanmill_moss::Limits::standard());
    let mut session = session.with_languages(|code| code == "rust");
    let mut bytes: &[u8] = b"moss 1\nlanguage rust\n";
    session.next(&mut bytes).expect("the user");
    let answer = session.next(&mut bytes);
    assert_eq!(answer, Some(fanmill_moss::Event::Answer("yes\n".to_owned())));
}

#[test]
fn those_who_speak_something_else_are_told() {
    let cases: [(&[u8], &str); 9] = [
        (b"GET / HTTP/1.1\r\n", "the first line is \"GET / HTTP/1.1\", not \"moss\" and a user id"),
        (b"moss\n", "the first line is \"moss\", not \"moss\" and a user id"),
        (b"moss 1\nhello\n", "line \"hello\" is not one of MOSS's"),
        (b"moss 1\nshow all\n", "show \"all\" is not a whole number"),
        (b"moss 1\nfile 1 c 1 a\n", "file \"a\" came before the language"),
        (b"moss 1\nlanguage c\nquery 0 \n", "no submission came before the query"),
        (b"moss 1\nlanguage c\nfile 0 c 1 a\nxquery 0 \n", "no submission came before the query"),
        (b"moss 1\nlanguage c\nfile x c 1 a\n", "line \"file x c 1 a\" is not one of MOSS's"),
        (
            b"moss 1\nlanguage c\nfile 1 c 1 a\nxquery 0 \nmore\n",
            "\"more\" came after the query; if the connection is slow, try again",
        ),
    ];
    for (bytes, message) in cases {
        let heard = hear(bytes);
        let last = heard.written.lines().last().expect("a line");
        assert_eq!((last, heard.is_fault), (&*format!("error: {message}"), true));
    }
}
