//! Runs the program; gives up on a run that does not end.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use fanmill::report::Report;

use crate::patience::wait;

/// A run that is being prepared.
pub(crate) struct Run {
    command: Command,
    dir: Option<PathBuf>,
}

/// A finished run.
pub(crate) struct Done {
    /// Exit status; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Where it ran.
    dir: Option<PathBuf>,
}

impl Run {
    /// The program with arguments, separated by spaces.
    pub(crate) fn new(arguments: &str) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fanmill"));
        command.args(arguments.split_whitespace());
        // The user's environment must not change the results.
        let variables =
            ["COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "RAYON_NUM_THREADS", "FANMILL_KERNEL"];
        for variable in variables {
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

    /// With standard output written to a file or device.
    pub(crate) fn out_to(mut self, path: impl AsRef<Path>) -> Run {
        self.command.stdout(File::options().write(true).open(path).expect("it can be written"));
        self
    }

    /// With standard error written to a file or device.
    pub(crate) fn words_to(mut self, path: impl AsRef<Path>) -> Run {
        self.command.stderr(File::options().write(true).open(path).expect("it can be written"));
        self
    }

    /// As a shell runs it with this redirection, such as `2>&-`.
    pub(crate) fn with_shell(self, redirection: &str) -> Run {
        self.in_shell(&format!("exec \"$0\" \"$@\" {redirection}"))
    }

    /// With files of this many blocks of 512 bytes at most: a write beyond is refused, as on a full disk.
    #[cfg(unix)]
    pub(crate) fn on_full_disk(self, blocks: u32) -> Run {
        self.in_shell(&format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""))
    }

    fn in_shell(self, line: &str) -> Run {
        let mut command = Command::new("sh");
        command.arg("-c").arg(line);
        command.arg(self.command.get_program()).args(self.command.get_args());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Run { command, dir: self.dir }
    }

    /// Runs to the end.
    pub(crate) fn run(mut self) -> Done {
        let mut child = self.command.spawn().expect("the program starts");
        let stdout = child.stdout.take().map(drain);
        let stderr = child.stderr.take().map(drain);
        let status = wait(&mut child);
        let text = |bytes: Option<thread::JoinHandle<Vec<u8>>>| {
            let bytes = bytes.map_or_else(Vec::new, |bytes| bytes.join().expect("read"));
            String::from_utf8(bytes).expect("output is UTF-8")
        };
        Done { code: status.code(), stdout: text(stdout), stderr: text(stderr), dir: self.dir }
    }

    /// Runs with a reader of standard output that is gone before the first byte.
    pub(crate) fn run_into_closed_pipe(mut self) -> Done {
        let mut child = self.command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let stderr = drain(child.stderr.take().expect("piped"));
        let status = wait(&mut child);
        let stderr = String::from_utf8(stderr.join().expect("read")).expect("UTF-8");
        Done { code: status.code(), stdout: String::new(), stderr, dir: self.dir }
    }

    /// Runs with `--format json` and reads the report; the run must succeed, or have nothing to compare.
    #[track_caller]
    pub(crate) fn report(self) -> Report {
        let done = self.arg("--format").arg("json").run();
        assert!(matches!(done.code, Some(0 | 3)), "{done}");
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

/// Exit status, standard output and standard error, without what differs between runs.
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
