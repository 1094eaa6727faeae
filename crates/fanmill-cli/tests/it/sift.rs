//! `fanmill sift`: disguised texts are found under a key, and keys are handled with care.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::place::{Place, examples};
use crate::run::Done;

/// Digits of the keys that tests use; real ones come from the operating system.
const DIGITS: [&str; 2] = [
    "00112233445566778899aabbccddeeff0123456789abcdef0f1e2d3c4b5a6978",
    "8899aabbccddeeff0123456789abcdef0f1e2d3c4b5a69780011223344556677",
];

/// Two keys, `a.key` and `b.key`.
pub(crate) fn place_with_keys() -> Place {
    let place = Place::new();
    for (name, digits) in ["a.key", "b.key"].into_iter().zip(DIGITS) {
        place.write(name, format!("fanmill-sift-key-1 {digits}\n"));
        make_private(&place.path(name), 0o600);
    }
    place
}

/// The example, with two keys beside it.
fn place() -> Place {
    let place = place_with_keys();
    for folder in ["originals", "suspects"] {
        for file in fs::read_dir(examples().join("sift").join(folder)).expect("the example") {
            let file = file.expect("a file").path();
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            place.write(format!("{folder}/{name}"), fs::read(&file).expect("a text"));
        }
    }
    place.write("inbox.mbox", fs::read(examples().join("sift/inbox.mbox")).expect("the example"));
    place
}

fn make_private(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a file of our own");
}

/// A run that must succeed.
#[track_caller]
fn run(place: &Place, arguments: &str) -> Done {
    let done = place.fanmill(&format!("sift {arguments}")).run();
    assert_eq!(done.code, Some(0), "{arguments}: {done}");
    done
}

/// The example with its store.
fn with_store() -> Place {
    let place = place();
    run(&place, "add --key a.key library.sift originals");
    place
}

