//! Networks of addresses, and the client that trusted proxies name.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;

/// An address, or all addresses that begin alike: `127.0.0.1`, `10.1.0.0/16`, `2001:db8::/32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    /// Number of bits that all of them share.
    n_bits: u32,
}

impl Network {
    /// Returns whether an address is in the network.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        let differing = match (self.address, ip.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(ip)) => (own.to_bits() ^ ip.to_bits()).leading_zeros(),
            (IpAddr::V6(own), IpAddr::V6(ip)) => (own.to_bits() ^ ip.to_bits()).leading_zeros(),
            _ => return false,
        };
        differing >= self.n_bits
    }
}

impl From<IpAddr> for Network {
    fn from(ip: IpAddr) -> Network {
        let address = ip.to_canonical();
        Network { address, n_bits: if address.is_ipv4() { 32 } else { 128 } }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Network, String> {
        let (address, n_bits) = text.split_once('/').map_or((text, None), |(a, n)| (a, Some(n)));
        let wrong = || {
            format!("`{text}` is not an address or a network; write it as 127.0.0.1 or 10.1.0.0/16")
        };
        let one = Network::from(address.parse::<IpAddr>().map_err(|_| wrong())?);
        let Some(n_bits) = n_bits else { return Ok(one) };
        let n_bits = n_bits.parse().ok().filter(|n_bits| *n_bits <= one.n_bits);
        Ok(Network { n_bits: n_bits.ok_or_else(wrong)?, ..one })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.n_bits)
    }
}

/// Returns the client of a request that came from `peer`: that, or the one that trusted proxies name. Each proxy appends
/// to its header, so the last address that is not a trusted proxy's is the client's; anything before it may be made up.
///
/// A proxy that writes one of the two headers passes the other on as the client sent it. So if both name somebody, and
/// not the same, neither is believed.
pub(crate) fn client_of(trusted: &[Network], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let peer = peer.to_canonical();
    let is_trusted = |ip: &IpAddr| trusted.iter().any(|network| network.contains(*ip));
    if !is_trusted(&peer) {
        return peer;
    }
    let last = |name: &str, read: fn(&str) -> Option<IpAddr>| {
        let lines = headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
        let all = lines.collect::<Vec<_>>().join(",");
        let mut named = all.rsplit(',').map_while(read).map(|ip| ip.to_canonical());
        named.find(|ip| !is_trusted(ip))
    };
    match (last("x-forwarded-for", plain), last("forwarded", forwarded)) {
        (Some(client), None) | (None, Some(client)) => client,
        (Some(client), Some(other)) if client == other => client,
        _ => peer,
    }
}

/// Reads an address of `X-Forwarded-For`.
fn plain(text: &str) -> Option<IpAddr> {
    text.trim().parse().ok()
}

/// Reads an element of `Forwarded` (RFC 7239): `for=192.0.2.7;proto=https`, `for="[2001:db8::7]:4711"`.
fn forwarded(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, node) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    let node = node.trim_matches('"');
    match node.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?.parse().ok(),
        None => node.split(':').next()?.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        text.parse().expect("a network")
    }

    #[test]
    fn a_network_has_the_addresses_that_begin_like_it() {
        for (text, inside, outside) in [
            ("127.0.0.1", "127.0.0.1", "127.0.0.2"),
            ("10.1.0.0/16", "10.1.255.7", "10.2.0.1"),
            ("10.1.0.0/16", "::ffff:10.1.0.9", "2001:db8::1"),
            ("0.0.0.0/0", "192.0.2.7", "::1"),
            ("2001:db8::/32", "2001:db8:1::7", "2001:db9::1"),
        ] {
            let own = network(text);
            assert!(own.contains(inside.parse().expect("an address")), "{inside} in {own}");
            assert!(!own.contains(outside.parse().expect("an address")), "{outside} in {own}");
        }
        for wrong in ["", "localhost", "10.1.0.0/33", "10.1/16", "::1/129", "10.1.0.0/x"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_trusted_proxies_name_the_client() {
        let trusted = [network("127.0.0.1"), network("10.0.0.0/8")];
        let client = |peer: &str, headers: &[(&'static str, &str)]| {
            let pairs = headers.iter().map(|(name, value)| {
                let name = axum::http::HeaderName::from_static(name);
                (name, value.parse().expect("a value"))
            });
            let headers: HeaderMap = pairs.collect();
            client_of(&trusted, peer.parse().expect("an address"), &headers).to_string()
        };
        let (xff, forwarded) = ("x-forwarded-for", "forwarded");
        assert_eq!(client("192.0.2.1", &[(xff, "192.0.2.7")]), "192.0.2.1");
        assert_eq!(client("127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(client("127.0.0.1", &[(xff, "6.6.6.6, 192.0.2.7, 10.1.1.1")]), "192.0.2.7");
        assert_eq!(
            client("127.0.0.1", &[(forwarded, "for=6.6.6.6, for=192.0.2.7:80;proto=https")]),
            "192.0.2.7"
        );
        assert_eq!(
            client("127.0.0.1", &[(forwarded, "For=\"[2001:db8::7]:4711\"")]),
            "2001:db8::7"
        );
        // One of them is the client's own word.
        assert_eq!(
            client("127.0.0.1", &[(forwarded, "for=6.6.6.6"), (xff, "192.0.2.7")]),
            "127.0.0.1"
        );
        assert_eq!(
            client("127.0.0.1", &[(forwarded, "for=192.0.2.7"), (xff, "192.0.2.7")]),
            "192.0.2.7"
        );
        // Nothing to the left of an invalid address is believed.
        assert_eq!(client("127.0.0.1", &[(xff, "192.0.2.7, unknown")]), "127.0.0.1");
    }
}
