//! `fanmill languages`: the languages that can be read, and the files that each front end takes.

use std::io::Write;

use fanmill_text::frontend::Registry;

use crate::exit::Exit;
use crate::results::{self, Results};
use crate::screen;

pub(crate) fn run() -> anyhow::Result<Exit> {
    let registry = fanmill_lang::registry();
    results::print(|out| list(&registry, out))?;
    Ok(Exit::Done)
}

fn list(registry: &Registry, out: &mut Results) -> anyhow::Result<()> {
    let room = screen::of_results();
    for front_end in registry.iter() {
        let claims = front_end.claims();
        let extensions = claims.extensions.iter().map(|extension| format!(".{extension}"));
        let names = claims.file_names.iter().map(|name| (*name).to_owned());
        let files: Vec<String> = extensions.chain(names).collect();
        let aliases = match claims.aliases {
            [] => String::new(),
            aliases => format!("  (also {})", aliases.join(", ")),
        };
        let (name, kind) = (front_end.name(), front_end.kind().to_string());
        let line = format!("{name:<14} {kind:<6} {}{aliases}", files.join(" "));
        for line in room.wrap(&line, 22) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
