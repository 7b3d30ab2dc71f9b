//! What can be asked, and how it is answered.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use likewise::Run;
use likewise::note::Note;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{App, events, files, names};
use crate::desk::{Desk, Marks, Mode, Reader};
use crate::error::{Error, Result};
use crate::export;
use crate::project::Preferences;

type Shared = State<Arc<App>>;

/// A mark is small; a file of examples is not.
const BODY: usize = 256 << 10;
const EXAMPLES: usize = 16 << 20;
/// Rows that a tab may hold at once.
const MOST_ROWS: usize = 50;

pub fn routes(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/state", get(state))
        .route("/next", get(next))
        .route("/marks", post(marks))
        .route("/undo", post(undo))
        .route("/redo", post(redo))
        .route("/rows/{row}", get(row))
        .route("/rows/{row}/copies", get(copies))
        .route("/rows/{row}/note", put(note))
        .route("/tags", get(tags))
        .route("/search", get(search))
        .route("/history", get(history))
        .route("/settings", put(settings))
        .route("/preferences", put(preferences))
        .route("/automatic", post(automatic))
        .route("/events", get(events_of))
        .route("/export", get(export_rows))
        .route("/model", get(model))
        .layer(DefaultBodyLimit::max(BODY))
        .route("/examples", post(examples).layer(DefaultBodyLimit::max(EXAMPLES)))
        .fallback(|| async { refused(StatusCode::NOT_FOUND, "there is nothing here") });
    Router::new()
        .nest("/api", api)
        .fallback(get(page))
        .layer(middleware::from_fn_with_state(app.clone(), guarded))
        .with_state(app)
}

/// Nothing is answered that the guard does not let through, and every answer says what a browser may do with it.
async fn guarded(State(app): Shared, request: Request, next: Next) -> Response {
    let mut response = match app.guard.check(request.method(), request.headers()) {
        Err((status, message)) => refused(status, message),
        Ok(()) => match admission(&app, request.uri()) {
            Some(admitted) => admitted,
            None if app.guard.reader(request.headers()).is_some() => {
                match app.guard.is_for_us(request.headers()) {
                    true => next.run(request).await,
                    false => refused(
                        StatusCode::MISDIRECTED_REQUEST,
                        "this page was opened on another project than the one that is served here now",
                    ),
                }
            }
            None => refused(
                StatusCode::UNAUTHORIZED,
                "open the address that `likewise review` printed: it holds the token",
            ),
        },
    };
    let policy = HeaderValue::from_str(&app.guard.content_policy()).expect("made of plain letters");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// The token moves from the address into a cookie.
fn admission(app: &App, uri: &Uri) -> Option<Response> {
    if uri.path() != "/" {
        return None;
    }
    let query = uri.query()?;
    let value = |wanted: &str| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(key, _)| *key == wanted).map(|(_, value)| value).next()
    };
    let Some((place, cookie)) = app.guard.admit(value("token")?, value("name")) else {
        return Some(refused(
            StatusCode::UNAUTHORIZED,
            "this is not the token of this review; was it started anew?",
        ));
    };
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    for (name, value) in [(header::LOCATION, place), (header::SET_COOKIE, cookie)] {
        headers.insert(name, HeaderValue::from_str(&value).expect("made of plain letters"));
    }
    Some(response)
}

async fn page(uri: Uri) -> Response {
    match files::file(uri.path()) {
        Some((kind, content)) => ([(header::CONTENT_TYPE, kind)], content).into_response(),
        None => refused(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}

fn refused(status: StatusCode, message: &str) -> Response {
    answer(status, &json!({ "error": message }))
}

fn answer(status: StatusCode, value: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Error::Taken { seq, rows } => answer(
                StatusCode::CONFLICT,
                &json!({ "error": "marked elsewhere in the meantime", "seq": seq, "taken": rows }),
            ),
            Error::Request { status, message } => {
                refused(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST), &message)
            }
            other => refused(StatusCode::INTERNAL_SERVER_ERROR, &other.to_string()),
        }
    }
}

