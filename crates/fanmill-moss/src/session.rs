//! A conversation with a MOSS client, as a state machine that reads bytes and produces events.
//!
//! It does not open sockets, files or clocks. A server gives it the bytes that arrive, in pieces of any size, and does
//! what the events say: ask whether the user is allowed, write an answer, write a file, compare, and answer with an
//! address. The same bytes give the same events however they are cut, except that the bytes of a file may come in other
//! pieces, and that fewer of them may come before an error line.
//!
//! ```text
//! moss 17              User, which the server may refuse
//! directory 0          settings, in any order, all but the language optional
//! X 0
//! maxmatches 10
//! show 250
//! language java        Answer "yes" or "no"
//! file 0 java 9 x.java Begin, Bytes …, End: a base file
//! file 1 java 8 a.java Begin, Bytes …, End
//! query 0 week 3       Query: now compare, then write the address or an error line
//! end                  Over
//! ```
//!
//! Wrong sizes are corrected as described in `boundary.rs`. If a client's user is refused, or its language is not
//! known, it is read to the end: clients print only the answer after `query`, and mosspy ignores the `no`. Its files do
//! not become events.
//!
//! Cost: O(n) time for n bytes; after wrong sizes, bytes are read again, up to [`Limits::session_bytes`] in all. In
//! memory, a line, the names of the files, and the held bytes of one file.
//! Source: the submission script of MOSS, mosspy 1.0.9 and moss-cappa 0.3, as they write to a socket.

use std::collections::VecDeque;

use crate::boundary::Lookout;
use crate::language;
use crate::line::{self, Head, Line, quoted};
use crate::name::Names;

/// Maximum number of bytes that are looked at in one step.
const PIECE: usize = 64 * 1024;

/// Limits on what a client may send. Exceeding one ends the session with an error line.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Largest file, in bytes.
    pub file_bytes: u64,
    /// Longest session, in bytes of lines and files. Bytes that are read again after a wrong size count again.
    pub session_bytes: u64,
    /// Maximum number of files, including base files.
    pub files: u32,
    /// Longest line, in bytes, without its line feed.
    pub line_bytes: usize,
}

impl Limits {
    /// Returns the standard limits: 4 MiB a file, 64 MiB a session, 10,000 files, 4 KiB a line.
    pub fn standard() -> Limits {
        Limits { file_bytes: 4 << 20, session_bytes: 64 << 20, files: 10_000, line_bytes: 4 << 10 }
    }
}

/// The settings that a client sends before its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// If set, the files of one folder are one submission.
    pub directory: bool,
    /// True if the experimental server was requested.
    pub experimental: bool,
    /// A passage in more submissions than this counts as given, like a base file.
    pub max_matches: u64,
    /// Maximum number of pairs that the result lists.
    pub show: u64,
    /// MOSS's name of the language; [`fanmill_name`](crate::language::fanmill_name) returns Fanmill's.
    pub language: String,
}

impl Settings {
    /// Returns the defaults of the clients.
    pub fn standard() -> Settings {
        Settings {
            directory: false,
            experimental: false,
            max_matches: 10,
            show: 250,
            language: "c".to_owned(),
        }
    }

    /// Returns the settings as options of the submission script, for the index page.
    ///
    /// ```
    /// assert_eq!(fanmill_moss::Settings::standard().options(), "-l c -m 10 -n 250");
    /// ```
    pub fn options(&self) -> String {
        let directory = if self.directory { " -d" } else { "" };
        let experimental = if self.experimental { " -x" } else { "" };
        let Settings { language, max_matches, show, .. } = self;
        format!("-l {language}{directory} -m {max_matches} -n {show}{experimental}")
    }
}

/// The data about a file that comes before its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHead {
    /// The client's number: 0 for base files; submitted files are numbered from 1, each by itself.
    pub id: u32,
    /// MOSS's name of the language, as given for this file.
    pub language: String,
    /// Size in bytes, as declared. It may be wrong; the file ends at [`Event::End`].
    pub size: u64,
    /// The name as sent, for pages to show. Bytes that are not UTF-8 become U+FFFD, and other files may have the same
    /// name.
    pub name: String,
    /// A relative path, separated by `/`, which is unique in the session and stays below any folder it is put in.
    pub path: String,
}

impl FileHead {
    /// Returns whether this is given code, which does not count as shared.
    pub fn is_base(&self) -> bool {
        self.id == 0
    }

    /// Returns the submission that this file belongs to if folders are submissions: the folder in the name as sent,
    /// with `/` at its end, or `./`.
    pub fn folder(&self) -> &str {
        self.name.rfind('/').map_or("./", |at| &self.name[..=at])
    }
}

