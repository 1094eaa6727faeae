//! `fanmill text`: what is read of these files?

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fanmill_jobs::text::{self, Inputs, Piece, Settings, View};
use fanmill_report::printable;
use fanmill_source::{Files, MemoryFiles};
use fanmill_text::Error;
use fanmill_text::document::Outcome;

use crate::args::TextArgs;
use crate::exit::Exit;
use crate::progress::Bar;
use crate::results::{self, OutputFailure, Results};
use crate::terminal;
use crate::words::words;
use crate::{flags, layers};

pub(crate) fn run(args: &TextArgs) -> anyhow::Result<Exit> {
    let (mut settings, mut inputs) = (Settings::default(), Inputs::from_paths(&args.paths));
    // Files are read with the settings of a comparison.
    layers::fill(&args.config, "compare", args, |given| {
        given.fill(&mut settings)?;
        given.fill(&mut inputs.limits)?;
        given.fill(&mut inputs.documents)
    })?;
    args.documents.add_paths(&mut inputs.documents);
    settings.view = if args.tokens { View::Tokens } else { View::Text };
    from_stdin(args, &mut inputs)?;
    let bar = Bar::new(false);
    let (mut others, mut is_whole, mut is_first) = (Vec::new(), true, true);
    results::print(|out| {
        let mut handed = OutputFailure::default();
        let mut take = |piece: Piece<'_>| {
            if let Piece::File { notices, .. } = &piece {
                is_whole &= notices.iter().all(|(outcome, _)| *outcome == Outcome::Flagged);
            }
            handed.on(print(&piece, std::mem::take(&mut is_first), out))
        };
        let ended = text::run(&settings, &inputs, &bar, &mut take);
        others = handed.unless_failed(ended)?;
        Ok(())
    })?;
    bar.finish();
    is_whole &= others.iter().all(|notice| notice.outcome == Outcome::Flagged);
    terminal::notices(&others, None, &mut words())?;
    Ok(if args.strict && !is_whole { Exit::Incomplete } else { Exit::Done })
}

/// Puts standard input in the place of `-`, as a file with the given name.
fn from_stdin(args: &TextArgs, inputs: &mut Inputs) -> anyhow::Result<()> {
    let is_stdin = |path: &PathBuf| path == Path::new("-");
    if !args.paths.iter().any(is_stdin) {
        return Ok(());
    }
    if args.paths.len() > 1 {
        anyhow::bail!(Error::setting("standard input is one of several paths; give it alone"));
    }
    let (mut bytes, most) = (Vec::new(), inputs.limits.file_bytes);
    let read = io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Error::system("could not read standard input", error))?;
    let mut held = MemoryFiles::default();
    held.add(&args.stdin_name, bytes)?;
    inputs.files = Files::Held(Arc::new(held));
    inputs.paths = vec![PathBuf::from(&args.stdin_name)];
    Ok(())
}

fn print(piece: &Piece<'_>, is_first: bool, out: &mut Results) -> anyhow::Result<()> {
    match piece {
        Piece::File { name, read_as, notices } => {
            if !is_first {
                writeln!(out)?;
            }
            let read_as = read_as.map(|file| {
                let (language, reason) = (&file.language, file.chosen_by.reason());
                format!(" ({language}, {reason}; {})", file.encoding)
            });
            writeln!(out, "== {}{}", printable(name), read_as.unwrap_or_default())?;
            for (outcome, reason) in *notices {
                writeln!(out, "{}: {}", outcome.name(), printable(&flags::said(reason)))?;
            }
        }
        Piece::Text(text) => {
            for line in text.lines() {
                // Tabs do no harm to a terminal, so they stay.
                let parts: Vec<_> = line.split('\t').map(printable).collect();
                writeln!(out, "{}", parts.join("\t"))?;
            }
        }
        Piece::Token { line, class, spelling } => {
            writeln!(out, "{line:>6} {:<10} {}", class.name(), printable(spelling))?;
        }
    }
    Ok(())
}