/// Work that may wait for the disk is done beside the thread that talks.
async fn at_desk<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Desk) -> Result<T> + Send + 'static,
) -> Result<T> {
    let desk = app.desk.clone();
    let done = tokio::task::spawn_blocking(move || work(&desk)).await;
    done.unwrap_or_else(|_| {
        Err(Error::request(500, "this request could not be answered; the project is unharmed"))
    })
}

fn parsed<T: DeserializeOwned>(body: &Bytes) -> Result<T> {
    serde_json::from_slice(body)
        .map_err(|e| Error::request(400, format!("this JSON is not what is expected here: {e}")))
}

fn reader(app: &App, headers: &HeaderMap) -> Reader {
    let tab = headers.get("x-tab").and_then(|tab| tab.to_str().ok()).unwrap_or_default();
    let tab: String = tab.chars().take(64).collect();
    Reader::person(app.guard.reader(headers).unwrap_or_default(), &tab)
}

fn ok(value: impl serde::Serialize) -> Result<Response> {
    let value = serde_json::to_value(value).map_err(|e| Error::request(500, e.to_string()))?;
    Ok(answer(StatusCode::OK, &value))
}

async fn state(State(app): Shared, headers: HeaderMap) -> Result<Response> {
    let reader = reader(&app, &headers);
    let name = reader.name.clone();
    let (mut state, preferences) =
        at_desk(&app, move |desk| Ok((desk.state(), desk.preferences(&reader)?))).await?;
    state["you"] = json!(name);
    state["preferences"] = json!(preferences);
    state["readers"] = json!(app.guard.names());
    ok(state)
}

#[derive(Deserialize)]
struct NextQuery {
    #[serde(default = "few")]
    n: usize,
    /// Rows that the tab goes on showing.
    #[serde(default)]
    keep: String,
    #[serde(default)]
    mode: Mode,
}

fn few() -> usize {
    5
}

async fn next(State(app): Shared, headers: HeaderMap, Query(query): Query<NextQuery>) -> Result<Response> {
    let reader = reader(&app, &headers);
    let keep: Vec<u32> = query.keep.split(',').filter_map(|row| row.parse().ok()).take(MOST_ROWS).collect();
    let found = at_desk(&app, move |desk| {
        let handed = desk.hand_out(&reader, &keep, query.n.min(MOST_ROWS), query.mode);
        let rows = handed.rows.into_iter().map(|row| desk.show(&reader, row)).collect::<Result<Vec<_>>>()?;
        Ok(json!({ "seq": desk.seq(), "rows": rows, "held": handed.held }))
    });
    ok(found.await?)
}

async fn row(State(app): Shared, headers: HeaderMap, Path(row): Path<u32>) -> Result<Response> {
    let reader = reader(&app, &headers);
    ok(at_desk(&app, move |desk| desk.show(&reader, row)).await?)
}

async fn copies(State(app): Shared, Path(row): Path<u32>) -> Result<Response> {
    ok(at_desk(&app, move |desk| desk.copy_ids(row)).await?)
}

async fn marks(State(app): Shared, headers: HeaderMap, body: Bytes) -> Result<Response> {
    let (reader, order): (_, Marks) = (reader(&app, &headers), parsed(&body)?);
    let seq = at_desk(&app, move |desk| desk.mark(&reader, &order)).await?;
    ok(json!({ "seq": seq }))
}

#[derive(Deserialize)]
struct Key {
    key: String,
}

async fn undo(State(app): Shared, headers: HeaderMap, body: Bytes) -> Result<Response> {
    let (reader, key): (_, Key) = (reader(&app, &headers), parsed(&body)?);
    ok(at_desk(&app, move |desk| desk.undo(&reader, &key.key)).await?)
}

async fn redo(State(app): Shared, headers: HeaderMap, body: Bytes) -> Result<Response> {
    let (reader, key): (_, Key) = (reader(&app, &headers), parsed(&body)?);
    ok(at_desk(&app, move |desk| desk.redo(&reader, &key.key)).await?)
}

