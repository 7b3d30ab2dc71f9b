//! Inline SVG: bars, and lines with bands. Colours come from the page's style, so both themes work.

use crate::page::escape;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 44.0;

/// What the axes say and span.
pub struct Axes<'a> {
    pub x_label: &'a str,
    pub y_label: &'a str,
    pub x: (f64, f64),
    pub y: (f64, f64),
}

impl Axes<'_> {
    fn at_x(&self, value: f64) -> f64 {
        LEFT + (value - self.x.0) / span(self.x) * (WIDTH - LEFT - RIGHT)
    }

    fn at_y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (value - self.y.0) / span(self.y) * (HEIGHT - TOP - BOTTOM)
    }

    fn point(&self, x: f64, y: f64) -> String {
        format!("{:.1},{:.1}", self.at_x(x), self.at_y(y))
    }

    fn frame(&self) -> String {
        self.rows() + &self.columns() + &self.labels()
    }

    /// Five values along the horizontal axis.
    fn columns(&self) -> String {
        let mut out = String::new();
        for k in 0..=4 {
            let x = self.x.0 + f64::from(k) / 4.0 * span(self.x);
            out.push_str(&self.column(x, &short(x)));
        }
        out
    }

    fn column(&self, x: f64, name: &str) -> String {
        format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            self.at_x(x),
            HEIGHT - BOTTOM + 17.0,
            escape(name)
        )
    }

    /// What both axes are called.
    fn labels(&self) -> String {
        let middle = LEFT + (WIDTH - RIGHT - LEFT) / 2.0;
        format!(
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><text x=\"{LEFT}\" y=\"12\">{}</text>",
            HEIGHT - 8.0,
            escape(self.x_label),
            escape(self.y_label)
        )
    }

    /// Five horizontal lines with their values.
    fn rows(&self) -> String {
        let mut out = String::new();
        for k in 0..=4 {
            let y = self.y.0 + f64::from(k) / 4.0 * span(self.y);
            out.push_str(&self.row(y, &short(y)));
        }
        out
    }

    fn row(&self, y: f64, name: &str) -> String {
        let (py, right) = (self.at_y(y), WIDTH - RIGHT);
        format!(
            "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{py:.1}\" x2=\"{right}\" y2=\"{py:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            LEFT - 6.0,
            py + 4.0
        )
    }

    /// A vertical line with a word beside it.
    fn mark(&self, x: f64, name: &str) -> String {
        let px = self.at_x(x);
        let (anchor, shift) = if px > WIDTH * 0.75 { ("end", -6.0) } else { ("start", 6.0) };
        format!(
            "<line class=\"mark\" x1=\"{px:.1}\" y1=\"{TOP}\" x2=\"{px:.1}\" y2=\"{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            HEIGHT - BOTTOM,
            px + shift,
            TOP + 12.0,
            escape(name)
        )
    }
}

fn span(range: (f64, f64)) -> f64 {
    if range.1 > range.0 { range.1 - range.0 } else { 1.0 }
}

fn short(value: f64) -> String {
    if value.abs() >= 100.0 || value == value.trunc() { format!("{value:.0}") } else { format!("{value:.2}") }
}

fn svg(title: &str, body: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">{body}</svg>",
        escape(title)
    )
}

