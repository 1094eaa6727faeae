//! Writing to a child and reading from it by a thread for each pipe, where no call of the system waits for several.
//!
//! The threads that read hand over at most a few pieces before somebody takes them. All of them end with the pipes, which
//! end with the child.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use super::conversation::{Conversation, LAST_WORDS};
use crate::extracted::ReadFailure;

/// Number of pieces that may wait to be taken.
const WAITING: usize = 4;

/// Bytes of a piece.
const PIECE: usize = 16 << 10;

/// Time in which what a child writes to standard error has to arrive once its output has ended.
const LATER: Duration = Duration::from_secs(1);

/// A piece of what a child says; an empty one is the end of its pipe.
enum Piece {
    Answer(Vec<u8>),
    LastWords(Vec<u8>),
}

impl Conversation {
    /// Writes to the child and reads from it until its output ends.
    pub(super) fn hold_by_threads(&mut self) -> Result<(), ReadFailure> {
        let (sender, receiver) = sync_channel(WAITING);
        if let Some(from) = self.child.stdout.take() {
            hear(from, sender.clone(), Piece::Answer)?;
        }
        if let Some(last) = self.child.stderr.take() {
            hear(last, sender, Piece::LastWords)?;
        }
        let mut is_open = true;
        while is_open {
            self.greet()?;
            if self.has_greeted {
                self.say()?;
            }
            is_open = self.take(&receiver)?;
            self.bounded()?;
        }
        let until = std::time::Instant::now() + LATER;
        while let Some(left) = until.checked_duration_since(std::time::Instant::now()) {
            match receiver.recv_timeout(left) {
                Ok(Piece::LastWords(words)) if !words.is_empty() => self.remember(&words),
                _ => break,
            }
        }
        Ok(())
    }

    /// Starts to send what is to be said, unless that was started. The pipe is closed after it, which marks the end.
    fn say(&mut self) -> Result<(), ReadFailure> {
        let Some(mut to) = self.child.stdin.take() else { return Ok(()) };
        let to_say = std::mem::take(&mut self.to_say);
        // If the child died or has read enough, its output shows which.
        start(move || drop(to.write_all(&to_say)))
    }

    /// Takes a piece of what the child says, and returns whether its output goes on.
    fn take(&mut self, receiver: &Receiver<Piece>) -> Result<bool, ReadFailure> {
        match receiver.recv_timeout(self.time_left()?) {
            Ok(Piece::Answer(piece)) => {
                // One byte more than allowed shows that it is too much.
                let room = (self.most as usize + 1).saturating_sub(self.heard.len());
                self.heard.extend(&piece[..room.min(piece.len())]);
                Ok(!piece.is_empty())
            }
            Ok(Piece::LastWords(words)) => {
                self.remember(&words);
                Ok(true)
            }
            // The time is up, and is found to be when it is asked for again.
            Err(RecvTimeoutError::Timeout) => Ok(true),
            Err(RecvTimeoutError::Disconnected) => Ok(false),
        }
    }

    fn remember(&mut self, words: &[u8]) {
        let room = LAST_WORDS.saturating_sub(self.last_words.len());
        self.last_words.extend(&words[..room.min(words.len())]);
    }
}

/// Starts a thread that hands over what comes from a pipe.
fn hear(
    mut pipe: impl Read + Send + 'static,
    sender: SyncSender<Piece>,
    piece: fn(Vec<u8>) -> Piece,
) -> Result<(), ReadFailure> {
    start(move || {
        let mut bytes = vec![0; PIECE];
        loop {
            let n = match pipe.read(&mut bytes) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                n => n.unwrap_or(0),
            };
            // If nobody listens any more, the pipe is closed.
            if sender.send(piece(bytes[..n].to_vec())).is_err() || n == 0 {
                return;
            }
        }
    })
}

fn start(work: impl FnOnce() + Send + 'static) -> Result<(), ReadFailure> {
    let started = Builder::new().spawn(work);
    started.map(drop).map_err(|error| ReadFailure::failed(format!("its reader was lost: {error}")))
}

#[cfg(windows)]
impl Conversation {
    /// Writes to the child and reads from it until its output ends.
    pub(super) fn hold(&mut self) -> Result<(), ReadFailure> {
        self.hold_by_threads()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::super::conversation::Piped;
    use super::*;

    /// Has a conversation of plain text with a command of the shell, by threads or not, and returns what was heard, the
    /// last words, and the failure.
    fn talk(command: &str, said: &[u8], by_threads: bool) -> (Vec<u8>, Vec<u8>, Option<String>) {
        let child = Command::new("sh").args(["-c", command]).piped().expect("a child");
        let clock = Duration::from_millis(700);
        let mut conversation = Conversation::new(child, said.to_vec(), 4 << 20, clock);
        (conversation.has_greeted, conversation.is_plain) = (true, true);
        let ended = if by_threads { conversation.hold_by_threads() } else { conversation.hold() };
        let _ = conversation.end();
        let failure = ended.err().map(|failure| failure.reason.to_string());
        (conversation.heard, conversation.last_words, failure)
    }

    #[test]
    fn threads_hear_what_a_single_one_hears() {
        let long = vec![b'x'; 3 << 20];
        for command in
            ["cat", "cat; echo said later >&2", "head -c 10", "exit 1", "exec <&- >&- 2>&-"]
        {
            assert_eq!(talk(command, &long, true), talk(command, &long, false), "{command}");
        }
        assert_eq!(talk("cat", &long, true).0, long);
        assert_eq!(talk("echo said >&2", b"", true).1, b"said\n");
    }

    #[test]
    fn a_child_that_says_too_much_or_never_ends_is_ended() {
        for by_threads in [true, false] {
            let (heard, _, failure) = talk("yes", b"", by_threads);
            assert_eq!(heard.len(), (4 << 20) + 1);
            assert_eq!(failure.as_deref(), Some("its reader says more than a document can have"));
            // It neither reads nor ends.
            let (_, _, failure) = talk("sleep 60", &vec![0; 1 << 20], by_threads);
            assert_eq!(failure.as_deref(), Some("its reader took longer than 0 s"));
        }
    }
}
