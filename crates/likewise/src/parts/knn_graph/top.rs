//! The best few of many approximate scores, with enough slack that no exact winner is lost.

/// How far the order of two f32 sums of this many products of unit rows may be from their exact order.
pub(super) fn slack(products: usize) -> f32 {
    (products + 8) as f32 * f32::EPSILON
}

/// Keeps every score that is not surely below the k-th best seen so far.
pub(super) struct Top {
    k: usize,
    /// How far two approximate scores may stand from their exact order.
    slack: f32,
    threshold: f32,
    kept: Vec<(f32, u32)>,
    room: usize,
}

impl Top {
    pub fn new(k: usize) -> Self {
        Top { k, slack: 0.0, threshold: 0.0, kept: Vec::new(), room: 0 }
    }

    /// Forgets everything; `threshold` is the least score of interest.
    pub fn start(&mut self, slack: f32, threshold: f32) {
        self.slack = slack;
        self.threshold = threshold;
        self.kept.clear();
        // A model file may ask for more neighbours than there are rows, or numbers.
        self.room = self.k.saturating_mul(4).saturating_add(16);
    }

    /// No row with a lower score can be among the best.
    pub fn threshold(&self) -> f32 {
        self.threshold
    }

    #[inline]
    pub fn push(&mut self, score: f32, row: u32) {
        if score >= self.threshold {
            self.kept.push((score, row));
            if self.kept.len() >= self.room {
                self.shrink();
                self.room = self.room.max(2 * self.kept.len());
            }
        }
    }

    /// Offers the scores of the rows from `first` on.
    pub fn push_all(&mut self, scores: &[f32], first: usize) {
        const CHUNK: usize = 32;
        for (c, chunk) in scores.chunks(CHUNK).enumerate() {
            let largest = chunk.iter().fold(f32::NEG_INFINITY, |m, &s| if s > m { s } else { m });
            if largest >= self.threshold {
                for (i, &score) in chunk.iter().enumerate() {
                    self.push(score, (first + c * CHUNK + i) as u32);
                }
            }
        }
    }

    fn shrink(&mut self) {
        if self.kept.len() > self.k {
            let (_, kth, _) = self.kept.select_nth_unstable_by(self.k - 1, |a, b| b.0.total_cmp(&a.0));
            self.threshold = self.threshold.max(kth.0 - self.slack);
            let threshold = self.threshold;
            self.kept.retain(|(score, _)| *score >= threshold);
        }
    }

    /// The k-th best score so far, or none while there are fewer.
    pub fn kth(&mut self) -> Option<f32> {
        if self.kept.len() < self.k {
            return None;
        }
        let (_, kth, _) = self.kept.select_nth_unstable_by(self.k - 1, |a, b| b.0.total_cmp(&a.0));
        Some(kth.0)
    }

    /// The rows that may be among the exact k best.
    pub fn candidates(&mut self) -> impl Iterator<Item = u32> + '_ {
        self.shrink();
        self.kept.iter().map(|(_, row)| *row)
    }
}

/// Orders exact cosines from the largest, equal ones by row, and keeps k.
pub(super) fn best(mut found: Vec<(u32, f32)>, k: usize) -> Vec<(u32, f32)> {
    found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(k);
    // Among near-copies thousands may have been as good: kept for every row, their room would be far from linear.
    found.shrink_to_fit();
    found
}
