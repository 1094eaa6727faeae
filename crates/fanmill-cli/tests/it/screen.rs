//! What is shown on a screen of a given width, and what a file gets instead.

#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use nix::pty::{Winsize, openpty};

use crate::patience::wait;
use crate::place::{Place, example};
use crate::run::Run;

/// Command lines with a table, a list or a command in what they print; each command has one, see
/// [`every_command_has_a_screen`]. Those of a store come in an order in which each finds what it needs.
const COMMANDS: [&str; 35] = [
    "compare in",
    "compare in --top 2",
    "compare in list.csv",
    "index add a.index in",
    "index list a.index",
    "index stats a.index",
    "index verify a.index",
    "search a.index in",
    "index upgrade a.index",
    "index merge a.index",
    "index remove a.index nobody",
    "dedup corpus --mode report",
    "dedup corpus --mode report --index seen",
    "dedup corpus --mode report --unit line",
    "urls pages.jsonl",
    "sift keygen -o new.key",
    "sift add --key a.key a.sift in",
    "sift list a.sift",
    "sift remove --key a.key b.sift in/a-name-that-is-not-there",
    "sift expire --key a.key --before 2026-03-01 b.sift",
    "sift upgrade --key a.key a.sift new.sift",
    "sift rekey --key a.key --new-key b.key b.sift in",
    "sift destroy --key a.key",
    "sift check --key a.key a.sift in",
    "sift check --key a.key a.sift in --names",
    "sift check --key a.key a.sift in --explain in",
    "sift campaign --key a.key in --members",
    "sift attack in --keys 1 --scheme short --scheme paper-slide",
    "lab frequency in --max-docs 2 --noise 5 --guarantee 12 --include *.md --exclude *.nothing",
    "lab filter --filter 6x14,r=2 --trials 10 --members 10",
    "lab calibrate in",
    "sift check --key a.key a.sift deep",
    "languages",
    "man pages",
    "compare nothing-is-called-like-this-and-so-it-is-an-error-of-more-than-eighty-columns-in-one-word",
];

/// The names tell apart in their middle only.
fn name(person: &str) -> String {
    format!("assignment-03-of-the-winter-term-{person}-as-it-was-handed-in-at-the-last-minute.md")
}

fn place() -> Place {
    let place = Place::new()
        .with("a.key", format!("fanmill-sift-key-1 {}\n", "0123456789abcdef".repeat(4)))
        .with("list.csv", "file,submitted\nnobody.md,some time in spring\n");
    place.write("b.key", format!("fanmill-sift-key-1 {}\n", "fedcba9876543210".repeat(4)));
    for key in ["a.key", "b.key"] {
        let private = Permissions::from_mode(0o600);
        fs::set_permissions(place.path(key), private).expect("a file of our own");
    }
    for (person, text) in [("anna", "nora"), ("emil", "nora"), ("nora", "otto"), ("omar", "otto")] {
        let text = example(&format!("essays/{text}.md"));
        place.write(format!("in/{}", name(person)), &text);
        place.write(format!("corpus/{}", name(person)).replace(".md", ".txt"), &text);
        place.write(format!("in/{}", name(person).replace(".md", ".png")), b"\x89PNG\r\n\x1a\n\0");
    }
    let page = |i: usize| {
        let path = format!("{}/of/{}/{}", "folder".repeat(9), "deeper".repeat(9), i / 3);
        let url = format!("http://a.org/{path}?session={i}x");
        serde_json::json!({ "url": url, "text": format!("page {}", i / 3) }).to_string() + "\n"
    };
    place.write(
        format!("deep/{}/{}.md", "folder".repeat(9), "name".repeat(12)),
        example("essays/nora.md"),
    );
    place.write("pages.jsonl", (0..18).map(page).collect::<String>());
    for store in ["a.sift", "b.sift"] {
        assert_eq!(place.fanmill(&format!("sift add --key a.key {store} in")).run().code, Some(0));
    }
    place
}

/// What both outputs show on screens of this width: the lines, without what moves or colours.
fn shown(place: &Place, command: &str, columns: u16) -> [Vec<String>; 2] {
    written(place, command, columns, "").map(|text| plain(&text))
}

