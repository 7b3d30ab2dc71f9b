//! The page's server: one process, one port, readers who hold the token.

mod events;
mod files;
mod guard;
mod names;
mod routes;

use std::future::IntoFuture;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;

use likewise::codes;
use likewise::message::{Message, Setting};

use crate::desk::Desk;
use crate::error::Result;
use crate::random;

pub use guard::Guard;

/// Where and for whom the page is served.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    pub address: IpAddr,
    /// 0: one that is free.
    pub port: u16,
    /// Left out: a new one, which only the address that is printed knows.
    pub token: Option<String>,
    /// Who reads; the first is the one nobody named.
    pub names: Vec<String>,
    /// Whether pages on this machine (a notebook) may show it in a frame.
    pub framed: bool,
}

impl Default for ServerOptions {
    fn default() -> Self {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        ServerOptions { address, port: 0, token: None, names: vec!["reader".into()], framed: false }
    }
}

/// A server that listens already.
pub struct Server {
    listener: std::net::TcpListener,
    guard: Arc<Guard>,
    desk: Arc<Desk>,
}

/// What the routes share.
pub(crate) struct App {
    pub desk: Arc<Desk>,
    pub guard: Arc<Guard>,
    /// Set when the server ends, so that streams end with it.
    pub ending: tokio::sync::watch::Receiver<bool>,
}

/// How long answers under way may take after the end was asked for.
const GRACE: Duration = Duration::from_millis(500);

impl Server {
    pub fn bind(desk: Arc<Desk>, options: &ServerOptions) -> Result<Server> {
        let loopback = options.address.is_loopback();
        if !loopback && options.token.as_ref().is_none_or(|token| token.len() < SHORTEST_TOKEN) {
            let text = format!(
                "others can reach {}: give a token of {SHORTEST_TOKEN} letters or more that they need to know, with ",
                options.address
            );
            return Err(Message::new(&codes::ADDRESS, text).setting(Setting::with("token", "TOKEN")).into());
        }
        let token = match &options.token {
            Some(token) => token.clone(),
            None => random::letters()?,
        };
        let wanted = SocketAddr::new(options.address, options.port);
        let listener = std::net::TcpListener::bind(wanted).map_err(|e| {
            let text = format!("cannot listen on {wanted} ({e}); name another place with ");
            Message::new(&codes::ADDRESS, text).setting(Setting::with("port", "N"))
        })?;
        listener.set_nonblocking(true)?;
        let (address, names) = (listener.local_addr()?, options.names.clone());
        let guard = Guard::new(desk.id.clone(), token, address, names, options.framed)?;
        Ok(Server { listener, guard: Arc::new(guard), desk })
    }

    /// The first address of each reader, with the token that becomes a cookie.
    pub fn addresses(&self) -> Vec<String> {
        self.guard.addresses()
    }

    /// Serves until the flag is set. The current thread does all the talking; what touches the disk or computes goes to
    /// threads of its own.
    pub fn run(self, stop: Arc<AtomicBool>) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (end, ending) = tokio::sync::watch::channel(false);
        let (flag, mut ended) = (stop, ending.clone());
        runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener)?;
            let app = Arc::new(App { desk: self.desk.clone(), guard: self.guard, ending });
            let stopped = async move {
                while !flag.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(30)).await;
                }
                let _ = end.send(true);
            };
            let served = axum::serve(listener, routes::routes(app)).with_graceful_shutdown(stopped);
            // A browser that keeps its connection open must not keep us.
            let late = async move {
                let _ = ended.changed().await;
                tokio::time::sleep(GRACE).await;
            };
            tokio::select! {
                served = served.into_future() => served,
                () = late => Ok(()),
            }
        })?;
        runtime.shutdown_timeout(GRACE);
        Ok(())
    }
}

/// Short ones can be tried out.
const SHORTEST_TOKEN: usize = 16;
