//! Writing to a child and reading from it by one thread, which waits for whatever pipe is ready.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;

use super::conversation::{Conversation, LAST_WORDS};
use crate::extracted::ReadFailure;

impl Conversation {
    /// Writes to the child and reads from it until its output ends.
    pub(super) fn hold(&mut self) -> Result<(), ReadFailure> {
        let (mut to, mut from, mut last) =
            (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
        if let (Some(to), Some(from), Some(last)) = (&to, &from, &last) {
            for file in [to.as_fd(), from.as_fd(), last.as_fd()] {
                ioctl_fionbio(file, true).map_err(lost)?;
            }
        }
        while from.is_some() {
            self.greet()?;
            let has_greeted = self.has_greeted;
            let left = self.time_left()?;
            let is_saying = has_greeted && self.said < self.to_say.len();
            if has_greeted && !is_saying {
                // Closing the pipe marks the end of the document.
                to = None;
            }
            wait(to.as_ref().filter(|_| is_saying), from.as_ref(), last.as_ref(), left)
                .map_err(lost)?;
            if let Some(pipe) = to.as_mut().filter(|_| is_saying) {
                match pipe.write(&self.to_say[self.said..]) {
                    Ok(n) => self.said += n,
                    Err(error) if is_later(&error) => {}
                    // It died or has read enough; its output shows which.
                    Err(_) => self.said = self.to_say.len(),
                }
            }
            hear(&mut from, &mut self.heard, self.most as usize);
            hear(&mut last, &mut self.last_words, LAST_WORDS);
            self.bounded()?;
        }
        Ok(())
    }
}

/// Says that a pipe does not work.
fn lost(error: rustix::io::Errno) -> ReadFailure {
    ReadFailure::failed(format!("its reader was lost: {error}"))
}

/// Waits until one of the pipes is ready or the time is up.
fn wait(
    to: Option<&impl AsFd>,
    from: Option<&impl AsFd>,
    last: Option<&impl AsFd>,
    left: Duration,
) -> rustix::io::Result<()> {
    let mut pipes = Vec::new();
    pipes.extend(to.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
    pipes.extend(from.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
    pipes.extend(last.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
    let left =
        Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: i64::from(left.subsec_nanos()) };
    match poll(&mut pipes, Some(&left)) {
        Err(rustix::io::Errno::INTR) | Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

fn is_later(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// Reads what is available in a pipe; a pipe at its end becomes `None`.
fn hear(pipe: &mut Option<impl Read>, heard: &mut Vec<u8>, most: usize) {
    let Some(open) = pipe else { return };
    let mut some = [0; 16 << 10];
    loop {
        match open.read(&mut some) {
            Ok(0) => break,
            // Keep one byte more than allowed, to show that it is too much.
            Ok(n) => {
                let room = (most + 1).saturating_sub(heard.len()).min(n);
                heard.extend(&some[..room]);
                if room < n {
                    return;
                }
            }
            Err(error) if is_later(&error) => return,
            Err(_) => break,
        }
    }
    *pipe = None;
}
