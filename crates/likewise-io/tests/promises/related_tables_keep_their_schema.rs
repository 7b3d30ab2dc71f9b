//! A model of related tables reads tomorrow's data as it read those of its training.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use likewise::Run;
use likewise::features::Features;
use likewise::note::Note;
use likewise::questions::find::Find;
use likewise::questions::problem::Problem;
use likewise::relations::KeptSchema;
use likewise::relations::schema::ColumnKind;
use likewise::trained::Trained;
use likewise_io::database::{Database, Examples, Request};
use rusqlite::Connection;

/// Orders of customers: dear ones of small towns are what is looked for.
struct Shop<'a> {
    orders: usize,
    customers: usize,
    towns: usize,
    /// Statements that come last.
    changes: &'a str,
}

const TODAY: Shop<'static> = Shop { orders: 400, customers: 200, towns: 90, changes: "" };

impl Shop<'_> {
    fn write(&self, path: &Path) -> PathBuf {
        let connection = Connection::open(path).unwrap();
        let mut sql = String::from(
            "PRAGMA foreign_keys = OFF;
             BEGIN;
             CREATE TABLE customers (id INTEGER PRIMARY KEY, town TEXT, kind INTEGER);
             CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers(id), total REAL, note TEXT);
             CREATE TABLE returned (\"order\" INTEGER PRIMARY KEY REFERENCES orders(id));",
        );
        for c in 0..self.customers {
            sql +=
                &format!("INSERT INTO customers VALUES ({}, 'town {}', {});\n", c + 1, c % self.towns, c % 3);
        }
        for o in 0..self.orders {
            let total = (o * 37) % 400;
            sql += &format!(
                "INSERT INTO orders VALUES ({}, {}, {total}, 'n{o}');\n",
                o + 1,
                o % self.customers + 1
            );
            if total > 300 && (o % self.customers) % 3 == 1 && o % 2 == 0 {
                sql += &format!("INSERT INTO returned VALUES ({});\n", o + 1);
            }
        }
        connection.execute_batch(&format!("{sql}{}\nCOMMIT;", self.changes)).unwrap();
        path.into()
    }
}

fn open(path: &Path) -> Database {
    Database::open(&[path.display().to_string()]).unwrap()
}

fn request(target: &str) -> Request {
    Request { target: target.into(), ..Request::default() }
}

fn learn(database: &Database, asked: &Request) -> (Trained, Vec<(String, f64)>) {
    let run = Run::new(0);
    let found = database.problem(asked, &run).unwrap();
    let problem = Problem::of_related(found.x, found.positive, found.ids, found.notes);
    let mut find = Find::new(Some("relocc"), true).unwrap();
    find.parameters.insert("trees".into(), 3.into());
    let answer = find.ask(&problem, &run).unwrap();
    let ranked = (answer.ranking.rows.iter().zip(&answer.ranking.scores))
        .map(|(&row, score)| (problem.ids[row].to_string(), *score))
        .collect();
    (Trained::from_bytes(answer.trained.to_bytes().unwrap()).unwrap(), ranked)
}

fn examples(trained: &Trained, database: Database) -> likewise_io::Result<Examples> {
    let Features::Related { target, schema } = &trained.features else { panic!("not about tables") };
    database.under(schema.as_ref()).examples(&request(target), &Run::new(0))
}

fn scores(trained: &Trained, found: &Examples) -> Vec<(String, f64)> {
    let scores = trained.score_related(&found.x, &Run::new(0)).unwrap();
    found.ids.iter().map(str::to_string).zip(scores).collect()
}

fn kept(trained: &Trained) -> &Arc<KeptSchema> {
    trained.features.schema().unwrap()
}

fn note<'a>(notes: &'a [Note], code: &str, text: &str) -> &'a Note {
    let told = notes.iter().find(|note| note.message.code.name == code && note.to_string().contains(text));
    told.unwrap_or_else(|| panic!("no {code} with {text:?} in {notes:?}"))
}

#[test]
fn fewer_rows_are_read_as_many_were() {
    let folder = tempfile::tempdir().unwrap();
    let (trained, ranked) =
        learn(&open(&TODAY.write(&folder.path().join("today.sqlite"))), &request("returned"));
    let column = |table: &str, name: &str| {
        kept(&trained).schema.table(table).unwrap().column(name).unwrap().kind.clone()
    };
    assert_eq!(column("orders", "total"), ColumnKind::Number);
    assert_eq!(column("customers", "town"), ColumnKind::Category);
    let few = "DELETE FROM orders WHERE id > 9; DROP TABLE returned;";
    let tomorrow = Shop { changes: few, ..TODAY }.write(&folder.path().join("tomorrow.sqlite"));
    let found = examples(&trained, open(&tomorrow)).unwrap();
    let scored = scores(&trained, &found);
    assert_eq!(scored.len(), 9);
    for (id, score) in &scored {
        if let Some((_, before)) = ranked.iter().find(|(known, _)| known == id) {
            assert_eq!(score.to_bits(), before.to_bits(), "{id}");
        }
    }
    assert!(!found.notes.iter().any(|n| n.message.code.name == "tables-differ"), "{:?}", found.notes);
}

