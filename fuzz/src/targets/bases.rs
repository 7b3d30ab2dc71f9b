//! Bases of related tables and facts: SQLite files, files of facts and modes, schemas.

use std::path::Path;

use likewise::Run;
use likewise_io::database::Database;
use rand::RngExt;
use rand_pcg::Pcg64;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::{Answer, Target, alter};

pub fn all() -> Vec<Box<dyn Target>> {
    [What::Sqlite, What::Facts, What::Schema, What::Tables]
        .into_iter()
        .map(|what| Box::new(Bases::new(what)) as Box<dyn Target>)
        .collect()
}

#[derive(Clone, Copy)]
enum What {
    Sqlite,
    Facts,
    Schema,
    Tables,
}

struct Bases {
    what: What,
    honest: Vec<Vec<u8>>,
    folder: TempDir,
}

/// What stands between the two files of a case.
const BETWEEN: &[u8] = b"\n%%%%\n";

const ORDERS: &str = "id,customer,total,kind\n1,1,2.5,a\n2,1,,b\n3,2,7,a\n4,9,1e3,b\n";
const CUSTOMERS: &str = "id,name,vip\n1,ann,yes\n2,bob,no\n";

impl Bases {
    fn new(what: What) -> Self {
        let folder = crate::folder();
        let honest = match what {
            What::Sqlite => vec![sqlite(folder.path())],
            What::Facts => vec![[
                b"mode: member(+item,-group).\nmode: member(-item,+group).\nmode: colour(+group,#colour).\nmode: size(+item,>number).\n" as &[u8],
                BETWEEN,
                b"member(i1,g1).\nmember(i2,g2).\ncolour(g1,red).\ncolour(g2,\"light blue\").\nsize(i1,3).\nsize(i2,-0.5).\n% c\n",
            ]
            .concat()],
            What::Schema => vec![b"[orders]\nkey = \"id\"\n[orders.columns]\ncustomer = \"-> customers\"\ntotal = \"number\"\nkind = \"category\"\n[customers]\nkey = \"id\"\n[customers.columns]\nvip = \"category\"\n".to_vec()],
            What::Tables => vec![[ORDERS.as_bytes(), BETWEEN, CUSTOMERS.as_bytes()].concat()],
        };
        Bases { what, honest, folder }
    }

    fn base(&self) -> std::path::PathBuf {
        self.folder.path().join("base")
    }
}

impl Target for Bases {
    fn name(&self) -> String {
        match self.what {
            What::Sqlite => "base-sqlite",
            What::Facts => "base-facts",
            What::Schema => "base-schema",
            What::Tables => "base-tables",
        }
        .into()
    }

    fn honest(&self) -> &[Vec<u8>] {
        &self.honest
    }

    fn alter(&self, rng: &mut Pcg64) -> Vec<u8> {
        let mut file = self.honest[0].clone();
        let words: &[&str] = match self.what {
            What::Facts => &[
                "mode:",
                "+item",
                "-",
                "#",
                ">number",
                "(",
                ")",
                ".",
                ",",
                "import:",
                "setParam:",
                "usePrologVariables",
                "~",
            ],
            What::Schema => &[
                "[orders]",
                "key",
                "-> orders",
                "\"number\"",
                "\"time\"",
                "\"skip\"",
                "= ",
                "[[x]]",
                "\"\"\"",
            ],
            _ => &["id", "customer", "1", "9"],
        };
        for _ in 0..rng.random_range(1..5) {
            match self.what {
                What::Sqlite => alter::bytes(rng, &mut file, 0.2),
                _ => alter::text(rng, &mut file, words),
            }
        }
        file
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, String> {
        let base = self.base();
        let _ = std::fs::remove_dir_all(&base);
        let put =
            |name: &str, bytes: &[u8]| std::fs::write(base.join(name), bytes).map_err(|e| e.to_string());
        std::fs::create_dir_all(&base).map_err(|e| e.to_string())?;
        let at = bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN).unwrap_or(bytes.len());
        let (first, second) = (&bytes[..at], bytes.get(at + BETWEEN.len()..).unwrap_or_default());
        let mut path = base.clone();
        match self.what {
            What::Sqlite => {
                put("base.db3", bytes)?;
                path = base.join("base.db3");
            }
            What::Facts => {
                put("modes.txt", first)?;
                put("train_facts.txt", second)?;
            }
            What::Schema => {
                put("orders.csv", ORDERS.as_bytes())?;
                put("customers.csv", CUSTOMERS.as_bytes())?;
                put("schema.toml", bytes)?;
            }
            What::Tables => {
                put("orders.csv", first)?;
                put("customers.csv", second)?;
            }
        }
        let described = Database::open(&[path.display().to_string()])
            .and_then(|database| database.describe(None, &Run::new(0)));
        Ok(match described {
            Ok(_) => Answer::Given,
            Err(_) => Answer::Refused,
        })
    }
}

fn sqlite(folder: &Path) -> Vec<u8> {
    let path = folder.join("honest.db3");
    let connection = Connection::open(&path).expect("a new base");
    connection
        .execute_batch(
            "PRAGMA foreign_keys = off;
             CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, vip);
             CREATE TABLE orders(id INTEGER PRIMARY KEY, customer REFERENCES customers(id), total REAL, note BLOB);
             CREATE INDEX by_customer ON orders(customer);
             INSERT INTO customers VALUES (1,'ann',1),(2,'bob',NULL);
             INSERT INTO orders VALUES (1,1,2.5,x'00ff'),(2,1,NULL,'text'),(3,2,7,NULL),(4,9,1e300,'x');",
        )
        .expect("tables");
    connection.close().map_err(|(_, e)| e).expect("closed");
    std::fs::read(path).expect("the base")
}
