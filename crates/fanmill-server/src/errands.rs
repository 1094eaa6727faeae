//! Errands as the server runs them: a folder and a child process for each, one at a time.
//!
//! A child is killed if nobody waits for it any more, and its folder is removed with everything in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use fanmill_text::progress::Silent;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Command;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use crate::config::Config;
use crate::errand::{self, ErrandKind, ErrandRequest};
use crate::error::{Answer, Refusal};
use crate::job::Step;
use crate::permits::Permits;
use crate::run_blocking::run_blocking;
use crate::secret;

/// Maximum number of errands that run or wait: in all, and of one account.
const MAX: usize = 16;
const MAX_OF_ACCOUNT: usize = 4;

/// Time for which an errand is listed after its end.
const LISTED: Duration = Duration::from_hours(1);

/// The folder of all errands, in the data folder.
const FOLDER: &str = "errands";

/// An errand for one person's data, as the API shows it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ListedErrand {
    /// The reason why it failed.
    #[schema(required)]
    error: Option<String>,
    id: String,
    kind: ErrandKind,
    /// The step, in bytes of uploads.
    #[schema(required)]
    progress: Option<Step>,
    /// `waiting`, `running`, `done` or `failed`.
    state: String,
}

#[derive(Debug)]
struct Known {
    account: String,
    shown: ListedErrand,
    ended: Option<Instant>,
}

/// The errands of a server. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Errands {
    turn: Arc<Semaphore>,
    permits: Permits,
    known: Arc<Mutex<BTreeMap<String, Known>>>,
}

/// The folder of an errand, until it is dropped.
#[derive(Debug)]
pub(crate) struct ErrandFolder(PathBuf);

impl ErrandFolder {
    /// Makes the folder of an errand, with its instructions.
    fn make(data: &Path, request: &ErrandRequest) -> Answer<ErrandFolder> {
        let folder = ErrandFolder(data.join(FOLDER).join(secret::random::<16>()));
        errand::prepare(&folder.0, request)?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ErrandFolder {
    fn drop(&mut self) {
        // If the server ends before, the next start removes it.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The line that a failed child writes; its other lines are steps.
#[derive(Deserialize)]
struct Failure {
    error: String,
}

/// Carries out an errand in this process, for a command.
pub(crate) fn carry_out(data: &Path, request: &ErrandRequest) -> Answer<ErrandFolder> {
    let folder = ErrandFolder::make(data, request)?;
    errand::carry_out(request, folder.path(), &Silent)
        .map_err(|error| failed(request.kind, &error.to_string()))?;
    Ok(folder)
}

/// Removes what errands of a server that is gone have left.
pub(crate) fn tidy(data: &Path) -> std::io::Result<()> {
    match fs::remove_dir_all(data.join(FOLDER)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The refusal if an errand fails. Late submissions come from whoever asks, and may be damaged.
fn failed(kind: ErrandKind, why: &str) -> Refusal {
    match kind {
        ErrandKind::Join => Refusal::bad(format!("nothing was added: {why}")),
        _ => Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("the uploads were not searched: {why}"),
        ),
    }
}

impl Errands {
    pub(crate) fn new() -> Errands {
        Errands {
            turn: Arc::new(Semaphore::new(1)),
            permits: Permits::new(MAX, MAX_OF_ACCOUNT),
            known: Arc::default(),
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists the errands of an account that run, wait, or have ended a short while ago.
    pub(crate) fn list(&self, account: &str) -> Vec<ListedErrand> {
        let mut known = self.known();
        known.retain(|_, one| one.ended.is_none_or(|ended| ended.elapsed() < LISTED));
        known.values().filter(|one| one.account == account).map(|one| one.shown.clone()).collect()
    }

    /// Carries out an errand of an account in a child process. Returns the folder with what it made.
    pub(crate) async fn run(
        &self,
        config: &Config,
        account: &str,
        mut request: ErrandRequest,
    ) -> Answer<ErrandFolder> {
        let full = || {
            Refusal::busy("too many searches and late submissions wait already; try again later")
        };
        let _permit = self.permits.take(account).ok_or_else(full)?;
        request.memory = config.jobs.memory;
        request.processor_seconds = config.jobs.processor_seconds;
        let kind = request.kind;
        let listed = self.listed(account, kind);
        let Ok(_turn) = self.turn.acquire().await else { return Err(Refusal::fault()) };
        listed.change(|shown| "running".clone_into(&mut shown.state));
        let (data, program) = (config.data.clone(), config.program.clone());
        let outcome = async {
            let folder = run_blocking(move || ErrandFolder::make(&data, &request)).await?;
            watch(&program, folder.path(), kind, |step| {
                listed.change(|shown| shown.progress = Some(step));
            })
            .await?;
            Ok(folder)
        };
        let outcome = outcome.await;
        let error = outcome.as_ref().err().map(|refusal: &Refusal| refusal.message.clone());
        listed.change(|shown| {
            if error.is_none() { "done" } else { "failed" }.clone_into(&mut shown.state);
            (shown.error, shown.progress) = (error, None);
        });
        outcome
    }

    fn listed(&self, account: &str, kind: ErrandKind) -> Listing {
        let id = secret::random::<16>();
        let shown = ListedErrand {
            error: None,
            id: id.clone(),
            kind,
            progress: None,
            state: "waiting".to_owned(),
        };
        let known = Known { account: account.to_owned(), shown, ended: None };
        self.known().insert(id.clone(), known);
        Listing { errands: self.clone(), id }
    }
}

/// An errand in the list, as long as somebody waits for it.
struct Listing {
    errands: Errands,
    id: String,
}

impl Listing {
    fn change(&self, change: impl FnOnce(&mut ListedErrand)) {
        if let Some(known) = self.errands.known().get_mut(&self.id) {
            change(&mut known.shown);
        }
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        if let Some(known) = self.errands.known().get_mut(&self.id) {
            known.ended = Some(Instant::now());
            // Nobody waited for its end.
            if !["done", "failed"].contains(&&*known.shown.state) {
                "failed".clone_into(&mut known.shown.state);
            }
        }
    }
}

/// Starts a child in the folder of an errand, and waits for its end.
async fn watch(
    program: &Path,
    folder: &Path,
    kind: ErrandKind,
    mut step: impl FnMut(Step),
) -> Answer<()> {
    let mut child = Command::new(program)
        .arg("__job")
        .arg(folder)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let out = child.stdout.take().ok_or_else(Refusal::fault)?;
    // Cap the output of a runaway child.
    let mut lines = BufReader::new(out.take(64 << 20)).lines();
    let mut why = None;
    while let Some(line) = lines.next_line().await? {
        if let Ok(failure) = serde_json::from_str::<Failure>(&line) {
            why = Some(failure.error);
        } else if let Ok(now) = serde_json::from_str(&line) {
            step(now);
        }
    }
    if child.wait().await?.success() {
        return Ok(());
    }
    let broke = || "it ran out of memory or time, or broke off".to_owned();
    Err(failed(kind, &why.unwrap_or_else(broke)))
}
