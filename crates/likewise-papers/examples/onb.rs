//! Prints the tables of `likewise_papers::onb`: `cargo run --release -p likewise-papers --example onb [TRIALS]`.

use likewise::Run;
use likewise_papers::data::DataFolder;
use likewise_papers::onb::{Options, reproduce, show};

fn main() -> Result<(), likewise_papers::Error> {
    let trials = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(5);
    let options = Options { trials, ..Options::default() };
    print!("{}", show(&reproduce(&DataFolder::find(None), &options, &Run::new(0))?));
    Ok(())
}
