//! The methods, one file each, and the registry that everything else walks.
//!
//! Read `method.rs` for what a method is, then any method file; `methods!` below is the whole list.

mod method;
mod parameters;
mod registry;

pub mod automatic;
pub mod bayes;
pub mod factor;
pub mod graph;
pub mod margin;
pub mod nearest;

pub mod relational;

pub use method::{Cause, Fitted, Method, Model, Note, Reading, Reason, Scores, Spec, Weights};
pub use parameters::{Parameter, ParameterKind, Parameters, range_words};
pub use registry::{DEFAULT, Entry, all, find, parse_settings};

registry::methods! {
    automatic::auto::Auto,
    automatic::rank_mean::RankMean,
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
    margin::logistic::Logistic,
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
}
