//! The distributions behind the rules, by logarithms of factorials.

/// ln Γ(x) for x > 0: Stirling's series, after the argument is raised to where it is exact to 1e-15.
pub fn ln_gamma(x: f64) -> f64 {
    if x <= 0.0 {
        return f64::INFINITY;
    }
    let (mut x, mut product) = (x, 1.0);
    while x < 16.0 {
        product *= x;
        x += 1.0;
    }
    let (inverse, square) = (1.0 / x, 1.0 / (x * x));
    let series = inverse
        * (1.0 / 12.0
            - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0))));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - product.ln()
}

/// ln (n choose k); minus infinity where there is no such choice.
pub fn ln_choose(n: u64, k: u64) -> f64 {
    if k > n {
        return f64::NEG_INFINITY;
    }
    ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0)
}

/// P(at most `most` wanted among `drawn` of `rows` rows, `wanted` of which are wanted).
pub fn hypergeometric_cdf(most: u64, rows: u64, wanted: u64, drawn: u64) -> f64 {
    let (wanted, drawn) = (wanted.min(rows), drawn.min(rows));
    let least = (wanted + drawn).saturating_sub(rows);
    let largest = most.min(wanted).min(drawn);
    if most < least {
        return 0.0;
    }
    if largest == wanted.min(drawn) {
        return 1.0;
    }
    let at = ln_choose(wanted, largest) + ln_choose(rows - wanted, drawn - largest) - ln_choose(rows, drawn);
    let (mut chance, mut sum) = (at.exp(), 0.0);
    if chance == 0.0 {
        // So far out in a tail that its chance cannot be told from none.
        return if largest as f64 * rows as f64 > wanted as f64 * drawn as f64 { 1.0 } else { 0.0 };
    }
    // From the largest down, each chance by its ratio to the one before, until the rest no longer counts.
    for k in (least..=largest).rev() {
        sum += chance;
        if chance < 1e-18 * sum {
            break;
        }
        let (k, wanted, drawn, rows) = (k as f64, wanted as f64, drawn as f64, rows as f64);
        chance *= k * (rows - wanted - drawn + k) / ((wanted - k + 1.0) * (drawn - k + 1.0));
    }
    sum.min(1.0)
}

/// P(at least `least` successes in `trials`, each of chance `p`).
pub fn binomial_tail(least: u64, trials: u64, p: f64) -> f64 {
    let chance =
        |k: u64| (ln_choose(trials, k) + k as f64 * p.ln() + (trials - k) as f64 * (-p).ln_1p()).exp();
    (least..=trials).map(chance).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert!(ln_gamma(1.0).abs() < 1e-13 && ln_gamma(2.0).abs() < 1e-13);
        assert!((ln_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() < 1e-13);
        assert!((ln_gamma(101.0) - 363.739_375_555_563_5).abs() < 1e-10);
        assert!((ln_choose(12, 5) - 792f64.ln()).abs() < 1e-12);
        assert_eq!(ln_choose(3, 4), f64::NEG_INFINITY);
    }

    #[test]
    fn distributions_by_hand() {
        // Two of five are wanted, two are drawn: none in C(3,2)/C(5,2) = 3/10.
        assert!((hypergeometric_cdf(0, 5, 2, 2) - 0.3).abs() < 1e-12);
        assert!((hypergeometric_cdf(1, 5, 2, 2) - 0.9).abs() < 1e-12);
        assert_eq!((hypergeometric_cdf(2, 5, 2, 2), hypergeometric_cdf(0, 5, 4, 2)), (1.0, 0.0));
        assert!((binomial_tail(2, 3, 0.5) - 0.5).abs() < 1e-12);
    }
}
