//! A pile that is counted part by part gives the model that `find` learns from its rows, to the last byte, whatever the
//! parts and whatever their order.

use likewise::features::words::StopWords;
use likewise::method::Parameters;
use likewise::prelude::*;
use likewise::questions::count::{Counted, Counting, PileSums};
use proptest::prelude::*;

const COMMON: [&str; 8] = ["the", "you", "is", "of", "and", "to", "it", "not"];
const WORDS: [&str; 12] =
    ["refund", "money", "back", "parcel", "late", "Lost", "running", "runs", "crème", "naïve", "42", "退款"];

/// Short messages or, where `long` says so, documents that say common words again and again.
fn texts(count: usize, long: bool) -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![prop::sample::select(&WORDS[..]), prop::sample::select(&COMMON[..])];
    let words = if long { 30..60 } else { 0..7 };
    prop::collection::vec(prop::collection::vec(word, words).prop_map(|words| words.join(" ")), 1..count)
}

fn options() -> impl Strategy<Value = WordOptions> {
    let plain = WordOptions::default;
    prop::sample::select(vec![
        plain(),
        WordOptions { min_documents: Some(2), ..plain() },
        WordOptions { max_share: 0.7, most_terms: Some(9), ..plain() },
        WordOptions {
            stop_words: StopWords::English,
            stemming: Some("english".into()),
            fold_accents: true,
            ..plain()
        },
        WordOptions { stop_words: StopWords::None, ngrams: (1, 2), ..plain() },
    ])
}

/// Each text, and its first two words once more as a title.
fn table(texts: &[String]) -> Table {
    let title = |text: &String| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let column = |texts: Vec<String>| Column::Text(texts.into_iter().collect());
    let titles = column(texts.iter().map(title).collect());
    Table::from_columns(vec![("title".into(), titles), ("text".into(), column(texts.to_vec()))]).unwrap()
}

/// The text alone, or its title as well, whose words count more often where texts are long.
fn choice(titled: bool) -> ColumnChoice {
    let names: &[&str] = if titled { &["title", "text"] } else { &["text"] };
    let names = names.iter().map(|name| name.to_string()).collect();
    ColumnChoice { text: Some(names), ..ColumnChoice::default() }
}

fn parameters(method: &str) -> Parameters {
    let given = registry::find(method).unwrap().counted().unwrap().given;
    let prior = |_| ("prior".to_string(), 0.2.into());
    given.map(prior).into_iter().collect()
}

/// Counts each part on its own, sends the sums as bytes, and adds them up in an order of its own.
fn counted(
    method: &str,
    words: &WordOptions,
    choice: &ColumnChoice,
    like: &[String],
    parts: &[Vec<String>],
    run: &Run,
) -> Result<Counted> {
    let counting = Counting::new(method, parameters(method), words.clone(), table(like), choice)?;
    let mut all = PileSums::default();
    for part in parts {
        let mut counts = PileSums::default();
        counts.batch(counting.plan(), &table(part), run)?;
        all.merge(&PileSums::from_bytes(counts.to_bytes()?)?);
    }
    counting.finish(all, run)
}

