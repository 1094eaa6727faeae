//! Evidence as text: scores and passages, side by side with those of the originals.

use std::io::{self, Write};

use fanmill_jobs::sift::explain::{Evidence, Explanation};
use fanmill_report::fit::LineWidth;
use fanmill_report::printable;

use crate::screen;

/// Maximum number of passages shown of each text.
const PASSAGES: usize = 5;
/// Maximum number of characters shown of a passage.
const QUOTED: usize = 70;

pub(super) fn print(explanation: &Explanation, out: &mut impl Write) -> io::Result<()> {
    let original = screen::of_results().beside(13 + 9).cut(&printable(&explanation.original));
    match &explanation.evidence {
        Some(evidence) => {
            writeln!(out, "             {original}: S3 {:.2}", evidence.s3)?;
            print_evidence(evidence, out)
        }
        None => writeln!(
            out,
            "             {original}: not among the originals that were given, or changed since"
        ),
    }
}

fn print_evidence(evidence: &Evidence, out: &mut impl Write) -> io::Result<()> {
    for family in &evidence.families {
        writeln!(
            out,
            "               {:<22} {} in common, of {} here and {} there",
            family.family, family.n_common, family.n_here, family.n_there
        )?;
    }
    for (where_, passages) in [("here", &evidence.here), ("there", &evidence.there)] {
        for passage in passages.iter().take(PASSAGES) {
            let (first, last) = (passage.first_line, passage.last_line);
            let lines = if first == last {
                format!("line {first}")
            } else {
                format!("lines {first}-{last}")
            };
            let room = screen::of_results().beside(15 + 5 + 1 + lines.len() + 2);
            writeln!(out, "               {where_:<5} {lines}: {}", quoted(&passage.text, room))?;
        }
        if passages.len() > PASSAGES {
            writeln!(out, "               {where_:<5} and {} more", passages.len() - PASSAGES)?;
        }
    }
    Ok(())
}

/// Returns the beginning and the end of a passage, on one line.
fn quoted(text: &str, room: LineWidth) -> String {
    // This includes the dots between its beginning and its end.
    let most = room.at_most(QUOTED + 3);
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: Vec<char> = words.join(" ").chars().collect();
    let shown = if line.len() <= QUOTED.min(most) {
        line.iter().collect()
    } else {
        let half = (most - 3) / 2;
        let (head, tail) = (&line[..half], &line[line.len() - half..]);
        format!("{} … {}", head.iter().collect::<String>(), tail.iter().collect::<String>())
    };
    printable(&shown).into_owned()
}
