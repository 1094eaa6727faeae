//! The store that an address names, with credentials from the environment.

use std::sync::Arc;
use std::time::Duration;

use fanmill_text::{Error, Result, message};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::{ClientConfigKey, ClientOptions, ObjectStore, RetryConfig};
use url::Position;

use crate::address::{Address, Kind};

/// Maximum time that one object may take; whether bytes still come is watched by [`Listing`](crate::Listing).
const LONGEST: &str = "7 days";

/// Opens the store of an address.
///
/// # Errors
/// If the environment has settings that make no sense, or lacks some that are needed.
pub(crate) fn open(address: &Address) -> Result<Arc<dyn ObjectStore>> {
    let url = address.url.as_str();
    let timeout = ClientConfigKey::Timeout;
    let store: object_store::Result<Arc<dyn ObjectStore>> = match address.kind {
        Kind::S3 => AmazonS3Builder::from_env()
            .with_url(url)
            .with_config(AmazonS3ConfigKey::Client(timeout), LONGEST)
            .with_retry(retries())
            .build()
            .map(|store| Arc::new(store) as _),
        Kind::Gcs => GoogleCloudStorageBuilder::from_env()
            .with_url(url)
            .with_config(GoogleConfigKey::Client(timeout), LONGEST)
            .with_retry(retries())
            .build()
            .map(|store| Arc::new(store) as _),
        Kind::Azure => MicrosoftAzureBuilder::from_env()
            .with_url(url)
            .with_config(AzureConfigKey::Client(timeout), LONGEST)
            .with_retry(retries())
            .build()
            .map(|store| Arc::new(store) as _),
        Kind::Web => HttpBuilder::new()
            .with_url(&address.url[..Position::BeforePath])
            .with_client_options(
                ClientOptions::new().with_allow_http(true).with_config(timeout, LONGEST),
            )
            .with_retry(retries())
            .build()
            .map(|store| Arc::new(store) as _),
    };
    store.map_err(|error| {
        Error::input(message!["`{address}` cannot be asked for: ", ("{}", said(&error))])
    })
}

/// Retries for half a minute: long enough for a store that is busy, short enough for a name that is wrong.
fn retries() -> RetryConfig {
    RetryConfig { max_retries: 6, retry_timeout: Duration::from_secs(30), ..RetryConfig::default() }
}

/// Returns the words of a store's error: one line, without the text of its answer beyond that.
pub(crate) fn said(error: &object_store::Error) -> String {
    const LONGEST: usize = 300;
    let all = error.to_string();
    let mut line: String =
        all.split(['\n', '\r']).next().unwrap_or_default().chars().take(LONGEST).collect();
    if let Some(first) = line.get(..1) {
        let first = first.to_lowercase();
        line.replace_range(..1, &first);
    }
    line
}
