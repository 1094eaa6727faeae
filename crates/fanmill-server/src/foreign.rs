//! Readers of foreign bytes without a service around them, for fuzzing and for tests by mutation.
//!
//! Uploads and signed statements are read here by the functions that requests are read by.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart};
use axum::http::{Request, header};
use futures_util::stream;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::batches::{self, read_form};
use crate::lti::platforms::{Platform, Registered};
use crate::lti::{launch, notices};
use crate::own_key::OwnKey;
use crate::pace::BufferedBytes;
use crate::signed::{self, Expected};
use crate::upload::{Limits, Upload};

/// Limits of a form.
#[derive(Debug, Clone, Copy)]
pub struct FormLimits {
    /// Size of one file, in bytes.
    pub file_bytes: u64,
    /// Size of all files, in bytes.
    pub batch_bytes: u64,
    /// Number of files.
    pub files: u64,
}

/// A form that was read.
#[derive(Debug, PartialEq)]
pub struct Form {
    /// Its title.
    pub title: String,
    /// Its settings.
    pub settings: Value,
    /// Number of files.
    pub n_files: u64,
    /// Number of bytes of all files.
    pub n_bytes: u64,
    /// Archives that the files are in, relative to the folder: those of submissions, then those of the base.
    pub archives: Vec<PathBuf>,
}

/// Reads the body of an upload, which arrives in pieces, into an empty folder; `None` if it is refused.
///
/// # Panics
/// If no thread can be started.
pub fn form(
    content_type: &[u8],
    pieces: &[&[u8]],
    folder: &Path,
    limits: FormLimits,
) -> Option<Form> {
    // Files are put into archives by a function that only such a runtime allows.
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        Builder::new_multi_thread().worker_threads(1).build().expect("a thread can be started")
    });
    let pieces: Vec<Result<Bytes, Infallible>> =
        pieces.iter().map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    let request = Request::post("/").header(header::CONTENT_TYPE, content_type);
    let request = request.body(Body::from_stream(stream::iter(pieces))).ok()?;
    let FormLimits { file_bytes: file, batch_bytes: batch, files } = limits;
    let upload = Upload::new(folder, Limits { file, batch, files, left: None });
    RUNTIME.block_on(async {
        let form = Multipart::from_request(request, &()).await.ok()?;
        let read = read_form(upload, form, &BufferedBytes::default()).await;
        let batches::Form { title, settings, upload, .. } = read.ok()?;
        let (n_files, n_bytes) = (upload.n_files, upload.n_bytes);
        let uploaded = upload.finish().ok()?;
        let archives = [uploaded.submissions, uploaded.base].concat();
        Some(Form { title, settings, n_files, n_bytes, archives })
    })
}

/// A platform with a key of its own, whose statements this server accepts.
#[derive(Debug)]
pub struct Signer(OwnKey);

impl Signer {
    /// The name by which the platform calls itself.
    pub const ISSUER: &str = "https://platform.example.org";
    /// The name by which it calls this server.
    pub const CLIENT: &str = "fanmill";

    /// Makes a key, which is saved in a folder.
    ///
    /// # Errors
    /// If it cannot be saved.
    pub fn new(folder: &Path) -> std::io::Result<Signer> {
        OwnKey::open(folder).map(Signer)
    }

    /// Signs claims; returns the token.
    ///
    /// # Errors
    /// If there is no randomness.
    pub fn sign(&self, claims: &Value) -> std::io::Result<String> {
        self.0.sign(claims)
    }

    /// Returns the public key as the platform publishes it.
    pub fn published(&self) -> Value {
        self.0.published()
    }
}

/// Returns the issuer and the audience that a token claims, before anything of it is verified.
pub fn claimed(token: &str) -> Option<(String, Vec<String>)> {
    signed::claimed(token).ok()
}

/// Returns the claims of a token if one of the published keys has signed it for this server; `None` if it is refused.
pub fn statement(published: &Value, token: &str) -> Option<Value> {
    let expected = Expected { issuer: Signer::ISSUER, client: Signer::CLIENT, keys: "" };
    signed::checked_by(published, token, expected).ok()
}

/// Returns whether claims are those of a launch by a teacher.
pub fn is_of_teacher(claims: &Value) -> bool {
    launch::is_of_teacher(claims.clone())
}

/// Returns the names that the files of a notice get; `None` if the claims are not those of a notice.
pub fn names_of_files(claims: &Value) -> Option<Vec<String>> {
    let https = || "https://platform.example.org/x".to_owned();
    let platform = Platform {
        name: "Platform".to_owned(),
        issuer: Signer::ISSUER.to_owned(),
        client_id: Signer::CLIENT.to_owned(),
        login_url: https(),
        token_url: https(),
        keys_url: https(),
        deployments: vec!["1".to_owned()],
    };
    notices::names_of_files(&Registered { id: String::new(), platform }, claims.clone())
}
