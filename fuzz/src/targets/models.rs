//! Model files of every method on every kind of rows it takes, with checksums that hold.

use std::sync::{Arc, OnceLock};

use likewise::Run;
use likewise::data::{Column, Data, Kind, PuData, Table};
use likewise::features::words::WordOptions;
use likewise::features::{Features, Input};
use likewise::method::{Entry, Parameters};
use likewise::registry;
use likewise::relations::{Background, FactsBuilder, Relational, Target as Wanted, modes};
use likewise::trained::{Trained, learn};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::container::{Container, seal};
use crate::{Answer, Target, alter};

pub fn all() -> Vec<Box<dyn Target>> {
    let kinds = |entry: &'static dyn Entry| entry.spec().inputs.iter().map(move |kind| (entry, *kind));
    registry::all()
        .flat_map(kinds)
        .map(|(entry, kind)| Box::new(Models::new(entry, kind)) as Box<dyn Target>)
        .collect()
}

struct Models {
    entry: &'static dyn Entry,
    kind: Kind,
    /// Learned when it is first asked for.
    honest: OnceLock<Vec<Vec<u8>>>,
    /// The same, taken apart.
    parts: OnceLock<Container>,
    /// What the models score.
    rows: OnceLock<Rows>,
}

enum Rows {
    Cells(Box<Table>),
    Items(Relational),
}

const ROWS: usize = 24;

fn is_wanted(row: usize) -> bool {
    row.is_multiple_of(3)
}

/// Short texts, or numbers beside a category.
fn table(kind: Kind) -> Table {
    let texts = [
        "please refund my money",
        "money back now",
        "a refund for the order",
        "where is my parcel",
        "the parcel is late",
        "password lost",
    ];
    let mut table = Table::from_source("rows");
    if kind == Kind::Sparse {
        let cells = (0..ROWS)
            .map(|row| format!("{} {}", texts[if is_wanted(row) { row % 3 } else { 3 + row % 3 }], row % 5));
        table.push_column("text", Column::Text(cells.collect()));
    } else {
        let shift = |row: usize| if is_wanted(row) { 2.0 } else { -1.0 };
        table.push_column(
            "a",
            Column::Number((0..ROWS).map(|row| shift(row) + (row * 7 % 11) as f64 / 11.0).collect()),
        );
        table.push_column("b", Column::Number((0..ROWS).map(|row| (row * 5 % 13) as f64).collect()));
        let kinds = (0..ROWS).map(|row| ["x", "y", ""][(row + usize::from(is_wanted(row))) % 3]);
        table.push_column("c", Column::Text(kinds.collect()));
    }
    table.origins = (0..ROWS as u64).map(|row| (0, row + 1)).collect();
    table
}

/// Items in groups that have colours.
fn items() -> Relational {
    let mut builder = FactsBuilder::new();
    let text = "member(+item,-group)\nmember(-item,+group)\ncolour(+group,#colour)\nsize(+item,>number)";
    let parsed = modes::parse(text).expect("modes");
    let modes = modes::declare(&parsed.declarations, &mut builder).expect("modes");
    let [member, colour, size] =
        ["member", "colour", "size"].map(|name| builder.find(name).expect("declared"));
    let mut push = |relation, arguments: [String; 2]| builder.push(relation, &arguments).expect("a fact");
    for group in 0..6 {
        push(colour, [format!("g{group}"), ["red", "blue"][group % 2].into()]);
    }
    for row in 0..ROWS {
        push(member, [format!("i{row}"), format!("g{}", 2 * (row % 3) + usize::from(!is_wanted(row)))]);
        push(size, [format!("i{row}"), (row * 7 % 10).to_string()]);
    }
    let item = builder.type_named("item");
    let column = (0..ROWS).map(|row| builder.intern(item, &format!("i{row}"))).collect();
    let target = Wanted { name: "wanted".into(), types: vec![item] };
    let background = Arc::new(Background::new(builder.finish(), modes, target));
    Relational::new(background, vec![column]).expect("known items")
}

