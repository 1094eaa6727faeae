//! Corpora that are not on this machine: object stores and web addresses, fetched before a job reads them.
//!
//! | address | store | credentials and settings |
//! |---|---|---|
//! | `s3://BUCKET/KEY` | Amazon S3, and what speaks like it | `AWS_*` in the environment, or the machine's role |
//! | `gs://BUCKET/KEY` | Google Cloud Storage | `GOOGLE_*` |
//! | `az://CONTAINER/KEY`, `abfss://…` | Azure Blob Storage | `AZURE_*` |
//! | `http://…`, `https://…` | one file | none |
//!
//! A job reads its shards several times, and at several places at once. So they are copied to the disk, and the job
//! reads the copies: what is fetched is as large as the corpus. A file keeps the time of the object, so that a run that
//! was killed finds its log again, and fetches only what is missing.
//!
//! Cost: one request for each thousand objects, and one for each object, up to [`AT_ONCE`] at a time. Memory: a few
//! hundred bytes for each object of the list.

#![forbid(unsafe_code)]

mod address;
mod store;
mod fetch;

pub use address::Address;
pub use fetch::{AT_ONCE, Listing};
