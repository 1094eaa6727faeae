//! The settings of `serve`: those of a file, and those of the command line, which take precedence.

use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fanmill_disk::given;
use fanmill_jobs::page_language;
use fanmill_server::{Config, Log, Network, Provider};
use fanmill_text::Error;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::args::{LogArg, ServeArgs};
use crate::words::say;

/// Maximum size of the file in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The tables of the file; there is one.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Tables {
    serve: Settings,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    listen: Option<SocketAddr>,
    moss: Option<SocketAddr>,
    moss_sessions: Option<i64>,
    public_url: Option<String>,
    language: Option<String>,
    #[serde(deserialize_with = "networks")]
    trusted_proxies: Vec<Network>,
    passwords: Option<bool>,
    oidc: Option<Service>,
    quiet_seconds: Option<i64>,
    log: Option<LogArg>,
    jobs: Option<usize>,
    max_waiting: Option<u64>,
    job_memory: Option<String>,
    job_seconds: Option<u64>,
    no_cage: Option<bool>,
    max_file: Option<String>,
    max_batch: Option<String>,
    max_files: Option<u64>,
    max_uploads: Option<usize>,
    max_uploads_each_account: Option<usize>,
    upload_seconds: Option<u64>,
    min_free: Option<String>,
    account_bytes: Option<String>,
    account_batches_a_day: Option<u64>,
    account_jobs: Option<u64>,
    max_connections: Option<usize>,
    max_connections_each_address: Option<usize>,
    head_seconds: Option<u64>,
    idle_seconds: Option<u64>,
    min_rate: Option<String>,
    body_seconds: Option<u64>,
    keep_days: Option<i64>,
    link_days: Option<i64>,
    session_days: Option<i64>,
}

/// The service that people log in with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Service {
    name: String,
    issuer: String,
    client_id: String,
    client_secret_file: Option<PathBuf>,
    #[serde(default)]
    newcomers: Newcomers,
}

/// The role of people who log in for the first time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Newcomers {
    /// No role: only people who were added before may log in.
    #[default]
    None,
    Reader,
    Teacher,
}

impl From<Service> for Provider {
    fn from(service: Service) -> Provider {
        let newcomers = match service.newcomers {
            Newcomers::None => None,
            Newcomers::Reader => Some("reader"),
            Newcomers::Teacher => Some("teacher"),
        };
        Provider {
            name: service.name,
            issuer: service.issuer,
            client_id: service.client_id,
            client_secret: service.client_secret_file,
            newcomers: newcomers.map(str::to_owned),
        }
    }
}

/// Sets what the file and the command line give.
pub(super) fn apply(args: &ServeArgs, config: &mut Config) -> anyhow::Result<()> {
    let mut settings = args.config.as_deref().map_or_else(|| Ok(Settings::default()), read)?;
    settings.listen = args.listen.or(settings.listen);
    settings.moss = args.moss.or(settings.moss);
    settings.public_url = args.public_url.clone().or(settings.public_url);
    settings.language = args.language.clone().or(settings.language);
    settings.trusted_proxies.extend(&args.trusted_proxy);
    settings.log = args.log.or(settings.log);
    settings.jobs = args.jobs.or(settings.jobs);
    config.insecure = args.insecure;
    set(settings, config)
}

fn read(path: &Path) -> anyhow::Result<Settings> {
    let at_fault = |why: String| Error::setting(format!("config file `{}`{why}", path.display()));
    let mut text = String::new();
    let read =
        given::open_file("config file", path)?.take(MOST_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| Error::io("read config file", path, error))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(at_fault(format!(" is above the limit of {MOST_BYTES} bytes")).into());
    }
    let parsed: Result<Tables, toml::de::Error> = toml::from_str(&text);
    let tables = parsed.map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
        let message = error.message().replace("unknown field", "unknown key");
        at_fault(format!(", line {line}: {}", message.replace('\n', " ")))
    })?;
    Ok(tables.serve)
}

