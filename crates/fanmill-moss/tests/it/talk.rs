//! Talking to a session, for the tests.

use fanmill_moss::{Event, FileHead, Limits, Session};

/// What a client would send: lines and files.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) contents: Vec<u8>,
    /// As declared.
    pub(crate) size: usize,
}

impl File {
    pub(crate) fn new(id: u32, name: &str, contents: impl Into<Vec<u8>>) -> File {
        let contents = contents.into();
        File { id, name: name.to_owned(), size: contents.len(), contents }
    }

    pub(crate) fn declared(mut self, size: usize) -> File {
        self.size = size;
        self
    }
}

/// The bytes of a session in Java, and where its lines after the settings begin.
pub(crate) fn session(files: &[File]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = b"moss 17\ndirectory 0\nX 0\nmaxmatches 10\nshow 250\nlanguage java\n".to_vec();
    let mut starts = Vec::new();
    for file in files {
        starts.push(bytes.len());
        bytes.extend(format!("file {} java {} {}\n", file.id, file.size, file.name).bytes());
        bytes.extend(&file.contents);
    }
    starts.push(bytes.len());
    bytes.extend(b"query 0 week 3\n");
    (bytes, starts)
}

/// All that came of some bytes.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Heard {
    pub(crate) user: Option<String>,
    /// All that the session wrote.
    pub(crate) written: String,
    /// The files, and whether each has ended.
    pub(crate) files: Vec<(FileHead, Vec<u8>, bool)>,
    pub(crate) query: Option<String>,
    pub(crate) is_fault: bool,
    pub(crate) is_over: bool,
}

impl Heard {
    pub(crate) fn names(&self) -> Vec<&str> {
        self.files.iter().map(|(head, ..)| head.name.as_str()).collect()
    }

    pub(crate) fn contents(&self) -> Vec<&[u8]> {
        self.files.iter().map(|(_, bytes, _)| bytes.as_slice()).collect()
    }
}

/// A server that keeps everything, and checks that events come in an order that makes sense.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) session: Session,
    pub(crate) heard: Heard,
    /// Users that are let in; everyone if there is none.
    pub(crate) only: Option<&'static str>,
    limits: Limits,
}

impl Server {
    pub(crate) fn new() -> Server {
        Server::with_limits(Limits::standard())
    }

    pub(crate) fn with_limits(limits: Limits) -> Server {
        let session = Session::new(limits.clone());
        Server { session, heard: Heard::default(), only: None, limits }
    }

    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> &mut Server {
        while let Some(event) = self.session.next(&mut bytes) {
            self.take(event);
        }
        assert!(bytes.is_empty());
        let most = self.limits.file_bytes as usize + self.limits.line_bytes + 64 * 1024;
        assert!(self.session.n_held() <= most, "{} bytes held", self.session.n_held());
        self
    }

    /// The client is silent.
    pub(crate) fn wait(&mut self) -> &mut Server {
        self.session.idle();
        self.push(b"")
    }

    fn take(&mut self, event: Event) {
        let heard = &mut self.heard;
        assert!(!heard.is_fault && !heard.is_over, "{event:?} after the end");
        let is_open = heard.files.last().is_some_and(|(_, _, has_ended)| !has_ended);
        match event {
            Event::User(user) => {
                assert!(heard.user.is_none());
                if self.only.is_some_and(|only| only != user) {
                    self.session.refuse("user is not known");
                }
                heard.user = Some(user);
            }
            Event::Answer(line) => heard.written += &line,
            Event::Begin(head) => {
                assert!(!is_open && heard.query.is_none() && heard.user.is_some());
                heard.files.push((head, Vec::new(), false));
            }
            Event::Bytes(bytes) => {
                assert!(is_open && !bytes.is_empty());
                let file = heard.files.last_mut().expect("a file");
                file.1.extend(bytes);
                assert!(file.1.len() as u64 <= self.limits.file_bytes);
            }
            Event::End => {
                assert!(is_open);
                heard.files.last_mut().expect("a file").2 = true;
            }
            Event::Query(comment) => {
                assert!(!is_open && self.session.is_asked());
                heard.query = Some(comment);
            }
            Event::Fault(line) => {
                assert!(line.starts_with("error: ") && line.ends_with('\n') && line.len() <= 1000);
                heard.written += &line;
                heard.is_fault = true;
            }
            Event::Over => heard.is_over = true,
        }
    }
}

/// What comes of bytes that are sent at once.
pub(crate) fn hear(bytes: &[u8]) -> Heard {
    let mut server = Server::new();
    server.push(bytes);
    server.heard
}

/// Small numbers that look random: `xorshift64*`.
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }

    pub(crate) fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}
