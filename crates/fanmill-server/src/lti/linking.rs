//! Adding Fanmill to an assignment: the answer to the platform's question, and a request for notices of what is handed
//! in.
//!
//! Source: LTI Deep Linking 2.0, 4; Platform Notification Service 1.0, 3.

use axum::http::Request;
use axum::response::Response;
use serde_json::json;

use crate::error::{Answer, Refusal};
use crate::lti::claims::{Launch, Linking, Notification};
use crate::lti::platforms::{LAUNCH, NOTICES, Registered, SCOPE_NOTICES};
use crate::lti::services;
use crate::page::Page;
use crate::secret;
use crate::state::Server;
use crate::store::now;

/// The name of our reports between this server and a platform.
pub(super) const REPORT_TYPE: &str = "shared-passages";

const KIND: &str = "ltiAssetProcessor";
const NOTICE: &str = "LtiAssetProcessorSubmissionNotice";

/// Asks for notices, and returns a page that sends our answer to the platform.
pub(super) async fn asked(
    server: &Server,
    platform: &Registered,
    launch: &Launch,
) -> Answer<Response> {
    let linking = launch.linking.as_ref();
    let linking =
        linking.ok_or_else(|| Refusal::bad("the platform does not say where the answer goes"))?;
    if !linking.accept_types.iter().any(|kind| kind == KIND) {
        return Err(Refusal::bad(
            "Fanmill is added to assignments that students hand files in for, not to other places",
        ));
    }
    let notification = launch
        .notification
        .as_ref()
        .filter(|one| one.notice_types_supported.iter().any(|kind| kind == NOTICE));
    let untold = || Refusal::bad("the platform does not say that it tells of what is handed in");
    // Without notices, nothing would ever be compared: so this comes first.
    subscribe(server, platform, notification.ok_or_else(untold)?).await?;
    let target = platform.leads_to(&linking.deep_link_return_url)?;
    let answer = answer(server, platform, &launch.deployment, linking).await?;
    let page = Page::new("Add Fanmill to this assignment")
        .says(
            "What students hand in is compared with each other, and the report shows which passages they share. \
             It is compared again whenever something new was handed in.",
        )
        .sends("Add", &target, ("JWT", &answer))
        .within_frames();
    Ok(page.shown())
}

/// Asks the platform for notices of what is handed in.
async fn subscribe(server: &Server, platform: &Registered, at: &Notification) -> Answer<()> {
    let body =
        json!({ "notice_type": NOTICE, "handler": format!("{}{NOTICES}", server.0.address) });
    let request = Request::put(&at.url);
    let answer = services::send(server, platform, SCOPE_NOTICES, request, &body).await?;
    if answer.status().is_success() {
        return Ok(());
    }
    let why = format!("it answered {} when it was asked for notices", answer.status().as_u16());
    Err(platform.failed(&why))
}

async fn answer(
    server: &Server,
    platform: &Registered,
    deployment: &str,
    linking: &Linking,
) -> Answer<String> {
    let launch = format!("{}{LAUNCH}", server.0.address);
    let item = json!({
        "type": KIND,
        "title": "Fanmill",
        "text": "Shows which passages submissions share",
        "url": launch,
        "report": { "url": launch, "released": false, "indicator": false, "supportedTypes": [REPORT_TYPE] },
    });
    let mut said = json!({
        "iss": platform.platform.client_id,
        "aud": platform.platform.issuer,
        "iat": now(),
        "exp": now() + 600,
        "nonce": secret::random::<16>(),
        "https://purl.imsglobal.org/spec/lti/claim/deployment_id": deployment,
        "https://purl.imsglobal.org/spec/lti/claim/message_type": "LtiDeepLinkingResponse",
        "https://purl.imsglobal.org/spec/lti/claim/version": "1.3.0",
        "https://purl.imsglobal.org/spec/lti-dl/claim/content_items": [item],
    });
    // The platform wants its own data back, unchanged.
    if let Some(data) = &linking.data {
        said["https://purl.imsglobal.org/spec/lti-dl/claim/data"] = data.as_str().into();
    }
    Ok(server.own_key().await?.sign(&said)?)
}
