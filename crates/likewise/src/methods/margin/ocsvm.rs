//! One-class SVM (Schölkopf et al. 2001): the region that holds the positives, from the positives alone.
//!
//! Under a radial kernel a plane is pushed as far from the origin as it goes while at most a share ν of the
//! positives falls behind it. The pile is not looked at. Use it when the pile tells nothing about the
//! negatives to come; where it does, methods that read it are far better.
//!
//! ```text
//! min ½ |w|² - ν n ρ + Σ max(0, ρ - w·φ(x_i)),     score by w·φ(x) - ρ        (Equation 3)
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Data, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Spec, Weights};
use crate::parts::linear::one_class::LinearOneClass;
use crate::parts::one_class::{Boundary, OneClass};
use crate::parts::svm::{Kernel, KernelChoice, MarginModel, SmoOptions, Svm};
use crate::run::Run;

/// One-class SVM around the positives; the pile is not used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OcSvm {
    /// Largest share of the positives left outside
    #[schemars(range(min = 1e-6, max = 1.0))]
    pub nu: f64,
    /// Which kernel compares two rows
    pub kernel: KernelChoice,
    /// Width of the radial kernel; none means by the spread of the positives
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// Score by the share of held-out positives that lie further outside, instead of by the bare margin
    pub calibrated: bool,
    /// Megabytes of kernel rows kept in memory
    #[schemars(range(min = 1, max = 1_000_000))]
    pub cache: u32,
}

impl Default for OcSvm {
    fn default() -> Self {
        OcSvm { nu: 0.1, kernel: KernelChoice::Auto, gamma: None, calibrated: true, cache: 512 }
    }
}

impl Method for OcSvm {
    const SPEC: Spec = Spec {
        name: "ocsvm",
        family: "margin",
        title: "one-class SVM around the positives; the pile is not used",
        paper: "Schölkopf, Platt, Shawe-Taylor, Smola & Williamson 2001, Estimating the support of a high-dimensional distribution",
        assumes: "The class fills a region that its examples, a random draw of it, outline, all but a share ν of them; whatever lies outside is not of it. Of the pile nothing is assumed.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("its support vectors, which are rows it learned from, where the kernel is not linear"),
    };
    const HIDDEN_CUT: bool = true;
    type Model = OneClass;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<OneClass>> {
        let kernel = self.kernel.kernel(self.gamma, &train.x.select(&train.positives()));
        OneClass::learn(train, self.calibrated, run, |positives| self.boundary(kernel, positives, run))
    }
}

impl OcSvm {
    /// Margins are divided by ρ, so that they do not grow with the number of positives.
    fn boundary(&self, kernel: Kernel, positives: &Data, run: &Run) -> Result<Boundary> {
        if kernel == Kernel::Linear {
            let model = LinearOneClass { nu: self.nu, tolerance: 1e-4 }.fit(positives, run)?;
            let unit = model.bias.abs();
            return Ok(Boundary { model: MarginModel::Linear(model), unit, subtracts_own: false });
        }
        let options = SmoOptions { cache_bytes: (self.cache as usize) << 20, ..SmoOptions::default() };
        let fit = Svm { kernel, options }.one_class(positives, self.nu, None, run)?;
        let unit = fit.model.rho.abs();
        Ok(Boundary { model: MarginModel::Kernel(fit.model), unit, subtracts_own: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    /// 40 positives around the origin of a line, a pile from -10 to 10.
    fn train() -> PuData {
        let values =
            (0..40).map(|i| (i as f32 - 19.5) / 20.0).chain((0..41).map(|i| (i as f32 - 20.0) / 2.0));
        let x = Data::Dense(Arc::new(Dense::new(81, 1, values.collect()).unwrap()));
        PuData::new(x, (0..81).map(|i| i < 40).collect()).unwrap()
    }

    #[test]
    fn inside_is_where_the_positives_are() {
        for calibrated in [true, false] {
            let method = OcSvm { calibrated, gamma: Some(0.1), ..OcSvm::default() };
            let fitted = method.fit(&train(), &Run::new(0)).unwrap();
            let outside = fitted.scores[..40].iter().filter(|s| **s < 0.5).count();
            assert!((1..=6).contains(&outside), "{outside} of 40 positives outside");
            let [left, middle, right] = [40, 60, 80].map(|i| fitted.scores[i]);
            assert!(left < 0.3 && middle > 0.5 && right < 0.3, "{left} {middle} {right}");
        }
    }
}
