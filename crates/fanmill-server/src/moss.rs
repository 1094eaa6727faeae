//! The protocol of MOSS: the files that a client sends become a batch in a course of its account, and the client is
//! sent the address of the result.
//!
//! `fanmill-moss` parses the client's input and decides what to do; sockets, clocks and files are handled here. Once a
//! batch is queued, nothing is lost if the client goes away or the server ends: it is compared like any other.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanmill_moss::{Event, FileHead, Limits, Session, answer, error, language};
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time;

use crate::access::Client;
use crate::batches::{self, New};
use crate::connections::OpenConnections;
use crate::error::{Answer, Refusal};
use crate::listen::{accepted, linger};
use crate::passwords::place_of;
use crate::results::MossPages;
use crate::state::Server;
use crate::store::{audit, now};
use crate::upload::{Part, Upload};
use crate::{courses, links, quota, rates, secret};

/// The course that an account's batches are put in.
const COURSE: &str = "MOSS";

/// Maximum number of connections at the same time: in all, and from one address. Each has at most one file in memory.
const ALL: usize = 64;
const EACH_ADDRESS: usize = 8;

/// Maximum number of wrong ids from one address, in the window of [`rates`].
const MAX_WRONG: i64 = 20;

/// Silence after which we look for a query that a wrong file size has swallowed, and after which a session ends.
const PAUSE: Duration = Duration::from_secs(2);
const SILENCE: Duration = Duration::from_mins(1);

/// Maximum time for sending files, however steadily they come.
const SENDING: Duration = Duration::from_mins(30);

/// Maximum time that a client waits. After that it is sent the address, where there will be a result later.
const WAITING: Duration = Duration::from_hours(6);

/// Serves clients until `ending` is set, and does not wait for those that are still connected then.
pub(crate) async fn run(server: Server, listener: TcpListener, mut ending: watch::Receiver<bool>) {
    let taken = Arc::new(OpenConnections::default());
    let mut sessions = JoinSet::new();
    while !*ending.borrow() {
        let (mut stream, peer) = tokio::select! {
            accepted = accepted(&listener) => accepted,
            Some(_) = sessions.join_next() => continue,
            _ = ending.changed() => break,
        };
        let place = taken.place(peer.ip(), ALL, EACH_ADDRESS, false);
        // No session is ended for another: its client may wait for the end of a comparison.
        if let Some(place) = &place {
            place.works();
        }
        let (server, mut ending) = (server.clone(), ending.clone());
        sessions.spawn(async move {
            if place.is_none() {
                // Clients read nothing before they have sent their query, but people who try the port do.
                let full = error("the server has too many connections; try again");
                let _ = time::timeout(PAUSE, stream.write_all(full.as_bytes())).await;
                return;
            }
            tokio::select! {
                () = one(&server, &mut stream, peer) => linger(stream).await,
                _ = ending.changed() => {}
            }
            drop(place);
        });
    }
}

/// Serves one session, from the first byte to the last.
async fn one(server: &Server, stream: &mut TcpStream, peer: SocketAddr) {
    let begun = Instant::now();
    let mut talk = MossConversation { server, peer, account: None, upload: None };
    let end = talk.talk(stream).await;
    // These files were not queued; once they are, they belong to the batch.
    if let Some(receiving) = talk.upload.take() {
        let _ = std::fs::remove_dir_all(server.folder(&receiving.id));
    }
    let (name, account) = match end {
        Ok(()) => ("over", talk.account),
        Err(Stopped::Gone) => ("gone", talk.account),
        Err(Stopped::Refused(refusal)) => {
            let line = error(&refusal.message);
            let _ = time::timeout(SILENCE, stream.write_all(line.as_bytes())).await;
            ("refused", talk.account)
        }
    };
    let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let fields = [("end", name.into()), ("account", account.into()), ("ms", ms.into())];
    server.0.config.log.say("moss", fields);
}

/// The reason why a session ends early.
enum Stopped {
    /// The client went away, or was silent.
    Gone,
    /// The client is sent the reason.
    Refused(Refusal),
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Stopped {
        Stopped::Refused(refusal)
    }
}

impl From<std::io::Error> for Stopped {
    fn from(_: std::io::Error) -> Stopped {
        Stopped::Gone
    }
}