#[test]
fn more_towns_than_a_category_would_have_are_scored_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let (trained, _) = learn(&open(&TODAY.write(&folder.path().join("today.sqlite"))), &request("returned"));
    let tomorrow = Shop { towns: 130, ..TODAY }.write(&folder.path().join("tomorrow.sqlite"));
    let found = examples(&trained, open(&tomorrow)).unwrap();
    assert_eq!(scores(&trained, &found).len(), 400);
    let told =
        note(&found.notes, "unknown-values", "40 values of `customers.town` were not there at training");
    assert_eq!(
        (&told.message.fields["values"], &told.message.fields["column"]),
        (&40.into(), &"customers.town".into())
    );
    assert!(!told.is_warning());
}

#[test]
fn what_differs_is_told_and_what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (trained, _) = learn(&open(&TODAY.write(&path("today.sqlite"))), &request("returned"));
    let with =
        |name: &str, changes: &str| examples(&trained, open(&Shop { changes, ..TODAY }.write(&path(name))));
    let more = with(
        "more.sqlite",
        "CREATE TABLE visits (id INTEGER PRIMARY KEY); ALTER TABLE orders ADD COLUMN paid REAL;",
    )
    .unwrap();
    assert_eq!(scores(&trained, &more).len(), 400);
    assert_eq!(
        note(&more.notes, "tables-differ", "`visits` was not there").message.fields["new_table"],
        "visits"
    );
    note(&more.notes, "tables-differ", "table `orders` has the column `paid` that was not there at training");
    let less =
        with("less.sqlite", "ALTER TABLE customers DROP COLUMN town; ALTER TABLE orders DROP COLUMN note;")
            .unwrap();
    assert_eq!(scores(&trained, &less).len(), 400);
    assert!(note(&less.notes, "tables-differ", "table `customers` lacks the column `town`").is_warning());
    assert!(!format!("{:?}", less.notes).contains("`note`"), "a column that no rule uses");
    let fails = |name: &str, changes: &str| match with(name, changes).err().unwrap() {
        likewise_io::Error::Data(error) => (error.code().name, error.to_string()),
        other => panic!("{other}"),
    };
    let (code, text) = fails("a.sqlite", "DROP TABLE customers;");
    assert!(code == "missing-table" && text.contains("table `customers` is not in"), "{text}");
    let (code, text) = fails(
        "b.sqlite",
        "CREATE TABLE o (id INTEGER PRIMARY KEY, total REAL); INSERT INTO o SELECT id, total FROM orders;
         DROP TABLE orders; ALTER TABLE o RENAME TO orders;",
    );
    assert!(
        code == "missing-key" && text.contains("`orders.customer`, which refers to `customers`, is not in"),
        "{text}"
    );
    let (code, text) = fails("c.sqlite", "ALTER TABLE customers RENAME COLUMN id TO nr;");
    assert!(code == "missing-key" && text.contains("the key `customers.id` is not in"), "{text}");
}

#[test]
fn a_model_without_a_schema_still_scores_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let today = TODAY.write(&folder.path().join("today.sqlite"));
    let (mut trained, _) = learn(&open(&today), &request("returned"));
    let before = scores(&trained, &examples(&trained, open(&today)).unwrap());
    let Features::Related { target, .. } = trained.features else { panic!("not about tables") };
    trained.features = Features::Related { target, schema: None };
    let old = Trained::from_bytes(trained.to_bytes().unwrap()).unwrap();
    let found = examples(&old, open(&today)).unwrap();
    assert!(note(&found.notes, "schema-guessed", "guessed again").is_warning());
    assert_eq!(scores(&old, &found), before);
}

