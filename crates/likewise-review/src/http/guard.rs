//! Who may ask: the token, and nobody who was sent here by another page.
//!
//! The token stands in the first address and moves into a cookie that no script reads and no other site sends. Cookies
//! know no ports, so it bears the port in its name: two pages in one browser keep out of each other's way. The Host must
//! be ours (a name that was pointed at this machine is not), so must an Origin; what changes anything is JSON, which no
//! form can send.

use std::net::{IpAddr, SocketAddr, UdpSocket};

use axum::http::{HeaderMap, Method, StatusCode, header};

use super::names;
use crate::error::{Error, Result};
use crate::project::import::FROM_FILE;

pub struct Guard {
    /// The project's own name.
    project: String,
    token: String,
    address: SocketAddr,
    names: Vec<String>,
    framed: bool,
}

/// What a page says of itself: who reads in this tab, and which project its marks are for.
const NAME: &str = "x-reader";
const PROJECT: &str = "x-project";

const LONGEST_NAME: usize = 60;

/// What is wrong with a request.
pub type Refusal = (StatusCode, &'static str);

impl Guard {
    pub fn new(
        project: String,
        token: String,
        address: SocketAddr,
        names: Vec<String>,
        framed: bool,
    ) -> Result<Guard> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if token.is_empty() || !token.chars().all(plain) {
            return Err(Error::program("a token is made of letters, digits, `-`, `_` and `.`"));
        }
        let fits = |name: &String| {
            let letters = name.chars().count();
            name.trim() == name
                && (1..=LONGEST_NAME).contains(&letters)
                && !name.chars().any(char::is_control)
        };
        if let Some(name) = names.iter().find(|name| !fits(name) || *name == FROM_FILE) {
            return Err(Error::program(format!(
                "`{name}` cannot be a reader's name: it has 1 to {LONGEST_NAME} letters, no space at its ends, and is not `{FROM_FILE}`"
            )));
        }
        if names.is_empty() {
            return Err(Error::program("name somebody who reads"));
        }
        Ok(Guard { project, token, address, names, framed })
    }

    /// Of each reader, first those on this machine.
    pub fn addresses(&self) -> Vec<String> {
        let (ip, port) = (self.address.ip(), self.address.port());
        let hosts = match ip.is_unspecified() {
            true => std::iter::once([127, 0, 0, 1].into()).chain(outward(ip)).collect(),
            false => vec![ip],
        };
        let one = |host: &IpAddr, name: &String| {
            let address = format!("http://{}/?token={}", SocketAddr::new(*host, port), self.token);
            match self.names.len() {
                1 => address,
                _ => format!("{address}&name={}", names::coded(name)),
            }
        };
        hosts.iter().flat_map(|host| self.names.iter().map(move |name| one(host, name))).collect()
    }

    /// Every request: from this host, by a page of ours.
    pub fn check(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, header::HOST).unwrap_or_default();
        if !self.is_our_host(host) {
            return Err((StatusCode::MISDIRECTED_REQUEST, "this server does not go by that name"));
        }
        let origin = text(headers, header::ORIGIN);
        if origin.is_some_and(|origin| origin != format!("http://{host}")) {
            return Err((StatusCode::FORBIDDEN, "another page sent this request"));
        }
        let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
        let changes = method != Method::GET && method != Method::HEAD;
        if changes && site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err((StatusCode::FORBIDDEN, "another site sent this request"));
        }
        let json = text(headers, header::CONTENT_TYPE).is_some_and(|kind| {
            kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
        });
        if changes && !json {
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "send application/json"));
        }
        Ok(())
    }

    /// An address, not a name: a name can be pointed at any machine.
    fn is_our_host(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else { return false };
        if port.parse() != Ok(self.address.port()) {
            return false;
        }
        if name == "localhost" {
            return true;
        }
        let literal = name.trim_start_matches('[').trim_end_matches(']');
        let Ok(ip) = literal.parse::<std::net::IpAddr>() else { return false };
        ip.is_loopback() || !self.address.ip().is_loopback()
    }

    /// Who holds the cookie: the name that the tab goes by, or the first.
    pub fn reader(&self, headers: &HeaderMap) -> Option<&str> {
        let given = cookie(headers, &self.cookie())?;
        if !same(given, &self.token) {
            return None;
        }
        let name = headers.get(NAME).and_then(|name| name.to_str().ok()).map(names::plain);
        let named = name.and_then(|name| self.names.iter().find(|known| **known == name));
        Some(named.unwrap_or(&self.names[0]))
    }

    /// A page that was opened on another project, or before this one was started, must not change this one.
    pub fn is_for_us(&self, headers: &HeaderMap) -> bool {
        headers.get(PROJECT).is_none_or(|project| project.as_bytes() == self.project.as_bytes())
    }

    /// Where a token in the address leads, with its cookie, if it is the right one. The name stays in the address, so
    /// that each tab has its own.
    pub fn admit(&self, token: &str, name: Option<&str>) -> Option<(String, String)> {
        if !same(token, &self.token) {
            return None;
        }
        let place = name.map_or("/".into(), |name| format!("/?name={}", names::coded(&names::plain(name))));
        Some((place, format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie(), self.token)))
    }

    fn cookie(&self) -> String {
        format!("likewise-{}", self.address.port())
    }

    pub fn content_policy(&self) -> String {
        let frames = if self.framed { "http://localhost:* http://127.0.0.1:*" } else { "'none'" };
        format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors {frames}"
        )
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    // Two values of one name would be read differently by others.
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    match values.next() {
        None => first.to_str().ok(),
        Some(_) => Some(""),
    }
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The address by which others reach this machine, if it has one. Nothing is sent: the system is asked for the way.
fn outward(ip: IpAddr) -> Option<IpAddr> {
    let elsewhere = if ip.is_ipv4() { "192.0.2.1:9" } else { "[2001:db8::1]:9" };
    let socket = UdpSocket::bind(SocketAddr::new(ip, 0)).ok()?;
    socket.connect(elsewhere).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified() && !ip.is_loopback())
}

