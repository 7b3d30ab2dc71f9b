//! Databases, folders of tables and files of facts, from the path to a ranking.

use std::collections::HashSet;
use std::path::Path;

use likewise::Run;
use likewise::data::{Column, Data, PuData, Table};
use likewise::method::Parameters;
use likewise::note::Note;
use likewise::registry::find;
use likewise_io::database::{Database, ExampleList, GivenTables, RelationalProblem, Request};

/// Sixty orders; those with a fragile product were refunded, and half of those refunds are known.
struct Shop;

impl Shop {
    fn is_refunded(order: usize) -> bool {
        order.is_multiple_of(4)
    }

    fn rows() -> Vec<(&'static str, &'static str, Vec<String>)> {
        let orders: Vec<String> =
            (0..60).map(|o| format!("{},{},{}", o + 1, o % 7 + 1, 10 + (o * 37) % 90)).collect();
        let items = (0..60).flat_map(|o| {
            let product = if Shop::is_refunded(o) { 1 + o % 2 } else { 3 + o % 5 };
            [format!("{},{product}", o + 1), format!("{},{}", o + 1, 3 + (o + 1) % 5)]
        });
        let mut items: Vec<String> = items.collect();
        items.sort();
        items.dedup();
        let refunds = (0..60)
            .filter(|o| Shop::is_refunded(*o) && o % 8 == 0)
            .map(|o| format!("{},{}", o + 1, 5))
            .collect();
        let products = (1..=7).map(|p| format!("{p},{}", if p <= 2 { "fragile" } else { "solid" })).collect();
        let customers = (1..=7).map(|c| format!("{c},{}", ["Ulm", "Bonn"][c % 2])).collect();
        vec![
            ("customers", "id,city", customers),
            ("products", "id,kind", products),
            ("orders", "id,customer_id,total", orders),
            ("items", "order_id,product_id", items),
            ("refund", "order_id,days", refunds),
        ]
    }

    fn sqlite(path: &Path) {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT);
                 CREATE TABLE products (id INTEGER PRIMARY KEY, kind TEXT);
                 CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total REAL);
                 CREATE TABLE items (order_id INTEGER REFERENCES orders(id), product_id INTEGER REFERENCES products(id));
                 CREATE TABLE refund (order_id INTEGER PRIMARY KEY REFERENCES orders(id), days INTEGER);",
            )
            .unwrap();
        for (table, _, rows) in Shop::rows() {
            for row in rows {
                let values: Vec<String> = row.split(',').map(|v| format!("'{v}'")).collect();
                connection
                    .execute(&format!("INSERT INTO {table} VALUES ({})", values.join(",")), [])
                    .unwrap();
            }
        }
    }

    fn folder(path: &Path) {
        for (table, head, rows) in Shop::rows() {
            std::fs::write(path.join(format!("{table}.csv")), format!("{head}\n{}\n", rows.join("\n")))
                .unwrap();
        }
    }
}

fn open(path: &Path) -> Database {
    Database::open(&[path.display().to_string()]).unwrap()
}

fn request(target: &str) -> Request {
    Request { target: target.into(), ..Request::default() }
}

/// The ids of the pile, best first, with relocc.
fn ranked(problem: &RelationalProblem) -> Vec<String> {
    let train = PuData::new(Data::Relational(problem.x.clone().into()), problem.positive.clone()).unwrap();
    let fitted = find("relocc").unwrap().fit(&Parameters::new(), &train, &Run::new(0)).unwrap();
    let order = likewise::decide::ranking(&fitted.scores);
    order.into_iter().filter(|&row| !problem.positive[row]).map(|row| problem.ids[row].to_string()).collect()
}

/// The refunds that nobody marked come first.
fn finds_the_hidden_refunds(problem: &RelationalProblem) {
    assert_eq!(problem.x.rows(), 60);
    assert_eq!(problem.positive.iter().filter(|p| **p).count(), 8);
    let hidden: HashSet<String> =
        (0..60).filter(|o| Shop::is_refunded(*o) && o % 8 != 0).map(|o| (o + 1).to_string()).collect();
    let best: HashSet<String> = ranked(problem).into_iter().take(hidden.len()).collect();
    assert_eq!(best, hidden);
}

fn text_of(notes: &[Note]) -> String {
    format!("{notes:?}")
}

