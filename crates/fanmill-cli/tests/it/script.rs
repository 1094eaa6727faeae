//! `test.sh`, which the README names: what it does without a browser, with stand-ins for all that it calls.
//!
//! Scripts of the project that it calls are run by the stand-in for `bash`, which does nothing.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::place::Place;

/// Does nothing, like all stand-ins, but says that it was called; there is no nextest.
const CARGO: &str = "echo \"cargo $*\" >>\"$LOG\"; echo 'test result: ok'; if [ \"$1\" = nextest ]; then exit 101; fi";

/// A machine on which only what the test puts there is installed.
struct Machine(Place);

impl Machine {
    /// With Node, cargo, Python and Java, as root, and an apt-get that does `installing`.
    fn new(installing: &str) -> Machine {
        let machine = Machine(Place::new());
        for folder in ["bin", "built/debug/deps", "built/page", "java/bin"] {
            fs::create_dir_all(machine.0.path(folder)).expect("a folder");
        }
        for tool in ["dirname", "grep", "mkdir", "rm"] {
            symlink(on_path(tool), machine.0.path("bin").join(tool)).expect("a link");
        }
        fs::write(machine.0.path("built/debug/deps/libfanmill_python.so"), "").expect("a file");
        machine.has("bash", "exit 0");
        let copy = "/bin/mkdir -p \"$3/bin\"; /bin/cp \"$0\" \"$3/bin/python\"";
        machine.has("python3", &format!("if [ \"$2\" = venv ]; then {copy}; fi"));
        machine.has("../java/bin/java", "echo 'openjdk version \"17.0.1\"' >&2");
        machine.has("cargo", CARGO);
        machine.has("node", "exit 0");
        machine.has("npm", "echo \"npm $* FANMILL=$FANMILL CHROMIUM=$CHROMIUM\" >>\"$LOG\"");
        machine.has("id", "echo 0");
        machine.has("apt-get", &format!("echo \"apt-get $*\" >>\"$LOG\"; {installing}"));
        machine
    }

    fn has(&self, name: &str, body: &str) -> &Machine {
        let path = self.0.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("a script");
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("our own");
        self
    }

    /// Runs `test.sh`; returns the result and the calls that it made.
    fn run(&self, variables: &[(&str, &str)]) -> (Output, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test.sh");
        let log = self.0.path("log");
        let _ = fs::remove_file(&log);
        let done = Command::new(on_path("bash"))
            .arg(script)
            .env_clear()
            .env("PATH", self.0.path("bin"))
            .env("LOG", &log)
            .env("CARGO_TARGET_DIR", self.0.path("built"))
            .env("JAVA_HOME", self.0.path("java"))
            .envs(variables.iter().copied())
            .output()
            .expect("the shell starts");
        (done, fs::read_to_string(log).unwrap_or_default())
    }
}

fn on_path(name: &str) -> PathBuf {
    let folders = std::env::var_os("PATH").expect("a path");
    let mut found = std::env::split_paths(&folders).map(|folder| folder.join(name));
    found.find(|path| path.is_file()).expect(name)
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn without_a_browser_the_last_line_says_what_was_left_out() {
    let machine = Machine::new("exit 100");
    let (done, calls) = machine.run(&[]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let last = last_line(&done);
    assert!(last.contains("the tests of the page are left out: they need Chromium"), "{done:?}");
    assert!(!calls.contains("npm"), "{calls}");
    assert!(calls.ends_with("cargo test --tests --locked --no-fail-fast\n"), "{calls}");
    let (done, _) = machine.run(&[("CHROMIUM", "no-such-browser")]);
    assert!(last_line(&done).contains("no browser `no-such-browser`, which CHROMIUM names"));
    machine.has("node", "exit 1");
    assert!(last_line(&machine.run(&[]).0).contains("they need Node 20.19 or newer"));
}

#[test]
fn where_all_must_pass_a_missing_browser_is_a_failure() {
    let (done, calls) = Machine::new("exit 100").run(&[("CI", "true")]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(last_line(&done).contains("they need Chromium"), "{done:?}");
    assert!(calls.ends_with("cargo test --tests --locked --no-fail-fast\n"), "{calls}");
}

#[test]
fn all_that_can_run_after_a_failure_runs_and_the_last_line_names_what_failed() {
    let machine = Machine::new("exit 100");
    machine.has("chromium", "exit 0");
    let (done, _) = machine.run(&[]);
    assert_eq!((done.status.code(), &*last_line(&done)), (Some(0), "test.sh: all tests pass"));
    machine.has("npm", "if [ \"$1\" = test ]; then exit 1; fi");
    let (done, calls) = machine.run(&[]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert_eq!(last_line(&done), "test.sh: FAILED: the tests of the page");
    assert!(calls.ends_with("cargo test --tests --locked --no-fail-fast\n"), "{calls}");
    // The examples in documentation fail, and the tests after them run.
    machine.has("cargo", &format!("{CARGO}; if [ \"$2\" = --doc ]; then exit 1; fi"));
    let (done, calls) = machine.run(&[]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert_eq!(last_line(&done), "test.sh: FAILED: the tests of the page, the crates");
    assert!(calls.ends_with("cargo test --tests --locked --no-fail-fast\n"), "{calls}");
    machine.has("cargo", "exit 101");
    let (done, _) = machine.run(&[]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let last = last_line(&done);
    assert!(last.contains("the crates, which do not build; the tests of the page are left out"));
    assert!(last.contains("the Python package are left out: they need its native part"), "{last}");
}

#[test]
fn nextest_runs_the_tests_where_it_is_installed() {
    let machine = Machine::new("exit 100");
    machine.has("cargo", "echo \"cargo $*\" >>\"$LOG\"");
    let (done, calls) = machine.run(&[]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert!(calls.ends_with("cargo nextest run --tests --locked --no-fail-fast\n"), "{calls}");
    assert!(calls.contains("cargo test --doc --locked"), "{calls}");
}

#[test]
fn a_browser_is_installed_alone_and_looked_for_again() {
    let machine = Machine::new("exit 100");
    let browser = machine.0.path("bin/chromium");
    fs::write(&browser, "#!/bin/sh\n").expect("a file that cannot be run yet");
    // It installs the browser and fails for another reason.
    let installing = format!("/bin/chmod 755 '{}'; exit 100", browser.display());
    machine.has("apt-get", &format!("echo \"apt-get $*\" >>\"$LOG\"; {installing}"));
    let (done, calls) = machine.run(&[]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert!(calls.contains("--no-install-recommends chromium"), "{calls}");
    assert!(!last_line(&done).contains("left out"), "{done:?}");
    assert!(calls.contains("npm test"), "{calls}");
    let program = machine.0.path("built/debug/fanmill");
    assert!(calls.contains(&format!("FANMILL={}", program.display())), "{calls}");
}

#[test]
fn a_browser_by_any_of_its_names_will_do() {
    for name in ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"] {
        let machine = Machine::new("exit 100");
        machine.has(name, "exit 0");
        machine.has("pdftotext", "exit 0");
        let (done, calls) = machine.run(&[("CI", "true")]);
        assert_eq!(done.status.code(), Some(0), "{name}: {done:?}");
        assert!(!calls.contains("apt-get"), "{name}: {calls}");
        let browser = machine.0.path("bin").join(name);
        assert!(calls.contains(&format!("CHROMIUM={}", browser.display())), "{name}: {calls}");
    }
}
