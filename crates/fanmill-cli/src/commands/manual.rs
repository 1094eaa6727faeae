//! `fanmill completions` and `fanmill man`: made from the same definitions as `--help`.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::Exit;
use crate::results;

/// Writes a completion script.
///
/// The generator panics when it cannot write, so it writes to memory first.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fanmill", &mut script);
    results::print(|out| Ok(out.write_all(&script)?))?;
    Ok(Exit::Done)
}

/// Writes the manual page: the program's, then that of each command.
pub(crate) fn man() -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    command.build();
    results::print(|out| {
        clap_mangen::Man::new(command.clone()).render(out)?;
        for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
            let name = format!("fanmill-{}", subcommand.get_name());
            clap_mangen::Man::new(subcommand.clone().display_name(name)).render(out)?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}