fn found(
    method: &str,
    words: &WordOptions,
    choice: &ColumnChoice,
    like: &[String],
    pile: &[String],
    run: &Run,
) -> Result<Found> {
    let problem = Problem::of_two(table(like), table(pile), choice)?;
    let mut question = Find::new(Some(method), false)?;
    question.parameters = parameters(method);
    question.words = words.clone();
    question.ends = Some(Ends::Natural);
    question.ask(&problem, run)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_bytes_are_those_of_find(
        (like, pile, long) in any::<bool>().prop_flat_map(|long| (texts(8, long), texts(40, long), Just(long))),
        words in options(),
        titled in any::<bool>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        turn in any::<prop::sample::Index>(),
    ) {
        // Some rows of the pile say what an example says.
        let pile: Vec<String> = pile.into_iter().chain(like.iter().take(2).cloned()).collect();
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(pile.len() + 1)).chain([0, pile.len()]).collect();
        ends.sort_unstable();
        let mut parts: Vec<Vec<String>> = ends.windows(2).map(|at| pile[at[0]..at[1]].to_vec()).collect();
        let turn = turn.index(parts.len());
        parts.rotate_left(turn);
        let (run, choice) = (Run::new(0), choice(titled));
        for entry in registry::all().filter(|entry| entry.counted().is_some()) {
            let name = entry.spec().name;
            let whole = found(name, &words, &choice, &like, &pile, &run);
            let sums = counted(name, &words, &choice, &like, &parts, &run);
            match (whole, sums) {
                (Ok(whole), Ok(sums)) => {
                    prop_assert_eq!(sums.trained.to_bytes()?, whole.trained.to_bytes()?, "{} {}", name, long);
                    prop_assert_eq!(sums.rows as usize, whole.ranking.len());
                }
                (Err(whole), Err(sums)) => prop_assert_eq!(sums.to_string(), whole.to_string(), "{}", name),
                (whole, sums) => {
                    prop_assert!(false, "{name}: {:?} and {:?}", whole.err(), sums.err());
                }
            }
        }
    }
}

/// Doubled 26 times, a pile of three rows is beyond what `f32` tells from one row more.
#[test]
fn one_row_shows_among_a_hundred_million() {
    let like = ["refund money".to_string(), "money back".to_string()];
    let choice = ColumnChoice::default();
    let run = Run::new(0);
    let model = |more: &[&str]| {
        let words = WordOptions::default();
        let like = Table::from_texts("text", &like);
        let counting = Counting::new("nb", Parameters::new(), words, like, &choice).unwrap();
        let mut counts = PileSums::default();
        let three = Table::from_texts("text", ["late parcel", "my parcel", "money for a parcel"]);
        counts.batch(counting.plan(), &three, &run).unwrap();
        for _ in 0..26 {
            let again = PileSums::from_bytes(counts.to_bytes().unwrap()).unwrap();
            counts.merge(&again);
        }
        counts.batch(counting.plan(), &Table::from_texts("text", more), &run).unwrap();
        let counted = counting.finish(counts, &run).unwrap();
        assert_eq!(counted.rows, (3 << 26) + more.len() as u64);
        counted.trained.to_bytes().unwrap()
    };
    assert_eq!(model(&["parcel"]), model(&["parcel"]));
    assert_ne!(model(&["parcel"]), model(&["late"]));
    assert_ne!(model(&["parcel"]), model(&["parcel", "parcel"]));
}

#[test]
fn what_cannot_be_finished_is_refused_before_anything_is_counted() {
    let refused = |method: &str, words: WordOptions, choice: ColumnChoice| {
        let like = Table::from_texts("text", ["refund money", "money back"]);
        Counting::new(method, Parameters::new(), words, like, &choice).err().unwrap().to_string()
    };
    let plain = WordOptions::default;
    let rows = refused("logistic", plain(), ColumnChoice::default());
    assert!(rows.contains("needs the rows") && rows.contains("nb") && rows.contains("prototype"), "{rows}");
    assert!(refused("auto", plain(), ColumnChoice::default()).contains("needs the rows"));
    let prior = refused("pnb", plain(), ColumnChoice::default());
    assert!(prior.starts_with("parameter `prior`"), "{prior}");
    let stems = WordOptions { stemming: Some("english".into()), ..plain() };
    assert!(refused("nb", stems, ColumnChoice::default()).contains("say `none` or `english`"));
    let unit = WordOptions { unit_length: true, ..plain() };
    assert!(refused("nb", unit, ColumnChoice::default()).contains("leave them to it"));
    let numbers = ColumnChoice { features: Some(vec!["text".into()]), ..ColumnChoice::default() };
    assert!(refused("nb", plain(), numbers).contains("words alone are counted"));
}
