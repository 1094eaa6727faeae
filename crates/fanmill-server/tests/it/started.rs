//! Starts the server that is tested.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::client::Running;

impl Running {
    pub(crate) fn start(data: &Path) -> Running {
        Running::limited(data, &[])
    }

    /// With limits as the program takes them: `file-bytes=1000`.
    pub(crate) fn limited(data: &Path, limits: &[&str]) -> Running {
        let log = tempfile::NamedTempFile::new().expect("a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_fanmill-serve"))
            .arg(data)
            .args(limits)
            .stderr(log.reopen().expect("the file"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let [address, setup, moss] = line.trim().split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}{}", std::fs::read_to_string(log.path()).expect("the log"))
        };
        let host = address.strip_prefix("http://").expect("http").to_owned();
        let setup = setup.rsplit('/').next().expect("a secret").to_owned();
        Running { child, host, setup, moss: moss.to_owned(), log }
    }
}