/// The next thing for the server to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The user id that the client gives. Call [`Session::refuse`] before reading on, unless the user is welcome.
    User(String),
    /// Write this to the client, in one piece.
    Answer(String),
    /// A file begins.
    Begin(FileHead),
    /// The next bytes of the file; never empty, never taken back.
    Bytes(Vec<u8>),
    /// The file is complete.
    End,
    /// All files are complete: compare them, and write one [`answer`](crate::answer) with the address, or one
    /// [`error`](crate::error). The comment is the user's, and often empty.
    Query(String),
    /// Write this error line to the client. Nothing of the session is worth keeping, and no more events come. Read on
    /// for a moment before closing, so that a client that is still sending receives it.
    Fault(String),
    /// The client is done.
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Before the first line.
    Start,
    /// Before the first file.
    Settings,
    /// The declared bytes of a file have arrived; a line should follow.
    Boundary,
    /// This many bytes of a file are still to come.
    Contents(u64),
    /// The size of the file was wrong; it ends at the next line that may follow it.
    Unsized,
    /// The query has come, and the server has to answer.
    Asked,
    Closed,
}

/// A file that has begun and not ended.
#[derive(Debug)]
struct Open {
    name: String,
    /// Number of bytes passed on.
    n_bytes: u64,
    lookout: Lookout,
}

/// The server's side of one conversation.
#[derive(Debug)]
pub struct Session {
    limits: Limits,
    is_known: fn(&str) -> bool,
    settings: Settings,
    has_language: bool,
    state: State,
    /// The error that the client gets after `query`, in place of an address.
    refusal: Option<String>,
    /// The line being read.
    line: Vec<u8>,
    /// Bytes to be read again before anything new.
    again: VecDeque<u8>,
    events: VecDeque<Event>,
    file: Option<Open>,
    names: Names,
    n_files: u32,
    n_submitted: u32,
    n_bytes: u64,
    is_idle: bool,
}

impl Session {
    /// Begins a session.
    pub fn new(limits: Limits) -> Session {
        Session {
            limits,
            is_known: language::is_known,
            settings: Settings::standard(),
            has_language: false,
            state: State::Start,
            refusal: None,
            line: Vec::new(),
            again: VecDeque::new(),
            events: VecDeque::new(),
            file: None,
            names: Names::default(),
            n_files: 0,
            n_submitted: 0,
            n_bytes: 0,
            is_idle: false,
        }
    }

    /// Replaces MOSS's list by another rule for which languages are known.
    ///
    /// The submission script sends any name that its user types, so a server may also accept names of its own.
    #[must_use]
    pub fn with_languages(mut self, is_known: fn(&str) -> bool) -> Session {
        self.is_known = is_known;
        self
    }