impl From<time::error::Elapsed> for Stopped {
    fn from(_: time::error::Elapsed) -> Stopped {
        Stopped::Gone
    }
}

/// Files that are being received.
struct Receiving {
    id: String,
    upload: Upload,
    /// The client's names of submissions, by their names in the upload.
    names: BTreeMap<String, String>,
    /// Names of submissions in the upload, by the folders they come from.
    folders: BTreeMap<String, String>,
    /// Paths in the upload that are taken already.
    paths: BTreeSet<String>,
}

struct MossConversation<'a> {
    server: &'a Server,
    peer: SocketAddr,
    account: Option<String>,
    upload: Option<Receiving>,
}

impl MossConversation<'_> {
    async fn talk(&mut self, stream: &mut TcpStream) -> Result<(), Stopped> {
        let mut session = Session::new(Limits::standard());
        let (begun, mut heard) = (Instant::now(), Instant::now());
        let mut buffer = vec![0; 64 << 10];
        let mut is_at_end = false;
        while !session.is_over() {
            let mut input: &[u8] = &[];
            let read = time::timeout(PAUSE, stream.read(&mut buffer)).await;
            if let Ok(read) = read {
                let n = read?;
                heard = Instant::now();
                is_at_end = n == 0;
                input = &buffer[..n];
            }
            // Silence may mean that a wrong file size has swallowed the query, which is looked for now.
            if input.is_empty() {
                session.idle();
            }
            while let Some(event) = session.next(&mut input) {
                self.heard(event, &mut session, stream).await?;
                heard = Instant::now();
            }
            if is_at_end && session.is_asked() {
                return Ok(());
            }
            if is_at_end || heard.elapsed() > SILENCE {
                return Err(Stopped::Gone);
            }
            if begun.elapsed() > SENDING && !session.is_asked() {
                let minutes = SENDING.as_secs() / 60;
                let slow = format!(
                    "the files took more than {minutes} minutes to come; send fewer at once"
                );
                return Err(Refusal::bad(slow).into());
            }
        }
        Ok(())
    }

    async fn heard(
        &mut self,
        event: Event,
        session: &mut Session,
        stream: &mut TcpStream,
    ) -> Result<(), Stopped> {
        match event {
            Event::User(id) => {
                if let Err(refusal) = self.begin(&id).await {
                    session.refuse(&refusal.message);
                }
            }
            Event::Answer(line) | Event::Fault(line) => {
                time::timeout(SILENCE, stream.write_all(line.as_bytes())).await??;
            }
            Event::Begin(head) => self.file(&head, session)?,
            Event::Bytes(bytes) => self.receiving()?.upload.bytes(&bytes)?,
            // A file is copied into an archive here.
            Event::End => tokio::task::block_in_place(|| self.receiving()?.upload.end())?,
            Event::Query(comment) => {
                let (id, address) = self.queue(session, comment).await?;
                // The client keeps the connection open, and reads this line when the comparison ends.
                let line = match waited(self.server, &id, stream).await? {
                    None => answer(&address),
                    Some(why) => error(&why),
                };
                time::timeout(SILENCE, stream.write_all(line.as_bytes())).await??;
            }
            Event::Over => {}
        }
        Ok(())
    }

    /// Finds the account of a MOSS user id, checks its limits, and begins an upload.
    async fn begin(&mut self, moss_id: &str) -> Answer<()> {
        let from = format!("moss {}", place_of(Client(Some(self.peer.ip().to_canonical()))));
        rates::limited(self.server, &from, MAX_WRONG, "unknown user ids").await?;
        let (id, tried) = (moss_id.to_owned(), secret::hash(moss_id));
        let sql = "SELECT id, role FROM users WHERE moss_id = ? AND active AND id IN able";
        let known: Option<(String, String)> = self
            .server
            .read(move |c| {
                Ok(c.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
            })
            .await?;
        let Some((account, role)) = known else {
            // Wrong ids are counted, so that nobody can try many of them. One that is sent again and again counts once, so
            // that it does not close the server to everybody who shares the address.
            rates::attempt_once(self.server, &from, &tried, MAX_WRONG, "unknown user ids").await?;
            return Err(Refusal::bad("nobody has this user id; your account page says yours"));
        };
        if role == "reader" {
            return Err(Refusal::bad("this account may read only; ask an administrator"));
        }
        let sessions = format!("moss sessions {account}");
        let most = self.server.0.config.moss_sessions;
        rates::limited(self.server, &sessions, most, "submissions").await?;
        rates::note(self.server, sessions).await?;
        batches::enough_room(self.server)?;
        quota::check_upload(self.server, &account).await?;
        let mut limits = self.server.0.config.limits();
        limits.left = quota::bytes_left(self.server, &account).await?;
        let id = secret::random::<16>();
        let folder = self.server.folder(&id);
        std::fs::create_dir_all(&folder)?;
        self.upload = Some(Receiving {
            upload: Upload::new(&folder, limits),
            id,
            names: BTreeMap::new(),
            folders: BTreeMap::new(),
            paths: BTreeSet::new(),
        });
        self.account = Some(account);
        Ok(())
    }

    fn receiving(&mut self) -> Answer<&mut Receiving> {
        self.upload.as_mut().ok_or_else(|| Refusal::bad("a file came before the user id"))
    }

    fn file(&mut self, head: &FileHead, session: &Session) -> Answer<()> {
        let receiving = self.receiving()?;
        if head.is_base() {
            return receiving.upload.begin(Part::Base, &head.path);
        }
        let path = if session.settings().directory {
            receiving.in_folder(head)
        } else {
            receiving.names.insert(head.path.clone(), head.name.clone());
            head.path.clone()
        };
        receiving.upload.begin(Part::Submissions, &path)
    }

    /// Queues the comparison of the received files. Returns the batch, and the address of its result.
    async fn queue(&mut self, session: &Session, comment: String) -> Answer<(String, String)> {
        let (server, settings) = (self.server, session.settings());
        let (Some(receiving), Some(by)) = (self.upload.take(), self.account.clone()) else {
            return Err(Refusal::bad("a query came before the user id"));
        };
        let id = receiving.id.clone();
        let (owner, named) = (by.clone(), id.clone());
        let course = server.write(move |tx| course_of(tx, &owner)).await?;
        let result = Address::random();
        let address = format!("{}/results/{}/{}", server.0.address, result.first, result.rest);
        let moss = MossPages {
            address: address.clone(),
            report: format!("{}/s/{}/", server.0.address, result.secret()),
            date: jiff::Zoned::now().in_tz("UTC").map_or_else(
                |_| String::new(),
                |at| at.strftime("%a %b %e %H:%M:%S UTC %Y").to_string(),
            ),
            options: settings.options(),
            comment: comment.clone(),
            show: usize::try_from(settings.show).unwrap_or(usize::MAX),
            names: receiving.names,
        };
        let compared = json!({
            "lang": language::fanmill_name(&settings.language),
            "max_docs": settings.max_matches.clamp(2, 1 << 31),
            "group_by": if settings.directory { "child" } else { "file" },
        });
        let title = if comment.trim().is_empty() { moss.date.clone() } else { comment };
        let new = New {
            id: id.clone(),
            course,
            by: by.clone(),
            title,
            settings: compared,
            look_first: false,
        };
        let queued = batches::enqueue(server, new, receiving.upload, Some(moss)).await;
        if queued.is_err() {
            let _ = std::fs::remove_dir_all(server.folder(&id));
        }
        queued?;
        let expires = now() + server.0.config.keep.links * 86_400;
        // The address of the result is a link of the batch, and shows the report, too.
        let linked = server.write(move |tx| {
            let link = secret::random::<16>();
            tx.execute(
                "INSERT INTO links (id, batch, hash, created, expires, anonymous) VALUES (?, ?, ?, ?, ?, 0)",
                params![link, named, secret::hash(&result.secret()), now(), expires],
            )?;
            Ok(audit(tx, &by, "link made", &link)?)
        });
        linked.await?;
        Ok((id, address))
    }
}

