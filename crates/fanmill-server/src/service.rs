//! The service as a whole: starting and stopping it, and the commands for its accounts, platforms and people.

use std::fs::{self, File};
use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use fanmill_text::message;
use fanmill_text::{Error, Setting};
use rusqlite::OptionalExtension;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::sync::{Notify, OnceCell, watch};

use crate::address::{self, Address};
use crate::backup::BackupCounts;
use crate::config::{Config, Provider};
use crate::erasure::Erasure;
use crate::errand::ErrandKind;
use crate::errands::Errands;
use crate::error::{Answer, Refusal};
use crate::fetched::Names;
use crate::hashing::Hashing;
use crate::lti::platforms::{self as lms, Platform};
use crate::meter::Meter;
use crate::outgoing::{self, Outgoing};
use crate::permits::Permits;
use crate::secret::Hidden;
use crate::state::{Server, ServerState};
use crate::store::{self, DATABASE, Store, audit};
use crate::threads::Threads;
use crate::{
    accounts as people, backup, compared, errand, errands, jobs, listen, lti, moss, own_key,
    person, removal, reserve, routes, sweep,
};

/// Number of threads that read from the database.
const READERS: usize = 4;

/// The addresses to announce once the server listens.
#[derive(Debug, Clone)]
pub struct Started {
    /// The address at which people reach it.
    pub address: String,
    /// The address it listens on for clients of MOSS.
    pub moss: Option<SocketAddr>,
    /// The link by which someone becomes the administrator, as long as nobody can log in.
    pub setup: Option<String>,
    /// The number of the first line of the audit log that was changed, or that comes after one that was removed.
    pub broken_audit: Option<i64>,
}

/// An account, as it is listed.
#[derive(Debug, Clone)]
pub struct Account {
    /// The name that its owner logs in with.
    pub name: String,
    /// `administrator`, `teacher` or `reader`.
    pub role: String,
    /// True if its owner can log in, with a password or another service.
    pub is_set_up: bool,
}

/// Runs the server until `stop` is ready. Then it takes no new requests, and puts running comparisons back into the
/// queue.
///
/// # Errors
/// If another server uses the folder, if it cannot be used, or if the server cannot listen on the address.
pub fn serve(
    mut config: Config,
    started: impl FnOnce(&Started) -> anyhow::Result<()>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    check_open(&config)?;
    let public = config.public_url.as_deref().map(Address::parse).transpose()?;
    if !config.passwords && config.provider.is_none() {
        let why = "nobody could log in: passwords are off, and there is no other service; set";
        return Err(Error::setting(message!["{why} ", Setting("issuer")]).into());
    }
    make_private(&config.data)?;
    let _lock = locked(&config.data)?;
    let store = Store::open(&config.data)?;
    let setup = first_secret(&store)?;
    let broken_audit = store.read(store::verify_audit)?.err();
    let client_secret = config.provider.as_ref().map(client_secret).transpose()?.flatten();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(32)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(config.listen)
            .await
            .with_context(|| format!("cannot listen at {}", config.listen))?;
        let moss = match config.moss {
            Some(at) => {
                let listener = TcpListener::bind(at).await;
                Some(listener.with_context(|| format!("cannot listen at {at} for MOSS"))?)
            }
            None => None,
        };
        let moss_at = moss.as_ref().map(TcpListener::local_addr).transpose()?;
        config.moss = moss_at;
        let address = match public {
            Some(address) => address,
            // The system has chosen the port if it was 0.
            None => Address::parse(&format!("http://{}", listener.local_addr()?))?,
        };
        let setup = setup.map(|secret| format!("{address}/setup/{secret}"));
        started(&Started { address: address.to_string(), setup, moss: moss_at, broken_audit })?;
        let server = Server(Arc::new(ServerState {
            readers: Threads::start(READERS),
            writer: Threads::start(1),
            errands: Errands::new(),
            hashing: Hashing::new(),
            uploading: Permits::new(config.uploads.at_once, config.uploads.at_once_each),
            journaled: Notify::new(),
            queued: Notify::new(),
            running: std::sync::Mutex::default(),
            own_key: OnceCell::new(),
            tokens: std::sync::Mutex::default(),
            rewriting: tokio::sync::Mutex::default(),
            meter: Meter::default(),
            outgoing: Arc::new(Outgoing::new()),
            client_secret,
            store,
            address,
            config,
        }));
        until_stopped(server, listener, moss, stop).await
    })
}

