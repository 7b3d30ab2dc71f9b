//! The four SVMs as quadratic programmes, and their answers as models.
//!
//! | | variables | fixed sum | linear term |
//! |---|---|---|---|
//! | C-SVC | y_i α_i, 0 ≤ α_i ≤ C_i | 0 | -y |
//! | ν-SVC | y_i α_i, 0 ≤ α_i ≤ 1 | ±ν n / 2 in each class | 0 |
//! | one-class | 0 ≤ α_i ≤ 1 | ν n | 0 |
//! | SVDD | 0 ≤ α_i ≤ 1 | ν n | -½ ν n K(x_i, x_i) |

use super::kernel::Kernel;
use super::model::KernelModel;
use super::rows::diagonal;
use super::smo::{Programme, SmoOptions, Solution};
use crate::data::Data;
use crate::error::{Error, Result};
use crate::run::Run;

/// A kernel and how exactly to solve.
#[derive(Clone, Debug)]
pub struct Svm {
    pub kernel: Kernel,
    pub options: SmoOptions,
}

/// A trained SVM.
#[derive(Clone, Debug)]
pub struct SvmFit {
    pub model: KernelModel,
    /// The dual variables of all rows, signed by class: what a similar problem can start from.
    pub beta: Vec<f64>,
    /// The value of the dual programme.
    pub objective: f64,
    pub iterations: u64,
    /// f of every training row, as `model.margins` would give it.
    pub margins: Vec<f64>,
}

impl Svm {
    pub fn new(kernel: Kernel) -> Self {
        Svm { kernel, options: SmoOptions::default() }
    }

    /// min ½ |w|² + Σ C_i max(0, 1 - y_i (w·φ(x_i) - ρ)). A row with C_i = 0 is left out.
    pub fn classify(
        &self,
        x: &Data,
        positive: &[bool],
        c: &[f64],
        start: Option<&[f64]>,
        run: &Run,
    ) -> Result<SvmFit> {
        let signs: Vec<f64> = positive.iter().map(|&p| if p { 1.0 } else { -1.0 }).collect();
        let bound = |i: usize, sign: f64| if signs[i] == sign { signs[i] * c[i] } else { 0.0 };
        let low: Vec<f64> = (0..c.len()).map(|i| bound(i, -1.0)).collect();
        let high: Vec<f64> = (0..c.len()).map(|i| bound(i, 1.0)).collect();
        let start = match start {
            Some(beta) => with_sum(beta, &low, &high, 0.0),
            None => vec![0.0; c.len()],
        };
        let programme = Programme {
            kernel: self.kernel,
            x,
            linear: signs.iter().map(|y| -y).collect(),
            low,
            high,
            second_group: vec![false; c.len()],
            start,
        };
        let found = programme.solve(&self.options, run)?;
        let offset = found.offset(&programme, false);
        // f = y - Kβ, so Kβ = y - f and ρ = -offset.
        Ok(self.fit(&programme, &found, &found.beta, -offset, |i| signs[i] - found.f[i] + offset))
    }