#[test]
fn a_sqlite_file_with_references() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    Shop::sqlite(&path);
    let database = open(&path);
    let by_table = database.problem(&request("refund(order)"), &Run::new(0)).unwrap();
    finds_the_hidden_refunds(&by_table);
    assert!(
        text_of(&by_table.notes).contains("no pile was named, so it is the 52 `orders` that are not marked"),
        "{:?}",
        by_table.notes
    );
    let select = Request { like: vec!["SELECT order_id FROM refund".into()], ..request("returned(orders)") };
    let by_query = database.problem(&select, &Run::new(0)).unwrap();
    assert!(
        text_of(&by_query.notes).contains("relation `refund` names the same examples as `returned`"),
        "{:?}",
        by_query.notes
    );
    finds_the_hidden_refunds(&by_query);
    let view = "CREATE VIEW returned_orders AS SELECT order_id FROM refund";
    rusqlite::Connection::open(&path).unwrap().execute_batch(view).unwrap();
    let by_view = Request { like: vec!["returned_orders".to_string().into()], ..request("returned(orders)") };
    let by_view = open(&path).problem(&by_view, &Run::new(0)).unwrap();
    assert_eq!((by_view.x.rows(), &by_view.ids), (by_query.x.rows(), &by_query.ids));
    let keys = folder.path().join("keys.txt");
    std::fs::write(&keys, "1\n9\nrefund(17).\n").unwrap();
    let some = Request {
        like: vec![keys.display().to_string().into()],
        pile: vec!["SELECT id FROM orders WHERE id < 10".into()],
        ..request("refund(order)")
    };
    let some = database.problem(&some, &Run::new(0)).unwrap();
    assert_eq!((some.ids.select(&[0, 1, 2]), some.x.rows()), (["1", "9", "17"].iter().collect(), 10));
    assert!(
        text_of(&some.notes).contains("2 rows of the pile are among the positive examples"),
        "{:?}",
        some.notes
    );
}

#[test]
fn tables_in_memory_are_a_folder_of_files() {
    let folder = tempfile::tempdir().unwrap();
    Shop::folder(folder.path());
    let from_files = open(folder.path()).problem(&request("refund(order)"), &Run::new(0)).unwrap();
    let table = |head: &str, rows: &[String]| {
        let mut table = Table::from_source("memory");
        table.origins = (0..rows.len()).map(|row| (0, row as u64 + 1)).collect();
        for (at, name) in head.split(',').enumerate() {
            let cells = rows.iter().map(|row| row.split(',').nth(at).unwrap_or_default());
            table.push_column(name, Column::Text(cells.collect()));
        }
        table
    };
    let tables = Shop::rows().into_iter().rev();
    let tables: Vec<_> = tables.map(|(name, head, rows)| (name.to_string(), table(head, &rows))).collect();
    let given = GivenTables::new(tables.clone(), None, &[]).unwrap();
    let problem = Database::given(&given).problem(&request("refund(order)"), &Run::new(0)).unwrap();
    finds_the_hidden_refunds(&problem);
    assert_eq!((&problem.ids, ranked(&problem)), (&from_files.ids, ranked(&from_files)));
    let keys = table("key", &["1".to_string(), "9".to_string(), "999".to_string()]);
    let some = Request { like: vec![ExampleList::Rows(Box::new(keys))], ..request("late(order)") };
    let some = Database::given(&given).problem(&some, &Run::new(0)).unwrap();
    assert_eq!((some.ids.select(&[0, 1]), some.x.rows()), (["1", "9"].iter().collect(), 60));
    let told = "1 of 3 examples names nothing that is known and is left out: `999`, the first, is not in `orders.id`, where a key is such as `1`";
    assert!(text_of(&some.notes).contains(told), "{:?}", some.notes);
    assert!(some.ids.iter().all(|id| id != "999"), "what nothing is known of is no pile either");
    let twice = [tables.clone(), vec![("Orders".to_string(), table("id", &[]))]].concat();
    let message = GivenTables::new(twice, None, &[]).unwrap_err().to_string();
    assert!(message.contains("one name for two tables"), "{message}");
}

#[test]
fn a_folder_of_files_whose_references_are_guessed() {
    let folder = tempfile::tempdir().unwrap();
    Shop::folder(folder.path());
    let database = open(folder.path());
    let described = database.describe(None, &Run::new(0)).unwrap();
    let schema = described.schema.unwrap();
    for line in [
        "customer_id = \"-> customers\"",
        "kind = \"category\"  # 2 values",
        "key = \"id\"",
        "total = \"number\"",
    ] {
        assert!(schema.contains(line), "{line} is not in\n{schema}");
    }
    assert!(described.modes.iter().any(|(mode, facts)| mode == "items(+orders,-products)" && *facts > 60));
    std::fs::write(folder.path().join("schema.toml"), &schema).unwrap();
    let again = open(folder.path()).describe(None, &Run::new(0)).unwrap();
    assert_eq!(again.schema.as_ref(), Some(&schema));
    finds_the_hidden_refunds(&database.problem(&request("refund(order)"), &Run::new(0)).unwrap());
    std::fs::write(folder.path().join("schema.toml"), "[orders.columns]\ncustomer_id = \"-> clients\"")
        .unwrap();
    let message = open(folder.path()).describe(None, &Run::new(0)).err().unwrap().to_string();
    assert!(
        message.contains("`orders.customer_id` refers to `clients`, but there is no such table"),
        "{message}"
    );
}

