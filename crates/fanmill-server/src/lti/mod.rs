//! Learning platforms: a course there, with its assignments, is a course with batches here, without uploads by hand.
//!
//! An administrator registers a platform. People come from it by a launch (`launch`), which logs them in and states
//! where they come from. A teacher adds Fanmill to an assignment (`linking`), and from then on the platform sends
//! notices of what is handed in (`notices`). The files are fetched (`intake`) and compared as a batch (`packing`), and
//! the findings are reported for each of them (`reporting`).
//!
//! Source: LTI 1.3 Core; 1EdTech Security Framework 1.0; LTI Deep Linking 2.0; Platform Notification Service 1.0; LTI Asset
//! Processor 1.0 and LTI Names and Role Provisioning Services 2.0, as Canvas documents them.

pub(crate) mod platforms;
mod claims;
mod services;
mod courses;
mod linking;
pub(crate) mod launch;
pub(crate) mod notices;
pub(crate) mod names;
mod retry;
mod intake;
mod packing;
mod reporting;

use std::time::Duration;

use tokio::sync::watch;
use tokio::time;

use crate::error::Answer;
use crate::state::Server;

/// Time between two looks for due work.
const PAUSE: Duration = Duration::from_secs(1);

/// Fetches, compares and reports what platforms have given notice of, until `ending` is set.
pub(crate) async fn run(server: Server, mut ending: watch::Receiver<bool>) {
    while !*ending.borrow() {
        if let Err(refusal) = once(&server).await {
            server.0.config.log.say("platforms", [("error", refusal.message.into())]);
        }
        tokio::select! {
            () = time::sleep(PAUSE) => {}
            _ = ending.changed() => {}
        }
    }
}

async fn once(server: &Server) -> Answer<()> {
    let sql = "SELECT EXISTS (SELECT 1 FROM activities)";
    let is_needed: bool = server.read(|c| Ok(c.query_row(sql, [], |row| row.get(0))?)).await?;
    if is_needed {
        intake::fetch(server).await?;
        packing::compare(server).await?;
        reporting::report(server).await?;
    }
    Ok(())
}
