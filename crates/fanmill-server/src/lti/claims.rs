//! The claims of a platform's launch and of its notices, as far as they are used here.

use serde::Deserialize;

/// The claims of a launch: a person comes from a platform.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Launch {
    pub(super) sub: Option<String>,
    pub(super) nonce: Option<String>,
    pub(super) name: Option<String>,
    pub(super) email: Option<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/message_type")]
    pub(super) message_type: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/version")]
    pub(super) version: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/deployment_id")]
    pub(super) deployment: String,
    #[serde(default, rename = "https://purl.imsglobal.org/spec/lti/claim/roles")]
    pub(super) roles: Vec<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/context")]
    pub(super) context: Option<Context>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/activity")]
    pub(super) activity: Option<Activity>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/platformnotificationservice")]
    pub(super) notification: Option<Notification>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings")]
    pub(super) linking: Option<Linking>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice")]
    pub(super) names: Option<Names>,
}

impl Launch {
    /// Returns whether the person teaches the course, by a role in it. Roles in the platform as a whole do not count.
    pub(super) fn is_teacher(&self) -> bool {
        const ROLES: [&str; 2] = [
            "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor",
            "http://purl.imsglobal.org/vocab/lis/v2/membership#Administrator",
        ];
        const KINDS: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#";
        let teaches = |role: &String| ROLES.contains(&&**role) || role.starts_with(KINDS);
        self.roles.iter().any(teaches)
    }
}

/// A course of the platform.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Context {
    pub(super) id: String,
    pub(super) label: Option<String>,
    pub(super) title: Option<String>,
}

/// An assignment.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Activity {
    pub(super) id: String,
    pub(super) title: Option<String>,
}

/// The platform's service that notices are requested from.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Notification {
    #[serde(rename = "platform_notification_service_url")]
    pub(super) url: String,
    #[serde(default)]
    pub(super) notice_types_supported: Vec<String>,
}

/// The address for the answer to a teacher's choice, and what it may contain.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Linking {
    pub(super) deep_link_return_url: String,
    #[serde(default)]
    pub(super) accept_types: Vec<String>,
    pub(super) data: Option<String>,
}

/// The service that lists the people of the course.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Names {
    pub(super) context_memberships_url: String,
}

/// The claims of a notice: something has happened on a platform.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Notice {
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/notice")]
    pub(super) happened: Happened,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/deployment_id")]
    pub(super) deployment: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/context")]
    pub(super) context: Option<Context>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/activity")]
    pub(super) activity: Option<Activity>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/submission")]
    pub(super) submission: Option<SubmissionId>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/for_user")]
    pub(super) person: Option<Person>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/assetservice")]
    pub(super) assets: Option<Assets>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/assetreport")]
    pub(super) report: Option<Report>,
}

/// The kind of event, and its time.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Happened {
    pub(super) timestamp: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct SubmissionId {
    pub(super) id: String,
}

/// The person who handed something in.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Person {
    #[serde(rename = "user_id")]
    pub(super) id: String,
    pub(super) name: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Assets {
    pub(super) assets: Vec<Asset>,
}

/// A file that was handed in, or a text that was typed there, which has no file name.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Asset {
    #[serde(rename = "asset_id")]
    pub(super) id: String,
    pub(super) url: String,
    pub(super) filename: Option<String>,
    pub(super) content_type: Option<String>,
    /// SHA-256 of the file, in base64.
    pub(super) sha256_checksum: Option<String>,
    pub(super) title: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Report {
    #[serde(rename = "report_url")]
    pub(super) url: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_roles_in_the_course_make_a_teacher() {
        let launch = |roles: &[&str]| -> Launch {
            let said = json!({
                "https://purl.imsglobal.org/spec/lti/claim/message_type": "LtiResourceLinkRequest",
                "https://purl.imsglobal.org/spec/lti/claim/version": "1.3.0",
                "https://purl.imsglobal.org/spec/lti/claim/deployment_id": "1",
                "https://purl.imsglobal.org/spec/lti/claim/roles": roles,
            });
            serde_json::from_value(said).expect("a launch")
        };
        let kind = "http://purl.imsglobal.org/vocab/lis/v2/";
        for role in ["membership#Instructor", "membership/Instructor#TeachingAssistant"] {
            assert!(launch(&[&format!("{kind}{role}")]).is_teacher(), "{role}");
        }
        for role in [
            "membership#Learner",
            "institution/person#Instructor",
            "system/person#SysAdmin",
            "membership#InstructorX",
        ] {
            assert!(!launch(&[&format!("{kind}{role}")]).is_teacher(), "{role}");
        }
    }
}