#[test]
fn a_folder_of_facts_with_all_pairs_as_the_pile() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("modes.txt"), "knows(+p,+p).\nwith(+p,-c).\nwith(-p,+c).\nold(+p).")
        .unwrap();
    let facts: Vec<String> = (0..30).map(|p| format!("with(p{p},c{}).", p / 3)).collect();
    std::fs::write(folder.path().join("train_facts.txt"), facts.join("\n")).unwrap();
    let known: Vec<String> = (0..6).map(|c| format!("knows(p{},p{}).", 3 * c, 3 * c + 1)).collect();
    std::fs::write(folder.path().join("train_pos.txt"), known.join("\n")).unwrap();
    let problem = open(folder.path()).problem(&request("knows"), &Run::new(0)).unwrap();
    assert_eq!((problem.x.rows(), &problem.ids[0]), (900, "knows(p0,p1)"));
    let best = ranked(&problem);
    let together = |id: &String| {
        let numbers: Vec<usize> =
            id[6..id.len() - 1].split(',').map(|p| p[1..].parse::<usize>().unwrap() / 3).collect();
        numbers[0] == numbers[1]
    };
    assert!(best.iter().take(84).all(together), "{:?}", &best[..84]);
}

#[test]
fn mistakes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    Shop::sqlite(&path);
    let fails = |request: Request| open(&path).problem(&request, &Run::new(0)).err().unwrap().to_string();
    let like = |target: &str, like: &str| Request { like: vec![like.into()], ..request(target) };
    for (request, expected) in [
        (request("refnd"), "nothing says what its arguments are (did you mean `refund`?)"),
        (request("refund(orderz)"), "there is no type `orderz` (did you mean `orders`?)"),
        (request("refund(order,customer)"), "`refund` has 1 argument, not 2; write refund(orders)"),
        (request("late(order)"), "which examples of `late` are known?"),
        (request("late("), "write it like `refund` or `refund(order)`"),
        (like("late(order)", "no-such-thing"), "neither a file, nor a table, nor a SELECT"),
        (like("late(order)", "SELECT id FROM ordrs"), "no such table: ordrs"),
        (like("late(order)", "customers"), "do not name orders each"),
        (like("late(order)", "SELECT id FROM orders WHERE id < 0"), "there is no positive example"),
        (
            like("late(order)", "SELECT 'nope' || id FROM orders WHERE id < 4"),
            "none of the 3 examples are known: `nope1` is not in `orders.id`, where a key is such as `1`",
        ),
        (Request { modes: Some("m.txt".into()), ..request("refund") }, "modes belong to facts"),
    ] {
        let message = fails(request);
        assert!(message.contains(expected), "{message}");
    }
    let opening = |paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|p| p.to_string()).collect();
        Database::open(&paths).err().unwrap().to_string()
    };
    let shop = path.display().to_string();
    assert!(opening(&["gone.sqlite"]).contains("there is no such file or folder"));
    assert!(opening(&[&shop, &shop]).contains("give one database"));
    let empty = tempfile::tempdir().unwrap();
    assert!(opening(&[&empty.path().display().to_string()]).contains("neither tables"));
    if cfg!(not(feature = "postgres")) {
        assert!(opening(&["postgres://localhost/shop"]).contains("built without PostgreSQL"));
    }
}

#[test]
fn a_key_that_nobody_declared_is_found_in_every_kind_of_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mail.sqlite");
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch(
            "CREATE TABLE people (id TEXT PRIMARY KEY);
             CREATE TABLE msg (id TEXT, body TEXT, sender TEXT REFERENCES people(id));
             CREATE TABLE visits (customer TEXT REFERENCES people(id), day TEXT);
             INSERT INTO people VALUES ('ann'), ('bob');
             INSERT INTO msg VALUES ('m1', 'hello', 'ann'), ('m2', 'bye', 'bob');
             INSERT INTO visits VALUES ('ann', 'monday'), ('bob', 'friday');",
        )
        .unwrap();
    let schema = open(&path).describe(None, &Run::new(0)).unwrap().schema.unwrap();
    let of = |table: &str| {
        let from = schema.find(&format!("[{table}]")).unwrap();
        schema[from..].lines().nth(1).unwrap().to_string()
    };
    assert_eq!((of("msg").as_str(), of("visits").as_str()), ("key = \"id\"", "key = \"rowid\""), "{schema}");
    let msg = &schema[schema.find("[msg.columns]").unwrap()..];
    assert!(!msg[..msg.find("[visits]").unwrap_or(msg.len())].contains("rowid"), "{schema}");
    let documents =
        open(&path).documents("msg.body", &["SELECT 'm2'".into()], &[], &[], &Run::new(0)).unwrap();
    assert_eq!(documents.positive, [false, true]);
}