fn set(settings: Settings, config: &mut Config) -> anyhow::Result<()> {
    let write = |line: &str| say(format_args!("{line}"));
    config.log = match settings.log.unwrap_or_default() {
        LogArg::Text => Log::Text(write),
        LogArg::Json => Log::Json(write),
        LogArg::Off => Log::Off,
    };
    config.moss = settings.moss;
    put(at_least_1("moss-sessions", settings.moss_sessions)?, &mut config.moss_sessions);
    config.public_url = settings.public_url;
    config.language = page_language::checked(settings.language.as_deref())?;
    config.trusted_proxies = settings.trusted_proxies;
    put(settings.passwords, &mut config.passwords);
    config.provider = settings.oidc.map(Provider::from);
    put(at_least_1("quiet-seconds", settings.quiet_seconds)?, &mut config.quiet_seconds);
    put(settings.listen, &mut config.listen);
    put(at_least_1("jobs", settings.jobs)?, &mut config.jobs.running);
    put(settings.max_waiting, &mut config.jobs.waiting);
    put(bytes("job-memory", settings.job_memory)?, &mut config.jobs.memory);
    put(at_least_1("job-seconds", settings.job_seconds)?, &mut config.jobs.processor_seconds);
    put(settings.no_cage, &mut config.jobs.no_cage);
    put(bytes("max-file", settings.max_file)?, &mut config.uploads.file_bytes);
    put(bytes("max-batch", settings.max_batch)?, &mut config.uploads.batch_bytes);
    put(settings.max_files, &mut config.uploads.files);
    put(at_least_1("max-uploads", settings.max_uploads)?, &mut config.uploads.at_once);
    let each = at_least_1("max-uploads-each-account", settings.max_uploads_each_account)?;
    put(each, &mut config.uploads.at_once_each);
    put(bytes("min-free", settings.min_free)?, &mut config.uploads.free_bytes);
    // Without a setting, an account has no quota.
    config.account.bytes = bytes("account-bytes", settings.account_bytes)?;
    config.account.batches_a_day = settings.account_batches_a_day;
    config.account.running = at_least_1("account-jobs", settings.account_jobs)?;
    put(at_least_1("max-connections", settings.max_connections)?, &mut config.connections.all);
    let each = at_least_1("max-connections-each-address", settings.max_connections_each_address)?;
    put(each, &mut config.connections.each_address);
    let seconds = |name, value| Ok::<_, Error>(at_least_1(name, value)?.map(Duration::from_secs));
    put(seconds("head-seconds", settings.head_seconds)?, &mut config.connections.head);
    put(seconds("idle-seconds", settings.idle_seconds)?, &mut config.connections.idle);
    put(bytes("min-rate", settings.min_rate)?, &mut config.connections.rate);
    put(seconds("body-seconds", settings.body_seconds)?, &mut config.connections.body);
    put(seconds("upload-seconds", settings.upload_seconds)?, &mut config.uploads.time);
    put(days("keep-days", 36_500, settings.keep_days)?, &mut config.keep.batches);
    put(days("link-days", 365, settings.link_days)?, &mut config.keep.links);
    put(days("session-days", 365, settings.session_days)?, &mut config.keep.sessions);
    Ok(())
}

/// Reads addresses and networks.
fn networks<'de, D: Deserializer<'de>>(given: D) -> Result<Vec<Network>, D::Error> {
    let all = Vec::<String>::deserialize(given)?;
    all.iter().map(|one| one.parse().map_err(D::Error::custom)).collect()
}

fn put<T>(given: Option<T>, place: &mut T) {
    if let Some(value) = given {
        *place = value;
    }
}

fn bytes(name: &str, size: Option<String>) -> anyhow::Result<Option<u64>> {
    size.map(|size| {
        fanmill_text::amount::parse_bytes(&size).map_err(|error| error.within(name).into())
    })
    .transpose()
}

fn at_least_1<T: PartialOrd + From<u8>>(name: &str, value: Option<T>) -> Result<Option<T>, Error> {
    match value {
        Some(value) if value < T::from(1) => {
            Err(Error::setting(format!("{name} is 0; the least is 1")))
        }
        value => Ok(value),
    }
}

fn days(name: &str, most: i64, days: Option<i64>) -> Result<Option<i64>, Error> {
    match days {
        Some(n) if !(1..=most).contains(&n) => {
            Err(Error::setting(format!("{name} is {n}; it goes from 1 to {most} days")))
        }
        days => Ok(days),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_from(text: &str) -> anyhow::Result<Config> {
        let mut config = Config::new("data", "program");
        let tables: Tables = toml::from_str(text)?;
        set(tables.serve, &mut config)?;
        Ok(config)
    }

    #[test]
    fn every_setting_of_the_manual_is_one_with_the_default_that_it_names() {
        let manual = include_str!("../../../../../docs/serve.md");
        let example = manual.split("```toml\n").nth(1).expect("an example");
        let example = example.split("```").next().expect("its end");
        let set = set_from(example).expect("valid");
        // The example sets the quotas, which have no defaults.
        let mut default = Config::new("data", "program");
        default.account = set.account.clone();
        (default.log, default.public_url, default.trusted_proxies) =
            (set.log, set.public_url.clone(), set.trusted_proxies.clone());
        default.moss = set.moss;
        default.language.clone_from(&set.language);
        default.provider.clone_from(&set.provider);
        assert_eq!(format!("{set:?}"), format!("{default:?}"));
        assert_eq!(example.lines().filter(|line| line.contains('=')).count(), 38);
    }

    #[test]
    fn what_is_misspelt_or_out_of_bounds_is_refused() {
        for wrong in [
            "[serve]\njob-memmory = '4GiB'",
            "[serve]\njob-memory = '4 parsecs'",
            "[serve]\njobs = 0",
            "[serve]\nlanguage = 'xx'",
            "[serve]\nkeep-days = -1",
            "[server]\njobs = 1",
            "[serve]\ntrusted-proxies = ['10.0.0.0/33']",
            "[serve]\ntrusted-proxies = ['localhost']",
            "[serve.oidc]\nname = 'Uni'\nissuer = 'https://login.example.edu'",
            "[serve.oidc]\nname = 'Uni'\nissuer = 'https://x.edu'\nclient-id = 'x'\nnewcomers = 'administrator'",
        ] {
            assert!(set_from(wrong).is_err(), "{wrong}");
        }
    }
}
