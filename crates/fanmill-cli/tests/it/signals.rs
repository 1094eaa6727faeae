//! Signals to processes, by the shell: a system may have no program `kill`.

use std::process::Command;

/// Sends signals, one right after the other.
pub(crate) fn send(process: u32, signals: &[&str]) {
    let kills: Vec<String> =
        signals.iter().map(|signal| format!("kill -s {signal} {process}")).collect();
    let sent = Command::new("sh").args(["-c", &kills.join(" && ")]).status();
    assert!(sent.expect("the shell starts").success());
}