/// Everything written to both screens, with `NO_COLOR` set to `no_color`.
fn written(place: &Place, command: &str, columns: u16, no_color: &str) -> [String; 2] {
    let size = Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let screens = [(); 2].map(|()| openpty(&size, None).expect("a terminal"));
    let [out, words] = screens.map(|screen| {
        let reader = thread::spawn(move || read(screen.master));
        (Stdio::from(screen.slave), reader)
    });
    let mut program = Command::new(env!("CARGO_BIN_EXE_fanmill"));
    program.args(command.split_whitespace()).current_dir(place.path(""));
    program
        .env("TERM", "xterm")
        .env("NO_COLOR", no_color)
        .env_remove("COLUMNS")
        .stdin(Stdio::null());
    let mut child = program.stdout(out.0).stderr(words.0).spawn().expect("the program starts");
    // The program alone holds the screens now, so that reading ends with it.
    drop(program);
    wait(&mut child);
    [out.1, words.1].map(|reader| reader.join().expect("read"))
}

fn read(screen: OwnedFd) -> String {
    let (mut bytes, mut file) = (Vec::new(), File::from(screen));
    match file.read_to_end(&mut bytes) {
        // How Linux says that nobody holds the other end.
        Err(error)
            if error.kind() != ErrorKind::UnexpectedEof && error.raw_os_error() != Some(5) =>
        {
            panic!("{error}")
        }
        _ => String::from_utf8(bytes).expect("UTF-8"),
    }
}

/// Lines without control sequences; what is drawn over counts as a line.
fn plain(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            // `ESC [`, parameters, and one letter.
            let _ = rest.by_ref().skip(1).find(char::is_ascii_alphabetic);
        } else {
            plain.push(if c == '\r' { '\n' } else { c });
        }
    }
    plain.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// All commands, by the help: `compare`, `sift add`.
fn commands() -> Vec<String> {
    let (mut open, mut commands) = (vec![String::new()], Vec::new());
    while let Some(command) = open.pop() {
        let help = Run::new(&format!("{command} --help")).run().stdout;
        let list = help.split_once("\nCommands:\n").map(|(_, rest)| rest.split("\n\n").next());
        let Some(list) = list.flatten() else {
            commands.push(command.trim().to_owned());
            continue;
        };
        let name = |line: &str| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned);
        let names = list.lines().filter_map(name).filter(|name| !["", "help"].contains(&&**name));
        open.extend(names.map(|name| format!("{command} {name}")));
    }
    assert!(commands.len() > 15, "{commands:?}");
    commands
}

/// The lines of `text` are those of the texts, `completions` and `index export` write for programs alone, `index watch` runs until it is stopped, and what the accounts
/// and persons of the service print depends on a folder that they have to themselves.
#[test]
fn every_command_has_a_screen() {
    let has_one = |command: &String| COMMANDS.iter().any(|line| line.starts_with(&**command));
    let mut forgotten: Vec<String> = commands().into_iter().filter(|c| !has_one(c)).collect();
    forgotten.sort_unstable();
    let others = [
        "serve audit verify",
        "serve backup",
        "serve health",
        "serve person erase",
        "serve person export",
        "serve platform add",
        "serve platform list",
        "serve platform remove",
        "serve user add",
        "serve user list",
        "serve user reset",
        "text",
    ];
    assert_eq!(forgotten, [&["completions", "index export", "index watch"], &others[..]].concat());
}

#[test]
fn lines_fit_the_screen() {
    let place = place();
    let mut wide = Vec::new();
    for command in COMMANDS {
        for columns in [80, 100, 120, 200] {
            for line in shown(&place, command, columns).concat() {
                let is_one_word = line.trim().split(' ').count() == 1;
                let width = line.chars().count();
                if width > usize::from(columns) && !is_one_word {
                    wide.push(format!("{command}, {columns}: {line}"));
                }
            }
        }
    }
    assert!(wide.is_empty(), "{wide:#?}");
}

/// Each of the four has its own shown name, with what tells it apart.
#[test]
fn names_that_are_cut_can_still_be_told_apart() {
    let place = place();
    for columns in [80, 120] {
        let [table, _] = shown(&place, "compare in", columns);
        for person in ["anna", "emil", "nora", "omar"] {
            assert!(table.iter().any(|line| line.contains(person)), "{person}: {table:#?}");
        }
        assert!(table.iter().all(|line| !line.contains(&name("anna"))), "{table:#?}");
    }
}

