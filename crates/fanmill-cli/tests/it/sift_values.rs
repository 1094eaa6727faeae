//! The values in stores stay the same, whatever is improved in the reading of inputs.
//!
//! A store outlives many releases. If the same text under the same key gave other values, its copies would not be found
//! any more, and nobody would notice. So the values of whole stores are compared with those of the first release that
//! had these profiles. To change these numbers, raise the profile's version.

use std::fs;
use std::path::Path;

use fanmill_sift::store_file;

use crate::place::{Place, example};
use crate::sift::place_with_keys;

/// Texts as they occur on disks: names, and bytes in any encoding. None is a page or unusual mail.
fn texts(place: &Place) {
    let prose = example("sift/originals/lighthouse.txt");
    let orchard = example("sift/originals/orchard.txt");
    place.write("t/plain.txt", &prose);
    place.write("t/dos.txt", prose.replace('\n', "\r\n"));
    place.write("t/no-name", &orchard);
    place.write(
        "t/accents.md",
        "# Überschrift\n\nÀ la carte, naïve façades: señor Łukasz eats çilek.\n".repeat(9),
    );
    place.write(
        "t/latin1.txt",
        b"na\xefve caf\xe9 cr\xe8me br\xfbl\xe9e, d\xe9j\xe0 vu\n".repeat(9),
    );
    place.write("t/utf16.txt", utf16(&orchard));
    place.write("t/marked.txt", format!("\u{FEFF}{orchard}"));
    place.write("t/look-alikes.txt", prose.replace('a', "\u{430}").replace('e', "\u{200B}e"));
    // Markup that is quoted, or that does not begin a page, is read as text.
    place.write("t/quoted.txt", format!("A page begins with <html><body>.\n{orchard}"));
    place.write(
        "t/badge.md",
        format!("<p align=\"center\">\n<b>Lighthouse</b> &amp; sea\n</p>\n\n{prose}"),
    );
    place.write(
        "t/feed.xml",
        format!("<?xml version=\"1.0\"?>\n<feed><title>x</title>{orchard}</feed>"),
    );
    place.write(
        "t/prog.py",
        "def total(prices):\n    return sum(price for price in prices)\n".repeat(9),
    );
    place.write("t/table.csv", "town,date\nWells,1871\nCley,1903\n".repeat(20));
    place.write("t/short.txt", "Half past six.");
    place.write("t/note.txt", format!("Subject: only one header\n\n{orchard}"));
    place.write(
        "t/one.eml",
        format!("From: a@b\nTo: c@d\nSubject: the =?utf-8?q?s=C3=A9a?=\n\n{prose}"),
    );
    place.write("t/inbox", example("sift/inbox.mbox"));
}

fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// The names and values of a store in the form of version 1, a single file.
pub(crate) fn as_version_1(store: &Path) -> Vec<u8> {
    let stored = fanmill_jobs::sift::list(store).expect("a store");
    let mut bytes = Vec::new();
    store_file::write(&stored.records, &mut bytes).expect("memory");
    bytes
}

