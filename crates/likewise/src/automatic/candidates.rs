//! What the automatic choice chooses from: registered methods with parameters, and means of the ranks they give.
//!
//! A method joins the pool by a line in its own file ([`Method::POOL`](crate::method::Method::POOL)); means of ranks
//! stand here. Whatever the place of a candidate is, [`pool`] orders them by it, and nothing else does.

use serde_json::Value;

use super::find;
use super::smoothness::Amounts;
use super::voices::MOST_WEIGHT;
use crate::data::{Kind, PuData};
use crate::error::{Error, Result};
use crate::method::{
    Candidacy, Effort, Entry, Fitted, Model, Negatives, Parameter, ParameterKind, Parameters, Spec,
    parse_settings,
};
use crate::methods;
use crate::parts::smoothing::USUAL;
use crate::run::Run;

/// The rankers whose estimates make the prior.
pub const PRIOR_RANKERS: [&str; 3] = ["logistic", "bagging", "nearest-mean"];
/// Those that need a rough one from the others.
const ROUGHLY_TOLD: &str = "logistic-spared";
const ROUGHLY_TOLD_OF_TABLES: &str = "forest";
/// What ranks a pile that is mostly positive.
pub const UNEXPECTED: &str = "nearest-mean";
/// What answers to a single example.
pub const ONE_EXAMPLE: &str = "logistic-smooth";

const OF_THREE: &str = "pseudo-smooth+logistic(c=10)+nearest-mean";
/// The trees err otherwise than the four before them, and count as much as these together, before hidden positives say how
/// much each of the five tells.
const WITH_TREES: &str = "pseudo-smooth+logistic(c=10)+bagging+nearest-mean+forest*4";
const BOTH: &[Kind] = &[Kind::Sparse, Kind::Dense];
const MEANS: [(&str, Candidacy); 4] = [
    (WITH_TREES, Candidacy { place: 0, kinds: &[Kind::Dense], from: Effort::Quick, parameters: &[] }),
    (OF_THREE, Candidacy { place: 110, kinds: BOTH, from: Effort::Normal, parameters: &[] }),
    ("pseudo+nearest-mean", Candidacy { place: 120, kinds: BOTH, from: Effort::Normal, parameters: &[] }),
    (
        "pseudo+logistic+nearest-mean",
        Candidacy { place: 130, kinds: BOTH, from: Effort::Normal, parameters: &[] },
    ),
];

/// The rankers of rows of this kind that need a rough prior to make a better one.
pub fn roughly_told(kind: Kind) -> Result<Vec<Candidate>> {
    let of_tables = (kind == Kind::Dense).then_some(ROUGHLY_TOLD_OF_TABLES);
    [ROUGHLY_TOLD].into_iter().chain(of_tables).map(Candidate::parse).collect()
}

/// The pool for rows of this kind, the one that stays unless another is clearly better first.
pub fn pool(effort: Effort, kind: Kind) -> Result<Vec<Candidate>> {
    // Vectors are compared by their cosine as words are; what is for them alone names them.
    let as_words = |place: &Candidacy| kind == Kind::Vectors && place.kinds.contains(&Kind::Sparse);
    let stands = |place: &Candidacy| (place.kinds.contains(&kind) || as_words(place)) && place.from <= effort;
    let mut placed = Vec::new();
    for &entry in methods::ALL {
        for place in entry.pool().iter().filter(|place| stands(place)) {
            let settings = place.parameters.iter().map(|(name, value)| (name.to_string(), value.to_string()));
            placed.push((place.place, Candidate::from(Configured::new(entry, settings.collect())?)));
        }
    }
    for (members, place) in MEANS.iter().filter(|(_, place)| stands(place)) {
        placed
            .push((place.place, Candidate { weighed: *members == WITH_TREES, ..Candidate::parse(members)? }));
    }
    placed.sort_by_key(|(place, _)| *place);
    Ok(placed.into_iter().map(|(_, candidate)| candidate).collect())
}

