//! The methods, one file each.
//!
//! `method` says what a method is; read any file here then. `ALL` below is the list of those that learn by themselves;
//! `automatic` adds those that choose among them, and `registry` has them all.

pub mod bayes;
pub mod factor;
pub mod graph;
pub mod margin;
pub mod nearest;
pub mod prior;
pub mod relational;
pub mod trees;

use crate::error::{Error, Result, nearest_name};
use crate::method::{Entry, registered};

/// Every method that learns by itself; a new one is one line.
pub static ALL: &[&dyn Entry] = registered![
    bayes::nb::Nb,
    bayes::lgn::Lgn,
    bayes::nb_em::NbEm,
    bayes::spy_em::SpyEm,
    bayes::spy_nb::SpyNb,
    bayes::pnb::Pnb,
    bayes::apnb::Apnb,
    bayes::onb::OnbAsw,
    bayes::onb::OnbLsn,
    nearest::prototype::Prototype,
    nearest::nearest_positive::Nearest,
    nearest::nearest_mean::NearestMean,
    margin::logistic::Logistic,
    margin::logistic_spared::LogisticSpared,
    margin::bagging::Bagging,
    margin::weighted_logistic::WeightedLogistic,
    margin::biased_svm::BiasedSvm,
    margin::elkan_noto::ElkanNoto,
    margin::elkan_noto_weighted::ElkanNotoWeighted,
    margin::upu::Upu,
    margin::nnpu::Nnpu,
    margin::ocsvm::OcSvm,
    margin::svdd::Svdd,
    margin::svmc::Svmc,
    margin::smc::Smc,
    margin::pebl::Pebl,
    margin::roc_svm::RocSvm,
    margin::rc_svm::RcSvm,
    margin::spy_svm::SpySvm,
    margin::svm_nn::SvmNn,
    margin::supervised::Supervised,
    nearest::rocchio::Rocchio,
    relational::relocc::RelOcc,
    relational::relocc_random::RelOccRandom,
    relational::rpt::Rpt,
    relational::o_rel::ORel,
    relational::o_rnd::ORnd,
    relational::s_rel::SRel,
    relational::s_rnd::SRnd,
    factor::nmfpul::NmfPul,
    factor::kmeans::KMeans,
    graph::logistic_smooth::LogisticSmooth,
    graph::pseudo::Pseudo,
    graph::pseudo_smooth::PseudoSmooth,
    graph::knn_novelty::KnnNovelty,
    graph::knn_nb::KnnNb,
    graph::lp_pul::LpPul,
    graph::pu_lp::PuLp,
    trees::forest::Forest,
];

/// The method of that name among these.
pub fn find(name: &str) -> Result<&'static dyn Entry> {
    named(ALL.iter().copied(), name)
}

/// The method of that name among the given ones, or the error that tells the nearest.
pub fn named(
    entries: impl Iterator<Item = &'static dyn Entry> + Clone,
    name: &str,
) -> Result<&'static dyn Entry> {
    entries.clone().find(|entry| entry.spec().name == name).ok_or_else(|| Error::UnknownMethod {
        name: name.into(),
        nearest: nearest_name(name, entries.map(|entry| entry.spec().name)),
    })
}