impl Receiving {
    /// Returns the path in the upload for a file of a folder. Each of the client's folders becomes one folder of the
    /// upload, however deeply it is nested.
    fn in_folder(&mut self, head: &FileHead) -> String {
        let folder = head.folder();
        let file = head.path.rsplit('/').next().unwrap_or(&head.path);
        let known = self.folders.get(folder).cloned();
        let own = known.unwrap_or_else(|| {
            let parts = folder.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
            let name = parts.collect::<Vec<_>>().join("-");
            let name = if name.is_empty() { "files".to_owned() } else { name };
            let own = free(&name, |own| self.names.contains_key(own));
            self.names.insert(own.clone(), folder.to_owned());
            self.folders.insert(folder.to_owned(), own.clone());
            own
        });
        let path = free(&format!("{own}/{file}"), |path| self.paths.contains(path));
        self.paths.insert(path.clone());
        path
    }
}

/// Returns the name, or a similar one that is not taken.
fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let others = (2..).map(|n| format!("{name} ({n})"));
    let mut all = std::iter::once(name.to_owned()).chain(others);
    all.find(|name| !is_taken(name)).unwrap_or_default()
}

/// The address of a result: one digit, and thirteen more.
struct Address {
    first: u64,
    rest: u64,
}

impl Address {
    fn random() -> Address {
        let rest = 1_000_000_000_000 + secret::number_below(9_000_000_000_000);
        Address { first: secret::number_below(10), rest }
    }