    /// min ½ |w|² - ν ρ' + mean of max(0, ρ' - y_i (w·φ(x_i) - ρ)), scaled so that the margin is 1. At most a
    /// share ν of the rows lies inside the margin. `width` is ρ', 0 where the classes cannot be told apart.
    pub fn classify_nu(
        &self,
        x: &Data,
        positive: &[bool],
        nu: f64,
        start: Option<&[f64]>,
        run: &Run,
    ) -> Result<NuFit> {
        let n = positive.len();
        let positives = positive.iter().filter(|p| **p).count();
        let most = 2.0 * positives.min(n - positives) as f64 / n as f64;
        if nu > most {
            return Err(Error::parameter(
                "nu",
                format!("{nu} is above {most}, the most these classes allow"),
            ));
        }
        let low: Vec<f64> = positive.iter().map(|&p| if p { 0.0 } else { -1.0 }).collect();
        let high: Vec<f64> = positive.iter().map(|&p| if p { 1.0 } else { 0.0 }).collect();
        let half = 0.5 * nu * n as f64;
        let mut beta = vec![0.0; n];
        for (wanted, sign) in [(true, 1.0), (false, -1.0)] {
            let rows: Vec<usize> = (0..n).filter(|&i| positive[i] == wanted).collect();
            let pick = |of: &[f64]| -> Vec<f64> { rows.iter().map(|&i| of[i]).collect() };
            let from = start.map_or(vec![0.0; rows.len()], pick);
            let feasible = with_sum(&from, &pick(&low), &pick(&high), sign * half);
            rows.iter().zip(feasible).for_each(|(&i, b)| beta[i] = b);
        }
        let programme = Programme {
            kernel: self.kernel,
            x,
            linear: vec![0.0; n],
            low,
            high,
            second_group: positive.iter().map(|p| !p).collect(),
            start: beta,
        };
        let found = programme.solve(&self.options, run)?;
        let (of_positive, of_negative) = (-found.offset(&programme, false), found.offset(&programme, true));
        let width = 0.5 * (of_positive + of_negative);
        let rho = 0.5 * (of_positive - of_negative);
        // Rows that stand in both classes leave no margin; weights scaled by 1/width would not be finite.
        let size = found.f.iter().fold(0.0f64, |a, f| a.max(f.abs())).max(f64::MIN_POSITIVE);
        if width <= 1e-9 * size || width <= self.options.tolerance * 1e-3 {
            return Ok(NuFit { fit: None, width });
        }
        let weights: Vec<f64> = found.beta.iter().map(|b| b / width).collect();
        let fit = self.fit(&programme, &found, &weights, rho / width, |i| (-found.f[i] - rho) / width);
        Ok(NuFit { fit: Some(fit), width })
    }

    /// min ½ |w|² - ν n ρ + Σ max(0, ρ - w·φ(x_i)): at most a share ν of the rows falls outside.
    pub fn one_class(&self, x: &Data, nu: f64, start: Option<&[f64]>, run: &Run) -> Result<SvmFit> {
        let programme = self.one_group(x, nu, start, vec![0.0; x.rows()]);
        let found = programme.solve(&self.options, run)?;
        let rho = -found.offset(&programme, false);
        Ok(self.fit(&programme, &found, &found.beta, rho, |i| -found.f[i] - rho))
    }

    /// The smallest ball in feature space that leaves at most a share ν of the rows outside.
    pub fn ball(&self, x: &Data, nu: f64, start: Option<&[f64]>, run: &Run) -> Result<Ball> {
        let own = diagonal(self.kernel, x)?;
        let mass = nu * x.rows() as f64;
        let programme = self.one_group(x, nu, start, own.iter().map(|k| -0.5 * mass * k).collect());
        let found = programme.solve(&self.options, run)?;
        // f = ½ m K(x,x) - Kβ; the squared distance to the centre Σβφ/m is K(x,x) - 2Kβ/m + |centre|², so
        // on the boundary it is 2 offset / m + |centre|², and everywhere R² - d² = 2 (offset - f) / m.
        let offset = found.offset(&programme, false);
        let inside = |i: usize| 2.0 * (offset - found.f[i]) / mass;
        let weights: Vec<f64> = found.beta.iter().map(|b| 2.0 * b / mass).collect();
        // R² - d² = Σ (2β/m) K - K(x,x) + 2 offset/m.
        let fit = self.fit(&programme, &found, &weights, -2.0 * offset / mass, inside);
        let centre: f64 =
            found.beta.iter().enumerate().map(|(i, b)| b * (0.5 * mass * own[i] - found.f[i])).sum();
        let squared_radius = 2.0 * offset / mass + centre / (mass * mass);
        Ok(Ball { fit, squared_radius })
    }

