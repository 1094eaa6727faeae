//! The state that all requests share.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rusqlite::{Connection, Transaction};
use tokio::sync::{Notify, OnceCell};

use crate::address::Address;
use crate::config::Config;
use crate::errands::Errands;
use crate::error::Answer;
use crate::hashing::Hashing;
use crate::meter::Meter;
use crate::outgoing::Outgoing;
use crate::own_key::OwnKey;
use crate::permits::Permits;
use crate::run_blocking::run_blocking;
use crate::secret::Hidden;
use crate::store::Store;
use crate::threads::Threads;

/// The server. Clones share the same state.
#[derive(Debug, Clone)]
pub(crate) struct Server(pub(crate) Arc<ServerState>);

#[derive(Debug)]
pub(crate) struct ServerState {
    pub(crate) config: Config,
    pub(crate) store: Store,
    /// Threads that read from the database, and the one that writes to it. Nothing else is done on them.
    pub(crate) readers: Threads,
    pub(crate) writer: Threads,
    /// Work on uploads for one person's data.
    pub(crate) errands: Errands,
    /// The address at which people reach it.
    pub(crate) address: Address,
    /// The client that sends requests to other servers.
    pub(crate) outgoing: Arc<Outgoing>,
    /// The OIDC client secret.
    pub(crate) client_secret: Option<Hidden>,
    /// This server's own key, once it is needed.
    pub(crate) own_key: OnceCell<OwnKey>,
    /// Tokens for services of platforms, by platform and service, with the times until which they are valid.
    pub(crate) tokens: Mutex<HashMap<String, (Instant, String)>>,
    /// Held while an archive of uploads is rewritten.
    pub(crate) rewriting: tokio::sync::Mutex<()>,
    pub(crate) hashing: Hashing,
    /// Limits how many uploads are received at the same time, in all and of one account.
    pub(crate) uploading: Permits,
    /// Notified when a task is added to the journal.
    pub(crate) journaled: Notify,
    /// Notified when a job is queued.
    pub(crate) queued: Notify,
    /// The running jobs, by batch. Notifying one stops it.
    pub(crate) running: Mutex<HashMap<String, Arc<Notify>>>,
    pub(crate) meter: Meter,
}

impl Server {
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let store = self.0.store.clone();
        self.0.readers.run(move || store.read(work)).await
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let store = self.0.store.clone();
        self.0.writer.run(move || store.write(work)).await
    }

    /// Returns the end of a cookie, which is `; Secure` if the server is reached by TLS.
    pub(crate) fn secure(&self) -> &'static str {
        if self.0.address.is_encrypted() { "; Secure" } else { "" }
    }

    /// Returns this server's own key, which is made when it is first needed.
    pub(crate) async fn own_key(&self) -> Answer<&OwnKey> {
        let data = self.0.config.data.clone();
        self.0.own_key.get_or_try_init(|| run_blocking(move || Ok(OwnKey::open(&data)?))).await
    }

    /// Locks the tokens for services of platforms.
    pub(crate) fn tokens(&self) -> MutexGuard<'_, HashMap<String, (Instant, String)>> {
        self.0.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the folder of a batch, which is named by its id alone.
    pub(crate) fn folder(&self, batch: &str) -> PathBuf {
        self.0.config.data.join("batches").join(batch)
    }
}
