//! Who may ask: the token, and nobody who was sent here by another page.
//!
//! The token stands in the first address and moves into a cookie that no script reads and no other site sends. The
//! Host must be ours (a name that was pointed at this machine is not), so must an Origin; what changes anything is
//! JSON, which no form can send.

use std::net::SocketAddr;

use axum::http::{HeaderMap, Method, StatusCode, header};

use crate::error::{Error, Result};

pub struct Guard {
    token: String,
    address: SocketAddr,
    names: Vec<String>,
    framed: bool,
}

const COOKIE: &str = "likewise";
const NAME_COOKIE: &str = "likewise-name";

/// What is wrong with a request.
pub type Refusal = (StatusCode, &'static str);

impl Guard {
    pub fn new(token: String, address: SocketAddr, names: Vec<String>, framed: bool) -> Result<Guard> {
        let plain = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        };
        if !plain(&token) {
            return Err(Error::program("a token is made of letters, digits, `-`, `_` and `.`"));
        }
        if names.is_empty() || !names.iter().all(|name| plain(name)) {
            return Err(Error::program("a reader's name is made of letters, digits, `-`, `_` and `.`"));
        }
        Ok(Guard { token, address, names, framed })
    }

    pub fn addresses(&self) -> Vec<String> {
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => {
                SocketAddr::new([127, 0, 0, 1].into(), self.address.port()).to_string()
            }
            _ => self.address.to_string(),
        };
        match self.names.as_slice() {
            [_] => vec![format!("http://{host}/?token={}", self.token)],
            names => {
                names.iter().map(|name| format!("http://{host}/?token={}&name={name}", self.token)).collect()
            }
        }
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

    /// Who holds the cookie.
    pub fn reader(&self, headers: &HeaderMap) -> Option<&str> {
        let given = cookie(headers, COOKIE)?;
        if !same(given, &self.token) {
            return None;
        }
        let named = cookie(headers, NAME_COOKIE);
        let named = named.and_then(|name| self.names.iter().find(|known| *known == name));
        Some(named.unwrap_or(&self.names[0]))
    }

    /// The cookies for a token in the address, if it is the right one.
    pub fn admit(&self, token: &str, name: Option<&str>) -> Option<[String; 2]> {
        if !same(token, &self.token) {
            return None;
        }
        let name = name.filter(|name| self.names.iter().any(|known| known == name)).unwrap_or(&self.names[0]);
        let with = |key: &str, value: &str| format!("{key}={value}; HttpOnly; SameSite=Strict; Path=/");
        Some([with(COOKIE, &self.token), with(NAME_COOKIE, name)])
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
            Guard::new("t".into(), address.parse().unwrap(), vec!["a".into()], false).unwrap()
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
        assert!(open.is_our_host("192.168.0.4:8000") && !open.is_our_host("evil.example:8000"));
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(same("abc", "abc") && !same("abd", "abc") && !same("ab", "abc") && !same("", "abc"));
    }
}
