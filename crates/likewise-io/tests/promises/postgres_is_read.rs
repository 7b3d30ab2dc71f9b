//! A real PostgreSQL server, started for the test from Debian's package: read, ranked, never written to.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use likewise::Run;
use likewise_io::database::{Database, Request};

/// Debian's `nobody`: a server refuses to run as root.
const NOBODY: u32 = 65534;

/// A server of its own on a socket in a folder of its own; it ends with the test.
struct Server {
    process: Child,
    folder: tempfile::TempDir,
    programs: PathBuf,
    as_nobody: bool,
}

impl Server {
    /// None, with a visible line, where there is no server to start.
    fn start() -> Option<Server> {
        let Some(programs) = programs() else {
            likewise_testing::skipped("PostgreSQL is not installed (on Debian: apt-get install postgresql)");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("likewise-pg").tempdir_in("/tmp").unwrap();
        let as_nobody = is_root();
        if as_nobody {
            std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let data = folder.path().join("data");
        let run = |program: &str| command(&programs, program, folder.path(), as_nobody);
        let made = run("initdb")
            .args(["--auth=trust", "--username=likewise", "--encoding=UTF8", "--no-sync", "--pgdata"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let process = run("postgres")
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder.path())
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-p", "5432"])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut server = Server { process, folder, programs, as_nobody };
        let patience = Instant::now() + Duration::from_secs(120);
        while server.sql("postgres", "SELECT 1").is_err() {
            assert!(server.process.try_wait().unwrap().is_none(), "the server has ended");
            assert!(Instant::now() < patience, "the server does not answer");
            std::thread::sleep(Duration::from_millis(100));
        }
        Some(server)
    }

    /// Runs statements through `psql`, as another program would.
    fn sql(&self, database: &str, sql: &str) -> Result<String, String> {
        let out = command(&self.programs, "psql", self.folder.path(), self.as_nobody)
            .args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-U", "likewise", "-d", database, "-h"])
            .arg(self.folder.path())
            .args(["-c", sql])
            .output()
            .map_err(|e| e.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if out.status.success() { Ok(text(&out.stdout)) } else { Err(text(&out.stderr)) }
    }

    fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?user=likewise&host={}", self.folder.path().display())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The folder of the newest server that Debian installed, or of one on the path.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|v| v.path().join("bin")).collect();
    found.sort();
    found.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    found.into_iter().rfind(|folder| ["initdb", "postgres", "psql"].iter().all(|p| folder.join(p).is_file()))
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

fn command(programs: &Path, program: &str, folder: &Path, as_nobody: bool) -> Command {
    let mut command = Command::new(programs.join(program));
    command.current_dir(folder).env("LC_ALL", "C");
    if as_nobody {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Forty orders; those with a fragile product were refunded, and half of those refunds are known.
const SHOP: &str = "
    CREATE TABLE products (id integer PRIMARY KEY, kind text);
    CREATE TABLE orders (id integer PRIMARY KEY, total numeric, placed timestamp, note text);
    CREATE TABLE items (\"order\" integer REFERENCES orders, product integer REFERENCES products,
                        PRIMARY KEY (\"order\", product));
    CREATE TABLE refund (order_id integer PRIMARY KEY REFERENCES orders (id), days integer);
    CREATE TABLE \"Odd \"\"Name\" (id integer PRIMARY KEY, \"A b\" boolean);
    INSERT INTO products SELECT p, CASE WHEN p = 1 THEN 'fragile' ELSE 'solid' END FROM generate_series(1, 4) p;
    INSERT INTO orders SELECT o, o * 1.5, NULL, E'line 1\\n\"line, 2\"' FROM generate_series(1, 40) o;
    INSERT INTO items SELECT o, CASE WHEN o % 4 = 0 THEN 1 ELSE 2 + o % 3 END FROM generate_series(1, 40) o;
    INSERT INTO refund SELECT o, 5 FROM generate_series(1, 40) o WHERE o % 8 = 0;
    INSERT INTO \"Odd \"\"Name\" VALUES (1, true), (2, NULL);";

/// Sixty orders with cells that are missing or empty, names that need quotes, and a table without a key.
const PARCELS: &str = "
    CREATE TABLE \"Sender\" (\"No.\" text PRIMARY KEY, town text, vip boolean);
    CREATE TABLE \"order\" (id integer PRIMARY KEY, \"from\" text REFERENCES \"Sender\", weight numeric, pieces smallint,
                             since date, zip varchar(5));
    CREATE TABLE scans (\"order\" integer REFERENCES \"order\", \"it's\" text, seconds real);
    INSERT INTO \"Sender\" SELECT to_char(s, 'FM000'), (ARRAY['Ulm', '', NULL, 'O''Fallon'])[1 + s % 4], s % 3 = 0
        FROM generate_series(0, 19) s;
    INSERT INTO \"order\" SELECT o, CASE WHEN o % 9 = 4 THEN NULL ELSE to_char((o * 7) % 20, 'FM000') END,
        CASE WHEN o % 7 = 3 THEN NULL ELSE (o * 37 % 90) / 4.0 END, o % 4, '2026-05-01', (ARRAY['01234', '1234', ''])[1 + o / 3 % 3]
        FROM generate_series(1, 60) o;
    INSERT INTO scans SELECT o, (ARRAY['in', 'out', NULL])[1 + (o + k) % 3], o * k % 13
        FROM generate_series(1, 60) o, generate_series(1, 2) k WHERE o % 3 >= k;";

#[test]
fn rules_are_true_of_the_same_rows_there() {
    use likewise::method::Method;
    use likewise::methods::relational::Cut;
    use likewise::methods::relational::relocc_random::RelOccRandom;
    use likewise::relations::rules;

    let Some(server) = Server::start() else { return };
    server.sql("postgres", "CREATE DATABASE parcels").unwrap();
    server.sql("parcels", PARCELS).unwrap();
    let database = Database::open(&[server.url("parcels")]).unwrap();
    let run = Run::new(0);
    let schema = database.describe(None, &run).unwrap().schema.unwrap();
    for line in [
        "weight = \"number\"",
        "pieces = \"category\"",
        "since = \"time\"",
        "zip = \"category\"",
        "vip = \"category\"",
        "key = \"ctid\"",
    ] {
        assert!(schema.contains(line), "{line} is not in\n{schema}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, schema.replace("pieces = \"category\"", "pieces = \"number\"")).unwrap();
    let told = Database::open(&[server.url("parcels")]).unwrap().with_schema(&file).unwrap();
    let told = told.describe(None, &run).unwrap();
    assert!(told.modes.iter().any(|(mode, _)| mode == "order_pieces(+order,>number)"), "{:?}", told.modes);

    let like = "SELECT id FROM \"order\" WHERE weight > 8 AND pieces < 3 OR id % 13 = 0";
    let request = Request { target: "late(order)".into(), like: vec![like.into()], ..Request::default() };
    let problem = database.problem(&request, &run).unwrap();
    let x = likewise::data::Data::Relational(problem.x.clone().into());
    let train = likewise::data::PuData::new(x, problem.positive.clone()).unwrap();
    let method = RelOccRandom { trees: 9, depth: 2, cut: Cut::Natural, ..RelOccRandom::default() };
    let model = method.fit(&train, &run).unwrap().model;
    let leaves = model.leaves(&problem.x, &run).unwrap();
    let (mut queries, mut expected) = (Vec::new(), Vec::new());
    for (tree, leaves) in model.trees(&problem.x).unwrap().iter().zip(&leaves) {
        for (number, path) in tree.paths().iter().enumerate() {
            for (row, leaf) in leaves.iter().enumerate() {
                queries.push(rules::sql(path, &problem.x, row));
                expected.push(*leaf as usize == number);
            }
        }
    }
    assert!(queries.len() > 1_000, "{}", queries.len());
    // Answers of some hundred queries at a time: one row each.
    for (queries, expected) in queries.chunks(200).zip(expected.chunks(200)) {
        let answers = server.sql("parcels", &format!("{};", queries.join(";\n"))).unwrap();
        for ((query, answer), expected) in queries.iter().zip(answers.lines()).zip(expected) {
            assert_eq!(answer == "t", *expected, "{query}");
        }
    }
}

#[test]
fn a_server_is_read_like_any_base_and_never_written_to() {
    let Some(server) = Server::start() else { return };
    server.sql("postgres", "CREATE DATABASE shop").unwrap();
    server.sql("postgres", "CREATE DATABASE bare").unwrap();
    server.sql("shop", SHOP).unwrap();
    let changes = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del), (SELECT count(*) FROM pg_class) FROM pg_stat_user_tables";
    let run = Run::new(0);
    let database = Database::open(&[server.url("shop")]).unwrap();
    let described = database.describe(None, &run).unwrap();
    let schema = described.schema.unwrap();
    for line in
        ["order = \"-> orders\"", "order_id = \"-> orders\"", "kind = \"category\"", "total = \"number\""]
    {
        assert!(schema.contains(line), "{line} is not in\n{schema}");
    }

    let request = |target: &str| Request { target: target.into(), ..Request::default() };
    let problem = database.problem(&request("refund(order)"), &run).unwrap();
    assert_eq!((problem.x.rows(), problem.positive.iter().filter(|p| **p).count()), (40, 5));
    let train = likewise::data::PuData::new(
        likewise::data::Data::Relational(problem.x.clone().into()),
        problem.positive.clone(),
    )
    .unwrap();
    let entry = likewise::registry::find("relocc").unwrap();
    let fitted = entry.fit(&likewise::method::Parameters::new(), &train, &run).unwrap();
    let mut best: Vec<&str> = (likewise::decide::ranking(&fitted.scores).into_iter())
        .filter(|&row| !problem.positive[row])
        .take(5)
        .map(|row| &problem.ids[row])
        .collect();
    best.sort_unstable();
    assert_eq!(best, ["12", "20", "28", "36", "4"], "the refunds that nobody marked");

    let select = Request {
        like: vec!["SELECT order_id FROM refund WHERE order_id < 20;".into()],
        ..request("late(orders)")
    };
    assert_eq!(database.problem(&select, &run).unwrap().positive.iter().filter(|p| **p).count(), 2);
    let documents = database.documents("orders.note", &["refund".into()], &[], &[], &run).unwrap();
    let note = documents.table.get(&documents.column).unwrap().cell(0).into_owned();
    assert_eq!((documents.table.rows(), note.as_str()), (40, "line 1\n\"line, 2\""));

    let before = server.sql("shop", changes).unwrap();
    for bad in [
        "SELECT 1) AS a; DELETE FROM refund; SELECT (1",
        "SELECT setval('x', 1)",
        "SELECT * FROM refund; DROP TABLE refund",
        "SELECT nextval('missing')",
    ] {
        let fresh = Database::open(&[server.url("shop")]).unwrap();
        let asked = Request { like: vec![bad.into()], ..request("late(orders)") };
        assert!(fresh.problem(&asked, &run).is_err(), "{bad}");
    }
    assert_eq!(server.sql("shop", "SELECT count(*) FROM refund").unwrap().trim(), "5");
    assert_eq!(server.sql("shop", changes).unwrap(), before);

    let fails = |url: String| Database::open(&[url]).err().unwrap().to_string();
    assert!(fails(server.url("bare")).contains("the database has no tables"));
    assert!(fails(server.url("nowhere")).contains("database \"nowhere\" does not exist"));
    let message = fails("postgres://ann:secret@127.0.0.1:1/shop".into());
    assert!(message.contains("cannot be reached") && !message.contains("secret"), "{message}");
}

/// Names that need quotes, values that are none, types that have no cells of their own.
const ODD: &str = r#"
    CREATE TABLE "Order; DROP TABLE x --" ("select" int PRIMARY KEY, "a ""b""" text, "ü, x" text[], tags jsonb,
        worth numeric, size float8, body bytea);
    CREATE TABLE "from" ("of" int REFERENCES "Order; DROP TABLE x --", "' or 1=1" text);
    CREATE TABLE lonely ("only" text);
    INSERT INTO "Order; DROP TABLE x --" SELECT i,
        (ARRAY[NULL, '', E'two\nlines', '"', E'\\N', ',', E'tab\there'])[1 + i % 7],
        CASE WHEN i % 3 = 0 THEN NULL ELSE ARRAY['a', NULL, 'c,"d"'] END,
        CASE WHEN i % 4 = 0 THEN NULL ELSE '{"k": [1, null]}'::jsonb END,
        CASE WHEN i % 5 = 0 THEN 'NaN' ELSE i / 3.0 END,
        CASE i % 6 WHEN 0 THEN 'Infinity'::float8 WHEN 1 THEN NULL ELSE i END, '\x00ff'
        FROM generate_series(1, 42) i;
    INSERT INTO "from" SELECT i, CASE WHEN i % 2 = 0 THEN 'x' END FROM generate_series(1, 42) i;
    INSERT INTO lonely SELECT (ARRAY[NULL, '', 'x'])[1 + i % 3] FROM generate_series(1, 9) i;"#;

#[test]
fn odd_names_and_values_are_read_as_they_are() {
    let Some(server) = Server::start() else { return };
    server.sql("postgres", "CREATE DATABASE odd").unwrap();
    server.sql("odd", ODD).unwrap();
    let run = Run::new(0);
    let database = Database::open(&[server.url("odd")]).unwrap();
    let described = database.describe(None, &run).unwrap();
    // What is said of the base can be said to it.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.toml");
    std::fs::write(&file, described.schema.unwrap()).unwrap();
    let told = Database::open(&[server.url("odd")]).unwrap().with_schema(&file).unwrap();
    assert_eq!(told.describe(None, &run).unwrap().types, described.types);
    let place = "Order; DROP TABLE x --.a \"b\"";
    let documents = database.documents(place, &["SELECT 3 UNION SELECT 4".into()], &[], &[], &run).unwrap();
    assert_eq!((documents.table.rows(), documents.positive.iter().filter(|p| **p).count()), (42, 2));
    let texts = documents.table.get(&documents.column).unwrap();
    for text in ["two\nlines", "\"", "\\N", ",", "tab\there", ""] {
        assert!((0..42).any(|row| texts.cell(row) == text), "{text:?}");
    }
    let lonely = database.documents(
        "lonely.only",
        &["SELECT ctid FROM lonely WHERE \"only\" = 'x'".into()],
        &[],
        &[],
        &run,
    );
    assert_eq!(lonely.unwrap().table.rows(), 9, "a row of nothing is a row");
}

#[test]
fn rights_and_connections_that_are_missing_are_said() {
    let Some(server) = Server::start() else { return };
    server.sql("postgres", "CREATE DATABASE shop").unwrap();
    server.sql("shop", SHOP).unwrap();
    server
        .sql("shop", "CREATE ROLE poor LOGIN; GRANT SELECT ON orders TO poor; CREATE SEQUENCE numbers")
        .unwrap();
    let run = Run::new(0);
    let as_poor = server.url("shop").replace("user=likewise", "user=poor");
    let message = Database::open(std::slice::from_ref(&as_poor))
        .and_then(|database| database.describe(None, &run).map(|_| ()))
        .unwrap_err()
        .to_string();
    assert!(message.contains("permission denied for table"), "{message}");

    // Whoever reads cannot write, whatever the role may do.
    let database = Database::open(&[server.url("shop")]).unwrap();
    let asked = Request {
        target: "late(orders)".into(),
        like: vec!["SELECT nextval('numbers')".into()],
        ..Request::default()
    };
    let message = database.problem(&asked, &run).err().unwrap().to_string();
    assert!(message.contains("read-only transaction"), "{message}");

    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
               WHERE datname = 'shop' AND pid <> pg_backend_pid()";
    let database = Database::open(&[server.url("shop")]).unwrap();
    server.sql("shop", end).unwrap();
    let message = database.describe(None, &run).err().unwrap().to_string();
    assert!(message.contains("terminating connection") || message.contains("cannot be reached"), "{message}");

    // In the middle of the rows: their number is such that reading them takes longer than ending it.
    server
        .sql(
            "shop",
            "CREATE TABLE many AS SELECT i, repeat('x', 200) AS text FROM generate_series(1, 400000) i",
        )
        .unwrap();
    let database = Database::open(&[server.url("shop")]).unwrap();
    let message = std::thread::scope(|scope| {
        let cut = scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            server.sql("shop", end).unwrap()
        });
        let read = database.describe(None, &run).err().map(|error| error.to_string());
        cut.join().unwrap();
        read
    });
    let message = message.expect("a base that was cut off is not described");
    assert!(message.contains("terminating connection") || message.contains("cannot be reached"), "{message}");
    assert!(!message.contains("panicked"), "{message}");
}
