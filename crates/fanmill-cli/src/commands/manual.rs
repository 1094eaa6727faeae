//! `fanmill completions` and `fanmill man`: made from the same definitions as `--help`.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::Exit;

/// Writes a completion script.
///
/// The generator panics when it cannot write, so it writes to memory first.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fanmill", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Done)
}

/// Writes the manual page: the program's, then that of each command.
pub(crate) fn man() -> anyhow::Result<Exit> {
    let mut out = io::stdout();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut out)?;
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = format!("fanmill-{}", subcommand.get_name());
        clap_mangen::Man::new(subcommand.clone().display_name(name)).render(&mut out)?;
    }
    Ok(Exit::Done)
}