/// The last eight bytes of a store of version 1: the checksum of all its names and values.
fn digest(place: &Place, profile: &str) -> String {
    let add = format!("sift add --key a.key --quiet --profile {profile} s.sift t");
    let done = place.fanmill(&add).run();
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{profile}: {done}");
    let store = as_version_1(&place.path("s.sift"));
    fs::remove_dir_all(place.path("s.sift")).expect("a store");
    store[store.len() - 8..].iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

#[test]
fn values_of_a_profile_never_change() {
    let place = place_with_keys();
    texts(&place);
    for (profile, expected) in [
        ("standard-1", "89d1d9ea37e89ac0"),
        ("short-1", "e9793af5ace5fa76"),
        ("mail-1", "53dd046300a54df5"),
        ("standard-2", "de2ec45fea6fbf11"),
        ("short-2", "2735a597d893d01b"),
        ("mail", "a3561bd6cd111618"),
        ("words@1/slide(l=4)/min(m=0.2n)", "50fba251f41e26ac"),
        ("words@1/skip(l=8,p=0.3)+whole(n=50)/pow2(n=64)", "70730a571a3b72a5"),
    ] {
        assert_eq!(digest(&place, profile), expected, "{profile}");
    }
}

/// Stores that a release made whose `standard`, `short` and `mail` are now `standard-1`, `short-1` and `mail-1`.
const EARLIER: [(&str, &[u8]); 3] = [
    ("standard", include_bytes!("../../../../testdata/format/sift-1/standard.sift")),
    ("short", include_bytes!("../../../../testdata/format/sift-1/short.sift")),
    ("mail", include_bytes!("../../../../testdata/format/sift-1/mail.sift")),
];

#[test]
fn stores_of_earlier_profiles_are_read_checked_and_changed() {
    let place = place_with_keys();
    for file in [
        "originals/lighthouse.txt",
        "originals/orchard.txt",
        "suspects/allotment.txt",
        "suspects/harbour-tower.txt",
    ] {
        place.write(file, example(&format!("sift/{file}")));
    }
    for (name, bytes) in EARLIER {
        place.write("s.sift", bytes);
        let run = |arguments: &str| {
            let done = place.fanmill(&format!("sift {arguments}")).run();
            assert_eq!(done.code, Some(0), "{name}: {done}");
            done.stdout
        };
        let listed = "originals/lighthouse.txt\noriginals/orchard.txt\n";
        assert_eq!(run("list s.sift"), listed, "{name}");
        let answers = run("check --key a.key s.sift suspects --names");
        assert!(answers.starts_with("no           suspects/allotment.txt\nyes"), "{answers}");
        assert!(answers.contains("originals/lighthouse.txt"), "{answers}");
        // The same texts have the same values under the profile's name of today.
        run(&format!("add --key a.key --profile {name}-1 again.sift originals"));
        assert_eq!(as_version_1(&place.path("again.sift")), bytes, "{name}");
        fs::remove_dir_all(place.path("again.sift")).expect("a store");
        // A file is not changed; a new store of it is.
        for command in
            ["add --key a.key s.sift suspects", "remove --key a.key s.sift originals/orchard.txt"]
        {
            let refused = place.fanmill(&format!("sift {command}")).run();
            assert!(refused.stderr.contains("with `fanmill sift upgrade`"), "{refused}");
            assert_eq!(refused.code, Some(3), "{refused}");
        }
        run("upgrade --key a.key s.sift new.sift");
        assert_eq!(as_version_1(&place.path("new.sift")), bytes, "{name}");
        run(&format!("add --key a.key --profile {name}-1 new.sift suspects"));
        run("remove --key a.key new.sift suspects/allotment.txt suspects/harbour-tower.txt");
        assert_eq!(as_version_1(&place.path("new.sift")), bytes, "{name}");
        assert_eq!(fs::read(place.path("s.sift")).expect("a file"), bytes, "{name}");
        let add = format!("sift add --key a.key --profile {name} new.sift suspects");
        let refused = place.fanmill(&add).run();
        assert!(refused.code == Some(2) && refused.stderr.contains("profile"), "{refused}");
        fs::remove_dir_all(place.path("new.sift")).expect("a store");
        // With another profile, from the originals.
        let upgrade =
            format!("upgrade --key a.key s.sift new.sift --profile {name} --originals originals");
        run(&upgrade);
        run(&format!("add --key a.key --profile {name} again.sift originals"));
        let [new, again] = ["new.sift", "again.sift"].map(|name| as_version_1(&place.path(name)));
        assert!(new == again && new != bytes, "{name}");
        let refused = place.fanmill(&format!("sift {upgrade}")).run();
        assert!(refused.stderr.contains("exists already"), "{refused}");
        for store in ["new.sift", "again.sift"] {
            fs::remove_dir_all(place.path(store)).expect("a store");
        }
        let some = upgrade.replace("originals originals", "originals originals/orchard.txt");
        let refused = place.fanmill(&format!("sift {some}")).run();
        assert!(refused.stderr.contains("`originals/lighthouse.txt`"), "{refused}");
        run(&format!("{some} --drop-missing"));
        assert_eq!(run("list new.sift"), "originals/orchard.txt\n");
        fs::remove_dir_all(place.path("new.sift")).expect("a store");
    }
}