    /// Reads from the front of `input` up to the next event. Returns `None` when all of it has been read, and there is
    /// nothing to do until more arrives.
    pub fn next(&mut self, input: &mut &[u8]) -> Option<Event> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            if self.state == State::Closed {
                *input = &[];
                return None;
            }
            if self.again.is_empty() && input.is_empty() {
                if !(self.is_idle && self.is_query_swallowed()) {
                    return None;
                }
                self.size_is_wrong();
            } else {
                self.read_piece(input);
            }
        }
    }

    /// Reports that the client has been silent for a while (two seconds suffice), or has closed its side.
    ///
    /// Call [`Session::next`] without bytes after this. It finds a query that was swallowed by a wrong size; in all
    /// other states nothing happens.
    pub fn idle(&mut self) {
        self.is_idle = true;
    }

    /// Refuses the user: files of the session do not become events, and after its query the client gets `reason`. Call
    /// this when [`Event::User`] comes, before reading on.
    pub fn refuse(&mut self, reason: &str) {
        self.refusal.get_or_insert_with(|| reason.to_owned());
    }

    /// Returns the settings that the client has sent so far.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns whether the query has come, so that the client only waits for the server.
    pub fn is_asked(&self) -> bool {
        self.state == State::Asked
    }

    /// Returns whether no more events will come.
    pub fn is_over(&self) -> bool {
        self.state == State::Closed && self.events.is_empty()
    }

    /// Returns the number of bytes of lines and files in memory. They are never more than [`Limits::file_bytes`],
    /// [`Limits::line_bytes`] and 64 KiB together.
    pub fn n_held(&self) -> usize {
        let held = self.file.as_ref().map_or(0, |file| file.lookout.n_held());
        self.line.len() + self.again.len() + held
    }

    /// Reads a piece of the bytes to be read again, and after them of the input.
    fn read_piece(&mut self, input: &mut &[u8]) {
        let left = self.limits.session_bytes.saturating_sub(self.n_bytes);
        if left == 0 {
            return self.fault(&format!(
                "the session is longer than the limit of {} bytes",
                self.limits.session_bytes
            ));
        }
        let mut again = std::mem::take(&mut self.again);
        self.is_idle &= !again.is_empty();
        let piece = if again.is_empty() { *input } else { again.as_slices().0 };
        let n_most = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        let used = self.read(&piece[..piece.len().min(n_most)]);
        if again.is_empty() {
            *input = &input[used..];
        } else {
            again.drain(..used);
        }
        // Bytes of this piece that have to be read again come before the rest of it.
        for byte in self.again.drain(..).rev() {
            again.push_front(byte);
        }
        self.again = again;
    }

    /// Reads some of the piece, and returns the number of bytes read. If that is 0, the end of a file was found.
    fn read(&mut self, piece: &[u8]) -> usize {
        match self.state {
            State::Contents(left) => {
                let used = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
                let left = left - used as u64;
                self.n_bytes += used as u64;
                self.state = if left == 0 { State::Boundary } else { State::Contents(left) };
                self.contents(&piece[..used]);
                used
            }
            State::Unsized => {
                self.n_bytes += piece.len() as u64;
                self.contents(piece);
                piece.len() - self.end_where_a_line_is(piece.len())
            }
            _ => self.line(piece),
        }
    }

    /// Passes on the bytes that certainly belong to the file.
    fn contents(&mut self, bytes: &[u8]) {
        let Some(file) = &mut self.file else { return };
        let own = file.lookout.pass(bytes);
        file.n_bytes += own.len() as u64;
        // Held bytes are within the declared size, which was checked, or may be of the next line.
        if file.n_bytes > self.limits.file_bytes {
            let name = quoted(file.name.as_bytes());
            let limit = self.limits.file_bytes;
            return self.fault(&format!("file {name} is longer than the limit of {limit} bytes"));
        }
        if !own.is_empty() {
            self.tell(Event::Bytes(own));
        }
    }

    /// Ends a file without a valid size, if the line after it has arrived. Returns the number of bytes at the end of this
    /// piece that belong to that line and to what follows it, which are to be read next.
    fn end_where_a_line_is(&mut self, n_piece: usize) -> usize {
        let Some(mut file) = self.file.take_if(|file| file.lookout.is_caught()) else { return 0 };
        let held = file.lookout.release();
        // All of them were counted, and will be again. The line may have begun in earlier pieces.
        self.n_bytes = self.n_bytes.saturating_sub(held.len() as u64);
        let n_before = held.len().saturating_sub(n_piece);
        self.again.extend(&held[..n_before]);
        self.state = State::Boundary;
        self.tell(Event::End);
        held.len() - n_before
    }

    /// Ends a file that has its declared size.
    fn end(&mut self) {
        if let Some(mut file) = self.file.take() {
            let held = file.lookout.release();
            if !held.is_empty() {
                self.tell(Event::Bytes(held));
            }
            self.tell(Event::End);
        }
    }

    /// Arranges to read again the held bytes of a file, and the line that should not have followed it.
    fn size_is_wrong(&mut self) {
        if let Some(file) = &mut self.file {
            self.again.extend(file.lookout.release());
            self.again.extend(self.line.drain(..));
            self.state = State::Unsized;
        }
    }

    fn is_query_swallowed(&self) -> bool {
        let is_between_lines = self.line.is_empty() && self.state != State::Unsized;
        is_between_lines && self.file.as_ref().is_some_and(|file| file.lookout.ends_in_query())
    }

    /// Reads up to the end of a line.
    fn line(&mut self, piece: &[u8]) -> usize {
        let end = piece.iter().position(|byte| *byte == b'\n');
        let room = self.limits.line_bytes.saturating_add(1) - self.line.len();
        let used = end.map_or(piece.len(), |at| at + 1).min(room);
        self.line.extend_from_slice(&piece[..used]);
        // Before the line is looked at, so that a file is measured by what is left after it.
        self.n_bytes += used as u64;
        if self.line.ends_with(b"\n") {
            let line = std::mem::take(&mut self.line);
            self.command(line);
        } else if self.line.len() > self.limits.line_bytes {
            let is_command = self.line.starts_with(b"file ") || self.line.starts_with(b"query ");
            if self.file.is_some() && !is_command {
                self.size_is_wrong();
            } else {
                let (line, limit) = (quoted(&self.line), self.limits.line_bytes);
                self.fault(&format!("line {line} is longer than the limit of {limit} bytes"));
            }
        }
        used
    }

    fn command(&mut self, bytes: Vec<u8>) {
        let line = line::read(&bytes);
        match (self.state, line) {
            (_, Ok(Line::Blank)) if self.file.is_none() => {}
            (State::Start, Ok(Line::Moss(user))) if !user.is_empty() => {
                self.state = State::Settings;
                self.tell(Event::User(user));
            }
            (State::Start, _) => {
                let line = quoted(&bytes);
                self.fault(&format!("the first line is {line}, not \"moss\" and a user id"));
            }
            (State::Settings | State::Asked, Ok(Line::End)) => {
                self.state = State::Closed;
                self.tell(Event::Over);
            }
            (State::Asked, _) => {
                let line = quoted(&bytes);
                self.fault(&format!(
                    "{line} came after the query; if the connection is slow, try again"
                ));
            }
            (_, Ok(Line::File(head))) => {
                self.end();
                self.begin(head);
            }
            (_, Ok(Line::Query(comment))) => {
                self.end();
                self.query(comment);
            }
            (State::Settings, Ok(line)) => self.setting(line, &bytes),
            (State::Settings, Err(message)) => self.fault(&message),
            // Any other line belongs to the file, so the file's size is wrong.
            _ if self.file.is_some() => {
                self.line = bytes;
                self.size_is_wrong();
            }
            _ => self.unknown(&bytes),
        }
    }

    fn setting(&mut self, line: Line, bytes: &[u8]) {
        match line {
            Line::Directory(is_on) => self.settings.directory = is_on,
            Line::Experimental(is_on) => self.settings.experimental = is_on,
            Line::MaxMatches(n) => self.settings.max_matches = n,
            Line::Show(n) => self.settings.show = n,
            Line::Language(code) => {
                self.has_language = true;
                let is_known = (self.is_known)(&code);
                if !is_known {
                    self.refuse(&format!("language {} is not known", quoted(code.as_bytes())));
                }
                self.settings.language = code;
                self.tell(Event::Answer(line::answer(if is_known { "yes" } else { "no" })));
            }
            _ => self.unknown(bytes),
        }
    }

    fn begin(&mut self, head: Head) {
        let Limits { file_bytes, session_bytes, files, .. } = self.limits;
        let Head { id, ref language, size, ref name } = head;
        let quoted = quoted(name.as_bytes());
        if !self.has_language {
            return self.fault(&format!("file {quoted} came before the language"));
        }
        if size > file_bytes {
            return self.fault(&format!(
                "file {quoted} has {size} bytes, more than the limit of {file_bytes}"
            ));
        }
        if size > session_bytes.saturating_sub(self.n_bytes) {
            return self.fault(&format!(
                "file {quoted} has {size} bytes, with which the session is longer than the limit of \
                 {session_bytes}"
            ));
        }
        if self.n_files >= files {
            return self
                .fault(&format!("file {quoted} is one more than the limit of {files} files"));
        }
        self.n_files += 1;
        self.n_submitted += u32::from(id > 0);
        // An empty file is followed by the next line at once.
        self.state = if size == 0 { State::Boundary } else { State::Contents(size) };
        let lookout = Lookout::new(&head);
        self.file = Some(Open { name: name.clone(), n_bytes: 0, lookout });
        let (language, path) = (language.clone(), self.names.path(name));
        self.tell(Event::Begin(FileHead { id, language, size, name: head.name, path }));
    }

    fn query(&mut self, comment: String) {
        if let Some(reason) = self.refusal.take() {
            self.fault(&reason);
        } else if self.n_submitted == 0 {
            self.fault("no submission came before the query");
        } else {
            self.state = State::Asked;
            self.tell(Event::Query(comment));
        }
    }

    fn unknown(&mut self, line: &[u8]) {
        self.fault(&format!("line {} is not one of MOSS's", quoted(line)));
    }

    fn fault(&mut self, message: &str) {
        self.tell(Event::Fault(line::error(message)));
        self.state = State::Closed;
        self.file = None;
        self.line = Vec::new();
        self.again = VecDeque::new();
    }

    /// Adds an event, unless it belongs to a file of a refused client.
    fn tell(&mut self, event: Event) {
        let is_of_a_file = matches!(event, Event::Begin(_) | Event::Bytes(_) | Event::End);
        if !(is_of_a_file && self.refusal.is_some()) {
            self.events.push_back(event);
        }
    }
}
