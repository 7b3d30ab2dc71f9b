//! SVDD (Tax & Duin 1999, 2004): the smallest ball around the positives.
//!
//! The ball lives in the feature space of the kernel and may leave a share ν of the positives outside. With a
//! radial kernel it is the one-class SVM; with a linear one it is a ball in the space of the columns themselves,
//! which suits numbers that cluster around a centre. The pile is not looked at.
//!
//! ```text
//! min R² + 1/(ν n) Σ max(0, |φ(x_i) - a|² - R²),     score by R² - |φ(x) - a|²
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::{Data, Kind, PuData};
use crate::error::Result;
use crate::method::{Fitted, Method, Spec, Weights};
use crate::parts::one_class::{Boundary, OneClass};
use crate::parts::svm::{Kernel, KernelChoice, MarginModel, SmoOptions, Svm};
use crate::run::Run;

/// The smallest ball around the positives; the pile is not used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Svdd {
    /// Largest share of the positives left outside
    #[schemars(range(min = 1e-6, max = 1.0))]
    pub nu: f64,
    /// Which kernel compares two rows
    pub kernel: KernelChoice,
    /// Width of the radial kernel; none means by the spread of the positives
    #[schemars(range(min = 1e-12, max = 1e12))]
    pub gamma: Option<f64>,
    /// Score by the share of held-out positives that lie further outside, instead of by the bare distance
    pub calibrated: bool,
    /// Megabytes of kernel rows kept in memory
    #[schemars(range(min = 1, max = 1_000_000))]
    pub cache: u32,
}

impl Default for Svdd {
    fn default() -> Self {
        Svdd { nu: 0.1, kernel: KernelChoice::Auto, gamma: None, calibrated: true, cache: 512 }
    }
}

impl Method for Svdd {
    const SPEC: Spec = Spec {
        name: "svdd",
        family: "margin",
        title: "the smallest ball around the positives; the pile is not used",
        paper: "Tax & Duin 2004, Support vector data description",
        assumes: "The class fills a ball, in the space of the kernel, that its examples, a random draw of it, outline, all but a share ν of them. Of the pile nothing is assumed.",
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

impl Svdd {
    /// Margins are in units of R², or of 1 where the ball has no extent.
    fn boundary(&self, kernel: Kernel, positives: &Data, run: &Run) -> Result<Boundary> {
        let options = SmoOptions { cache_bytes: (self.cache as usize) << 20, ..SmoOptions::default() };
        let ball = Svm { kernel, options }.ball(positives, self.nu, None, run)?;
        let unit = if ball.squared_radius > 1e-9 { ball.squared_radius } else { 1.0 };
        Ok(Boundary { model: MarginModel::Kernel(ball.fit.model), unit, subtracts_own: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use crate::method::Model;
    use std::sync::Arc;

    #[test]
    fn a_ball_on_a_line_by_hand() {
        // Positives at 2 and 4 (ν = 0.5 lets weight 1 be shared): centre 3, R = 1. At 6: 1 - 9 = -8 = -8 R².
        let x = Data::Dense(Arc::new(Dense::new(4, 1, vec![2.0, 4.0, 3.0, 6.0]).unwrap()));
        let train = PuData::new(x, vec![true, true, false, false]).unwrap();
        let method = Svdd { nu: 0.5, kernel: KernelChoice::Linear, calibrated: false, ..Svdd::default() };
        let fitted = method.fit(&train, &Run::new(0)).unwrap();
        let margins = fitted.model.margins(&train.x).unwrap();
        for (found, wanted) in margins.iter().zip([0.0, 0.0, 1.0, -8.0]) {
            assert!((found - wanted).abs() < 1e-6, "{margins:?}");
        }
        assert_eq!(fitted.model.score(&train.x, &Run::new(0)).unwrap(), fitted.scores);
    }
}
