//! How a server is run, with its limits.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::upload::Limits;

/// How a server is run.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where it listens; port 0 is any that is free.
    pub listen: SocketAddr,
    /// The folder of all that it keeps.
    pub data: PathBuf,
    /// Whether a public address is allowed although the server itself has no TLS.
    pub insecure: bool,
    /// The address that people reach it at, if it is another one.
    pub public_url: Option<String>,
    /// Comparisons that run at the same time.
    pub jobs: usize,
    /// The program that is started as `PROGRAM __job FOLDER`, and calls [`child`](crate::child).
    pub program: PathBuf,
    /// Of one uploaded file, in bytes.
    pub max_file_bytes: u64,
    /// Of one batch, in bytes.
    pub max_batch_bytes: u64,
    /// What must stay free of the disk, in bytes.
    pub min_free: u64,
    /// Memory of one comparison, in bytes.
    pub job_memory: u64,
    /// Days after which batches are deleted.
    pub keep_days: i64,
}

impl Config {
    /// Loopback, one job, 256 MiB a file, 1 GiB a batch, 1 GiB free, 4 GiB a comparison, 180 days.
    pub fn new(data: impl Into<PathBuf>, program: impl Into<PathBuf>) -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 7474)),
            data: data.into(),
            insecure: false,
            public_url: None,
            jobs: 1,
            program: program.into(),
            max_file_bytes: 256 << 20,
            max_batch_bytes: 1 << 30,
            min_free: 1 << 30,
            job_memory: 4 << 30,
            keep_days: 180,
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { file: self.max_file_bytes, batch: self.max_batch_bytes, files: 100_000 }
    }
}
