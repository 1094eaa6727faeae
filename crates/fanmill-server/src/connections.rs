//! Open connections: how many there are, whose they are, and which of them ends if there is no room for another.
//!
//! A client that sends slowly holds its connection for as long as its limits allow. If all connections are taken, a new
//! one ends another: of the client that has most of them, the one that has waited longest for its client. So somebody
//! who holds many, at however many addresses, is the first to lose some, and a connection whose request is being worked
//! on is never ended.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::Notify;

/// The open connections.
#[derive(Debug, Default)]
pub(crate) struct OpenConnections(Mutex<Connections>);

#[derive(Debug, Default)]
struct Connections {
    /// The number of the next connection.
    next: u64,
    open: BTreeMap<u64, Connection>,
}

#[derive(Debug)]
struct Connection {
    client: IpAddr,
    /// The time since which it waits for its client, unless the server is at work for it.
    waiting: Option<Instant>,
    /// Notified when the connection must end.
    end: Arc<Notify>,
}

/// One of the open connections, until it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    all: Arc<OpenConnections>,
    number: u64,
    /// The address at its other end.
    from: IpAddr,
    end: Arc<Notify>,
}

/// Returns the client at an address: of an IPv6 address the /64 network, all of which one machine may have.
pub(crate) fn client_at(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

impl Connections {
    fn count(&self, client: IpAddr) -> usize {
        self.open.values().filter(|one| one.client == client).count()
    }

    /// Ends a connection of the client that has most, if that has more than `client`. Returns whether there was one.
    fn make_room(&mut self, client: Option<IpAddr>) -> bool {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for one in self.open.values() {
            *counts.entry(one.client).or_default() += 1;
        }
        let own = client.and_then(|client| counts.get(&client).copied()).unwrap_or_default();
        let waiting = self.open.iter().filter_map(|(number, one)| {
            let n = counts.get(&one.client).copied().unwrap_or_default();
            Some((n, std::cmp::Reverse(one.waiting?), *number))
        });
        let Some((_, _, number)) = waiting.filter(|(n, ..)| *n > own).max() else { return false };
        if let Some(ended) = self.open.remove(&number) {
            ended.end.notify_one();
        }
        true
    }
}

impl OpenConnections {
    /// Takes a place for a connection from this address, unless `each_address` are from it, or there are `all` and none
    /// of them can be ended. Whose the connections of a proxy are, is known only when they are assigned.
    pub(crate) fn place(
        self: &Arc<OpenConnections>,
        from: IpAddr,
        all: usize,
        each_address: usize,
        is_proxy: bool,
    ) -> Option<ConnectionSlot> {
        let mut connections = self.lock();
        let client = client_at(from);
        if !is_proxy && connections.count(client) >= each_address {
            return None;
        }
        if connections.open.len() >= all
            && !connections.make_room(Some(client).filter(|_| !is_proxy))
        {
            return None;
        }
        let (number, end) = (connections.next, Arc::new(Notify::new()));
        connections.next += 1;
        let waiting = Some(Instant::now());
        connections.open.insert(number, Connection { client, waiting, end: end.clone() });
        Some(ConnectionSlot { all: self.clone(), number, from: client, end })
    }

    fn lock(&self) -> MutexGuard<'_, Connections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlot {
    /// Waits until the connection must end, to make room for another.
    pub(crate) async fn ended(&self) {
        self.end.notified().await;
    }

    /// Assigns the connection to the client of its request, unless that has `most` already. Returns whether it was.
    pub(crate) fn assign(&self, client: IpAddr, most: usize) -> bool {
        let (mut connections, client) = (self.all.lock(), client_at(client));
        let is_own = connections.open.get(&self.number).is_some_and(|own| own.client == client);
        if !is_own && connections.count(client) >= most {
            return false;
        }
        if let Some(own) = connections.open.get_mut(&self.number) {
            own.client = client;
        }
        true
    }

    /// Records that the connection waits for its client from now on.
    pub(crate) fn waits(&self) {
        self.set(Some(Instant::now()));
    }

    /// Records that the server is at work for the connection.
    pub(crate) fn works(&self) {
        self.set(None);
    }

    /// Gives the connection back to the address at its other end, from which another request may come by it.
    fn release(&self) {
        if let Some(own) = self.all.lock().open.get_mut(&self.number) {
            (own.client, own.waiting) = (self.from, Some(Instant::now()));
        }
    }

    fn set(&self, waiting: Option<Instant>) {
        if let Some(own) = self.all.lock().open.get_mut(&self.number) {
            own.waiting = waiting;
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.all.lock().open.remove(&self.number);
    }
}

/// The body of an answer. When it ends, its connection is released.
struct Releasing {
    body: Body,
    slot: Arc<ConnectionSlot>,
}

/// Releases a connection when the answer ends. Until then it waits for its client to read.
pub(crate) fn released(body: Body, slot: Arc<ConnectionSlot>) -> Body {
    slot.waits();
    Body::new(Releasing { body, slot })
}

impl HttpBody for Releasing {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Releasing {
    fn drop(&mut self) {
        self.slot.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn is_ended(slot: &ConnectionSlot) -> bool {
        !slot.all.lock().open.contains_key(&slot.number)
    }

    #[test]
    fn places_are_counted_by_address_and_given_back() {
        let all = Arc::new(OpenConnections::default());
        let place = |last| all.place(address(last), 3, 2, false);
        let first = place(1);
        let second = place(1);
        assert!(first.is_some() && second.is_some() && place(1).is_none());
        drop((first, second));
        assert!(all.lock().open.is_empty());
        let one_network = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:3"]
            .map(|ip| all.place(ip.parse().expect("an address"), 3, 2, false));
        assert_eq!(one_network.iter().filter(|one| one.is_some()).count(), 2);
    }

    #[test]
    fn the_client_with_most_connections_loses_the_one_that_waited_longest() {
        let all = Arc::new(OpenConnections::default());
        let place = |last| all.place(address(last), 4, 3, false);
        let many: Vec<_> = (0..3).map(|_| place(1).expect("a place")).collect();
        let few = place(2).expect("a place");
        // The first is worked on, and the second has heard of its client since the third has.
        many[0].works();
        many[1].waits();
        let third = place(3).expect("room is made");
        assert_eq!(many.iter().map(is_ended).collect::<Vec<_>>(), [false, false, true]);
        assert!(!is_ended(&few) && !is_ended(&third));
        // A client with as many as anybody else loses none.
        many[1].works();
        assert!(place(2).is_none());
    }

    #[test]
    fn connections_of_a_proxy_are_their_clients_own() {
        let all = Arc::new(OpenConnections::default());
        let place = || all.place(address(1), 3, 1, true);
        let slots: Vec<_> = (0..3).map(|_| place().expect("a place")).collect();
        assert!(slots[0].assign(address(7), 2) && slots[1].assign(address(7), 2));
        assert!(!slots[2].assign(address(7), 2), "it has two");
        assert!(slots[0].assign(address(7), 2) && slots[2].assign(address(8), 2));
        for slot in &slots {
            slot.waits();
        }
        assert!(place().is_some());
        assert_eq!(slots.iter().map(is_ended).collect::<Vec<_>>(), [true, false, false]);
    }
}