#[derive(Deserialize)]
struct NoteBody {
    text: String,
    #[serde(default)]
    tags: Vec<String>,
}

async fn note(State(app): Shared, headers: HeaderMap, Path(row): Path<u32>, body: Bytes) -> Result<Response> {
    let (reader, note): (_, NoteBody) = (reader(&app, &headers), parsed(&body)?);
    at_desk(&app, move |desk| desk.set_note(&reader, row, note.text, note.tags)).await?;
    ok(json!({}))
}

async fn tags(State(app): Shared) -> Result<Response> {
    ok(at_desk(&app, |desk| desk.tags()).await?)
}

#[derive(Deserialize)]
struct SearchQuery {
    q: String,
}

async fn search(State(app): Shared, Query(query): Query<SearchQuery>) -> Result<Response> {
    ok(at_desk(&app, move |desk| desk.search(&query.q, 50)).await?)
}

#[derive(Deserialize)]
struct HistoryQuery {
    before: Option<u64>,
}

async fn history(State(app): Shared, Query(query): Query<HistoryQuery>) -> Result<Response> {
    ok(at_desk(&app, move |desk| desk.history(query.before.unwrap_or(u64::MAX), 50)).await?)
}

async fn settings(State(app): Shared, body: Bytes) -> Result<Response> {
    let changes = parsed(&body)?;
    ok(at_desk(&app, move |desk| desk.change_settings(changes)).await?)
}

async fn preferences(State(app): Shared, headers: HeaderMap, body: Bytes) -> Result<Response> {
    let (reader, preferences): (_, Preferences) = (reader(&app, &headers), parsed(&body)?);
    at_desk(&app, move |desk| desk.set_preferences(&reader, preferences)).await?;
    ok(json!({}))
}

async fn automatic(State(app): Shared) -> Result<Response> {
    let desk = app.desk.clone();
    at_desk(&app, move |_| desk.choose_automatically(&Run::new(desk.made.seed))).await?;
    ok(json!({}))
}

#[derive(Deserialize)]
struct Examples {
    /// One example a text.
    #[serde(default)]
    texts: Vec<String>,
    /// Or a file that was chosen in the browser: its name tells what it holds.
    name: Option<String>,
    content: Option<String>,
}

async fn examples(State(app): Shared, headers: HeaderMap, body: Bytes) -> Result<Response> {
    let (reader, given): (_, Examples) = (reader(&app, &headers), parsed(&body)?);
    let added = at_desk(&app, move |desk| {
        let mut added = 0;
        for text in &given.texts {
            added += desk.add_text(&reader, text)?;
        }
        if let (Some(name), Some(content)) = (given.name, given.content) {
            added += desk.add_file(&reader, &name, content)?;
        }
        Ok(added)
    });
    ok(json!({ "added": added.await? }))
}

async fn events_of(State(app): Shared) -> Response {
    events::stream(app)
}

async fn export_rows(State(app): Shared, Query(request): Query<export::Request>) -> Result<Response> {
    let name = request.file_name();
    let (bytes, notes) = at_desk(&app, move |desk| export::bytes(&desk.path, &request)).await?;
    Ok(download(&name, bytes, &notes))
}

async fn model(State(app): Shared) -> Result<Response> {
    let (bytes, notes) = at_desk(&app, |desk| export::model(&desk.path)).await?;
    Ok(download("review.model", bytes, &notes))
}

/// Warnings come in a header of their own, which the page reads out.
fn download(name: &str, bytes: Vec<u8>, notes: &[Note]) -> Response {
    let warnings: Vec<String> =
        notes.iter().filter(|note| note.is_warning()).map(|note| note.to_string()).collect();
    let warnings = names::coded(&warnings.join(" "));
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_string()),
        (header::CONTENT_DISPOSITION, disposition),
        (HeaderName::from_static("x-warning"), warnings),
    ];
    (headers, bytes).into_response()
}
