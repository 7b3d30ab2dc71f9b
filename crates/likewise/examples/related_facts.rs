//! Learn about examples that point at other facts: `cargo run --example related_facts`.

use std::sync::Arc;

use likewise::prelude::*;
use likewise::relations::{Background, FactsBuilder, Relational, Target, modes};

fn main() -> Result<()> {
    // Which literals rules may use: `+` an argument of the example, `-` a new one, `#` a constant.
    let declared = modes::parse("mode: buys(+person,-thing).\nmode: kind(+thing,#sort).\n")?.declarations;
    let mut builder = FactsBuilder::new();
    let modes = modes::declare(&declared, &mut builder)?;
    let relation = |builder: &FactsBuilder, name| builder.find(name).expect("declared above");
    let (buys, kind) = (relation(&builder, "buys"), relation(&builder, "kind"));
    for (thing, sort) in [("novel", "book"), ("atlas", "book"), ("saw", "tool"), ("drill", "tool")] {
        builder.push(kind, &[thing, sort])?;
    }
    let person = builder.type_named("person");
    let mut people = Vec::new();
    for number in 0..12 {
        let name = format!("p{number}");
        let thing = if number % 2 == 0 { ["novel", "atlas"][number / 2 % 2] } else { "saw" };
        builder.push(buys, &[name.as_str(), thing])?;
        people.push(builder.intern(person, &name));
    }
    let target = Target { name: "reads".into(), types: vec![person] };
    let background = Background::new(builder.finish(), modes, target);
    let x = Relational::new(Arc::new(background), vec![people])?;
    // Three readers are known; who else reads?
    let known: Vec<bool> = (0..12).map(|number| [0, 2, 4].contains(&number)).collect();
    let ids = (0..12).map(|row| x.atom(row)).collect();
    let problem = Problem::of_related(x, known, ids, Vec::new());
    let found = Find::new(None, true)?.ask(&problem, &Run::new(0))?;
    for (id, score) in found.ranking.ids.iter().zip(&found.ranking.scores) {
        println!("{score:.3}  {id}");
    }
    Ok(())
}