    fn one_group<'a>(&self, x: &'a Data, nu: f64, start: Option<&[f64]>, linear: Vec<f64>) -> Programme<'a> {
        let n = x.rows();
        let (low, high) = (vec![0.0; n], vec![1.0; n]);
        let zeros = vec![0.0; n];
        let start = with_sum(start.unwrap_or(&zeros), &low, &high, nu * n as f64);
        Programme { kernel: self.kernel, x, linear, low, high, second_group: vec![false; n], start }
    }

    fn fit(
        &self,
        programme: &Programme,
        found: &Solution,
        weights: &[f64],
        rho: f64,
        margin: impl Fn(usize) -> f64,
    ) -> SvmFit {
        SvmFit {
            model: KernelModel::new(self.kernel, programme.x, weights, rho),
            beta: found.beta.clone(),
            objective: found.objective(&programme.linear),
            iterations: found.iterations,
            margins: (0..weights.len()).map(margin).collect(),
        }
    }
}

/// The answer of ν-SVC; no fit where the classes leave no margin between them.
#[derive(Clone, Debug)]
pub struct NuFit {
    pub fit: Option<SvmFit>,
    pub width: f64,
}

/// A ball: `fit.model` gives R² - |φ(x) - centre|² + K(x, x), from which K(x, x) must be taken.
#[derive(Clone, Debug)]
pub struct Ball {
    pub fit: SvmFit,
    pub squared_radius: f64,
}

