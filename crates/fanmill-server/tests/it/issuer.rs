//! A service that logs people in, or a learning platform: it signs what a test tells it to, at an address of loopback.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

/// A request that the service received.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) line: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Asked {
    /// The fields of a form, or of the address's query.
    pub(crate) fn form(&self) -> HashMap<String, String> {
        url::form_urlencoded::parse(&self.body).into_owned().collect()
    }
}

type Answers = Arc<Mutex<HashMap<String, (StatusCode, Vec<u8>)>>>;

/// The service, for as long as the test runs.
#[derive(Clone)]
pub(crate) struct Issuer {
    pub(crate) address: String,
    answers: Answers,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// How a token is signed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Key {
    Rsa,
    Ec,
}

impl Issuer {
    /// Begins to answer; nothing is published but its keys.
    pub(crate) fn start() -> Issuer {
        let (answers, asked) = (Answers::default(), Arc::<Mutex<Vec<Asked>>>::default());
        let (told, tells) = mpsc::channel();
        let shared = (answers.clone(), asked.clone());
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
                told.send(listener.local_addr().expect("an address")).expect("told");
                let router = Router::new().fallback(answer).with_state(shared);
                let service = router.into_make_service();
                axum::serve(listener, service).await.expect("served");
            });
        });
        let address = format!("http://{}", tells.recv().expect("an address"));
        let issuer = Issuer { address, answers, asked };
        let keys = [Key::Rsa, Key::Ec].map(Issuer::published);
        issuer.says("GET /keys", &json!({ "keys": keys }));
        issuer
    }

    /// What is answered to a request, as `GET /keys`.
    pub(crate) fn says(&self, line: &str, body: &Value) {
        self.gives(line, 200, body.to_string().into_bytes());
    }

    pub(crate) fn gives(&self, line: &str, status: u16, body: Vec<u8>) {
        let status = StatusCode::from_u16(status).expect("a status");
        self.answers.lock().expect("whole").insert(line.to_owned(), (status, body));
    }

    /// Requests of this line, until now.
    pub(crate) fn asked(&self, line: &str) -> Vec<Asked> {
        let all = self.asked.lock().expect("whole");
        all.iter().filter(|one| one.line == line).cloned().collect()
    }

    /// A token by a key that is published.
    pub(crate) fn signed(key: Key, claims: &Value) -> String {
        let (algorithm, private) = parts(key);
        let mut header = Header::new(algorithm);
        header.kid = Some(format!("{key:?}"));
        jsonwebtoken::encode(&header, claims, &private).expect("signed")
    }

    fn published(key: Key) -> Value {
        let (algorithm, private) = parts(key);
        let mut public = Jwk::from_encoding_key(&private, algorithm).expect("a key");
        public.common.key_id = Some(format!("{key:?}"));
        serde_json::to_value(public).expect("JSON")
    }
}

fn parts(key: Key) -> (Algorithm, EncodingKey) {
    let file = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(name);
        std::fs::read(path).expect("a key")
    };
    match key {
        Key::Rsa => (Algorithm::RS256, EncodingKey::from_rsa_der(&file("rsa.der"))),
        Key::Ec => (Algorithm::ES256, EncodingKey::from_ec_der(&file("ec.der"))),
    }
}

async fn answer(
    State((answers, asked)): State<(Answers, Arc<Mutex<Vec<Asked>>>)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, Vec<u8>) {
    let line = format!("{method} {}", uri.path());
    asked.lock().expect("whole").push(Asked { line: line.clone(), headers, body: body.to_vec() });
    let known = answers.lock().expect("whole").get(&line).cloned();
    known.unwrap_or((StatusCode::NOT_FOUND, Vec::new()))
}