/// One way to rank the pile: a method, or the mean of the logarithmic ranks of several.
#[derive(Clone)]
pub struct Candidate {
    members: Vec<Configured>,
    /// Whether hidden positives say how much each member counts.
    weighed: bool,
}

impl From<Configured> for Candidate {
    fn from(method: Configured) -> Self {
        Candidate { members: vec![method], weighed: false }
    }
}

impl Candidate {
    /// As typed: `pseudo`, `logistic(c=10)`, `pseudo+nearest-mean`, `logistic+forest*2`.
    pub fn parse(text: &str) -> Result<Self> {
        let members = split(text, '+').map(Configured::parse).collect::<Result<_>>()?;
        Ok(Candidate { members, weighed: false })
    }

    /// Several, joined by commas; one that was named again is the same.
    pub fn parse_all(text: &str) -> Result<Vec<Self>> {
        let mut all: Vec<Candidate> = Vec::new();
        for candidate in split(text, ',').map(Candidate::parse) {
            let candidate = candidate?;
            if all.iter().all(|known| known.name() != candidate.name()) {
                all.push(candidate);
            }
        }
        Ok(all)
    }

    /// Refuses a candidate that cannot read such rows: of columns, what counts words would need another reading of them
    /// than the others.
    pub fn check_reads(&self, kind: Kind) -> Result<()> {
        let Some(member) = self.members.iter().find(|member| !member.spec().takes(kind)) else {
            return Ok(());
        };
        let name = member.spec().name;
        let problem = match kind {
            Kind::Dense => format!(
                "`{name}` counts words, and candidates are compared on columns of numbers; leave it out, or name it as the \
                 method, which then sees the columns as categories"
            ),
            _ => format!("`{name}` cannot read these rows; leave it out"),
        };
        Err(Error::parameter(CANDIDATES, problem))
    }

    /// The methods asked: several where it is a mean of ranks.
    pub fn members(&self) -> &[Configured] {
        &self.members
    }

    /// The sum of the weights of its members.
    pub fn weights(&self) -> u32 {
        self.members.iter().map(Configured::weight).sum()
    }

    /// Whether it is a mean over several methods.
    pub fn is_mean(&self) -> bool {
        self.members.len() > 1
    }

    /// As the registry calls it, with what differs from the default.
    pub fn name(&self) -> String {
        let weighted = |member: &Configured| match member.weight {
            1 => member.name(),
            weight => format!("{weight}{TIMES}{}", member.name()),
        };
        let names: Vec<_> = self.members.iter().map(weighted).collect();
        if self.is_mean() { format!("{MEAN_OF}{}", names.join(", ")) } else { names.concat() }
    }

    /// Whether some member smooths over the graph of neighbours.
    pub fn smooths(&self) -> bool {
        self.members.iter().any(|member| member.smooths)
    }

    /// Whether rows known not to be wanted teach some member.
    pub fn learns_from_negatives(&self) -> bool {
        self.members.iter().any(|member| member.entry.negatives() != Negatives::LeftOut)
    }

    /// The same where members that smooth, and of which nobody has said how much, smooth so much.
    pub fn smoothing(&self, amounts: Amounts) -> Candidate {
        Candidate { members: self.members.iter().map(|member| member.smoothing(amounts)).collect(), ..*self }
    }

    /// Whether hidden positives are to say how much each member counts.
    pub fn is_weighed(&self) -> bool {
        self.weighed
    }

    /// The same with these weights, one for each member.
    pub fn with_weights(&self, weights: &[u32]) -> Candidate {
        let weigh = |(member, &weight): (&Configured, &u32)| Configured { weight, ..member.clone() };
        Candidate { members: self.members.iter().zip(weights).map(weigh).collect(), ..*self }
    }

