//! The configuration of a server, with its limits.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::log::Log;
use crate::network::Network;
use crate::pace::PaceLimits;
use crate::upload::Limits;

/// The configuration of a server.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address it listens on; with port 0, any free port.
    pub listen: SocketAddr,
    /// The address it listens on for clients of MOSS, if at all.
    pub moss: Option<SocketAddr>,
    /// Number of submissions that one account may make with clients of MOSS in a quarter of an hour.
    pub moss_sessions: i64,
    /// The folder for everything the server stores.
    pub data: PathBuf,
    /// If set, it may listen on a public address although the server itself has no TLS.
    pub insecure: bool,
    /// The address at which people reach it, if it is a different one.
    pub public_url: Option<String>,
    /// The tag of the language in which pages begin; that of the reader's browser if absent.
    pub language: Option<String>,
    /// Proxies whose header `X-Forwarded-For` or `Forwarded` is trusted to name the client.
    pub trusted_proxies: Vec<Network>,
    /// The program that is started as `PROGRAM __job FOLDER`, and calls [`child`](crate::child).
    pub program: PathBuf,
    /// If set, people may log in with passwords that are kept here.
    pub passwords: bool,
    /// The service that people log in with.
    pub provider: Option<Provider>,
    /// Number of seconds without news from a learning platform after which an assignment is compared.
    pub quiet_seconds: i64,
    /// The destination of log lines.
    pub log: Log,
    /// Limits of comparisons.
    pub jobs: JobLimits,
    /// Limits of uploads.
    pub uploads: UploadLimits,
    /// The quota of one account.
    pub account: Quota,
    /// Limits of connections.
    pub connections: ConnectionLimits,
    /// Retention periods.
    pub keep: Keep,
}

/// A service that people log in with, by OpenID Connect.
#[derive(Debug, Clone)]
pub struct Provider {
    /// The name that people know it by.
    pub name: String,
    /// Its address, which is also its issuer identifier.
    pub issuer: String,
    /// The OIDC client id of this server.
    pub client_id: String,
    /// The file with the OIDC client secret; without one, this server is a public client.
    pub client_secret: Option<PathBuf>,
    /// The role of people who log in for the first time; without one, only people added before may log in.
    pub newcomers: Option<String>,
}

/// Limits of comparisons.
#[derive(Debug, Clone)]
pub struct JobLimits {
    /// Number of comparisons that run at the same time.
    pub running: usize,
    /// Number of comparisons that wait; more are refused.
    pub waiting: u64,
    /// Memory of one comparison, in bytes.
    pub memory: u64,
    /// Processor time of one comparison, in seconds.
    pub processor_seconds: u64,
    /// If set, PDF is read even where the system can lock its reader in neither by landlock nor by seccomp.
    pub no_cage: bool,
}

/// Limits of uploads.
#[derive(Debug, Clone)]
pub struct UploadLimits {
    /// Size of one file, in bytes.
    pub file_bytes: u64,
    /// Size of one batch, in bytes.
    pub batch_bytes: u64,
    /// Number of files in one batch.
    pub files: u64,
    /// Disk space that must stay free, in bytes.
    pub free_bytes: u64,
    /// Number of uploads received at the same time; more are refused.
    pub at_once: usize,
    /// Number of uploads of one account received at the same time; more are refused.
    pub at_once_each: usize,
    /// Time for one upload.
    pub time: Duration,
}

/// Limits of one account; `None` means no limit.
#[derive(Debug, Clone, Default)]
pub struct Quota {
    /// Size of all stored uploads, in bytes.
    pub bytes: Option<u64>,
    /// Number of comparisons in 24 hours.
    pub batches_a_day: Option<u64>,
    /// Number of comparisons that run at the same time.
    pub running: Option<u64>,
}

/// Limits of connections.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Number of all connections.
    pub all: usize,
    /// Number of connections of one client, who is at one address; behind a trusted proxy, of its requests.
    pub each_address: usize,
    /// Time until the head of a request must be complete; also, until the next request must begin.
    pub head: Duration,
    /// Time that may pass without a byte of a request's body.
    pub idle: Duration,
    /// Least number of bytes in a second of a request's body, on average after that time.
    pub rate: u64,
    /// Time for the body of a request that is no upload.
    pub body: Duration,
}

/// Retention periods, in days.
#[derive(Debug, Clone)]
pub struct Keep {
    /// Batches and their reports.
    pub batches: i64,
    /// Links that do not state how long they last.
    pub links: i64,
    /// Sessions.
    pub sessions: i64,
}

impl Config {
    /// Creates the default configuration: loopback, one job, 256 MiB a file, 1 GiB a batch, 1 GiB free, 4 GiB and an
    /// hour a comparison, 180 days.
    pub fn new(data: impl Into<PathBuf>, program: impl Into<PathBuf>) -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 7474)),
            moss: None,
            moss_sessions: 60,
            data: data.into(),
            insecure: false,
            public_url: None,
            language: None,
            trusted_proxies: Vec::new(),
            passwords: true,
            provider: None,
            quiet_seconds: 120,
            program: program.into(),
            log: Log::Off,
            jobs: JobLimits {
                running: 1,
                waiting: 100,
                memory: 4 << 30,
                processor_seconds: 3600,
                no_cage: false,
            },
            uploads: UploadLimits {
                file_bytes: 256 << 20,
                batch_bytes: 1 << 30,
                files: 100_000,
                free_bytes: 1 << 30,
                at_once: 32,
                at_once_each: 4,
                time: Duration::from_hours(2),
            },
            account: Quota::default(),
            connections: ConnectionLimits {
                all: 256,
                each_address: 64,
                head: Duration::from_secs(10),
                idle: Duration::from_secs(30),
                rate: 1 << 10,
                body: Duration::from_mins(1),
            },
            keep: Keep { batches: 180, links: 14, sessions: 14 },
        }
    }

    /// Returns whether an address is that of a trusted proxy.
    pub(crate) fn trusts(&self, ip: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(ip))
    }

    /// Returns the limits of the body of a request.
    pub(crate) fn pace(&self, is_upload: bool) -> PaceLimits {
        let ConnectionLimits { idle, rate, body, .. } = self.connections;
        PaceLimits { idle, rate, total: if is_upload { self.uploads.time } else { body } }
    }

    pub(crate) fn limits(&self) -> Limits {
        let UploadLimits { file_bytes: file, batch_bytes: batch, files, .. } = self.uploads;
        Limits { file, batch, files, left: None }
    }
}