#[test]
fn known_negatives_are_no_pile() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    Shop::sqlite(&path);
    let asked = |unlike: &str, pile: &[&str]| {
        let pile = pile.iter().map(|&list| list.into()).collect();
        let request = Request { unlike: vec![unlike.into()], pile, ..request("refund(order)") };
        open(&path).problem(&request, &Run::new(0)).unwrap()
    };
    let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
    let all = asked("SELECT id FROM orders WHERE id IN (2, 3, 4)", &[]);
    assert_eq!((all.x.rows(), count(&all.positive), count(&all.unwanted)), (60, 8, 3));
    assert_eq!(all.ids.select(&[8, 9, 10]), ["2", "3", "4"]);
    assert!(all.unwanted[8..11].iter().all(|unwanted| *unwanted));
    let listed = asked("SELECT 2 UNION SELECT 1", &["SELECT id FROM orders WHERE id <= 8"]);
    assert_eq!((listed.x.rows(), count(&listed.positive), count(&listed.unwanted)), (15, 8, 1));
    let told = text_of(&listed.notes);
    assert!(told.contains("1 row of the pile is known not to be wanted and not ranked"), "{told}");
    assert!(told.contains("1 example is marked as wanted and as not wanted; it counts as wanted"), "{told}");
    let unknown = Request { unlike: vec!["SELECT 'x'".into()], ..request("refund(order)") };
    let message = open(&path).problem(&unknown, &Run::new(0)).err().unwrap().to_string();
    assert!(message.contains("none of the examples known not to be wanted is known: `x`"), "{message}");
    let run = Run::new(0);
    let asked = ["SELECT 'nope1' UNION SELECT 'nope2'".to_string()];
    let message = open(&path).documents("orders.total", &asked, &[], &[], &run).err().unwrap().to_string();
    assert!(message.contains("none of the 2 examples are known: `nope1` is not in `orders.id`"), "{message}");
}

#[test]
fn references_to_nothing_and_circles_of_keys_are_told() {
    let folder = tempfile::tempdir().unwrap();
    Shop::folder(folder.path());
    let items = folder.path().join("items.csv");
    let text = std::fs::read_to_string(&items).unwrap();
    std::fs::write(&items, format!("{text}60,99\n")).unwrap();
    let found = open(folder.path()).describe(None, &Run::new(0)).unwrap();
    let told = "1 value refers to rows of `products` that do not exist (the first: `99`)";
    assert!(text_of(&found.notes).contains(told), "{:?}", found.notes);
    // What only a reference names is no row to rank, new or old.
    let orders = format!("{text}60,99\n999,1\n");
    std::fs::write(&items, orders).unwrap();
    let database = open(folder.path());
    let ranked = database.problem(&request("refund(order)"), &Run::new(0)).unwrap();
    assert!(ranked.x.rows() == 60 && ranked.ids.iter().all(|id| id != "999"), "{}", ranked.x.rows());
    let scored = database.examples(&request("refund(order)"), &Run::new(0)).unwrap();
    assert!(scored.ids.iter().all(|id| id != "999"));
    let circle = "[orders.columns]\nid = \"-> refund\"\n[refund]\nkey = \"order_id\"\n[refund.columns]\norder_id = \"-> orders\"";
    std::fs::write(folder.path().join("schema.toml"), circle).unwrap();
    let message = open(folder.path()).describe(None, &Run::new(0)).err().unwrap().to_string();
    assert!(message.contains("refer to each other in a circle"), "{message}");
}

#[test]
fn a_text_column_gives_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    Shop::sqlite(&path);
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE reviews (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO reviews VALUES (5, 'good'), (6, 'bad'), (7, NULL);")
        .unwrap();
    let database = open(&path);
    let run = Run::new(0);
    let documents = database.documents("reviews.body", &["SELECT 6".into()], &[], &[], &run).unwrap();
    assert_eq!(documents.positive, [false, true, false]);
    let cell = |name: &str, row| documents.table.get(name).unwrap().cell(row).into_owned();
    assert_eq!((cell("id", 1), cell("body", 1), cell("body", 2)), ("6".into(), "bad".into(), "".into()));
    let fails = |place: &str| database.documents(place, &[], &[], &[], &run).err().unwrap().to_string();
    assert!(fails("reviews").contains("write it like `reviews.body`"));
    assert!(fails("review.body").contains("did you mean `reviews`?"));
    assert!(fails("reviews.bdy").contains("did you mean `body`?"));
    assert!(fails("items.order_id").contains("has no key of one column"));
}
