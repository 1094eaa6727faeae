//! The service without the other commands: what tests start, and kill.
//!
//! `fanmill-serve DATA` listens at a free port of loopback, and says its address and the one-time link.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use fanmill_server::{Config, child, serve};

#[expect(clippy::disallowed_methods, reason = "read by the tests, not by people")]
fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["__job", folder] => child(Path::new(folder), std::io::stdout()),
        [data] => {
            let mut config = Config::new(data, std::env::current_exe()?);
            config.listen.set_port(0);
            config.min_free = 0;
            let started = |started: &fanmill_server::Started| {
                let setup = started.setup.as_deref().unwrap_or("-");
                let mut out = std::io::stdout();
                writeln!(out, "{} {setup}", started.address)?;
                Ok(out.flush()?)
            };
            serve(config, started, std::future::pending())
        }
        _ => Err(anyhow::anyhow!("no folder")).context("usage: fanmill-serve DATA"),
    }
}
