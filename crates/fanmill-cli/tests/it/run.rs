//! Runs the program, within a time limit.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fanmill::report::model::Report;

/// No run of these tests may take longer, on a busy machine and without optimisation.
const LIMIT: Duration = Duration::from_secs(60);

/// One run in the making.
pub(crate) struct Run {
    command: Command,
    dir: Option<PathBuf>,
}

/// One run, done.
pub(crate) struct Done {
    /// Exit status; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Where it ran.
    dir: Option<PathBuf>,
}

impl Run {
    /// The program with arguments that spaces separate.
    pub(crate) fn new(arguments: &str) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fanmill"));
        command.args(arguments.split_whitespace());
        // What a user has set must not change what these tests see.
        for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "RAYON_NUM_THREADS"] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Run { command, dir: None }
    }

    /// An argument that may hold anything.
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Run {
        self.command.arg(argument);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Run {
        self.command.env(name, value);
        self
    }

    pub(crate) fn inside(mut self, dir: &Path) -> Run {
        self.command.current_dir(dir);
        self.dir = Some(dir.to_owned());
        self
    }

    /// With the bytes of a file as standard input.
    pub(crate) fn fed(mut self, path: &Path) -> Run {
        self.command.stdin(File::open(path).expect("a file"));
        self
    }

    /// Runs to the end.
    pub(crate) fn run(mut self) -> Done {
        let mut child = self.command.spawn().expect("the program starts");
        let stdout = drain(child.stdout.take().expect("piped"));
        let stderr = drain(child.stderr.take().expect("piped"));
        let status = wait(&mut child);
        let text = |bytes: thread::JoinHandle<Vec<u8>>| {
            String::from_utf8(bytes.join().expect("read")).expect("output is UTF-8")
        };
        Done { code: status.code(), stdout: text(stdout), stderr: text(stderr), dir: self.dir }
    }

    /// Runs with a reader that has gone before the first byte.
    pub(crate) fn run_into_closed_pipe(mut self) -> Done {
        let mut child = self.command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let stderr = drain(child.stderr.take().expect("piped"));
        let status = wait(&mut child);
        let stderr = String::from_utf8(stderr.join().expect("read")).expect("UTF-8");
        Done { code: status.code(), stdout: String::new(), stderr, dir: self.dir }
    }

    /// Runs with `--format json` and reads the report; the run must end well.
    #[track_caller]
    pub(crate) fn report(self) -> Report {
        let done = self.arg("--format").arg("json").run();
        assert_eq!(done.code, Some(0), "{done}");
        serde_json::from_str(&done.stdout).expect("a report")
    }
}

fn drain(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("the pipe is read");
        bytes
    })
}

fn wait(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a status") {
            return status;
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("it can be ended");
            child.wait().expect("it has ended");
            panic!("the program did not end within {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Exit status, standard output and standard error, with what differs from run to run taken out.
impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steady = |text: &str| {
            let place = self.dir.as_ref().map(|dir| dir.to_string_lossy().into_owned());
            let text =
                place.map_or_else(|| text.to_owned(), |place| text.replace(&place, "[PLACE]"));
            text.replace(concat!("fanmill ", env!("CARGO_PKG_VERSION")), "fanmill [VERSION]")
        };
        match self.code {
            Some(code) => writeln!(f, "exit: {code}")?,
            None => writeln!(f, "exit: by a signal")?,
        }
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                writeln!(f, "--- {name}")?;
                f.write_str(&steady(text))?;
            }
        }
        Ok(())
    }
}
