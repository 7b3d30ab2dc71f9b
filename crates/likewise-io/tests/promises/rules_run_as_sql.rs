//! The SQL of every rule, run on the database that it was learned from, says what the model itself says.

use std::path::Path;

use likewise::Run;
use likewise::data::{Data, PuData};
use likewise::method::{Cause, Method, Model};
use likewise::methods::relational::Cut;
use likewise::methods::relational::relocc::RelOcc;
use likewise::methods::relational::relocc_random::RelOccRandom;
use likewise::methods::relational::rpt::Rpt;
use likewise::parts::distance_forest::ForestModel;
use likewise::relations::rules;
use likewise_io::database::{Database, RelationalProblem, Request};
use rusqlite::Connection;

/// Eighty parcels of twenty senders: keys that are texts with leading zeros, names that need quotes, cells that are
/// missing, empty, words among numbers, or of no declared type, rows that stand twice.
fn parcels(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE \"Sender\" (\"No.\" TEXT PRIMARY KEY, town TEXT, vip BOOLEAN, code);
             CREATE TABLE \"order\" (id INTEGER PRIMARY KEY, \"from\" TEXT REFERENCES \"Sender\", weight REAL, pieces INTEGER,
                                     since DATE, zip TEXT, depot REFERENCES depots(id));
             CREATE TABLE depots (id PRIMARY KEY, size NUMERIC, hall TEXT COLLATE NOCASE, area TEXT);
             CREATE TABLE scans (\"order\" INTEGER REFERENCES \"order\"(id), \"it's\" TEXT, seconds REAL);
             CREATE TABLE both (\"order\" INTEGER REFERENCES \"order\"(id), \"Sender\" TEXT REFERENCES \"Sender\", how TEXT);",
        )
        .unwrap();
    let mut sql = String::new();
    for s in 0..20 {
        let town = ["'Ulm'", "'Bonn'", "''", "NULL", "'O''Fallon'"][s % 5];
        let code = if s % 2 == 0 { format!("{}", s % 4) } else { format!("'{}'", s % 4) };
        sql += &format!("INSERT INTO \"Sender\" VALUES ('{s:03}', {town}, {}, {code});\n", s % 3 == 0);
    }
    for d in 0..6 {
        let id = if d % 2 == 0 { d.to_string() } else { format!("'d{d}'") };
        let hall = ["'North'", "'north'", "'South'"][d % 3];
        let area = ["'12.5'", "'wide'", "'-3'", "'40'", "'unknown'", "''"][d % 6];
        sql += &format!("INSERT INTO depots VALUES ({id}, {}, {hall}, {area});\n", d * 10);
    }
    for o in 0..80 {
        let sender = if o % 9 == 4 { "NULL".into() } else { format!("'{:03}'", (o * 7) % 20) };
        let weight = match o % 11 {
            3 => "'heavy'".to_string(),
            5 => "''".into(),
            7 => "NULL".into(),
            _ => format!("{}", f64::from((o * 37) % 90) / 4.0),
        };
        let zip = ["'01234'", "'1234'", "''", "'99'"][(o as usize / 3) % 4];
        let depot =
            if o % 2 == 0 { format!("{}", (o / 2) % 3 * 2) } else { format!("'d{}'", (o / 2) % 3 * 2 + 1) };
        sql += &format!(
            "INSERT INTO \"order\" VALUES ({}, {sender}, {weight}, {}, '2026-05-{:02}', {zip}, {depot});\n",
            o + 1,
            o % 4,
            o % 28 + 1
        );
        for scan in 0..o % 3 {
            let kind = ["'in'", "'out'", "NULL"][((o + scan) % 3) as usize];
            let row = format!("INSERT INTO scans VALUES ({}, {kind}, {});\n", o + 1, (o * scan) % 13);
            sql += &row;
            sql += if o % 5 == 0 { &row } else { "" };
        }
        if o % 4 != 1 {
            let how = ["'by hand'", "''", "NULL", "'by car'"][(o as usize / 2) % 4];
            sql += &format!("INSERT INTO both VALUES ({}, {sender}, {how});\n", o + 1);
        }
    }
    connection.execute_batch(&sql).unwrap();
    connection
}

fn problem(path: &Path) -> RelationalProblem {
    let schema = r#"{"depots": {"columns": {"area": "number", "hall": "category"}}}"#;
    let database =
        Database::open(&[path.display().to_string()]).unwrap().with_said(Some(schema), &[]).unwrap();
    let like = "SELECT id FROM \"order\" WHERE (weight > 8 AND typeof(weight) = 'real' AND pieces < 3) OR id % 13 = 0";
    let request = Request { target: "late(order)".into(), like: vec![like.into()], ..Request::default() };
    database.problem(&request, &Run::new(0)).unwrap()
}