    /// The same as a summary names it, where that is its name under some weights.
    pub fn as_named(&self, name: &str) -> Option<Candidate> {
        if self.name() == name {
            return Some(self.clone());
        }
        let parts: Vec<&str> = split(name.strip_prefix(MEAN_OF)?, ',').collect();
        let weight = |(part, member): (&str, &Configured)| match part.split_once(TIMES) {
            Some((weight, rest)) if rest == member.name => weight.parse().ok(),
            _ => (part == member.name).then_some(1),
        };
        let fits = self.weighed && parts.len() == self.members.len();
        let weights: Option<Vec<u32>> =
            fits.then(|| parts.into_iter().zip(&self.members).map(weight).collect()).flatten();
        weights.map(|weights| self.with_weights(&weights))
    }
}

const MEAN_OF: &str = "rank-mean of ";
/// Between a weight and the name of a member.
const TIMES: &str = " x ";

/// A registered method with some parameters set.
#[derive(Clone)]
pub struct Configured {
    entry: &'static dyn Entry,
    given: Parameters,
    name: String,
    /// The range of its prior, where it would estimate one since nobody has set it.
    prior: Option<(f64, f64)>,
    smooths: bool,
    /// How much it counts in a mean of ranks.
    weight: u32,
}

const PRIOR: &str = "prior";
const FROM_NEIGHBOURS: &str = "from_neighbours";
const FROM_NEIGHBOURS_FIRST: &str = "from_neighbours_first";
const WITH_GRAPH: &str = "with_graph";
const DISTIL: &str = "distil";
const CANDIDATES: &str = "candidates";

/// What a fit is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The scores of the training rows, and no model of new ones.
    Scores,
    /// The model too.
    Model,
    /// A model that keeps the rows, to smooth new ones as it did the old.
    ModelWithGraph,
}

impl Wanted {
    /// The model, with the rows or without.
    pub fn model(with_graph: bool) -> Self {
        if with_graph { Wanted::ModelWithGraph } else { Wanted::Model }
    }
}

impl Configured {
    /// As typed: `logistic`, `logistic(c=10)`, `logistic(c=10,balanced=no)`, and in a mean of ranks `logistic*2`.
    pub fn parse(text: &str) -> Result<Self> {
        let (text, weight) = match text.rsplit_once('*') {
            None => (text, 1),
            Some((text, weight)) => {
                let whole = weight.trim().parse().ok().filter(|weight| (1..=MOST_WEIGHT).contains(weight));
                let unclear = || {
                    let problem = format!(
                        "`{weight}` behind `{text}` is not a weight; give a whole number from 1 to {MOST_WEIGHT}"
                    );
                    Error::parameter(CANDIDATES, problem)
                };
                (text.trim(), whole.ok_or_else(unclear)?)
            }
        };
        let (name, settings) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => {
                let unclosed = || Error::parameter(CANDIDATES, format!("`{text}` does not end with `)`"));
                (name, rest.strip_suffix(')').ok_or_else(unclosed)?)
            }
        };
        let setting = |setting: &str| match setting.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_string(), value.trim().to_string())),
            None => Err(Error::parameter(CANDIDATES, format!("`{setting}` in `{text}` is not name=value"))),
        };
        let settings = match settings.trim() {
            "" => Vec::new(),
            some => split(some, ',').map(setting).collect::<Result<_>>()?,
        };
        let entry = find(name.trim())?;
        if entry.spec().name == super::AUTO {
            let problem = format!("`{}` cannot be a candidate of itself; name other methods", super::AUTO);
            return Err(Error::parameter(CANDIDATES, problem));
        }
        Ok(Configured { weight, ..Configured::new(entry, settings)? })
    }

    fn new(entry: &'static dyn Entry, settings: Vec<(String, String)>) -> Result<Self> {
        let complete = parse_settings(entry, &settings)?;
        let given: Parameters =
            complete.into_iter().filter(|(name, _)| settings.iter().any(|(set, _)| set == name)).collect();
        let parameters = entry.parameters();
        let open = |name: &str| {
            parameters.iter().find(|p| p.name == name && p.optional && !given.contains_key(name))
        };
        let prior = open(PRIOR).and_then(|p| match p.kind {
            ParameterKind::Number { min, max } => Some((min.unwrap_or(0.0), max.unwrap_or(1.0))),
            _ => None,
        });
        let smooths = parameters.iter().any(|p| p.name == WITH_GRAPH);
        Ok(Configured { entry, name: name(entry, &given, &parameters), prior, smooths, given, weight: 1 })
    }

    fn smoothing(&self, amounts: Amounts) -> Self {
        let parameters = self.entry.parameters();
        let mut given = self.given.clone();
        for (name, amount) in [(FROM_NEIGHBOURS, amounts.last), (FROM_NEIGHBOURS_FIRST, amounts.first)] {
            let open = parameters.iter().any(|p| p.name == name && p.optional) && !given.contains_key(name);
            if open && amount != USUAL {
                given.insert(name.into(), amount.into());
            }
        }
        Configured { name: name(self.entry, &given, &parameters), given, ..self.clone() }
    }

    /// As the registry calls it, with what differs from the default.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// How much it counts in a mean of ranks.
    pub fn weight(&self) -> u32 {
        self.weight
    }

    /// The registered method.
    pub fn entry(&self) -> &'static dyn Entry {
        self.entry
    }

    /// What it is and takes.
    pub fn spec(&self) -> Spec {
        self.entry.spec()
    }

    /// Whether it learns something else under another prior.
    pub fn depends_on_prior(&self) -> bool {
        self.prior.is_some()
    }

    /// The same fit as everywhere. Where the method asks for a prior or how its model is to smooth new rows, and nobody has
    /// said, it gets these.
    pub fn fit(&self, train: &PuData, prior: f64, wanted: Wanted, run: &Run) -> Result<Fitted<dyn Model>> {
        let mut given = self.given.clone();
        if let Some((least, most)) = self.prior {
            given.insert(PRIOR.into(), prior.clamp(least, most).into());
        }
        if self.smooths {
            given.entry(WITH_GRAPH).or_insert((wanted == Wanted::ModelWithGraph).into());
            given.entry(DISTIL).or_insert((wanted != Wanted::Scores).into());
        }
        self.entry.fit(&given, train, run)
    }
}