#[test]
fn the_example_is_told_apart() {
    let place = place();
    assert_snapshot!(run(&place, "add --key a.key library.sift originals"), @r"
    exit: 0
    --- stderr
    2 texts added; `library.sift` is new and has 2 texts
    scheme: sift:bare-words@2/slide(l=8)+skip(l=4,p=0.2)+space(l=4,p=0.2)+whole(n=200)/mod(s=6)/siphash13/key=faf5d49e8ccd06bb
    ");
    assert_snapshot!(run(&place, "check --key a.key library.sift suspects"), @r"
    exit: 0
    --- stdout
    no           suspects/allotment.txt
    yes  strong  suspects/harbour-tower.txt
    --- stderr
    1 copy, 1 not recognised
    ");
    assert_snapshot!(run(&place, "check --key a.key library.sift suspects --names --format json"), @r#"
    exit: 0
    --- stdout
    {"name":"suspects/allotment.txt","answer":"no"}
    {"name":"suspects/harbour-tower.txt","answer":"yes","grade":"strong","originals":["originals/lighthouse.txt"],"n_originals":1}
    "#);
    assert_snapshot!(run(&place, "list library.sift"), @r"
    exit: 0
    --- stdout
    originals/lighthouse.txt
    originals/orchard.txt
    --- stderr
    2 texts; key faf5d49e8ccd06bb
    scheme: sift:bare-words@2/slide(l=8)+skip(l=4,p=0.2)+space(l=4,p=0.2)+whole(n=200)/mod(s=6)/siphash13/key=faf5d49e8ccd06bb
    ");
}

#[test]
fn who_holds_the_originals_sees_the_passages() {
    let place = with_store();
    let check = "check --key a.key library.sift suspects/harbour-tower.txt --explain";
    assert_snapshot!(run(&place, &format!("{check} originals")), @r"
    exit: 0
    --- stdout
    yes  strong  suspects/harbour-tower.txt  <-  originals/lighthouse.txt
                 originals/lighthouse.txt: S3 0.66
                   slide(l=8)             15 in common, of 39 here and 51 there
                   skip(l=4,p=0.2)        25 in common, of 38 here and 56 there
                   space(l=4,p=0.2)       26 in common, of 44 here and 47 there
                   here  lines 3-14: Point was erected by people who did … n. Each had his own handwriting and
                   here  line 15: shared the pages out, a day each. When
                   here  line 15: they were not, one of
                   here  lines 16-19: pressed so firmly that it shows on  … the last of them rowed himself home
                   there lines 1-12: Point was built by people who did n … n. Each had his own handwriting and
                   there line 13: shared the pages out, a day each. When
                   there line 13: they were not, one of
                   there lines 14-17: pressed so hard that it shows on th … the last of them rowed himself home
    --- stderr
    1 copy, 0 not recognised
    ");
    place.write("originals/lighthouse.txt", "Another text by now.");
    assert_snapshot!(run(&place, &format!("{check} originals")), @r"
    exit: 0
    --- stdout
    yes  strong  suspects/harbour-tower.txt  <-  originals/lighthouse.txt
                 originals/lighthouse.txt: not among the originals that were given, or changed since
    --- stderr
    1 copy, 0 not recognised
    ");
}

/// Standard input can be read only once. If the originals took it, nothing would be checked, and a copy would go unnoticed.
#[test]
fn originals_and_texts_are_not_both_on_standard_input() {
    let place = with_store();
    let check = "sift check --key a.key library.sift --fail-on-copy --explain -";
    for arguments in [check.to_owned(), format!("{check} -"), format!("{check} - originals")] {
        // One of the texts may be a file.
        let done = place.fanmill(&arguments).fed(&place.path("suspects/harbour-tower.txt")).run();
        assert_eq!(done.code, Some(2), "{arguments}: {done}");
        assert!(done.stderr.contains("--explain"), "{arguments}: {done}");
    }
    let done = place.fanmill(&format!("{check} suspects/harbour-tower.txt"));
    let done = done.fed(&place.path("originals/lighthouse.txt")).run();
    assert_eq!(done.code, Some(1), "{done}");
}

#[test]
fn an_unchanged_text_is_the_same_however_it_looks() {
    let place = with_store();
    let text = fs::read_to_string(place.path("originals/orchard.txt")).expect("a text");
    place.write("loud.txt", text.to_uppercase().replace(' ', "  "));
    let done = run(&place, "check --key a.key library.sift loud.txt");
    assert!(done.stdout.starts_with("yes  same "), "{done}");
}

#[test]
fn little_or_nothing_is_said_to_be_so() {
    let place = with_store();
    place.write("mixed/short.txt", "Half past six.");
    place.write("mixed/empty.txt", " ... ");
    place.write("mixed/picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0");
    assert_snapshot!(run(&place, "check --key a.key library.sift mixed"), @r"
    exit: 0
    --- stdout
    none         mixed/empty.txt
                 (no word to recognise it by)
    no           mixed/short.txt
                 (so short that only an unchanged copy would be recognised)
    --- stderr
    not read: mixed/picture.png: binary: a PNG image
    0 copies, 1 not recognised, 1 without a word, 1 not read
    ");
    let strict = place.fanmill("sift check --key a.key library.sift mixed --strict --quiet").run();
    assert_eq!(strict.code, Some(4), "{strict}");
}

#[test]
fn a_short_text_is_known_as_a_whole() {
    let place = with_store();
    place.write("note.txt", "The gate is shut from six, by order of the board.");
    place.write("copy.txt", "the GATE is shut, from six; by order of the board");
    run(&place, "add --key a.key library.sift note.txt");
    let done = run(&place, "check --key a.key library.sift copy.txt --names");
    assert_eq!(done.stdout, "yes  same    copy.txt  <-  note.txt\n");
}

#[test]
fn campaigns_have_one_representative_each() {
    let place = place();
    assert_snapshot!(run(&place, "campaign --key a.key inbox.mbox --members"), @r"
    exit: 0
    --- stdout
      size  representative                    begins
         3  inbox.mbox#1                      Your garden shed, half price until Friday Good morning! Our
            inbox.mbox#3                      S3 0.95
            inbox.mbox#5                      S3 0.89
    --- stderr
    3 messages in 1 group; 2 in no group
    ");
    assert_snapshot!(run(&place, "campaign --key a.key inbox.mbox --format json --quiet"), @r#"
    exit: 0
    --- stdout
    {"size":3,"representative":"inbox.mbox#1","beginning":"Your garden shed, half price until Friday Good morning! Our","weakest":0.8888888888888888,"members":["inbox.mbox#1","inbox.mbox#3","inbox.mbox#5"]}
    "#);
}

#[test]
fn mail_on_standard_input_gets_one_answer_a_message() {
    let place = place();
    let mail = fs::read_to_string(place.path("inbox.mbox")).expect("mail");
    let first = mail.split("\nFrom bruno").next().expect("a message");
    place.write("known.mbox", first);
    run(&place, "add --key a.key --profile mail spam.sift known.mbox");
    let check = "sift check --key a.key spam.sift --names --fail-on-copy";
    assert_snapshot!(place.fanmill(check).fed(&place.path("inbox.mbox")).run(), @r"
    exit: 1
    --- stdout
    yes  same    -#1  <-  known.mbox#1
    no           -#2
    yes  strong  -#3  <-  known.mbox#1
                 (hidden text left out: 65 characters)
    no           -#4
    yes  strong  -#5  <-  known.mbox#1
    --- stderr
    3 copies, 2 not recognised
    ");
    let one = first.split_once('\n').expect("lines").1.replace("cedar", "walnut");
    place.write("one.eml", one);
    let done = place.fanmill(check).fed(&place.path("one.eml")).run();
    assert_eq!((done.code, done.stdout.as_str()), (Some(1), "yes  strong  -  <-  known.mbox#1\n"));
}

#[test]
fn names_are_replaced_and_not_doubled() {
    let place = with_store();
    place.write("originals/orchard.txt", "A text of its own, and about something else altogether.");
    place.write("originals/third.txt", "Yet another text, which was not there before.");
    let done = run(&place, "add --key a.key library.sift originals");
    let said = "1 text added, 2 replaced; `library.sift` has 3 texts";
    assert!(done.stderr.starts_with(said), "{done}");
}

#[test]
fn paths_are_looked_at_before_the_first_answer() {
    let place = with_store();
    for paths in ["suspects missing.txt", "suspects suspects/allotment.txt", "suspects ./suspects"]
    {
        let done = place.fanmill(&format!("sift check --key a.key library.sift {paths}")).run();
        assert!(matches!(done.code, Some(2 | 3)) && done.stdout.is_empty(), "{paths}: {done}");
    }
}

#[test]
fn threads_do_not_matter() {
    let place = with_store();
    let check = "check --key a.key library.sift suspects originals inbox.mbox --names --threads";
    let (one, four) = (run(&place, &format!("{check} 1")), run(&place, &format!("{check} 4")));
    assert_eq!(one.to_string(), four.to_string());
    run(&place, "add --key a.key again.sift originals --threads 1");
    assert_eq!(place.store("again.sift"), place.store("library.sift"));
}

#[test]
fn a_wrong_key_is_an_error_and_never_no_match() {
    let place = with_store();
    for command in [
        "sift check --key b.key library.sift suspects",
        "sift add --key b.key library.sift suspects",
        "sift rekey --key b.key --new-key a.key library.sift originals",
    ] {
        let done = place.fanmill(command).run();
        assert_eq!((done.code, done.stdout.as_str()), (Some(3), ""), "{done}");
        assert!(done.stderr.contains("was made with key"), "{done}");
    }
    assert_snapshot!(place.fanmill("sift check --key b.key library.sift suspects").run(), @r"
    exit: 3
    --- stderr
    fanmill: store `library.sift`: this store was made with key faf5d49e8ccd06bb, and the key given is f5b6520fbf10310f; use the right key, or make a new store from the originals with `fanmill sift rekey`
    ");
}

#[test]
fn keys_that_others_can_read_are_refused() {
    let place = with_store();
    for mode in [0o640, 0o604, 0o620, 0o666] {
        make_private(&place.path("a.key"), mode);
        let done = place.fanmill("sift check --key a.key library.sift suspects").run();
        assert_eq!((done.code, done.stdout.as_str()), (Some(3), ""), "{mode:o}: {done}");
    }
    assert_snapshot!(place.fanmill("sift check --key a.key library.sift suspects").run(), @r"
    exit: 3
    --- stderr
    fanmill: key file `a.key` can be read or written by others (mode 0666); make it private with `chmod 600 a.key`, and make a new key if anyone may have read it
    ");
}

/// No output or file contains the key, whatever is done with it and whatever goes wrong.
#[test]
fn no_key_is_ever_shown() {
    let place = with_store();
    place.write("broken.key", format!("fanmill-sift-key-1 {}zz\n", &DIGITS[0][..62]));
    place.write("bare.key", DIGITS[0]);
    place.write("long.key", format!("fanmill-sift-key-1 {}\n", DIGITS[0].repeat(100)));
    for key in ["broken.key", "bare.key", "long.key"] {
        make_private(&place.path(key), 0o600);
    }
    for command in [
        "sift check --key broken.key library.sift suspects",
        "sift check --key bare.key library.sift suspects",
        "sift check --key long.key library.sift suspects",
        "sift check --key b.key library.sift suspects",
        "sift check --key a.key a.key suspects",
        "sift check --key a.key library.sift a.key --explain originals",
        "sift list a.key",
        "sift add --key a.key library.sift a.key --input-format mail",
        "sift campaign --key a.key inbox.mbox",
        "sift rekey --key a.key --new-key b.key library.sift originals",
        "sift destroy --key a.key",
        "sift destroy --key a.key --yes",
    ] {
        let done = place.fanmill(command).run();
        let shown = format!("{}{}", done.stdout, done.stderr);
        for digits in DIGITS {
            let found = (0..digits.len() - 8).find(|&at| shown.contains(&digits[at..at + 8]));
            assert_eq!(found, None, "{command}: {done}");
        }
    }
    let store: Vec<u8> = place.store("library.sift").into_values().flatten().collect();
    for digits in DIGITS {
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits");
        let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
        let has = |part: &[u8]| store.windows(part.len()).any(|window| window == part);
        assert!(!bytes.chunks(8).any(has) && !has(digits.as_bytes()));
    }
}

#[test]
fn keygen_makes_private_files_and_overwrites_none() {
    let place = Place::new();
    run(&place, "keygen --output new.key");
    let shell = |name: &str| {
        let file = File::create(place.path(name)).expect("a file");
        make_private(&place.path(name), 0o644);
        let mut command = Command::new(env!("CARGO_BIN_EXE_fanmill"));
        command.args(["sift", "keygen"]).stdout(file).stderr(Stdio::null());
        assert!(command.status().expect("it runs").success());
    };
    shell("shell.key");
    for name in ["new.key", "shell.key"] {
        let mode = fs::metadata(place.path(name)).expect("a key").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let key = |name: &str| fs::read(place.path(name)).expect("a key");
    assert_ne!(key("new.key"), key("shell.key"));
    let done = place.fanmill("sift keygen --output new.key").run();
    assert_eq!(done.code, Some(2), "{done}");
    assert_eq!(key("new.key").len(), 84);
}

#[test]
fn rekeyed_stores_answer_under_the_new_key_only() {
    let place = with_store();
    assert_snapshot!(run(&place, "rekey --key a.key --new-key b.key library.sift originals"), @r"
    exit: 0
    --- stderr
    `library.sift` has 2 texts under key f5b6520fbf10310f instead of faf5d49e8ccd06bb
    ");
    let new = run(&place, "check --key b.key library.sift suspects --names");
    assert!(new.stdout.contains("harbour-tower.txt  <-  originals/lighthouse.txt"), "{new}");
    let old = place.fanmill("sift check --key a.key library.sift suspects").run();
    assert_eq!(old.code, Some(3), "{old}");
}

#[test]
fn rekeying_asks_for_every_original() {
    let place = with_store();
    let before = place.store("library.sift");
    fs::remove_file(place.path("originals/orchard.txt")).expect("a file");
    let rekey = "sift rekey --key a.key --new-key b.key library.sift originals";
    assert_snapshot!(place.fanmill(rekey).run(), @r"
    exit: 3
    --- stderr
    fanmill: originals are missing or have changed: `originals/orchard.txt`; give them too, or drop them from the store with --drop-missing. The store is unchanged
    ");
    assert_eq!(place.store("library.sift"), before);
    assert_snapshot!(place.fanmill(&format!("{rekey} --drop-missing")).run(), @r"
    exit: 0
    --- stderr
    `library.sift` has 1 text under key f5b6520fbf10310f instead of faf5d49e8ccd06bb; 1 left out
    ");
}

#[test]
fn a_destroyed_key_is_gone_when_that_was_meant() {
    let place = with_store();
    assert_snapshot!(place.fanmill("sift destroy --key a.key").run(), @r"
    exit: 2
    --- stderr
    fanmill: this would destroy key faf5d49e8ccd06bb in `a.key` and make every store made with it useless for ever; add --yes to confirm
    ");
    assert!(place.path("a.key").exists());
    let done = run(&place, "destroy --key a.key --yes");
    assert!(done.stderr.contains("is destroyed"), "{done}");
    assert!(!place.path("a.key").exists());
}

#[test]
fn stores_that_are_none_are_named() {
    let place = with_store();
    for (name, mut bytes) in place.store("library.sift") {
        if name == "seg-1.sift" {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        }
        place.write(Path::new("damaged.sift").join(name), bytes);
    }
    for store in ["damaged.sift", "missing.sift", "inbox.mbox", "suspects"] {
        let done = place.fanmill(&format!("sift check --key a.key {store} suspects")).run();
        assert_eq!((done.code, done.stdout.as_str()), (Some(3), ""), "{done}");
        assert!(done.stderr.contains(store), "{done}");
    }
    let other = place.fanmill("sift add --key a.key --profile mail library.sift suspects").run();
    assert_eq!(other.code, Some(2), "{other}");
    assert!(other.stderr.contains("leave --profile out"), "{other}");
}

/// A key or a store among the texts is not read as a text, in whatever container it is.
#[test]
fn keys_and_stores_are_no_texts() {
    let place = place();
    for name in ["originals/a.key", "originals/b.key"] {
        place.write(name, fs::read(place.path("a.key")).expect("a key"));
    }
    let done = run(&place, "add --key a.key originals/library.sift originals");
    assert!(done.stderr.contains("not read: originals/a.key: binary: a secret key"), "{done}");
    assert!(done.stderr.contains("`originals/library.sift` is new and has 2 texts"), "{done}");
    let again = run(&place, "add --key a.key originals/library.sift originals");
    let named = "not read: originals/library.sift: a store of Fanmill for sifting\n";
    assert!(again.stderr.contains(named), "{again}");
    for command in ["campaign --min-size 1 --key a.key", "check --key a.key originals/library.sift"]
    {
        for paths in [
            "originals/a.key",
            "originals/a.key --input-format mail",
            "- --input-format text",
            "- --input-format mail",
        ] {
            let command = format!("sift {command} {paths} --strict");
            let done = place.fanmill(&command).fed(&place.path("a.key")).run();
            assert_eq!((done.code, done.stdout.as_str()), (Some(4), ""), "{command}: {done}");
        }
    }
}

#[test]
fn what_is_no_text_is_not_answered_on_standard_input_either() {
    let place = with_store();
    for (name, bytes, reason) in [
        ("picture", &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"[..], "binary: a PNG image"),
        ("packed", b"\x1f\x8b\x08\0\0\0\0\0", "an archive, or packed"),
        ("noise", &[1, 2, 3, 4, 5, 6, 7, 8], "binary: not text"),
    ] {
        place.write(name, bytes);
        for kind in ["auto", "text", "mail"] {
            let check =
                format!("sift check --key a.key library.sift --strict --input-format {kind}");
            let done = place.fanmill(&check).fed(&place.path(name)).run();
            assert_eq!((done.code, done.stdout.as_str()), (Some(4), ""), "{name}: {done}");
            assert!(done.stderr.contains(&format!("not read: -: {reason}")), "{name}: {done}");
        }
    }
    let twice = place.fanmill("sift check --key a.key library.sift - -").run();
    assert_eq!(twice.code, Some(2), "{twice}");
}

#[test]
fn nothing_in_what_was_read_is_not_no() {
    let place = with_store();
    let inner = lines(40, |_| "Content-Type: message/rfc822\n\n".to_owned());
    place.write("deep.eml", format!("To: a@b\nSubject: a bill for you\n{inner}\nhidden so deep"));
    assert_snapshot!(run(&place, "check --key a.key library.sift deep.eml"), @r"
    exit: 0
    --- stdout
    part         deep.eml
                 (nested deeper than the limit: 1 part left out)
                 (so short that only an unchanged copy would be recognised)
    --- stderr
    0 copies, 0 not recognised, 1 read in part
    ");
}

#[test]
fn what_comes_by_standard_input_replaces_nothing() {
    let place = with_store();
    for (text, said) in [("orchard.txt", "1 text added"), ("lighthouse.txt", "1 text added")] {
        let add = place.fanmill("sift add --key a.key piped.sift -");
        let done = add.fed(&place.path("originals").join(text)).run();
        assert!(done.code == Some(0) && done.stderr.starts_with(said), "{done}");
    }
    assert_eq!(run(&place, "list piped.sift").stdout, "-\n- (2)\n");
}

/// A tar of one file.
fn tar(name: &str, text: &str) -> Vec<u8> {
    let mut header = [0_u8; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(format!("{:011o}\0", text.len()).as_bytes());
    header[148..156].fill(b' ');
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut bytes = [&header[..], text.as_bytes()].concat();
    bytes.resize(bytes.len().next_multiple_of(512) + 1024, 0);
    bytes
}

#[test]
fn entries_of_one_name_in_two_archives_are_two_texts() {
    let place = with_store();
    for (archive, text) in [("week1.tar", "The gate is shut."), ("week2.tar", "It was not.")] {
        place.write(archive, tar("ada.txt", text));
        let done = run(&place, &format!("add --key a.key weeks.sift {archive}"));
        assert!(done.stderr.starts_with("1 text added; "), "{done}");
    }
    let names = run(&place, "list weeks.sift").stdout;
    assert_eq!(names, "week1.tar!/ada.txt\nweek2.tar!/ada.txt\n");
}

#[test]
fn a_pipe_is_no_key_and_is_not_waited_for() {
    let place = with_store();
    let made = Command::new("mkfifo").arg(place.path("pipe.key")).status();
    assert!(made.expect("a program of every Unix").success());
    let done = place.fanmill("sift check --key pipe.key library.sift suspects").run();
    assert_eq!(done.code, Some(3), "{done}");
    assert!(done.stderr.contains("`pipe.key` is a pipe"), "{done}");
}

#[test]
fn a_store_stays_where_it_is_and_for_whom_it_is() {
    let place = with_store();
    let modes = || -> BTreeSet<u32> {
        let files = place.store("library.sift").into_keys();
        let mode = |name: OsString| {
            let file = place.path("library.sift").join(name);
            fs::metadata(file).expect("a file").permissions().mode() & 0o777
        };
        files.map(mode).collect()
    };
    assert_eq!(modes(), BTreeSet::from([0o600]));
    for name in place.store("library.sift").into_keys() {
        make_private(&place.path("library.sift").join(name), 0o640);
    }
    std::os::unix::fs::symlink("library.sift", place.path("link.sift")).expect("a link");
    let added = run(&place, "add --key a.key link.sift suspects");
    assert!(added.stderr.contains("`link.sift` has 4 texts"), "{added}");
    assert!(place.path("link.sift").is_symlink());
    assert_eq!(modes(), BTreeSet::from([0o640]));
    assert_eq!(run(&place, "list library.sift").stdout.lines().count(), 4);
    fs::remove_dir_all(place.path("library.sift")).expect("a store");
    let nowhere = place.fanmill("sift add --key a.key link.sift suspects").run();
    assert!(nowhere.code == Some(3) && nowhere.stderr.contains("leads nowhere"), "{nowhere}");
}

#[test]
fn a_store_is_not_emptied_by_naming_the_wrong_folder() {
    let place = with_store();
    let before = place.store("library.sift");
    let rekey = "sift rekey --key a.key --new-key b.key library.sift suspects --drop-missing";
    let done = place.fanmill(rekey).run();
    assert!(done.code == Some(3) && done.stderr.contains("none of the store's"), "{done}");
    assert_eq!(place.store("library.sift"), before);
}

/// Several lines, one at a time or together.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect::<Vec<_>>().concat()
}

/// No message may stop the reading of those that come with it.
#[test]
fn hostile_mail_is_answered_like_any_other() {
    let place = with_store();
    let nested =
        lines(5000, |i| format!("Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n"));
    let headers = lines(60_000, |i| format!("X-{i}: y\n"));
    let mail =
        |body: &str| format!("From x Mon Mar  2 08:11:02 2026\nSubject: s\nTo: a@b\n{body}\n\n");
    let charset =
        "Content-Type: text/plain; charset=none\nContent-Transfer-Encoding: base64\n\n=@@@=";
    let text = format!("{}{}{}", mail(&nested), mail(&headers), mail(charset));
    let inbox = fs::read_to_string(place.path("inbox.mbox")).expect("mail");
    place.write("hostile.mbox", text + &inbox);
    let done = run(&place, "check --key a.key library.sift hostile.mbox --format json");
    assert_eq!(done.stdout.lines().count(), 8, "{done}");
    assert!(done.stdout.lines().next().expect("lines").contains("nested deeper than"), "{done}");
}

/// The status says that there is a copy, even if nobody reads the answers.
#[test]
fn a_copy_fails_the_run_when_the_reader_has_gone() {
    let place = with_store();
    for format in ["", "--format json"] {
        let command =
            format!("sift check --key a.key {format} library.sift suspects --fail-on-copy");
        let done = place.fanmill(&command).run_into_closed_pipe();
        assert_eq!(done.code, Some(1), "{command}: {done}");
    }
}

#[test]
fn a_number_behind_names_is_said_to_need_an_equals_sign() {
    let place = with_store();
    let done = place.fanmill("sift check --key a.key library.sift --names 3 suspects").run();
    assert_eq!(done.code, Some(2), "{done}");
    assert!(done.stderr.contains("to name at most 3 originals, write --names=3"), "{done}");
}