/// How many of the values lie in each of forty bins of [0, 1]; those below the cut are drawn pale. The height is
/// logarithmic, since nearly all of a pile lies far from the class.
pub fn histogram(title: &str, x_label: &str, y_label: &str, values: &[f64], cut: f64) -> String {
    const BINS: usize = 40;
    let mut counts = [0usize; BINS];
    for value in values {
        counts[((value * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let height = |count: usize| (count as f64).ln_1p();
    let tallest = counts.iter().copied().max().unwrap_or(0).max(1);
    let axes = Axes { x_label, y_label, x: (0.0, 1.0), y: (0.0, height(tallest)) };
    let mut body = axes.labels() + &axes.columns();
    let powers = std::iter::successors(Some(1usize), |power| power.checked_mul(10));
    for count in std::iter::once(0).chain(powers.take_while(|power| *power <= tallest)) {
        body.push_str(&axes.row(height(count), &count.to_string()));
    }
    for (bin, &count) in counts.iter().enumerate() {
        let (from, to) = (bin as f64 / BINS as f64, (bin + 1) as f64 / BINS as f64);
        let (x, y) = (axes.at_x(from), axes.at_y(height(count)));
        let class = if to <= cut { "bar low" } else { "bar" };
        let (width, height) = (axes.at_x(to) - x - 1.0, HEIGHT - BOTTOM - y);
        body.push_str(&format!("<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>{count}</title></rect>"));
    }
    body.push_str(&axes.mark(cut, "cut"));
    svg(title, &body)
}

/// A line through points (x, y), and around it the band of its lower and upper ends where there is one.
pub struct Line<'a> {
    pub name: &'a str,
    pub points: Vec<(f64, f64)>,
    pub band: Vec<(f64, f64)>,
}

/// Lines over the same axes; the first is drawn whole, the others dashed.
pub fn lines(title: &str, axes: &Axes<'_>, lines: &[Line<'_>], mark: Option<(f64, &str)>) -> String {
    let mut body = axes.frame();
    for (at, line) in lines.iter().enumerate() {
        if !line.band.is_empty() {
            let low = line.points.iter().zip(&line.band).map(|((x, _), (low, _))| axes.point(*x, *low));
            let high =
                line.points.iter().zip(&line.band).map(|((x, _), (_, high))| axes.point(*x, *high)).rev();
            let outline: Vec<String> = low.chain(high).collect();
            body.push_str(&format!("<polygon class=\"band\" points=\"{}\"/>", outline.join(" ")));
        }
        let points: Vec<String> = line.points.iter().map(|(x, y)| axes.point(*x, *y)).collect();
        let class = if at == 0 { "line" } else { "line other" };
        let name = escape(line.name);
        body.push_str(&format!(
            "<polyline class=\"{class}\" points=\"{}\"><title>{name}</title></polyline>",
            points.join(" ")
        ));
    }
    if let Some((x, name)) = mark {
        body.push_str(&axes.mark(x, name));
    }
    svg(title, &body)
}

/// One curve over named places of the axis; a place may be without a value.
pub struct Curve<'a> {
    pub name: &'a str,
    pub values: Vec<Option<f64>>,
}

const COLOURS: usize = 10;

/// The style's class of the n-th curve.
pub fn colour(at: usize) -> String {
    format!("c{}{}", at % COLOURS, if at >= COLOURS { " again" } else { "" })
}

/// Curves over the same places, evenly spaced whatever their numbers.
pub fn curves(title: &str, x_label: &str, y_label: &str, places: &[&str], curves: &[Curve<'_>]) -> String {
    let values = || curves.iter().flat_map(|curve| curve.values.iter().flatten());
    let highest = values().fold(0.0f64, |high, value| high.max(*value));
    let lowest = values().fold(0.0f64, |low, value| low.min(*value));
    let last = (places.len().max(2) - 1) as f64;
    let top = if highest > 1.0 { (highest / 20.0).ceil() * 20.0 } else { 1.0 };
    let axes = Axes { x_label, y_label, x: (0.0, last), y: (lowest, top) };
    let mut body = axes.rows() + &axes.labels();
    for (at, place) in places.iter().enumerate() {
        body.push_str(&axes.column(at as f64, place));
    }
    for (at, curve) in curves.iter().enumerate() {
        let points: Vec<String> = (curve.values.iter().enumerate())
            .filter_map(|(place, value)| Some(axes.point(place as f64, (*value)?)))
            .collect();
        body.push_str(&format!(
            "<polyline class=\"line {}\" points=\"{}\"><title>{}</title></polyline>",
            colour(at),
            points.join(" "),
            escape(curve.name)
        ));
    }
    svg(title, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: Axes<'static> = Axes { x_label: "share", y_label: "recall", x: (0.0, 1.0), y: (0.0, 1.0) };

    #[test]
    fn points_land_inside_the_frame() {
        assert_eq!(AXES.point(0.0, 0.0), "56.0,256.0");
        assert_eq!(AXES.point(1.0, 1.0), "704.0,18.0");
        let svg = lines(
            "t",
            &AXES,
            &[Line { name: "a", points: vec![(0.0, 0.0), (1.0, 1.0)], band: vec![(0.0, 0.1), (0.9, 1.0)] }],
            Some((0.5, "cut")),
        );
        assert!(
            svg.contains("points=\"56.0,256.0 704.0,18.0\"")
                && svg.contains("class=\"band\"")
                && svg.contains(">cut<")
        );
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn every_value_is_in_a_bar() {
        let svg = histogram("t", "score", "rows", &[0.0, 0.5, 1.0, 1.0], 0.5);
        assert_eq!(svg.matches("<rect").count(), 40);
        assert!(svg.contains("<title>2</title>") && svg.contains("bar low"));
        assert!(svg.contains(">1</text>") && !svg.contains(">10</text>"), "the height is told as counts");
    }
}
