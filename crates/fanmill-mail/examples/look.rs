//! Shows what a person sees of the messages in files and folders, or measures reading them.
//!
//!     cargo run --release -p fanmill-mail --example look -- [--measure] PATH…

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, io};

use fanmill_mail::begin::{self, MailFileKind};
use fanmill_mail::mbox::{self, RawMessage};
use fanmill_mail::{Limits, Message, message};

fn main() -> io::Result<()> {
    let (measure, paths): (Vec<String>, Vec<String>) =
        env::args().skip(1).partition(|argument| argument == "--measure");
    let mut totals = Totals::default();
    for path in paths {
        for file in files(Path::new(&path))? {
            for raw in messages(&file)? {
                let start = Instant::now();
                let message = message::read(&raw.bytes, &Limits::standard());
                totals.add(&raw, &message, start.elapsed());
                if measure.is_empty() {
                    show(&file, &message);
                }
            }
        }
    }
    if !measure.is_empty() {
        totals.show();
    }
    Ok(())
}

/// All files below a path, ascending.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries =
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    let mut found = Vec::new();
    for entry in entries {
        found.extend(files(&entry)?);
    }
    Ok(found)
}

fn messages(file: &Path) -> io::Result<Vec<RawMessage>> {
    let bytes = fs::read(file)?;
    match begin::kind(&bytes) {
        MailFileKind::Mbox => mbox::messages(&*bytes, &Limits::standard()).collect(),
        MailFileKind::Message => Ok(vec![mbox::single(&*bytes, &Limits::standard())?]),
        MailFileKind::Neither => Ok(Vec::new()),
    }
}

#[expect(clippy::print_stdout, reason = "an example")]
fn show(file: &Path, message: &Message) {
    println!("=== {} ({} parts)", file.display(), message.n_parts);
    for remark in &message.remarks {
        println!("  * {remark}");
    }
    println!("{}\n", message.text);
}

#[derive(Debug, Default)]
struct Totals {
    n_messages: usize,
    n_without_text: usize,
    bytes: usize,
    text_bytes: usize,
    time: Duration,
    slowest: Duration,
}

impl Totals {
    fn add(&mut self, raw: &RawMessage, message: &Message, time: Duration) {
        self.n_messages += 1;
        self.n_without_text += usize::from(message.text.len() == message.subject.len());
        self.bytes += raw.bytes.len();
        self.text_bytes += message.text.len();
        self.time += time;
        self.slowest = self.slowest.max(time);
    }

    #[expect(clippy::print_stdout, reason = "an example")]
    fn show(&self) {
        println!(
            "{} messages, {} with no text below the subject",
            self.n_messages, self.n_without_text
        );
        let speed = self.bytes as f64 / 1e6 / self.time.as_secs_f64();
        println!("{} bytes to {} of text, {speed:.0} MB/s", self.bytes, self.text_bytes);
        println!("slowest message: {:?}", self.slowest);
    }
}
