//! A full disk: people still log in, and delete.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Person, Running, assignment, nobody};

/// A small disk of its own, which is there until it is dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// Mounts a disk of 96 MiB; `None` where that is not allowed.
    fn mount() -> Option<SmallDisk> {
        let disk = SmallDisk(tempfile::tempdir().expect("folder"));
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=96m", "tmpfs"]).arg(disk.0.path());
        mount.output().is_ok_and(|mounted| mounted.status.success()).then_some(disk)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).output();
    }
}

/// Writes until nothing more goes onto a disk.
fn fill(file: &Path) {
    let mut file = fs::OpenOptions::new().append(true).create(true).open(file).expect("made");
    for size in [1 << 20, 4096, 1] {
        while file.write_all(&vec![b'x'; size]).is_ok() {}
    }
}

/// Waits for something that the server does by itself.
fn wait_until(is_done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < Duration::from_mins(2), "it was not done");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "whoever runs the test should know that it was left out")]
fn on_a_full_disk_people_log_in_and_delete() {
    let Some(disk) = SmallDisk::mount() else {
        return eprintln!("left out: only root may mount a disk");
    };
    let data = disk.0.path();
    let server = Running::limited(data, &["free-bytes=1000000"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let upload = || anna.upload(&server, &course, "{}", &assignment());
    let batch = upload().json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(anna.wait(&server, &batch)["state"], "done");
    // Twice, as what is kept back is used up at the first change.
    for _ in 0..2 {
        fill(&data.join("filler"));
        let login = json!({ "name": "anna", "password": "correct horse battery" });
        let reply = nobody().post(&server, "/api/v1/login", &login);
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert_eq!(upload().status, 507);
        assert!(!data.join("reserve").exists());
        let path = format!("/api/v1/batches/{batch}/links");
        let reply = anna.post(&server, &path, &json!({ "days": 1 }));
        assert_eq!(reply.status, 201, "{}", reply.text());
        fs::remove_file(data.join("filler")).expect("there");
        // There is room again, which is noticed after a deletion.
        let link = anna.get(&server, &path).json()[0]["id"].as_str().expect("an id").to_owned();
        let removed = anna.send(&server, "DELETE", &format!("/api/v1/links/{link}"), &Value::Null);
        assert_eq!(removed.status, 204);
        wait_until(|| data.join("reserve").exists());
    }
    fill(&data.join("filler"));
    let removed = anna.send(&server, "DELETE", &format!("/api/v1/batches/{batch}"), &Value::Null);
    assert_eq!(removed.status, 202, "{}", removed.text());
    wait_until(|| !data.join("batches").join(&batch).exists());
}