    /// Returns the address as the secret of a link, which shows the full report, too.
    fn secret(&self) -> String {
        links::secret_of_result(&self.first.to_string(), &self.rest.to_string())
    }
}

/// Returns the account's own course for what comes by MOSS, and adds it if needed.
fn course_of(tx: &Transaction, account: &str) -> Answer<String> {
    let sql = "SELECT courses.id FROM courses JOIN members ON course = courses.id \
               WHERE name = ? AND user = ? AND role = 'owner' ORDER BY created LIMIT 1";
    let known = tx.query_row(sql, [COURSE, account], |row| row.get(0)).optional()?;
    known.map_or_else(|| courses::insert(tx, COURSE, Some(account)), Ok)
}

/// Waits until a batch is compared, or the client goes away. Returns the reason if there is no result.
async fn waited(
    server: &Server,
    id: &str,
    stream: &mut TcpStream,
) -> Result<Option<String>, Stopped> {
    let begun = Instant::now();
    let mut is_open = true;
    loop {
        let (id, sql) = (id.to_owned(), "SELECT state, error FROM batches WHERE id = ?");
        let (state, error): (String, Option<String>) = server
            .read(move |c| Ok(c.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?)))?))
            .await?;
        match &*state {
            "done" => return Ok(None),
            "queued" | "running" => {}
            _ => return Ok(Some(error.unwrap_or_else(|| format!("the comparison was {state}")))),
        }
        if begun.elapsed() > WAITING {
            return Ok(None);
        }
        let (pause, mut byte) = (time::sleep(Duration::from_millis(200)), [0]);
        tokio::select! {
            () = pause => {}
            peeked = stream.peek(&mut byte), if is_open => match peeked {
                // The client has closed its sending side, and may still read. If it sent something early, that is read
                // later.
                Ok(_) => is_open = false,
                Err(_) => return Err(Stopped::Gone),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receiving() -> Receiving {
        let limits = crate::config::Config::new("data", "program").limits();
        Receiving {
            id: String::new(),
            upload: Upload::new(std::path::Path::new("none"), limits),
            names: BTreeMap::new(),
            folders: BTreeMap::new(),
            paths: BTreeSet::new(),
        }
    }

    #[test]
    fn each_folder_is_a_submission_whatever_it_lies_in() {
        let mut all = receiving();
        let head = |name: &str| FileHead {
            id: 1,
            language: "c".to_owned(),
            size: 1,
            name: name.to_owned(),
            path: name.trim_start_matches("../").to_owned(),
        };
        let names =
            ["w1/ada/x.c", "w1/ada/y.c", "w2/ada/x.c", "w1-ada/x.c", "../w1/ada/x.c", "z.c"];
        let paths = names.map(|name| all.in_folder(&head(name)));
        let wanted = [
            "w1-ada/x.c",
            "w1-ada/y.c",
            "w2-ada/x.c",
            "w1-ada (2)/x.c",
            "w1-ada (3)/x.c",
            "files/z.c",
        ];
        assert_eq!(paths, wanted);
        assert_eq!(all.names["w1-ada (2)"], "w1-ada/");
        assert_eq!(all.in_folder(&head("w1/ada/x.c")), "w1-ada/x.c (2)");
    }

    #[test]
    fn addresses_have_as_many_digits_as_those_of_moss() {
        for _ in 0..100 {
            let secret = Address::random().secret();
            assert!(secret.len() == 15 && secret.as_bytes()[1] == b'-', "{secret}");
        }
    }
}
