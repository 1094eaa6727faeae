//! `fanmill languages`: what can be read, and which files each front end takes.

use std::io::{self, Write};

use fanmill::frontend::Registry;

use crate::exit::Exit;

pub(crate) fn run() -> anyhow::Result<Exit> {
    let registry = Registry::new(fanmill_lang::front_ends())?;
    let mut out = io::stdout().lock();
    for front_end in registry.iter() {
        let claims = front_end.claims();
        let extensions = claims.extensions.iter().map(|extension| format!(".{extension}"));
        let names = claims.file_names.iter().map(|name| (*name).to_owned());
        let files: Vec<String> = extensions.chain(names).collect();
        let aliases = match claims.aliases {
            [] => String::new(),
            aliases => format!("  (also {})", aliases.join(", ")),
        };
        writeln!(
            out,
            "{:<14} {:<6} {}{aliases}",
            front_end.name(),
            front_end.kind().to_string(),
            files.join(" ")
        )?;
    }
    Ok(Exit::Done)
}
