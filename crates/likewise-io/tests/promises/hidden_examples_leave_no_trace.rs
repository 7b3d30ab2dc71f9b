//! Examples that are hidden among related tables cannot be told by what marks them.

use likewise::Run;
use likewise::data::{Data, Kind, PuData};
use likewise::methods::prior::default_rankers;
use likewise::prior::hidden::{deal, hidden_ranks};
use likewise_io::database::{Database, Request};
use rusqlite::Connection;

/// Three hundred orders of which sixty are marked for no reason at all; only the tables that hold the marks, and what
/// refers to these, know which.
fn shop(path: &std::path::Path) {
    let connection = Connection::open(path).unwrap();
    let mut sql = String::from(
        "BEGIN;
         CREATE TABLE orders (id INTEGER PRIMARY KEY, kind TEXT, total REAL);
         CREATE TABLE marked (\"order\" INTEGER PRIMARY KEY REFERENCES orders(id), days INTEGER);
         CREATE TABLE calls (id INTEGER PRIMARY KEY, about INTEGER REFERENCES marked(\"order\"), minutes REAL);",
    );
    for order in 0u32..300 {
        let hash = order.wrapping_mul(2_654_435_761) >> 7;
        let (kind, total) = (hash % 5, (hash / 5) % 97);
        sql += &format!("INSERT INTO orders VALUES ({}, 'k{kind}', {total});\n", order + 1);
        if (hash / 499) % 5 == 0 {
            sql += &format!("INSERT INTO marked VALUES ({}, {});\n", order + 1, hash % 30);
            if (hash / 7919) % 5 < 3 {
                sql += &format!("INSERT INTO calls VALUES ({}, {}, {});\n", order + 1, order + 1, hash % 11);
            }
        }
    }
    connection.execute_batch(&format!("{sql}COMMIT;")).unwrap();
}

#[test]
fn a_hidden_example_stands_where_chance_puts_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    shop(&path);
    let database = Database::open(&[path.display().to_string()]).unwrap();
    let run = Run::new(0);
    for like in ["marked", "SELECT \"order\" FROM marked"] {
        let asked = Request { target: "late(orders)".into(), like: vec![like.into()], ..Request::default() };
        let problem = database.problem(&asked, &run).unwrap();
        let facts = problem.x.facts();
        let told: Vec<&str> =
            problem.x.background.modes.iter().map(|m| facts.relation(m.relation).name.as_str()).collect();
        assert_eq!(told, ["orders_kind", "orders_total", "calls_minutes"], "{like}");
        let data = PuData::new(Data::Relational(problem.x.into()), problem.positive).unwrap();
        let folds = deal(data.positives().len(), 5, &run).unwrap();
        let rankers = default_rankers(Kind::Relational);
        assert!(!rankers.is_empty());
        for ranker in rankers {
            let area = hidden_ranks(&ranker, &data, &folds, &run).unwrap().auc();
            assert!((0.35..0.65).contains(&area), "{like}, {}: {area}", ranker.name);
        }
    }
}
