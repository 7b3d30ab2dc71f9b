//! Which rankers tell how many positives the pile holds: those that rank them about as high as the best one does.
//!
//! Each ranker bounds the prior from above, and the better it ranks the closer. One that is clearly worse than another on
//! the same positives bounds it less closely by the rows that it alone puts among them, and says nothing that the better
//! one does not know. Worse is what the mean difference of the ranks, positive by positive, shows beyond chance:
//!
//! ```text
//! mean_i(r_i - best_i) > 2 sd_i(r_i - best_i) / √n
//! ```

use super::median_of_three;
use super::ranks::Ranks;

/// Standard errors by which a ranker is behind the best before it is left out.
const CLEARLY: f64 = 2.0;

/// The rankers that no other clearly beats; the best itself is always among them. All have ranked the same positives.
pub(super) fn not_clearly_beaten(ranks: &[Ranks]) -> Vec<Ranks> {
    let best = ranks.iter().max_by(|a, b| a.auc().total_cmp(&b.auc()));
    best.map_or_else(Vec::new, |best| ranks.iter().filter(|own| !is_beaten(own, best)).cloned().collect())
}

fn is_beaten(own: &Ranks, best: &Ranks) -> bool {
    let behind: Vec<f64> = own.middles().iter().zip(best.middles()).map(|(own, best)| own - best).collect();
    let n = behind.len() as f64;
    let mean = behind.iter().sum::<f64>() / n;
    let squares: f64 = behind.iter().map(|d| (d - mean) * (d - mean)).sum();
    n > 1.0 && mean > CLEARLY * (squares / (n - 1.0) / n).sqrt()
}

/// Of these all but the one with the highest estimate, where there are more than two: one that ranks poorly, though not
/// clearly so, says nearly nothing by it.
pub(super) fn but_the_highest(ranks: &[Ranks]) -> Vec<&Ranks> {
    let mut by_estimate: Vec<&Ranks> = ranks.iter().collect();
    by_estimate.sort_by(|a, b| median_of_three(a).total_cmp(&median_of_three(b)));
    if by_estimate.len() > 2 {
        by_estimate.pop();
    }
    by_estimate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranker_is_left_out_where_it_is_worse_beyond_chance() {
        let best = Ranks::of_counts([0, 10, 20, 30].into_iter(), 100);
        // Behind by 10, 12, 8 and 10 rows: .10 in the mean, with a standard error of .008.
        let behind = Ranks::of_counts([10, 22, 28, 40].into_iter(), 100);
        // As far behind in the mean, all of it at one positive: the standard error is as large.
        let unlucky = Ranks::of_counts([0, 10, 20, 70].into_iter(), 100);
        assert_eq!(
            not_clearly_beaten(&[behind.clone(), best.clone(), unlucky.clone()]),
            [best.clone(), unlucky]
        );
        assert_eq!(not_clearly_beaten(std::slice::from_ref(&behind)), [behind]);
        assert_eq!(not_clearly_beaten(&[]), []);
    }
}