/// Takes the same time wherever the two differ.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_are_ours() {
        let guard = |address: &str| {
            let names = vec!["a".into()];
            Guard::new("p".into(), "t".into(), address.parse().unwrap(), names, false).unwrap()
        };
        let local = guard("127.0.0.1:8000");
        for host in ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"] {
            assert!(local.is_our_host(host), "{host}");
        }
        for host in [
            "evil.example:8000",
            "127.0.0.1:8001",
            "127.0.0.1",
            "192.168.0.4:8000",
            "",
            "localhost.evil:8000",
        ] {
            assert!(!local.is_our_host(host), "{host}");
        }
        let open = guard("0.0.0.0:8000");
        let addresses = open.addresses();
        assert!(addresses[0].starts_with("http://127.0.0.1:8000/"), "{addresses:?}");
        assert!(addresses.iter().all(|address| !address.contains("0.0.0.0")), "{addresses:?}");
        assert!(open.is_our_host("192.168.0.4:8000") && !open.is_our_host("evil.example:8000"));
    }

    #[test]
    fn people_of_any_name_have_an_address_each() {
        let guard = |names: &[&str]| {
            let names = names.iter().map(ToString::to_string).collect();
            Guard::new("p".into(), "t".into(), "127.0.0.1:8000".parse().unwrap(), names, false)
        };
        let two = guard(&["Zoë K", "李"]).unwrap();
        assert_eq!(two.addresses()[0], "http://127.0.0.1:8000/?token=t&name=Zo%C3%AB%20K");
        let (place, cookie) = two.admit("t", Some("%E6%9D%8E")).unwrap();
        assert!(place == "/?name=%E6%9D%8E" && cookie.starts_with("likewise-8000=t;"), "{place} {cookie}");
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, "likewise-8000=t".parse().unwrap());
        assert_eq!(two.reader(&headers), Some("Zoë K"));
        headers.insert(NAME, "%E6%9D%8E".parse().unwrap());
        assert_eq!(two.reader(&headers), Some("李"));
        for name in ["", " a", "a\nb", "file", &"x".repeat(61)] {
            assert!(guard(&[name]).is_err(), "{name}");
        }
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(same("abc", "abc") && !same("abd", "abc") && !same("ab", "abc") && !same("", "abc"));
    }
}