async fn until_stopped(
    server: Server,
    listener: TcpListener,
    moss: Option<TcpListener>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    tokio::spawn(self_tested(server.clone()));
    server.0.store.write(jobs::take_back)?;
    removal::tidy(&server.0.store, &server.0.config.data).map_err(plain)?;
    errands::tidy(&server.0.config.data)?;
    let (ends, ending) = watch::channel(false);
    let queue = tokio::spawn(jobs::run(server.clone(), ending.clone()));
    let removals = tokio::spawn(removal::run(server.clone(), ending.clone()));
    let sweeper = tokio::spawn(sweep::run(server.clone()));
    let platforms = tokio::spawn(lti::run(server.clone(), ending.clone()));
    let config = server.0.config.clone();
    let router = address::below(&server.0.address, routes::router(&server));
    let http = tokio::spawn(listen::run(config, router, listener, ending.clone()));
    let moss =
        moss.map(|listener| tokio::spawn(moss::run(server.clone(), listener, ending.clone())));
    stop.await;
    let _ = ends.send(true);
    queue.await?;
    sweeper.abort();
    removals.await?;
    // A file that is being fetched is fetched again after the next start.
    platforms.abort();
    if let Some(moss) = moss {
        moss.await?;
    }
    // Clients that follow a batch would keep the server running forever.
    let _ = tokio::time::timeout(Duration::from_secs(5), http).await;
    Ok(())
}

/// Logs how comparisons are confined on this machine.
async fn self_tested(server: Server) {
    let folder = server.0.config.data.join("selftest");
    let tried = Command::new(&server.0.config.program)
        .args(["__job", "selftest"])
        .arg(&folder)
        .env_clear()
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let said = tried.await.map(|tried| String::from_utf8_lossy(&tried.stdout).into_owned());
    let cage = said.ok().and_then(|said| said.lines().next().map(str::to_owned));
    let cage = cage.unwrap_or_else(|| "could not be tried".to_owned());
    server
        .0
        .config
        .log
        .say("started", [("version", env!("CARGO_PKG_VERSION").into()), ("cage", cage.into())]);
    let _ = fs::remove_dir_all(folder);
}

/// Reads the OIDC client secret. Also checks the provider's address.
fn client_secret(provider: &Provider) -> anyhow::Result<Option<Hidden>> {
    outgoing::check(&provider.issuer).map_err(plain)?;
    let Some(path) = &provider.client_secret else { return Ok(None) };
    let read = fs::read_to_string(path);
    let text =
        read.with_context(|| format!("cannot read the client secret in `{}`", path.display()))?;
    Ok(Some(Hidden(text.trim().to_owned())))
}

/// Refuses addresses that other machines can reach, unless that is wanted.
fn check_open(config: &Config) -> Result<(), Error> {
    let is_open = |at: &SocketAddr| !at.ip().is_loopback() && !config.insecure;
    let insecure = Setting("insecure");
    if is_open(&config.listen) {
        return Err(Error::setting(message![
            (
                "`{}` can be reached from other machines, and passwords would travel in the open: listen at 127.0.0.1 \
             behind a proxy with TLS, or say that you want this by ",
                config.listen
            ),
            insecure
        ]));
    }
    if let Some(moss) = config.moss.filter(is_open) {
        return Err(Error::setting(message![
            "`{moss}` can be reached from other machines, and clients of MOSS send texts in the open: listen at \
             127.0.0.1, or say that you want this by ",
            insecure
        ]));
    }
    Ok(())
}

/// Refuses a folder of something else, before anything in it is changed. A folder that is empty, or in which a first start
/// was interrupted, can be used.
fn check_own(folder: &Path) -> anyhow::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    if folder.join(DATABASE).exists() {
        return Ok(());
    }
    let is_own = |name: &str| {
        ["lock", "batches", "errands", "lost+found", reserve::FILE, own_key::FILE].contains(&name)
            || name.starts_with(DATABASE)
    };
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !is_own(&name) {
            let what = format!(
                "`{}` has other files, such as `{name}`, and is not the folder of a server: there is no `{DATABASE}` in \
                 it; name an empty folder, or one that does not exist",
                folder.display()
            );
            return Err(Error::input(what).into());
        }
    }
    Ok(())
}

/// Makes the data folder, which nobody else can read.
fn make_private(folder: &Path) -> anyhow::Result<()> {
    let context = || format!("cannot use the folder `{}`", folder.display());
    check_own(folder)?;
    fs::create_dir_all(folder.join("batches")).with_context(context)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).with_context(context)?;
    }
    Ok(())
}