/// Numbers that are written in every way or are none, bytes, codes that read like numbers, keys of several columns or of
/// different types, whole numbers with a point.
fn cells_of_all_kinds(path: &Path) -> (Connection, RelationalProblem) {
    let connection = Connection::open(path).unwrap();
    let mut sql = String::from(
        "CREATE TABLE stores (id REAL PRIMARY KEY, kind TEXT);
         CREATE TABLE sales (id TEXT PRIMARY KEY, paid TEXT, pieces INTEGER, code, grade INTEGER, store TEXT, place);
         CREATE TABLE lines (sale TEXT REFERENCES sales(id), line INTEGER, what TEXT, store, PRIMARY KEY (sale, line)) WITHOUT ROWID;",
    );
    for store in 0..6 {
        sql += &format!("INSERT INTO stores VALUES ({store}.0, '{}');\n", ["big", "small"][store % 2]);
    }
    let paid = ["12.5", "nan", "inf", " 7 ", "+60", "1e2", "  ", "n/a", "40", "", ".5", "5.", "-3"];
    let pieces = ["3", "x'01'", "'many'", "17", "NULL", "9"];
    let codes = ["3", "'+3'", "'3'", "100", "'1e2'", "2.5"];
    for s in 0..90 {
        let (store, place) = (s % 6, if s % 2 == 0 { format!("{}", s % 6) } else { format!("'{}'", s % 6) });
        sql += &format!(
            "INSERT INTO sales VALUES ('s{s}', '{}', {}, {}, {}, '{store}', {place});\n",
            paid[(s * 7) % 13],
            pieces[(s * 5) % 6],
            codes[(s / 2) % 6],
            ["1", "2", "'none'"][(s / 3) % 3],
        );
        for line in 0..s % 4 {
            let real = if (s + line) % 2 == 0 { ".0" } else { "" };
            let what = ["cup", "pot", "jar"][(s / 4 + line) % 3];
            sql +=
                &format!("INSERT INTO lines VALUES ('s{s}', {line}, '{what}', {}{real});\n", (s + line) % 6);
        }
    }
    connection.execute_batch(&sql).unwrap();
    let schema = r#"{"sales": {"columns": {"paid": "number", "pieces": "number", "code": "category", "grade": "category",
        "store": "-> stores", "place": "-> stores"}}, "lines": {"columns": {"store": "-> stores"}}}"#;
    let database = Database::open(&[path.display().to_string()]).unwrap();
    let database = database.with_said(Some(schema), &[]).unwrap();
    let like = "SELECT id FROM sales WHERE rowid % 3 = 0 OR code = '1e2'";
    let request = Request { target: "late(sale)".into(), like: vec![like.into()], ..Request::default() };
    let problem = database.problem(&request, &Run::new(0)).unwrap();
    (connection, problem)
}

fn holds(connection: &Connection, sql: &str) -> bool {
    let answer = connection.query_row(sql, [], |row| row.get::<_, Option<bool>>(0));
    answer.unwrap_or_else(|e| panic!("{e} in {sql}")).unwrap_or(false)
}

/// Every path of every tree asked of every example.
fn check_forest(model: &ForestModel, problem: &RelationalProblem, connection: &Connection, seen: &mut usize) {
    let leaves = model.leaves(&problem.x, &Run::new(0)).unwrap();
    for (tree, leaves) in model.trees(&problem.x).unwrap().iter().zip(&leaves) {
        for (number, path) in tree.paths().iter().enumerate() {
            for (row, leaf) in leaves.iter().enumerate() {
                let sql = rules::sql(path, &problem.x, row);
                let clause = rules::clause(path, &problem.x.background);
                assert_eq!(
                    holds(connection, &sql),
                    *leaf as usize == number,
                    "{} {clause}\n{sql}",
                    &problem.ids[row]
                );
                *seen += 1;
            }
        }
    }
}

/// How many times a rule of a forest was asked.
fn check_forests(connection: &Connection, problem: &RelationalProblem) -> usize {
    let train = PuData::new(Data::Relational(problem.x.clone().into()), problem.positive.clone()).unwrap();
    let mut seen = 0;
    for seed in 0..3 {
        let run = Run::new(seed);
        let searched = RelOcc { trees: 2, depth: 2, cut: Cut::Natural, ..RelOcc::default() };
        check_forest(&searched.fit(&train, &run).unwrap().model, problem, connection, &mut seen);
        let drawn = RelOccRandom { trees: 6, depth: 2, cut: Cut::Natural, ..RelOccRandom::default() };
        check_forest(&drawn.fit(&train, &run).unwrap().model, problem, connection, &mut seen);
    }
    seen
}

#[test]
fn every_rule_of_a_forest_is_true_of_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parcels.sqlite");
    let connection = parcels(&path);
    let seen = check_forests(&connection, &problem(&path));
    assert!(seen > 3_000, "{seen}");
}

#[test]
fn cells_of_all_kinds_are_asked_as_they_were_read() {
    let folder = tempfile::tempdir().unwrap();
    let (connection, problem) = cells_of_all_kinds(&folder.path().join("cells.sqlite"));
    let seen = check_forests(&connection, &problem);
    assert!(seen > 3_000, "{seen}");
    check_explanations(&connection, &problem);
}

/// What a tree over sums of relations says of each row.
fn check_explanations(connection: &Connection, problem: &RelationalProblem) {
    let x = Data::Relational(problem.x.clone().into());
    let train = PuData::new(x.clone(), problem.positive.clone()).unwrap();
    for seed in 0..2 {
        let fitted = Rpt::default().fit(&train, &Run::new(seed)).unwrap();
        for row in 0..problem.ids.len() {
            for reason in fitted.model.explain(&x, row, 9).unwrap() {
                let Cause::Rule { clause, query } = reason.cause else { panic!("a feature without words") };
                assert!(holds(connection, &query), "{}: {clause}\n{query}", &problem.ids[row]);
            }
        }
    }
}

#[test]
fn what_explains_a_row_is_true_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parcels.sqlite");
    let connection = parcels(&path);
    check_explanations(&connection, &problem(&path));
}
