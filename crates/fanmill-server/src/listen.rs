//! Connections: limits on their number and time, and an orderly end.
//!
//! A client that is refused while it still sends would see a reset connection in place of the answer. So a connection
//! ends in two steps: we send nothing more, and for a while we discard what still arrives.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time;
use tower_service::Service;

use crate::config::Config;
use crate::connections::{ConnectionSlot, OpenConnections};

/// Maximum size of a request's head, in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// Maximum time for which a client may keep sending after its answer: in total, and without a byte.
const LINGER: Duration = Duration::from_secs(30);
const LINGER_IDLE: Duration = Duration::from_secs(5);

/// Maximum number of clients that are answered at the same time that the server is full; others are cut off.
const TOLD: usize = 64;

const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\n\
    Connection: close\r\nContent-Length: 59\r\n\r\n{\"error\":\"the server has too many connections; try again\"}\n";

/// Serves requests until `ending` is set, and then waits until all connections have ended.
pub(crate) async fn run(
    config: Config,
    router: Router,
    listener: TcpListener,
    mut ending: watch::Receiver<bool>,
) {
    let taken = Arc::new(OpenConnections::default());
    let mut connections = JoinSet::new();
    let mut told = JoinSet::new();
    while !*ending.borrow() {
        let (stream, peer) = tokio::select! {
            accepted = accepted(&listener) => accepted,
            Some(_) = connections.join_next() => continue,
            Some(_) = told.join_next() => continue,
            _ = ending.changed() => break,
        };
        let _ = stream.set_nodelay(true);
        let limits = &config.connections;
        // All clients of a proxy have its address.
        let is_proxy = config.trusts(peer.ip());
        match taken.place(peer.ip(), limits.all, limits.each_address, is_proxy) {
            Some(slot) => {
                let (slot, router, ending) = (Arc::new(slot), router.clone(), ending.clone());
                let head = limits.head;
                connections.spawn(async move {
                    tokio::select! {
                        () = one(stream, peer, slot.clone(), router, head, ending) => {}
                        () = slot.ended() => {}
                    }
                });
            }
            None if told.len() < TOLD => drop(told.spawn(turn_away(stream))),
            None => {}
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Waits for the next connection.
pub(crate) async fn accepted(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        if let Ok(accepted) = listener.accept().await {
            return accepted;
        }
        // No file descriptor is left for another connection; some connections will end.
        time::sleep(Duration::from_millis(50)).await;
    }
}

async fn turn_away(mut stream: TcpStream) {
    if time::timeout(LINGER_IDLE, stream.write_all(FULL)).await.is_ok() {
        let _ = time::timeout(LINGER_IDLE, linger(stream)).await;
    }
}

async fn one(
    stream: TcpStream,
    peer: SocketAddr,
    slot: Arc<ConnectionSlot>,
    router: Router,
    head: Duration,
    mut ending: watch::Receiver<bool>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(slot.clone());
        let mut router = router.clone();
        Box::pin(async move { router.call(request).await })
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut is_ending = false;
    // When the server ends, the connection may still finish the request it is working on.
    loop {
        tokio::select! {
            _ = poll_fn(|context| connection.poll_without_shutdown(context)) => break,
            _ = ending.changed(), if !is_ending => {
                is_ending = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
    }
    linger(connection.into_parts().io.into_inner()).await;
}

/// Ends a connection so that the client can still read its answer.
pub(crate) async fn linger(mut stream: TcpStream) {
    if stream.shutdown().await.is_err() {
        return;
    }
    let mut rest = vec![0; 16 << 10];
    let reading = pin!(async {
        while matches!(time::timeout(LINGER_IDLE, stream.read(&mut rest)).await, Ok(Ok(1..))) {}
    });
    let _ = time::timeout(LINGER, reading).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_a_full_server_has_its_length() {
        let text = str::from_utf8(FULL).expect("ASCII");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{}", body.len());
    }
}
