//! Databases with slips in their keys, references that nobody declared, tables that are beside the point, and lists of
//! examples as people write them.

use std::path::{Path, PathBuf};

use likewise::Run;
use likewise_io::database::{Database, RelationalProblem, Request};
use rusqlite::Connection;
use tempfile::TempDir;

struct Base {
    folder: TempDir,
}

impl Base {
    fn new() -> Base {
        Base { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn sqlite(&self, sql: &str) -> PathBuf {
        let path = self.path("base.sqlite");
        if path.exists() {
            std::fs::remove_file(&path).unwrap();
        }
        Connection::open(&path)
            .unwrap()
            .execute_batch(&format!("PRAGMA foreign_keys = OFF; BEGIN; {sql}; COMMIT"))
            .unwrap();
        path
    }
}

fn open(path: &Path) -> Database {
    Database::open(&[path.display().to_string()]).unwrap()
}

fn asked(target: &str, like: &str) -> Request {
    Request { target: target.into(), like: vec![like.into()], ..Request::default() }
}

fn problem(path: &Path, target: &str, like: &str) -> Result<RelationalProblem, String> {
    open(path).problem(&asked(target, like), &Run::new(0)).map_err(|e| e.to_string())
}

fn told(found: &RelationalProblem) -> String {
    found.notes.iter().map(|note| format!("{note}\n")).collect()
}

fn examples(found: &RelationalProblem) -> Vec<&str> {
    found.ids.iter().zip(&found.positive).filter(|(_, positive)| **positive).map(|(id, _)| id).collect()
}

fn schema(path: &Path) -> String {
    open(path).describe(None, &Run::new(0)).unwrap().schema.unwrap()
}

/// `id` and `carrier` of twenty orders.
fn orders(first: &str) -> String {
    (1..=20).fold(format!("id,carrier\n{first}"), |all, i| format!("{all}{i},{}\n", ["a", "b"][i % 2]))
}

const TWENTY: &str = "CREATE TABLE orders (id INTEGER PRIMARY KEY, carrier TEXT);
    INSERT INTO orders WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT i, 'abc' FROM n;";

#[test]
fn row_numbers_never_stand_in_for_keys() {
    let base = Base::new();
    let keys = base.write("keys.txt", "1\n2\n3\n");
    for (first, why) in
        [(",a\n", "is empty in 1 of 21 rows"), ("7,a\n", "repeats an earlier row in 1 of 21 rows")]
    {
        base.write("shop/orders.csv", &orders(first));
        let told = problem(&base.path("shop"), "refund(order)", &keys).err().unwrap();
        assert!(
            told.contains("rows of `orders` cannot be named: `orders.id` would be their key")
                && told.contains(why),
            "{told}"
        );
        let described = open(&base.path("shop")).describe(None, &Run::new(0)).unwrap();
        let note = described.notes.iter().find(|note| note.message.code.name == "unusable-key").unwrap();
        assert!(note.to_string().contains("orders.csv:"), "{note}");
    }
    base.write("shop/orders.csv", &orders(""));
    assert_eq!(examples(&problem(&base.path("shop"), "refund(order)", &keys).unwrap()), ["1", "2", "3"]);
}

#[test]
fn a_key_that_is_named_in_a_schema_and_repeats_is_told() {
    let base = Base::new();
    base.write("shop/orders.csv", &orders("7,a\n"));
    base.write("shop/schema.toml", "[orders]\nkey = \"id\"\n");
    let keys = base.write("keys.txt", "1\n2\n");
    let found = problem(&base.path("shop"), "refund(order)", &keys).unwrap();
    assert!(
        told(&found).contains("1 row of `orders` has a `id` that an earlier row has (the first: `7` at"),
        "{}",
        told(&found)
    );
}

#[test]
fn what_is_not_declared_is_guessed_beside_what_is() {
    let base = Base::new();
    let items = "CREATE TABLE products (id INTEGER PRIMARY KEY, kind TEXT);
        INSERT INTO products VALUES (1, 'x'), (2, 'y'), (3, 'x');
        CREATE TABLE items (id INTEGER PRIMARY KEY, order_id REAL, product_id INTEGER REFERENCES products(id));
        INSERT INTO items SELECT id, id, id % 3 + 1 FROM orders;
        CREATE TABLE order_details (order_id INTEGER PRIMARY KEY, kind TEXT);
        INSERT INTO order_details SELECT id, 'k' FROM orders;
        CREATE TABLE order_products (order_id INTEGER, product_id INTEGER, PRIMARY KEY (order_id, product_id)) WITHOUT ROWID;
        INSERT INTO order_products SELECT id, id % 3 + 1 FROM orders";
    let path = base.sqlite(&format!("{TWENTY} {items}"));
    let schema = schema(&path);
    assert_eq!(schema.matches("order_id = \"-> orders\"").count(), 3, "{schema}");
    assert_eq!(schema.matches("product_id = \"-> products\"").count(), 2, "{schema}");
}

#[test]
fn references_that_lead_to_no_key_are_told() {
    let base = Base::new();
    let sql = "CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
        INSERT INTO customers VALUES (1, 'a@x'), (2, 'b@x');
        CREATE TABLE lots (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
        CREATE TABLE visits (id INTEGER PRIMARY KEY, who TEXT REFERENCES customers(email), shelf INTEGER REFERENCES shelves,
                             lot INTEGER REFERENCES lots);
        INSERT INTO visits VALUES (1, 'a@x', 1, 1), (2, 'b@x', 2, 2);
        CREATE TABLE p (id INTEGER PRIMARY KEY REFERENCES q(id));
        CREATE TABLE q (id INTEGER PRIMARY KEY REFERENCES p(id))";
    let path = base.sqlite(&format!("{TWENTY} {sql}"));
    let described = open(&path).describe(None, &Run::new(0)).unwrap();
    let told: String = described.notes.iter().map(|note| format!("{note}\n")).collect();
    for expected in [
        "`visits.who` is declared to refer to `customers.email`, which rules do not follow: `email` is not the key of `customers`",
        "`visits.shelf` is declared to refer to `shelves`, which rules do not follow: there is no table `shelves` to read",
        "`visits.lot` is declared to refer to `lots`, which rules do not follow: `lots` has no key of one column",
        "`p.id` is declared to refer in a circle",
    ] {
        assert!(told.contains(expected), "{expected} is not in\n{told}");
    }
    let file = base.write("schema.toml", "[customers]\nkey = \"email\"\n");
    let again = open(&path).with_schema(Path::new(&file)).unwrap().describe(None, &Run::new(0)).unwrap();
    assert!(again.schema.unwrap().contains("who = \"-> customers\""));
}

#[test]
fn whole_numbers_are_equal_by_value() {
    let base = Base::new();
    base.write("shop/orders.csv", &orders(""));
    let items: String = (1..=20).map(|i| format!("{i},{i}.0,glass\n")).collect();
    base.write("shop/items.csv", &format!("id,order_id,kind\n{items}"));
    let keys = base.write("keys.csv", "order_id\n1.0\n2.0\n");
    let found = problem(&base.path("shop"), "refund(order)", &keys).unwrap();
    assert!(told(&found).contains("`items.order_id` is taken to refer to `orders`"), "{}", told(&found));
    assert!(!told(&found).contains("do not exist"), "{}", told(&found));
    assert_eq!((examples(&found), found.x.rows()), (vec!["1", "2"], 20));
    // Versions are texts, and 1.0 is not 1.
    let versions: String = (1..=20).map(|i| format!("{}.{},a\n", i / 10, i % 10)).collect();
    base.write("shop/orders.csv", &format!("id,carrier\n{versions}"));
    std::fs::remove_file(base.path("shop/items.csv")).unwrap();
    let found = problem(&base.path("shop"), "refund(order)", &keys).unwrap();
    assert_eq!(examples(&found), ["1.0", "2.0"]);
}

#[test]
fn namibia_is_a_country_in_every_kind_of_database() {
    let base = Base::new();
    let codes = ["DE", "FR", "IT", "ES", "NA", "KE"];
    let countries: String = codes.iter().map(|code| format!("{code},x\n")).collect();
    let visits: String = (0..30).map(|i| format!("{i},{}\n", codes[i % 6])).collect();
    base.write("shop/countries.csv", &format!("id,continent\n{countries}"));
    base.write("shop/visits.csv", &format!("id,country\n{visits}"));
    let keys = base.write("keys.csv", "id\nNA\nKE\n");
    let of_files = problem(&base.path("shop"), "risky(country)", &keys).unwrap();
    assert_eq!((examples(&of_files), of_files.x.rows()), (vec!["NA", "KE"], 6));
    let facts = of_files.x.facts();
    assert_eq!(facts.relation(facts.named("visits_country").unwrap()).rows, 30);
    let values = |rows: &str| {
        let row = |line: &str| format!("('{}')", line.replace(',', "','"));
        rows.lines().map(row).collect::<Vec<_>>().join(",")
    };
    let path = base.sqlite(&format!(
        "CREATE TABLE countries (id TEXT, continent TEXT); INSERT INTO countries VALUES {};
         CREATE TABLE visits (id TEXT, country TEXT); INSERT INTO visits VALUES {}",
        values(&countries),
        values(&visits)
    ));
    let of_sqlite = problem(&path, "risky(country)", &keys).unwrap();
    assert_eq!((&of_files.ids, &of_files.positive), (&of_sqlite.ids, &of_sqlite.positive));
}

#[test]
fn tables_beside_the_point_are_left_out_and_those_asked_for_are_refused() {
    let base = Base::new();
    let keys = base.write("keys.txt", "1\n2\n");
    for (sql, why) in [
        (
            "CREATE TABLE tags (name TEXT PRIMARY KEY, what TEXT); INSERT INTO tags VALUES ('a', 'x'), (NULL, 'y')",
            "its key `name` is empty in 1 of 2 rows",
        ),
        (
            "CREATE TABLE tags (id BLOB PRIMARY KEY, what TEXT); INSERT INTO tags VALUES (x'00', 'x')",
            "or holds bytes there",
        ),
        (
            "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'tags', 'tags', 0, 'CREATE VIRTUAL TABLE tags USING spatial(a)')",
            "no such module: spatial",
        ),
    ] {
        let path = base.sqlite(&format!("{TWENTY} {sql}"));
        let found = problem(&path, "refund(order)", &keys).unwrap();
        let told = told(&found);
        assert!(told.contains("table `tags` is left out: ") && told.contains(why), "{told}");
        let refused = problem(&path, "odd(tag)", &keys).err().unwrap();
        assert!(
            refused.contains("table `tags` is asked for and cannot be used") && refused.contains(why),
            "{refused}"
        );
    }
    let path = base.sqlite(&format!(
        "{TWENTY} CREATE TABLE tags (name TEXT PRIMARY KEY, what TEXT); INSERT INTO tags VALUES (NULL, 'y')"
    ));
    let file = base.write("schema.toml", "[tags]\nkey = []\n");
    let with = open(&path).with_schema(Path::new(&file)).unwrap();
    assert!(with.describe(None, &Run::new(0)).unwrap().schema.unwrap().contains("[tags]"));
    base.write("shop/orders.csv", &orders(""));
    base.write("shop/junk.csv", "a,b\n1,2,3\n");
    let found = problem(&base.path("shop"), "refund(order)", &keys).unwrap();
    assert!(
        told(&found).contains("table `junk` is left out: ") && !told(&found).contains("skip"),
        "{}",
        told(&found)
    );
}

#[test]
fn names_of_columns_win_over_their_places() {
    let base = Base::new();
    let path = base.sqlite(&format!(
        "{TWENTY} CREATE TABLE returns (id INTEGER PRIMARY KEY, order_id INTEGER); INSERT INTO returns VALUES (1, 11), (2, 12);
         CREATE VIEW returned AS SELECT * FROM returns;
         CREATE TABLE products (id INTEGER PRIMARY KEY, kind TEXT); INSERT INTO products VALUES (1, 'x'), (2, 'y')"
    ));
    for like in [
        "SELECT * FROM returns",
        "returned",
        "\n select\n* from returns",
        "WITH r AS (SELECT * FROM returns) SELECT * FROM r",
        "returns",
    ] {
        assert_eq!(examples(&problem(&path, "refund(order)", like).unwrap()), ["11", "12"], "{like}");
    }
    let pairs = base.write("pairs.csv", "products,orders\n2,11\n");
    let found = problem(&path, "broke(order,product)", &pairs).unwrap();
    assert_eq!(examples(&found), ["broke(11,2)"]);
}

#[test]
fn a_key_of_several_columns_is_no_row_number() {
    let base = Base::new();
    let path = base.sqlite(&format!(
        "{TWENTY} CREATE TABLE items (order_id INTEGER, line INTEGER, kind TEXT, PRIMARY KEY (order_id, line));
         INSERT INTO items SELECT id, 1, 'x' FROM orders"
    ));
    let told = problem(&path, "odd(item)", "SELECT order_id, line FROM items LIMIT 3").err().unwrap();
    assert!(told.contains("`order_id` and `line` together name the rows of `items`"), "{told}");
    assert_eq!(
        examples(&problem(&path, "odd(item)", "SELECT rowid FROM items LIMIT 2").unwrap()),
        ["1", "2"]
    );
}

#[test]
fn only_rows_that_exist_are_scored() {
    let base = Base::new();
    let items = "CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id));
        INSERT INTO items SELECT id, id FROM orders; DELETE FROM orders";
    let path = base.sqlite(&format!("{TWENTY} {items}"));
    let request = Request { target: "refund(order)".into(), ..Request::default() };
    assert_eq!(open(&path).examples(&request, &Run::new(0)).unwrap().ids.len(), 0);
}

#[test]
fn what_is_named_twice_is_ranked_once() {
    let base = Base::new();
    let path = base.sqlite(TWENTY);
    let pile = "SELECT id FROM orders WHERE id > 10 UNION ALL SELECT id FROM orders WHERE id > 15";
    let request =
        Request { pile: vec![pile.into()], ..asked("refund(order)", "SELECT id FROM orders WHERE id < 4") };
    let found = open(&path).problem(&request, &Run::new(0)).unwrap();
    assert!(
        found.x.rows() == 13 && told(&found).contains("5 rows of the pile were named before"),
        "{}",
        told(&found)
    );
    let scored = open(&path).examples(&request, &Run::new(0)).unwrap();
    assert_eq!(scored.ids.len(), 10);
}

#[test]
fn keys_may_look_like_atoms_and_comments() {
    let base = Base::new();
    let path = base.sqlite(
        "CREATE TABLE products (name TEXT PRIMARY KEY, kind TEXT);
         INSERT INTO products VALUES ('Widget (red) 0', 'x'), ('% pure', 'y'), ('// x', 'z'), ('plain', 'x'), ('other', 'y')",
    );
    let keys = base.write("keys.txt", "Widget (red) 0\n% pure\n// a comment\n// x\nbad(plain)\n");
    let found = problem(&path, "bad(product)", &keys).unwrap();
    assert_eq!(examples(&found), ["Widget (red) 0", "% pure", "// x", "plain"]);
    assert!(
        told(&found).contains("1 line of ") && told(&found).contains("was taken for a comment"),
        "{}",
        told(&found)
    );
    let one = open(&path).example(&asked("bad(product)", ""), "Widget (red) 0", &Run::new(0)).unwrap();
    assert!(one.notes.iter().all(|note| note.message.code.name != "strange-examples"), "{:?}", one.notes);
}

#[test]
fn rows_of_a_table_that_refer_to_nothing_are_no_examples() {
    let base = Base::new();
    let path = base.sqlite(&format!(
        "{TWENTY} CREATE TABLE staff (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES staff(id));
         INSERT INTO staff VALUES (1, NULL), (2, 1), (3, 1);
         CREATE TABLE packed (id INTEGER PRIMARY KEY, o INTEGER REFERENCES orders(id), by INTEGER REFERENCES staff(id));
         INSERT INTO packed VALUES (1, 1, 2), (2, 2, NULL), (3, 3, 3)"
    ));
    let request = Request { target: "packed(order,staff)".into(), ..Request::default() };
    let found = open(&path).problem(&request, &Run::new(0)).unwrap();
    assert_eq!(examples(&found), ["packed(1,2)", "packed(3,3)"]);
    assert!(
        told(&found).contains("1 row of `packed` is left out: a row without `o` or `by`"),
        "{}",
        told(&found)
    );
    let request = Request { target: "staff".into(), ..Request::default() };
    let unclear = open(&path).problem(&request, &Run::new(0)).err().unwrap().to_string();
    assert!(
        unclear.matches("staff(staff)").count() == 1 && unclear.contains("examples of them with"),
        "{unclear}"
    );
}