/// Something like `beta` within the bounds that adds up to `sum`: scaled and clipped, then raised or lowered from
/// the first row on. Without a start that gives the first rows all they can hold, as in LIBSVM.
fn with_sum(beta: &[f64], low: &[f64], high: &[f64], sum: f64) -> Vec<f64> {
    let clipped = |b: f64, at: usize| b.clamp(low[at], high[at]);
    let mut out: Vec<f64> = beta.iter().enumerate().map(|(at, b)| clipped(*b, at)).collect();
    // A problem of another size wants another sum; what is clipped is made up for by the others in a few rounds.
    for _ in 0..4 {
        let factor = sum / out.iter().sum::<f64>();
        if !(factor > 0.0 && factor.is_finite()) || (factor - 1.0).abs() < 1e-9 {
            break;
        }
        out.iter_mut().enumerate().for_each(|(at, b)| *b = clipped(*b * factor, at));
    }
    let mut missing = sum - out.iter().sum::<f64>();
    for (b, (l, h)) in out.iter_mut().zip(low.iter().zip(high)) {
        let next = (*b + missing).clamp(*l, *h);
        missing -= next - *b;
        *b = next;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use rand::RngExt;
    use std::sync::Arc;

    fn rows(values: Vec<f32>, cols: usize) -> Data {
        Data::Dense(Arc::new(Dense::new(values.len() / cols, cols, values).unwrap()))
    }

    /// Two overlapping clouds in five dimensions.
    fn clouds(n: usize) -> (Data, Vec<bool>) {
        let mut rng = Run::new(8).rng("clouds", 0);
        let positive: Vec<bool> = (0..n).map(|i| i % 3 == 0).collect();
        let values =
            (0..n * 5).map(|k| rng.random_range(-1.0f32..1.0) + if positive[k / 5] { 0.4 } else { 0.0 });
        (rows(values.collect(), 5), positive)
    }

    fn exact(kernel: Kernel) -> Svm {
        Svm { kernel, options: SmoOptions { tolerance: 1e-8, ..SmoOptions::default() } }
    }

    #[test]
    fn two_rows_by_hand() {
        // x = 3 positive, x = 1 negative: the widest margin is w = 1, boundary at 2, α = 1/2 for both.
        let x = rows(vec![3.0, 1.0], 1);
        let fit = exact(Kernel::Linear).classify(&x, &[true, false], &[10.0; 2], None, &Run::new(0)).unwrap();
        assert_eq!(fit.beta, [0.5, -0.5]);
        assert!((fit.model.rho - 2.0).abs() < 1e-12 && (fit.objective + 0.5).abs() < 1e-12);
        assert_eq!(fit.margins, [1.0, -1.0]);
        // ν = 1 takes both rows whole: w = 3 - 1 = 2, (3·2 - 1·2)/2 = 2 on either side of ρ = 4.
        let nu = exact(Kernel::Linear).classify_nu(&x, &[true, false], 1.0, None, &Run::new(0)).unwrap();
        let fit = nu.fit.unwrap();
        assert!((nu.width - 2.0).abs() < 1e-12 && (fit.model.rho - 2.0).abs() < 1e-12);
        assert_eq!(fit.margins, [1.0, -1.0]);
        // One class, ν n = 1: w is the point nearest to the origin, x = 1; no row is free, so ρ lies half-way.
        let fit = exact(Kernel::Linear).one_class(&x, 0.5, None, &Run::new(0)).unwrap();
        assert_eq!((fit.beta, fit.model.rho), (vec![0.0, 1.0], 2.0));
        // The smallest ball around 3 and 1 has centre 2 and radius 1.
        let ball = exact(Kernel::Linear).ball(&x, 0.5, None, &Run::new(0)).unwrap();
        assert!((ball.squared_radius - 1.0).abs() < 1e-12, "{ball:?}");
        assert!(ball.fit.margins.iter().all(|m| m.abs() < 1e-12));
    }

    /// At the solution primal and dual agree, for any kernel and unequal weights.
    #[test]
    fn the_duality_gap_closes() {
        let (x, positive) = clouds(150);
        let c: Vec<f64> = (0..150).map(|i| 0.3 + (i % 4) as f64).collect();
        for kernel in [
            Kernel::Linear,
            Kernel::Rbf { gamma: 0.5 },
            Kernel::Polynomial { gamma: 0.3, constant: 1.0, degree: 3 },
        ] {
            let fit = exact(kernel).classify(&x, &positive, &c, None, &Run::new(0)).unwrap();
            let margins = fit.model.margins(&x).unwrap();
            let mut loss = 0.0;
            let mut size = 0.0;
            for i in 0..150 {
                let sign = if positive[i] { 1.0 } else { -1.0 };
                loss += c[i] * (1.0 - sign * margins[i]).max(0.0);
                size += fit.beta[i] * (margins[i] + fit.model.rho);
                assert!((margins[i] - fit.margins[i]).abs() < 1e-5, "{kernel:?}");
            }
            let primal = 0.5 * size + loss;
            assert!((primal + fit.objective).abs() < 1e-4 * primal, "{kernel:?}: {primal} {}", fit.objective);
            assert!(fit.beta.iter().sum::<f64>().abs() < 1e-9);
        }
    }

    #[test]
    fn neither_cache_nor_shrinking_nor_start_changes_the_answer() {
        let (x, positive) = clouds(400);
        let c = vec![2.0; 400];
        let kernel = Kernel::Rbf { gamma: 0.8 };
        let plain = exact(kernel).classify(&x, &positive, &c, None, &Run::new(0)).unwrap();
        let mut small = exact(kernel);
        small.options.cache_bytes = 1;
        let mut whole = exact(kernel);
        whole.options.shrinking = false;
        let tenth: Vec<f64> = vec![0.2; 400];
        let near = exact(kernel).classify(&x, &positive, &tenth, None, &Run::new(0)).unwrap();
        let others = [
            small.classify(&x, &positive, &c, None, &Run::new(0)).unwrap(),
            whole.classify(&x, &positive, &c, None, &Run::new(0)).unwrap(),
            exact(kernel).classify(&x, &positive, &c, Some(&near.beta), &Run::new(0)).unwrap(),
        ];
        assert_eq!(others[0].beta, plain.beta, "a smaller cache");
        for other in &others {
            assert!((other.objective - plain.objective).abs() < 1e-6 * plain.objective.abs());
        }
        let again = exact(kernel).classify(&x, &positive, &c, Some(&plain.beta), &Run::new(0)).unwrap();
        assert!(again.iterations < plain.iterations / 10, "{} {}", again.iterations, plain.iterations);
    }

    #[test]
    fn nu_is_a_bound_on_margin_errors_and_support_vectors() {
        let (x, positive) = clouds(300);
        let svm = exact(Kernel::Rbf { gamma: 0.5 });
        for nu in [0.1, 0.4] {
            let fit = svm.classify_nu(&x, &positive, nu, None, &Run::new(0)).unwrap().fit.unwrap();
            let signed = |i: usize| if positive[i] { fit.margins[i] } else { -fit.margins[i] };
            let errors = (0..300).filter(|&i| signed(i) < 1.0 - 1e-3).count() as f64 / 300.0;
            let support = fit.model.coefficients.len() as f64 / 300.0;
            assert!(errors <= nu + 1e-9 && support >= nu, "{nu}: {errors} {support}");
            let inside = svm.one_class(&x, nu, None, &Run::new(0)).unwrap();
            let outside = inside.margins.iter().filter(|m| **m < -1e-6).count() as f64 / 300.0;
            assert!(outside <= nu + 1e-9 && inside.model.coefficients.len() as f64 / 300.0 >= nu);
        }
        assert!(svm.classify_nu(&x, &positive, 0.9, None, &Run::new(0)).is_err());
    }

    #[test]
    fn with_an_rbf_kernel_the_ball_is_the_one_class_svm() {
        let (x, _) = clouds(120);
        let svm = exact(Kernel::Rbf { gamma: 0.6 });
        let (plane, ball) = (
            svm.one_class(&x, 0.2, None, &Run::new(0)).unwrap(),
            svm.ball(&x, 0.2, None, &Run::new(0)).unwrap(),
        );
        // R² - d² = 2 (f - ρ) / (ν n) with f the one-class margin.
        for (a, b) in plane.margins.iter().zip(&ball.fit.margins) {
            assert!((2.0 * a / 24.0 - b).abs() < 1e-5, "{a} {b}");
        }
        let margins = ball.fit.model.margins(&x).unwrap();
        for (i, m) in margins.iter().enumerate() {
            assert!(
                (m - 1.0 - ball.fit.margins[i]).abs() < 1e-5,
                "the model leaves K(x, x) = 1 to be taken off"
            );
        }
    }

    #[test]
    fn rows_in_both_classes_leave_no_margin() {
        let x = rows(vec![1.0; 8], 1);
        let positive: Vec<bool> = (0..8).map(|i| i < 4).collect();
        let found =
            Svm::new(Kernel::Rbf { gamma: 1.0 }).classify_nu(&x, &positive, 0.5, None, &Run::new(0)).unwrap();
        assert!(found.fit.is_none() && found.width.abs() < 1e-6);
    }

    #[test]
    fn a_given_kernel_is_used_as_it_stands() {
        let (x, positive) = clouds(60);
        let gamma = 0.5;
        let d = x.dense().unwrap();
        let kernel = |i: usize, j: usize| {
            let distance: f64 = d.row(i).iter().zip(d.row(j)).map(|(a, b)| f64::from(a - b).powi(2)).sum();
            (-gamma * distance).exp() as f32
        };
        let given = rows((0..3600).map(|k| kernel(k / 60, k % 60)).collect(), 60);
        let ours =
            exact(Kernel::Rbf { gamma }).classify(&x, &positive, &[1.0; 60], None, &Run::new(0)).unwrap();
        let theirs =
            exact(Kernel::Given).classify(&given, &positive, &[1.0; 60], None, &Run::new(0)).unwrap();
        assert!((ours.objective - theirs.objective).abs() < 1e-6 * ours.objective.abs());
        let margins = theirs.model.margins(&given).unwrap();
        assert!(margins.iter().zip(&ours.margins).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
