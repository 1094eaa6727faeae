//! Mail that is made to be read as something else than what its reader sees.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::place::{Place, examples};
use crate::run::Done;

const KEY: &str =
    "fanmill-sift-key-1 00112233445566778899aabbccddeeff0123456789abcdef0f1e2d3c4b5a6978\n";

/// A place with a key, and a store with one original.
fn place() -> Place {
    let place = Place::new().with("a.key", KEY).with("original.txt", original());
    fs::set_permissions(place.path("a.key"), Permissions::from_mode(0o600)).expect("our own file");
    let done = place.fanmill("sift add --key a.key store.sift original.txt").run();
    assert_eq!(done.code, Some(0), "{done}");
    place
}

fn original() -> String {
    let folder = examples().join("sift/originals");
    let text = fs::read_dir(folder).expect("the example").next().expect("a text");
    fs::read_to_string(text.expect("a file").path()).expect("UTF-8")
}

/// Words that have nothing to do with the original.
fn decoy() -> String {
    (0..300_u32).map(|i| format!("w{} ", i.wrapping_mul(2_654_435_761) >> 12)).collect()
}

fn check(place: &Place, mail: &str) -> Done {
    place.write("suspect.eml", format!("Received: x\nSubject: hello\n{mail}"));
    place.fanmill("sift check --key a.key --strict --fail-on-copy store.sift suspect.eml").run()
}

/// Whatever stands beside the alternative that a mail program shows, before it or behind it, it is found.
#[test]
fn no_alternative_hides_another_one() {
    let place = place();
    let page = format!("<p>{}", original().replace("\n\n", "<p>"));
    let shown = [("text/plain", original()), ("text/html", page)];
    let types = [
        "text/x-foo",
        "text/rtf",
        "text/markdown",
        "text/enriched",
        "text/x-watch-html",
        "text/plain",
        "text/html",
        "text/calendar",
        "image/png",
    ];
    for (own, body) in shown {
        for other in types {
            let copy = format!("--b\nContent-Type: {own}\n\n{body}\n");
            let decoy = format!("--b\nContent-Type: {other}\n\n{}\n", decoy());
            for parts in [format!("{copy}{decoy}"), format!("{decoy}{copy}")] {
                let mail =
                    format!("Content-Type: multipart/alternative; boundary=b\n\n{parts}--b--\n");
                let done = check(&place, &mail);
                assert_eq!(done.code, Some(1), "{own} beside {other}: {done}");
                assert!(done.stdout.starts_with("yes"), "{own} beside {other}: {done}");
            }
        }
    }
}

/// Too many to ask about all: that is said, and it is not "no".
#[test]
fn alternatives_over_the_limit_are_no_answer() {
    let place = place();
    let decoy = |i: u32| format!("--b\n\n{}{i}\n", decoy());
    let before: String = (0..10).map(decoy).collect();
    let behind: String = (10..20).map(decoy).collect();
    let mail = format!(
        "Content-Type: multipart/alternative; boundary=b\n\n{before}--b\n\n{}\n{behind}--b--\n",
        original()
    );
    let done = check(&place, &mail);
    assert!(done.stdout.starts_with("part"), "{done}");
    assert!(done.stdout.contains("over the limit of readings: 13 alternatives left out"), "{done}");
    assert_eq!(done.code, Some(4), "{done}");
}
