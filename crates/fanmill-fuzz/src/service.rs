//! Targets for the service: bodies of uploads, and statements that learning platforms sign.

use std::fs::{self, File};
use std::path::{Component, Path};
use std::sync::LazyLock;

use fanmill_server::foreign::{self, Form, FormLimits, Signer};
use serde_json::{Value, json};

/// Limits that small forms reach.
const LIMITS: FormLimits = FormLimits { file_bytes: 2000, batch_bytes: 4000, files: 5 };

/// Reads an upload: its first byte chooses the size of the pieces in which the body arrives, its first line is the
/// content type, and the rest is the body.
///
/// # Panics
/// If more is kept than the limits allow, a file is left beside the archives, a name leads out of a folder, bytes are
/// lost, or pieces of another size make a difference.
pub fn multipart(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let (content_type, body) = rest.split_at(end);
    let body = body.get(1..).unwrap_or_default();
    let whole = received(content_type, &[body]);
    let pieces: Vec<&[u8]> = body.chunks(1 + usize::from(first)).collect();
    assert_eq!(received(content_type, &pieces), whole, "pieces of another size");
}

/// Returns the form, and the bytes of the files that it leaves; `None` if it is refused.
fn received(content_type: &[u8], pieces: &[&[u8]]) -> Option<(Form, Vec<Vec<u8>>)> {
    super::scratch::with_folder(|folder| {
        let form = foreign::form(content_type, pieces, folder, LIMITS)?;
        assert!(form.n_files <= LIMITS.files && form.n_bytes <= LIMITS.batch_bytes, "{form:?}");
        let archives: Vec<_> = form.archives.iter().map(|name| folder.join(name)).collect();
        let kept: Vec<Vec<u8>> =
            archives.iter().map(|path| fs::read(path).expect("an archive is there")).collect();
        let n_files = fs::read_dir(folder).expect("the folder").count();
        assert_eq!(n_files, archives.len(), "a file is beside the archives");
        // An archive that is the only file of its part is kept as it was sent; all others are put into ours.
        let body = String::from_utf8_lossy(&pieces.concat()).to_lowercase();
        if !["tar", "tgz", "zip", "%"].iter().any(|word| body.contains(word)) {
            let (mut n_files, mut n_bytes) = (0, 0);
            for archive in &archives {
                let own = contents(archive).expect("an archive of ours");
                (n_files, n_bytes) = (n_files + own.0, n_bytes + own.1);
            }
            assert_eq!((n_files, n_bytes), (form.n_files, form.n_bytes), "files are lost");
        }
        Some((form, kept))
    })
}

/// Returns the numbers of files and of their bytes in an archive.
fn contents(path: &Path) -> std::io::Result<(u64, u64)> {
    let mut archive = tar::Archive::new(File::open(path)?);
    let (mut n_files, mut n_bytes) = (0, 0);
    for entry in archive.entries()? {
        let entry = entry?;
        let name = entry.path()?;
        let is_inside = name.components().all(|part| matches!(part, Component::Normal(_)));
        assert!(is_inside, "{} leads out of a folder", name.display());
        n_files += 1;
        n_bytes += entry.size();
    }
    Ok((n_files, n_bytes))
}

/// Returns forms with a title, settings and files, one with an archive, and one that is cut off.
pub fn forms() -> Vec<Vec<u8>> {
    let part = |head: &str, body: &str| {
        format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n")
    };
    let file = |name: &str, file: &str, body: &str| {
        part(&format!("name=\"{name}\"; filename=\"{file}\""), body)
    };
    let head = "multipart/form-data; boundary=b\n";
    let whole = [
        head,
        &part("name=\"title\"", "Week 3, größer"),
        &part("name=\"settings\"", "{\"noise\":15}"),
        &file("submissions", "ada/A.java", "int x;"),
        &file("submissions", "../bob\\B.java\"; filename*=UTF-8''%e2%82%ac.java", "int y;"),
        &file("base", "given.java", "int z;"),
        "--b--\r\n",
    ];
    let archives = [
        head,
        &file("submissions", "first.tar.gz", "packed"),
        &file("submissions", "submissions.zip", "more"),
        "--b--",
    ];
    let quoted = "multipart/form-data; charset=utf-8; boundary=\"b\"\n";
    let cut = [quoted, &file("submissions", "a.zip", "x"), "--b\r\nContent-Type: text"];
    [whole.concat(), archives.concat(), cut.concat()]
        .iter()
        .zip([255_u8, 0, 6])
        .map(|(form, first)| [&[first], form.as_bytes()].concat())
        .collect()
}

/// The platform whose statements are accepted.
static SIGNER: LazyLock<Signer> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Signer::new(folder.path()).expect("a key can be made")
});

