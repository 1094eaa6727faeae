//! How a server is run, with its limits.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::log::Log;
use crate::upload::Limits;

/// How a server is run.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where it listens; port 0 is any that is free.
    pub listen: SocketAddr,
    /// Where it listens for clients of MOSS, if at all.
    pub moss: Option<SocketAddr>,
    /// Submissions by clients of MOSS that one account may make in a quarter of an hour.
    pub moss_sessions: i64,
    /// The folder of all that it keeps.
    pub data: PathBuf,
    /// Whether a public address is allowed although the server itself has no TLS.
    pub insecure: bool,
    /// The address that people reach it at, if it is another one.
    pub public_url: Option<String>,
    /// Addresses of proxies, whose header `X-Forwarded-For` says where a request comes from.
    pub trusted_proxies: Vec<IpAddr>,
    /// The program that is started as `PROGRAM __job FOLDER`, and calls [`child`](crate::child).
    pub program: PathBuf,
    /// Whether people may log in by passwords that are kept here.
    pub passwords: bool,
    /// The service that people log in by.
    pub provider: Option<Provider>,
    /// Seconds without anything new from a learning platform, after which an assignment is compared.
    pub quiet_seconds: i64,
    /// Where lines of the log go.
    pub log: Log,
    /// Comparisons.
    pub jobs: JobLimits,
    /// Uploads.
    pub uploads: UploadLimits,
    /// What one account may have.
    pub account: Quota,
    /// Connections.
    pub connections: ConnectionLimits,
    /// How long something is kept.
    pub keep: Keep,
}

/// A service that people log in by, as OpenID Connect describes it.
#[derive(Debug, Clone)]
pub struct Provider {
    /// What people call it.
    pub name: String,
    /// Its address, by which it also calls itself.
    pub issuer: String,
    /// What it calls this server.
    pub client_id: String,
    /// The file with the secret that it knows this server by; without one, this server is a public client.
    pub client_secret: Option<PathBuf>,
    /// The role of those who come for the first time; without one, only those may log in who have been added.
    pub newcomers: Option<String>,
}

/// Limits of comparisons.
#[derive(Debug, Clone)]
pub struct JobLimits {
    /// That run at the same time.
    pub running: usize,
    /// That wait; more are refused.
    pub waiting: u64,
    /// Memory of one, in bytes.
    pub memory: u64,
    /// Processor time of one, in seconds.
    pub processor_seconds: u64,
}

/// Limits of uploads.
#[derive(Debug, Clone)]
pub struct UploadLimits {
    /// Of one file, in bytes.
    pub file_bytes: u64,
    /// Of one batch, in bytes.
    pub batch_bytes: u64,
    /// Files of one batch.
    pub files: u64,
    /// What must stay free of the disk, in bytes.
    pub free_bytes: u64,
    /// Received at the same time; more are refused.
    pub at_once: usize,
}

/// What one account may have; `None` is no limit.
#[derive(Debug, Clone, Default)]
pub struct Quota {
    /// Uploads that are kept, in bytes.
    pub bytes: Option<u64>,
    /// Comparisons in 24 hours.
    pub batches_a_day: Option<u64>,
    /// Comparisons that run at the same time.
    pub running: Option<u64>,
}

/// Limits of connections.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// All of them.
    pub all: usize,
    /// From one address, unless it is a trusted proxy's.
    pub each_address: usize,
    /// Until the head of a request is complete; also, until the next request begins.
    pub head: Duration,
    /// Without a byte of a request's body.
    pub idle: Duration,
}

/// How long something is kept, in days.
#[derive(Debug, Clone)]
pub struct Keep {
    /// Batches and their reports.
    pub batches: i64,
    /// Links that do not say how long they last.
    pub links: i64,
    /// Sessions.
    pub sessions: i64,
}

impl Config {
    /// Loopback, one job, 256 MiB a file, 1 GiB a batch, 1 GiB free, 4 GiB and an hour a comparison, 180 days.
    pub fn new(data: impl Into<PathBuf>, program: impl Into<PathBuf>) -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 7474)),
            moss: None,
            moss_sessions: 60,
            data: data.into(),
            insecure: false,
            public_url: None,
            trusted_proxies: Vec::new(),
            passwords: true,
            provider: None,
            quiet_seconds: 120,
            program: program.into(),
            log: Log::Off,
            jobs: JobLimits { running: 1, waiting: 100, memory: 4 << 30, processor_seconds: 3600 },
            uploads: UploadLimits {
                file_bytes: 256 << 20,
                batch_bytes: 1 << 30,
                files: 100_000,
                free_bytes: 1 << 30,
                at_once: 32,
            },
            account: Quota::default(),
            connections: ConnectionLimits {
                all: 256,
                each_address: 64,
                head: Duration::from_secs(10),
                idle: Duration::from_secs(30),
            },
            keep: Keep { batches: 180, links: 14, sessions: 14 },
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        let UploadLimits { file_bytes: file, batch_bytes: batch, files, .. } = self.uploads;
        Limits { file, batch, files, left: None }
    }
}