#[test]
fn a_folder_with_an_empty_table_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let write = |day: &str, orders: usize, visits: &str| {
        let path = folder.path().join(day);
        std::fs::create_dir(&path).unwrap();
        let rows: String = (0..orders).map(|o| format!("{},{}\n", o + 1, (o * 37) % 90)).collect();
        std::fs::write(path.join("orders.csv"), format!("id,total\n{rows}")).unwrap();
        std::fs::write(path.join("visits.csv"), format!("order_id,how\n{visits}")).unwrap();
        path
    };
    let visits: String =
        (0..60).map(|o| format!("{},{}\n", o + 1, if o % 4 == 0 { "late" } else { "early" })).collect();
    let like: Vec<String> = (0..60).filter(|o| o % 8 == 0).map(|o| (o + 1).to_string()).collect();
    std::fs::write(folder.path().join("like.txt"), like.join("\n")).unwrap();
    let asked = Request {
        like: vec![folder.path().join("like.txt").display().to_string().into()],
        ..request("bad(order)")
    };
    let (trained, _) = learn(&open(&write("today", 60, &visits)), &asked);
    for (day, orders, visits) in [("small", 9, "1,late\n"), ("none", 9, "")] {
        let found = examples(&trained, open(&write(day, orders, visits))).unwrap();
        assert_eq!(scores(&trained, &found).len(), orders, "{day}");
    }
}

#[test]
fn a_schema_file_serves_every_database_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let today = TODAY.write(&folder.path().join("today.sqlite"));
    let printed = open(&today).describe(None, &Run::new(0)).unwrap().schema.unwrap();
    for line in [
        "total = \"number\"",
        "town = \"category\"  # 90 values",
        "note = \"text\"",
        "customer = \"-> customers\"",
    ] {
        assert!(printed.contains(line), "{line} is not in\n{printed}");
    }
    let file = folder.path().join("mine.toml");
    let schema = |text: &str| {
        std::fs::write(&file, text).unwrap();
        open(&today).with_schema(&file).unwrap().describe(None, &Run::new(0))
    };
    assert_eq!(schema(&printed).unwrap().schema.as_ref(), Some(&printed));
    let corrected = schema(&printed.replace("kind = \"category\"", "kind = \"number\"")).unwrap();
    assert!(corrected.modes.iter().any(|(mode, _)| mode == "customers_kind(+customers,>number)"));
    let message = schema("[ordrs]\nkey = \"id\"").err().unwrap().to_string();
    assert!(message.contains("mine.toml") && message.contains("did you mean `orders`?"), "{message}");
}

#[test]
fn a_table_as_target_means_its_rows_or_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(&TODAY.write(&folder.path().join("today.sqlite")));
    let run = Run::new(0);
    let like = Request { like: vec!["SELECT id FROM orders WHERE total > 350".into()], ..request("orders") };
    let problem = database.problem(&like, &run).unwrap();
    assert_eq!((problem.x.background.signature().as_str(), problem.x.rows()), ("orders(orders)", 400));
    // The columns of the rows themselves are what they are judged by, also where another table holds the examples.
    let like = Request { like: vec!["returned".into()], ..request("orders") };
    let problem = database.problem(&like, &run).unwrap();
    let used: Vec<&str> = (problem.x.background.modes.iter())
        .map(|m| problem.x.facts().relation(m.relation).name.as_str())
        .collect();
    assert!(used.contains(&"orders_total") && !used.contains(&"returned"), "{used:?}");
    let message = database.problem(&request("orders"), &run).err().unwrap().to_string();
    for part in ["could mean two things", "'orders(orders)'", "'orders(customers)'"] {
        assert!(message.contains(part), "{message}");
    }
    let customers = database.problem(&request("orders(customers)"), &run).unwrap();
    assert_eq!(customers.x.background.signature(), "orders(customers)");
    assert_eq!(customers.positive.iter().filter(|p| **p).count(), 200);
}

#[test]
fn what_explains_a_row_asks_for_no_column_that_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let (trained, _) = learn(&open(&TODAY.write(&folder.path().join("today.sqlite"))), &request("returned"));
    let changes = "ALTER TABLE orders DROP COLUMN total; ALTER TABLE customers DROP COLUMN kind;";
    let tomorrow = Shop { changes, ..TODAY }.write(&folder.path().join("tomorrow.sqlite"));
    let found = examples(&trained, open(&tomorrow)).unwrap();
    let connection = Connection::open(&tomorrow).unwrap();
    let mut asked = 0;
    for row in 0..found.x.rows().min(30) {
        let one = found.x.select(&[row]);
        let told = likewise::questions::explain::related(&trained, &one, String::new(), 20, &Run::new(0));
        for sql in told.unwrap().reasons.iter().filter_map(|reason| reason.sql.as_ref()) {
            let holds = connection.query_row(sql, [], |row| row.get::<_, Option<bool>>(0));
            assert_eq!(holds, Ok(Some(true)), "{sql}");
            asked += 1;
        }
    }
    assert!(asked > 0);
}