/// Reads a header and claims, which a zero byte separates: as a token, as a token that the platform has signed, as one
/// with the signature of another, and as the keys that a platform publishes.
///
/// # Panics
/// If a token is accepted that the platform has not signed, or that is too old, too new or for somebody else; or if a
/// file gets a name that is a path.
pub fn lti(bytes: &[u8]) {
    let mut parts = bytes.split(|&byte| byte == 0);
    let (header, claims) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let published = SIGNER.published();
    let text = String::from_utf8_lossy(bytes);
    foreign::claimed(&text);
    assert_eq!(foreign::statement(&published, &text), None, "nobody has signed this");
    let Ok(claims) = serde_json::from_slice::<Value>(claims) else { return };
    let genuine = SIGNER.sign(&claims).expect("there is randomness");
    if let Some(stated) = foreign::statement(&published, &genuine) {
        check_statement(&stated);
        assert_eq!(stated, claims, "a statement is read as it was signed");
    }
    if foreign::is_of_teacher(&claims) {
        assert!(claims.to_string().contains("membership"), "a role in the course makes a teacher");
    }
    for name in foreign::names_of_files(&claims).into_iter().flatten() {
        let is_path = matches!(&*name, "" | "." | "..") || name.contains(['/', '\\']);
        let is_odd = is_path || name.contains(char::is_control) || name.len() > 200;
        assert!(!is_odd, "{name:?} is not the name of a file");
    }
    check_forged(&published, header, &genuine);
    if let Ok(keys) = serde_json::from_slice::<Value>(header) {
        foreign::statement(&keys, &genuine);
    }
}

/// Checks that a genuine token with another header is refused.
fn check_forged(published: &Value, header: &[u8], genuine: &str) {
    let (own, rest) = genuine.split_once('.').expect("a token has three parts");
    let header = encoded(header);
    if header != own {
        let forged = format!("{header}.{rest}");
        assert_eq!(foreign::statement(published, &forged), None, "another header is not signed");
    }
}

/// Checks the claims of a token that is accepted.
fn check_statement(stated: &Value) {
    let now = jiff::Timestamp::now().as_second() as f64;
    assert_eq!(stated["iss"], Signer::ISSUER, "the issuer is another");
    let all = stated["aud"].as_array().cloned().unwrap_or_else(|| vec![stated["aud"].clone()]);
    assert!(all.iter().any(|one| one == Signer::CLIENT), "it is for somebody else");
    assert!(stated["exp"].as_f64().is_some_and(|at| at > now - 70.0), "it is too old");
    assert!(stated["nbf"].as_f64().is_none_or(|at| at < now + 70.0), "it is not valid yet");
}

/// Encodes bytes as the parts of a token are: Base64 for addresses, without padding.
fn encoded(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = |three: &[u8]| -> String {
        let number = three.iter().fold(0_u32, |number, &byte| number << 8 | u32::from(byte));
        let number = number << (8 * (3 - three.len()));
        let digit = |i: usize| char::from(DIGITS[(number >> (18 - 6 * i)) as usize & 63]);
        (0..=three.len()).map(digit).collect()
    };
    bytes.chunks(3).map(digits).collect()
}

/// Returns the claims of a launch and of a notice, each after a header, and keys before claims.
pub fn statements() -> Vec<Vec<u8>> {
    let claim = |name: &str| format!("https://purl.imsglobal.org/spec/lti/claim/{name}");
    let common = |more: Value| {
        let mut all = json!({
            "iss": Signer::ISSUER, "aud": [Signer::CLIENT], "exp": 4_000_000_000_u64, "nbf": 1, "sub": "u",
            "nonce": "n", claim("deployment_id"): "1", claim("context"): { "id": "c", "title": "Course" },
            claim("activity"): { "id": "a", "title": "Week 3" },
        });
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
        all.to_string()
    };
    let launch = common(json!({
        claim("message_type"): "LtiResourceLinkRequest", claim("version"): "1.3.0",
        claim("roles"): ["http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"],
    }));
    let file = |name: &str| json!({ "asset_id": name, "url": "https://platform.example.org/f", "filename": name });
    let typed = json!({ "asset_id": "t", "url": "https://platform.example.org/t", "content_type": "text/html; charset=utf-8" });
    let notice = common(json!({
        claim("notice"): { "type": "LtiAssetProcessorSubmissionNotice", "timestamp": "2026-03-01T17:42:00Z" },
        claim("submission"): { "id": "s" }, claim("for_user"): { "user_id": "u", "name": "Ada" },
        claim("assetservice"): { "assets": [file("../a\\b.py"), file(".."), typed] },
        claim("assetreport"): { "report_url": "https://platform.example.org/r" },
    }));
    let headers = [
        r#"{"alg":"RS256","kid":"k","typ":"JWT"}"#,
        r#"{"alg":"none"}"#,
        r#"{"alg":"HS256","jwk":{"kty":"oct","k":"AAAA"}}"#,
        r#"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"},{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}]}"#,
    ];
    let both = headers.iter().zip([&launch, &notice].into_iter().cycle());
    both.map(|(header, claims)| format!("{header}\0{claims}").into_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_token_are_encoded() {
        assert_eq!(encoded(b"\xff\xfe{}a"), "__57fWE");
        let token = SIGNER.sign(&json!({ "a": "größer" })).expect("signed");
        let claims = token.split('.').nth(1).expect("three parts");
        assert_eq!(claims, encoded(json!({ "a": "größer" }).to_string().as_bytes()));
    }

    #[test]
    fn seeds_are_accepted() {
        let read = forms();
        let (content_type, body) = read[0][1..].split_at(31);
        let (form, kept) = received(content_type, &[&body[1..]]).expect("a form");
        assert_eq!((form.n_files, form.n_bytes, kept.len()), (3, 18, 2));
        for seed in statements() {
            let claims = seed.split(|&byte| byte == 0).nth(1).expect("claims");
            let claims: Value = serde_json::from_slice(claims).expect("JSON");
            let token = SIGNER.sign(&claims).expect("signed");
            assert!(foreign::statement(&SIGNER.published(), &token).is_some());
        }
    }
}