/// Locks the folder against other servers for as long as the file is open.
fn locked(folder: &Path) -> anyhow::Result<File> {
    let file = File::create(folder.join("lock"))?;
    // If a server was killed while it started a child, the child holds the lock until it is a program of its own.
    for _ in 0..100 {
        if file.try_lock().is_ok() {
            return Ok(file);
        }
        thread::sleep(Duration::from_millis(20));
    }
    Err(Error::busy(format!(
        "another server uses the folder `{}`; end it, or name another folder",
        folder.display()
    ))
    .into())
}

/// Makes a one-time secret, unless someone can log in already.
fn first_secret(store: &Store) -> anyhow::Result<Option<String>> {
    let made = store.write(|tx| -> Answer<Option<String>> {
        let sql = "SELECT EXISTS (SELECT 1 FROM able)";
        let is_set_up: bool = tx.query_row(sql, [], |row| row.get(0))?;
        if is_set_up { Ok(None) } else { people::one_time(tx, None).map(Some) }
    });
    made.map_err(plain)
}

/// Converts a refusal: one that is due to the request is an input error, and not a fault of the program.
fn plain(refusal: Refusal) -> anyhow::Error {
    if refusal.status.is_client_error() {
        return Error::input(refusal.message).into();
    }
    anyhow::Error::msg(refusal.message)
}

fn open(data: &Path) -> anyhow::Result<Store> {
    if !data.join(DATABASE).exists() {
        let what = format!(
            "`{}` is not the folder of a server: there is no `fanmill.db` in it; name the folder that \
             `fanmill serve` was started with",
            data.display()
        );
        return Err(Error::input(what).into());
    }
    Store::open(data)
}

/// Copies everything that a server keeps to a new folder, also while it runs.
///
/// # Errors
/// If the folder is not a server's, the new one exists, or a file cannot be read or written: then there is no new one.
pub fn back_up(data: &Path, to: &Path) -> anyhow::Result<BackupCounts> {
    backup::write(&open(data)?, data, to)
}

/// Verifies the chain of the audit log. Returns its number of lines and the hash of the last one, or else the number of
/// the first line that was changed, or that comes after one that was removed. Only another hash of that last line shows
/// that lines were removed from the end.
///
/// # Errors
/// If the folder is not a server's, or cannot be read.
pub fn verify_audit(data: &Path) -> anyhow::Result<Result<(u64, String), i64>> {
    Ok(open(data)?.read(store::verify_audit)?)
}