/// As in some containers: tables are fitted to the usual width.
#[test]
fn a_screen_that_does_not_report_its_width_has_the_usual_one() {
    let place = place();
    let [table, _] = shown(&place, "compare in", 0);
    assert!(table.iter().all(|line| line.chars().count() <= 80), "{table:#?}");
    assert!(table.iter().any(|line| line.contains('…')), "{table:#?}");
}

/// Three of the essays are in colour as notices: pictures under the name of another.
#[test]
fn colours_are_for_screens_unless_somebody_says_otherwise() {
    const YELLOW: &str = "\u{1b}[33mskipped: ";
    let place = place();
    let words = |command: &str, no_color: &str| written(&place, command, 120, no_color)[1].clone();
    assert!(words("compare in", "").contains(YELLOW));
    assert!(!words("compare in", "1").contains(YELLOW));
    assert!(!words("compare in --color never", "").contains(YELLOW));
    assert!(words("compare in --color always", "1").contains(YELLOW));
    let piped = |arguments: &str| place.fanmill(arguments).run();
    assert!(!piped("compare in").stderr.contains('\u{1b}'));
    assert!(piped("--color always compare in").stderr.contains(YELLOW));
    let essays = "compare essays --color";
    for i in 0..24 {
        let words: Vec<String> =
            (0..90).map(|j| format!("w{}", (i * 7919 + j * j * 31) % 9973)).collect();
        place.write(format!("essays/{i}.txt"), words.join(" "));
    }
    let copied = "a passage that two have and nobody else, ".repeat(9);
    for i in [3, 17] {
        place.write(format!("essays/{i}.txt"), format!("{copied} {i}"));
    }
    let done = piped(&format!("{essays} always"));
    let red: Vec<&str> = done.stdout.lines().filter(|line| line.contains("\u{1b}[")).collect();
    assert_eq!(red.len(), 1, "{done}");
    assert!(red[0].contains("17.txt") && red[0].ends_with("\u{1b}[0m"), "{done}");
    assert!(done.stderr.lines().last().is_some_and(|line| line.contains("1 stands out\u{1b}[0m")));
}

#[test]
fn what_is_piped_is_never_cut() {
    let place = place();
    let whole = name("anna");
    for command in [
        "compare in",
        "sift list a.sift",
        "sift check --key a.key a.sift in --names",
        "sift campaign --key a.key in",
    ] {
        let done = place.fanmill(command).run();
        assert!(done.stdout.contains(&whole), "{command}: {done}");
        assert!(!done.stdout.contains('…'), "{command}: {done}");
    }
    let done = place.fanmill("compare in").run();
    assert!(done.stderr.contains(&whole.replace(".md", ".png")), "{done}");
    let done = place.fanmill("urls pages.jsonl").run();
    assert!(done.stdout.contains(&"deeper".repeat(9)), "{done}");
    let done = place.fanmill("dedup corpus --mode report").run();
    assert!(done.stdout.contains(&whole.replace(".md", ".txt")), "{done}");
}

/// A command that is shown in several lines is still one for a shell.
#[test]
fn a_command_that_is_broken_can_be_copied() {
    let place = place();
    let command = "lab frequency in --read-as words --noise 5 --guarantee 12 --exclude *.nothing";
    let [_, words] = shown(&place, command, 60);
    let start = words.iter().position(|line| line.starts_with("again: ")).expect("the command");
    let again = words[start..].join("\n").replacen("again: ", "", 1);
    assert!(again.contains(" \\\n"), "{again}");
    let program = Path::new(env!("CARGO_BIN_EXE_fanmill")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let once_more = Command::new("sh")
        .args(["-c", &again])
        .env("PATH", format!("{}:{path}", program.display()))
        .current_dir(place.path(""))
        .output()
        .expect("a shell");
    assert!(once_more.status.success(), "{once_more:?}");
    assert_eq!(String::from_utf8_lossy(&once_more.stdout), place.fanmill(command).run().stdout);
}

/// Examples and statuses in the help are not broken on a usual screen.
#[test]
fn examples_in_the_help_fit_eighty_columns() {
    for command in commands().iter().map(String::as_str).chain(["sift", "lab"]) {
        let help = Run::new(&format!("{command} --help")).run().stdout;
        let Some((_, examples)) = help.split_once("Examples:\n") else { continue };
        for line in examples.lines() {
            assert!(line.chars().count() <= 80, "{command}: {line}");
        }
    }
}
