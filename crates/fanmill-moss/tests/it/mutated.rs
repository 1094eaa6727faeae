//! Sessions that were damaged at random: no panic, bounds kept, and the next honest client is served.
//!
//! 2,000 of them, or as many as `FANMILL_MOSS_SESSIONS` says. What is checked on the way is in `talk.rs`.

use fanmill_moss::Limits;

use crate::talk::{Dice, File, Heard, Server, session};

fn n_sessions() -> u64 {
    let asked = std::env::var("FANMILL_MOSS_SESSIONS").ok();
    asked.map_or(2000, |n| n.parse().expect("FANMILL_MOSS_SESSIONS is a whole number"))
}

fn honest(dice: &mut Dice) -> Vec<u8> {
    let files: Vec<File> = (0..=dice.below(5))
        .map(|i| {
            let lines = dice.below(20);
            let contents = "class A { int x = 1; }\n".repeat(lines) + "// é";
            let size = contents.len() + dice.below(2) * lines;
            File::new(i as u32, &format!("hand in/{i}.java"), contents).declared(size)
        })
        .collect();
    session(&files).0
}

/// Changes one thing.
fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const WORDS: [&[u8]; 16] = [
        b"\n",
        b"\r\n",
        b" ",
        b"\0",
        b"\xff",
        b"-",
        b"9",
        b"0",
        b"file ",
        b"file 1 java 5 a\n",
        b"file 0 java 18446744073709551616 ..\n",
        b"query 0 \n",
        b"end\n",
        b"moss 1\n",
        b"language java\n",
        b"language c\n",
    ];
    let at = dice.below(bytes.len());
    let most = *dice.one_of(&[2, 10, 100, 1000]);
    let to = (at + dice.below(most)).min(bytes.len());
    match dice.below(6) {
        0 => drop(bytes.drain(at..to)),
        1 => drop(bytes.splice(at..at, dice.one_of(&WORDS).iter().copied())),
        2 => {
            let copy = bytes[at..to].to_vec();
            let there = dice.below(bytes.len());
            bytes.splice(there..there, copy);
        }
        3 => bytes[at..to].reverse(),
        4 => {
            // Another digit, in a size perhaps.
            let digits = bytes.iter().enumerate().filter(|(_, byte)| byte.is_ascii_digit());
            let places: Vec<usize> = digits.map(|(place, _)| place).collect();
            if !places.is_empty() {
                bytes[*dice.one_of(&places)] = b'0' + dice.below(10) as u8;
            }
        }
        _ => bytes.truncate(to),
    }
    if bytes.is_empty() {
        bytes.push(b'\n');
    }
}

fn limits(dice: &mut Dice) -> Limits {
    Limits {
        file_bytes: *dice.one_of(&[300, 100_000]),
        session_bytes: *dice.one_of(&[1000, 1_000_000]),
        files: *dice.one_of(&[3, 100]),
        line_bytes: *dice.one_of(&[30, 4096]),
    }
}

/// Makes a session of a seed, damages it in some places, and chooses limits.
fn damaged(seed: u64) -> (Dice, Vec<u8>, Limits) {
    let mut dice = Dice::new(seed);
    let mut bytes = honest(&mut dice);
    for _ in 0..=dice.below(8) {
        damage(&mut bytes, &mut dice);
    }
    let limits = limits(&mut dice);
    (dice, bytes, limits)
}

/// Lets a server hear the bytes in pieces of `n` bytes, and then nothing for a while.
fn heard(limits: &Limits, bytes: &[u8], n: usize) -> Heard {
    let mut server = Server::with_limits(limits.clone());
    for piece in bytes.chunks(n) {
        server.push(piece);
    }
    server.wait();
    server.heard
}

#[test]
fn pieces_of_any_size_make_no_difference() {
    for seed in 0..n_sessions() {
        let (mut dice, bytes, limits) = damaged(seed);
        let mut whole = heard(&limits, &bytes, bytes.len());
        for n in [1, 2 + dice.below(60)] {
            let mut pieces = heard(&limits, &bytes, n);
            // Before an error, fewer bytes of the last file may come.
            if whole.is_fault && pieces.is_fault {
                whole.files.last_mut().into_iter().for_each(|file| file.1.clear());
                pieces.files.last_mut().into_iter().for_each(|file| file.1.clear());
            }
            assert_eq!(whole, pieces, "seed {seed}, pieces of {n}");
        }
    }
}

#[test]
fn damaged_sessions_do_no_harm() {
    let (mut n_asked, mut n_faults) = (0, 0);
    for seed in 0..n_sessions() {
        let (mut dice, bytes, limits) = damaged(seed);
        let mut server = Server::with_limits(limits.clone());
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (piece, later) = rest.split_at((1 + dice.below(200)).min(rest.len()));
            server.push(piece);
            if dice.below(10) == 0 {
                server.wait();
            }
            rest = later;
        }
        server.wait();
        let n_bytes: usize = server.heard.contents().iter().map(|bytes| bytes.len()).sum();
        assert!(n_bytes as u64 <= limits.session_bytes, "seed {seed}");
        n_asked += u32::from(server.heard.query.is_some());
        n_faults += u32::from(server.heard.is_fault);

        let mut next = Server::new();
        next.push(&honest(&mut Dice::new(2 * seed + 1))).wait().push(b"end\n");
        assert!(
            next.heard.query.is_some() || next.heard.written.contains("no submission"),
            "seed {seed}"
        );
    }
    // The damage is neither too little nor too much to test anything.
    assert!(n_asked > 100 && n_faults > 100, "{n_asked} asked, {n_faults} faults");
}
