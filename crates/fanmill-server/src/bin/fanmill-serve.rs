//! The service without the other commands, for tests to start and kill.
//!
//! `fanmill-serve DATA [LIMIT=NUMBER…]` listens on a free port of loopback, prints its address, the one-time link and
//! the address for MOSS, and logs JSON to standard error.

#![forbid(unsafe_code)]

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use fanmill_server::{Config, Log, Provider, SEARCH, child, search_disk, selftest, serve};

#[expect(clippy::disallowed_methods, reason = "read by the tests, not by people")]
fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["__job", "selftest", folder] => selftest(Path::new(folder), std::io::stdout()),
        ["__job", SEARCH, folder] => {
            Ok(search_disk(Path::new(folder), std::io::stdin(), std::io::stdout())?)
        }
        ["__job", folder] => child(Path::new(folder), std::io::stdout()),
        ["-V"] => Ok(()),
        [data, ref limits @ ..] => {
            let mut config = Config::new(data, std::env::current_exe()?);
            config.listen.set_port(0);
            config.uploads.free_bytes = 0;
            config.log = Log::Json(|line| {
                let _ = writeln!(std::io::stderr(), "{line}");
            });
            for limit in limits {
                set(&mut config, limit)?;
            }
            let started = |started: &fanmill_server::Started| {
                let setup = started.setup.as_deref().unwrap_or("-");
                let mut out = std::io::stdout();
                let moss = started.moss.map_or_else(|| "-".to_owned(), |at| at.to_string());
                writeln!(out, "{} {setup} {moss}", started.address)?;
                Ok(out.flush()?)
            };
            serve(config, started, std::future::pending())
        }
        _ => Err(anyhow::anyhow!("no folder")).context("usage: fanmill-serve DATA [LIMIT=NUMBER…]"),
    }
}

fn set(config: &mut Config, limit: &str) -> anyhow::Result<()> {
    let (name, value) = limit.split_once('=').context("a limit is NAME=NUMBER")?;
    if let Some(part) = name.strip_prefix("provider-") {
        return provider(config, part, value);
    }
    if name == "language" {
        config.language = Some(value.to_owned());
        return Ok(());
    }
    let number: u64 = value.parse()?;
    match name {
        "passwords" => config.passwords = number > 0,
        "moss" => config.moss = Some(([127, 0, 0, 1], u16::try_from(number)?).into()),
        "moss-sessions" => config.moss_sessions = i64::try_from(number)?,
        "quiet-seconds" => config.quiet_seconds = i64::try_from(number)?,
        "connections" => config.connections.all = usize::try_from(number)?,
        "each-address" => config.connections.each_address = usize::try_from(number)?,
        "head-ms" => config.connections.head = Duration::from_millis(number),
        "idle-ms" => config.connections.idle = Duration::from_millis(number),
        "rate" => config.connections.rate = number,
        "body-ms" => config.connections.body = Duration::from_millis(number),
        "upload-ms" => config.uploads.time = Duration::from_millis(number),
        "uploads" => config.uploads.at_once = usize::try_from(number)?,
        "uploads-each" => config.uploads.at_once_each = usize::try_from(number)?,
        "trust-loopback" => config.trusted_proxies.push(config.listen.ip().into()),
        "file-bytes" => config.uploads.file_bytes = number,
        "free-bytes" => config.uploads.free_bytes = number,
        "running" => config.jobs.running = usize::try_from(number)?,
        "waiting" => config.jobs.waiting = number,
        "processor-seconds" => config.jobs.processor_seconds = number,
        "keep-days" => config.keep.batches = i64::try_from(number)?,
        "account-bytes" => config.account.bytes = Some(number),
        "account-batches" => config.account.batches_a_day = Some(number),
        _ => bail!("no limit `{name}`"),
    }
    Ok(())
}

fn provider(config: &mut Config, part: &str, value: &str) -> anyhow::Result<()> {
    let provider = config.provider.get_or_insert_with(|| Provider {
        name: "Uni".to_owned(),
        issuer: String::new(),
        client_id: "fanmill".to_owned(),
        client_secret: None,
        newcomers: None,
    });
    match part {
        "issuer" => value.clone_into(&mut provider.issuer),
        "secret" => provider.client_secret = Some(value.into()),
        "newcomers" => provider.newcomers = Some(value.to_owned()),
        _ => bail!("no setting `{part}` of a provider"),
    }
    Ok(())
}