impl Models {
    fn new(entry: &'static dyn Entry, kind: Kind) -> Self {
        Models { entry, kind, honest: OnceLock::new(), parts: OnceLock::new(), rows: OnceLock::new() }
    }

    fn learned(&self) -> likewise::Result<Vec<u8>> {
        let run = Run::new(0);
        let spec = self.entry.spec();
        let (features, x) = match self.kind {
            Kind::Relational => (
                Features::Related { target: "wanted(item)".into(), schema: None },
                Data::Relational(items().into()),
            ),
            kind => {
                let (table, options) = (table(kind), WordOptions::default());
                let names = table.column_names().to_vec();
                let input = if kind == Kind::Sparse { Input::Text(names) } else { Input::Columns(names) };
                let (features, x, _) = Features::fit(&table, &input, &options, &spec, &run)?;
                (features, x)
            }
        };
        let marks = (0..ROWS).map(|row| is_wanted(row) && row < 2 * ROWS / 3).collect();
        let train = PuData::new(x, marks)?.with_truth((0..ROWS).map(is_wanted).collect())?;
        let parameters = self.entry.resolve(&Parameters::new())?;
        learn(self.entry, parameters, features, train, Vec::new(), &run)?.trained.to_bytes()
    }
}

impl Target for Models {
    fn name(&self) -> String {
        format!("model-{}-{}", self.entry.spec().name, format!("{:?}", self.kind).to_lowercase())
    }

    fn honest(&self) -> &[Vec<u8>] {
        self.honest.get_or_init(|| {
            vec![self.learned().unwrap_or_else(|e| panic!("{} learns nothing: {e}", self.name()))]
        })
    }

    fn alter(&self, rng: &mut Pcg64) -> Vec<u8> {
        let honest = &self.honest()[0];
        let parts = self.parts.get_or_init(|| Container::parse(honest).expect("a file of ours"));
        alter_model(rng, honest, parts)
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, String> {
        let Ok(trained) = Trained::from_bytes(bytes.to_vec()) else { return Ok(Answer::Refused) };
        let run = Run::new(0);
        let _ = trained.to_bytes();
        reasons(&trained.portrait(5))?;
        let rows = self.rows.get_or_init(|| match self.kind {
            Kind::Relational => Rows::Items(items()),
            kind => Rows::Cells(Box::new(table(kind))),
        });
        let (scores, why) = match rows {
            Rows::Items(items) => {
                let why = trained.explain_related(items, 1, 5);
                let told = why.map(|rules| rules.into_iter().map(|rule| (rule.clause, rule.push)).collect());
                (trained.score_related(items, &run), told)
            }
            Rows::Cells(table) => {
                (trained.score(table, &run).map(|(scores, _)| scores), trained.explain(table, 1, 5, &run))
            }
        };
        reasons(&why.unwrap_or_default())?;
        match scores {
            Ok(scores) => sound(&scores).map(|()| Answer::Given),
            Err(_) => Ok(Answer::Refused),
        }
    }
}

/// A model file, altered as bytes or as what it holds, with a checksum that holds.
pub fn alter_model(rng: &mut Pcg64, honest: &[u8], parts: &Container) -> Vec<u8> {
    if rng.random_bool(0.05) {
        let mut file = honest.to_vec();
        (0..rng.random_range(1..4)).for_each(|_| alter::bytes(rng, &mut file, 0.3));
        seal(&mut file);
        return file;
    }
    let mut container = parts.clone();
    (0..rng.random_range(1..4)).for_each(|_| container.alter(rng));
    container.file()
}

/// Scores within their promise.
pub fn sound(scores: &[f64]) -> Result<(), String> {
    match scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
        Some(score) => Err(format!("the score {score}")),
        None => Ok(()),
    }
}

pub fn reasons(why: &[(String, f64)]) -> Result<(), String> {
    match why.iter().find(|(_, push)| !push.is_finite()) {
        Some((name, push)) => Err(format!("the reason {name:?} pushes by {push}")),
        None => Ok(()),
    }
}
