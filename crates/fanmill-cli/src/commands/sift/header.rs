//! `fanmill sift check --header`: a message passes through, and gets a header with the answer.

use std::io::{self, Write};

use fanmill_jobs::key_file;
use fanmill_jobs::sift::check::{Settings, Verdict};
use fanmill_jobs::sift::header;
use fanmill_jobs::sift::reading::Reading;
use fanmill_text::progress::Silent;

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::{layers, results, threads};

pub(crate) fn run(args: &CheckArgs, name: &str) -> anyhow::Result<Exit> {
    let (settings, mut reading): (Settings, Reading) =
        layers::filled(&args.texts.reading.config, "sift", args)?;
    args.texts.reading.documents.add_paths(&mut reading.documents);
    let key = key_file::read(&args.key.key)?;
    let (pool, _) = threads::within(&args.texts.machine, super::FEWER)?;
    let mut stdin = io::stdin();
    let outcome = pool.install(|| {
        header::run(&settings, &reading.documents, name, &key, &args.store, &mut stdin, &Silent)
    })?;
    // Nothing has been written so far, so a mail system that sees this program fail still has the message.
    results::stream(|out| {
        out.write_all(&outcome.bytes)?;
        io::copy(&mut stdin.lock(), out)?;
        Ok(())
    })?;
    let is_copy = outcome.answer.verdict == Verdict::Yes;
    Ok(match () {
        () if args.fail_on_copy && is_copy => Exit::Above,
        () if args.texts.strict && outcome.is_cut => Exit::Incomplete,
        () => Exit::Done,
    })
}
