//! What happens, told to every open tab as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::Response;
use tokio::sync::broadcast::error::RecvError;

use super::App;

/// Shows that the line is open, to us and to whatever stands between.
const PULSE: Duration = Duration::from_secs(15);

/// Server-sent events; the id is the number of the last mark. A tab that was away gets the state first, whatever it
/// missed.
pub fn stream(app: Arc<App>) -> Response {
    let (sender, receiver) = tokio::sync::mpsc::channel::<String>(64);
    let mut events = app.desk.events();
    let mut ending = app.ending.clone();
    tokio::spawn(async move {
        let mut next = Some(now(&app).await);
        loop {
            if let Some(text) = next.take()
                && sender.send(text).await.is_err()
            {
                return;
            }
            next = tokio::select! {
                event = events.recv() => match event {
                    Ok(event) => Some(format!("id: {}\nevent: {}\ndata: {}\n\n", event.seq, event.name, event.data)),
                    Err(RecvError::Lagged(_)) => Some(now(&app).await),
                    Err(RecvError::Closed) => return,
                },
                () = tokio::time::sleep(PULSE) => Some(": still here\n\n".into()),
                () = sender.closed() => return,
                _ = ending.changed() => return,
            };
        }
    });
    let body = Body::from_stream(Lines(receiver));
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::OK;
    let kind = header::HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

async fn now(app: &Arc<App>) -> String {
    let desk = app.desk.clone();
    let state = tokio::task::spawn_blocking(move || desk.state()).await.unwrap_or_default();
    format!("id: {}\nevent: state\ndata: {state}\n\n", state["seq"])
}

struct Lines(tokio::sync::mpsc::Receiver<String>);

impl futures_core::Stream for Lines {
    type Item = Result<String, Infallible>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|line| line.map(Ok))
    }
}