/// Lists all accounts, by name.
///
/// # Errors
/// If the folder is not a server's, or cannot be read.
pub fn accounts(data: &Path) -> anyhow::Result<Vec<Account>> {
    open(data)?.read(|c| {
        let mut statement = c.prepare("SELECT name, role, id IN able FROM users ORDER BY name")?;
        let rows = statement.query_map([], |row| {
            Ok(Account { name: row.get(0)?, role: row.get(1)?, is_set_up: row.get(2)? })
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    })
}

/// Adds an account. Returns the path of its one-time link, relative to the server's address.
///
/// # Errors
/// If the folder is not a server's, the name is taken, or there is no such role.
pub fn add_account(data: &Path, name: &str, role: &str) -> anyhow::Result<String> {
    let made = open(data)?.write(|tx| {
        let id = people::insert_user(tx, name, role)?;
        audit(tx, "command line", "account added", &id)?;
        people::one_time(tx, Some(&id))
    });
    Ok(format!("/setup/{}", made.map_err(plain)?))
}

/// Makes a new one-time link for an account. Returns its path, relative to the server's address.
///
/// # Errors
/// If the folder is not a server's, or nobody has this name.
pub fn reset_account(data: &Path, name: &str) -> anyhow::Result<String> {
    let made = open(data)?.write(|tx| {
        let sql = "SELECT id FROM users WHERE name = ?";
        let id: Option<String> = tx.query_row(sql, [name], |row| row.get(0)).optional()?;
        let id = id.ok_or_else(|| Refusal::bad(format!("nobody is called `{name}`")))?;
        audit(tx, "command line", "account reset", &id)?;
        people::one_time(tx, Some(&id))
    });
    Ok(format!("/setup/{}", made.map_err(plain)?))
}

/// Lists the registered learning platforms, by name.
///
/// # Errors
/// If the folder is not a server's, or cannot be read.
pub fn platforms(data: &Path) -> anyhow::Result<Vec<Platform>> {
    let all = open(data)?.read(lms::all).map_err(plain)?;
    Ok(all.into_iter().map(|one| one.platform).collect())
}

/// Registers a learning platform, and replaces what is known of one with its issuer and client id.
///
/// # Errors
/// If the folder is not a server's, or an address or a name cannot be used.
pub fn add_platform(data: &Path, platform: &Platform) -> anyhow::Result<()> {
    let added = open(data)?.write(|tx| lms::register(tx, "command line", platform));
    added.map(drop).map_err(plain)
}

/// Removes a learning platform by its name. Courses and batches stay.
///
/// # Errors
/// If the folder is not a server's, or no platform has this name.
pub fn remove_platform(data: &Path, name: &str) -> anyhow::Result<()> {
    let removed = open(data)?.write(|tx| {
        let sql = "SELECT id FROM platforms WHERE name = ?";
        let id: Option<String> = tx.query_row(sql, [name], |row| row.get(0)).optional()?;
        let id = id.ok_or_else(|| Refusal::bad(format!("no platform is called `{name}`")))?;
        lms::forget(tx, "command line", &id)
    });
    removed.map_err(plain)
}

/// Returns a zip of what one person handed in, in all courses, and of the pairs that it occurs in. It does not name
/// other people.
///
/// # Errors
/// If the folder is not a server's, or nobody of this name or id handed anything in.
pub fn export_person(data: &Path, name: &str) -> anyhow::Result<Vec<u8>> {
    let batches = open(data)?.read(|c| Answer::Ok(person::batches(c, None)?)).map_err(plain)?;
    let export = || -> Answer<Vec<u8>> {
        let request = person::request(data, ErrandKind::Export, name, &batches)?;
        let folder = errands::carry_out(data, &request)?;
        if errand::findings(folder.path())?.found.is_empty() {
            return Err(person::nothing(name));
        }
        Ok(fs::read(errand::packed_in(folder.path()))?)
    };
    export().map_err(plain)
}

/// The outcome of an erasure from all courses.
#[derive(Debug)]
pub struct ErasedPerson {
    /// Number of batches with nothing left in them.
    pub deleted: usize,
    /// Number of batches that are compared again at the next start.
    pub compared_again: usize,
    /// Batches that could not be searched, each with the reason.
    pub not_searched: Vec<String>,
    /// The finding of a search of the disk afterwards, as the audit log has it.
    pub finding: String,
}

/// Erases what one person handed in from all courses. `program` is started as `PROGRAM __job search DATA`, and calls
/// [`search_disk`](crate::search_disk).
///
/// # Errors
/// If a server runs in the folder, or nobody of this name or id handed anything in.
pub fn erase_person(program: &Path, data: &Path, name: &str) -> anyhow::Result<ErasedPerson> {
    let store = open(data)?;
    let _lock = locked(data)?;
    let erase = || -> Answer<ErasedPerson> {
        let batches = store.read(|c| Answer::Ok(person::batches(c, None)?))?;
        // Without a server, no platform is asked for people's names.
        let request = person::request(data, ErrandKind::Find, name, &batches)?;
        let folder = errands::carry_out(data, &request)?;
        let findings = errand::findings(folder.path())?;
        // The name is in the errand, too.
        drop(folder);
        let erasure = Erasure::new(&store, findings, &batches, name, &Names::new())?;
        store.write(|tx| compared::learn(tx, data))?;
        let erased = store.write(|tx| erasure.erase(tx, data, "command line"))?;
        removal::carry_out_all(&store, program, data)?;
        let unread = erased.unread.iter().map(|one| format!("`{}`: {}", one.title, one.reason));
        let finding = store.read(|c| removal::finding_of(c, erased.search))?;
        Ok(ErasedPerson {
            deleted: erased.deleted,
            compared_again: erased.compared_again,
            not_searched: unread.collect(),
            finding: finding.map(|(finding, _)| finding).unwrap_or_default(),
        })
    };
    erase().map_err(plain)
}

/// Returns a future that is ready when `wait` returns. `wait` may block, as it has a thread of its own.
pub fn when(wait: impl FnOnce() + Send + 'static) -> impl Future<Output = ()> + Send + 'static {
    let (done, is_done) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        wait();
        let _ = done.send(());
    });
    async move {
        let _ = is_done.await;
    }
}