fn name(entry: &dyn Entry, given: &Parameters, parameters: &[Parameter]) -> String {
    let default = |name: &str| parameters.iter().find(|p| p.name == name).map(|p| &p.default);
    let plain = |value: &Value| match (value.as_f64(), value.as_str()) {
        (Some(number), _) => number.to_string(),
        (None, Some(text)) => text.to_string(),
        (None, None) => value.to_string(),
    };
    let differing: Vec<String> = (given.iter())
        .filter(|(name, value)| default(name) != Some(*value))
        .map(|(name, value)| format!("{name}={}", plain(value)))
        .collect();
    let method = entry.spec().name;
    if differing.is_empty() { method.into() } else { format!("{method} ({})", differing.join(", ")) }
}

/// The parts between marks that stand outside of brackets.
fn split(text: &str, mark: char) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == mark && depth == 0
    })
    .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(effort: Effort, kind: Kind) -> Vec<String> {
        pool(effort, kind).unwrap().iter().map(Candidate::name).collect()
    }

    #[test]
    fn methods_join_the_pool_by_their_own_lines() {
        let three = "rank-mean of pseudo-smooth, logistic (c=10), nearest-mean";
        let others = ["rank-mean of pseudo, nearest-mean", "rank-mean of pseudo, logistic, nearest-mean"];
        let trees = "rank-mean of pseudo-smooth, logistic (c=10), bagging, nearest-mean, 4 x forest";
        assert_eq!(names(Effort::Quick, Kind::Sparse), ["pseudo-smooth"]);
        assert_eq!(names(Effort::Quick, Kind::Dense), [trees]);
        let text = ["pseudo-smooth", "pseudo", "logistic", "logistic (c=10)", "bagging", "nearest-mean"];
        assert_eq!(names(Effort::Normal, Kind::Sparse), [&text[..], &[three], &others].concat());
        let more = ["logistic (c=100)", "logistic (c=0.1)", "logistic-smooth", "logistic-spared"];
        let vectors = [&text[..], &["prototype", three], &others].concat();
        assert_eq!(names(Effort::Normal, Kind::Vectors), vectors);
        let dense = [&[trees, "forest"], &text[..], &more, &[three], &others].concat();
        assert_eq!(names(Effort::Thorough, Kind::Dense), dense);
    }

    #[test]
    fn no_two_candidates_of_a_kind_have_the_same_place() {
        let entries = methods::ALL.iter().flat_map(|entry| entry.pool());
        let all: Vec<&Candidacy> = entries.chain(MEANS.iter().map(|(_, place)| place)).collect();
        for kind in [Kind::Sparse, Kind::Dense, Kind::Vectors, Kind::Relational] {
            let mut places: Vec<u16> =
                all.iter().filter(|c| c.kinds.contains(&kind)).map(|c| c.place).collect();
            places.sort_unstable();
            assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "{kind:?}: {places:?}");
        }
    }

    #[test]
    fn candidates_are_read_as_typed() {
        let read = |text: &str| -> Vec<String> {
            Candidate::parse_all(text).unwrap().iter().map(Candidate::name).collect()
        };
        assert_eq!(
            read("logistic(c=10, balanced=no), pseudo+nb"),
            ["logistic (c=10, balanced=false)", "rank-mean of pseudo, nb"]
        );
        assert_eq!(read("logistic(c=1e+0)"), ["logistic"]);
        assert_eq!(read("nb, nb,lgn,nb()"), ["nb", "lgn"]);
        let nb = Candidate::parse("logistic+nb").unwrap();
        assert!(nb.check_reads(Kind::Sparse).is_ok());
        assert!(nb.check_reads(Kind::Dense).unwrap_err().to_string().contains("`nb` counts words"));
        assert_eq!(read("logistic(c=10) * 2+nb"), ["rank-mean of 2 x logistic (c=10), nb"]);
        let refused = |text: &str| Candidate::parse_all(text).err().map(|e| e.to_string()).unwrap();
        assert!(refused("logistik").contains("did you mean `logistic`"));
        assert!(refused("logistic(c=10").contains("does not end"));
        assert!(refused("logistic(c)").contains("name=value"));
        assert!(refused("logistic+nb*0").contains("not a weight"));
        assert!(refused("logistic(d=1)").contains("no such parameter"));
        assert!(refused("logistic,auto").contains("of itself"));
        assert!(matches!(Candidate::parse_all(""), Err(Error::UnknownMethod { .. })));
    }

    #[test]
    fn a_mean_whose_weights_were_told_is_found_by_its_name() {
        let told = pool(Effort::Quick, Kind::Dense).unwrap()[0].with_weights(&[1, 20, 3, 1, 12]);
        let name = "rank-mean of pseudo-smooth, 20 x logistic (c=10), 3 x bagging, nearest-mean, 12 x forest";
        assert_eq!(told.name(), name);
        assert!(told.is_weighed() && told.weights() == 37);
        let found =
            |text: &str| pool(Effort::Quick, Kind::Dense).unwrap()[0].as_named(text).map(|c| c.name());
        assert_eq!(found(name).as_deref(), Some(name));
        assert_eq!(found("rank-mean of pseudo-smooth, bagging"), None);
        assert_eq!(found(&name.replace("bagging", "pseudo")), None);
        assert!(Candidate::parse("logistic+nb").unwrap().as_named("rank-mean of 2 x logistic, nb").is_none());
    }

    #[test]
    fn a_prior_that_was_set_is_left_alone() {
        let [own, open] =
            [Configured::parse("pseudo(prior=0.2)"), Configured::parse("pseudo")].map(Result::unwrap);
        assert!(!own.depends_on_prior() && open.depends_on_prior());
        assert_eq!(own.name(), "pseudo (prior=0.2)");
    }
}
