//! What is printed in Tables 3 to 11, and the configurations behind the columns that came from another study.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::data::DataFolder;
use crate::error::Result;

/// Collection, system, number of labelled documents.
type Place = (String, String, usize);

pub struct Published {
    printed: HashMap<Place, f64>,
    settings: HashMap<Place, Map<String, Value>>,
}

impl Published {
    pub fn load(data: &DataFolder) -> Result<Self> {
        let mut published = Published { printed: HashMap::new(), settings: HashMap::new() };
        let tables = data.table("textcollections/reference/nmfpul_tables_3_11.csv")?;
        for row in 0..tables.rows() {
            let cell = |name: &str| Ok::<_, crate::Error>(tables.column(name)?.cell(row).into_owned());
            if let (Ok(labelled), Ok(value)) = (cell("labeled")?.parse(), cell("f1")?.parse()) {
                published.printed.insert((cell("collection")?, cell("method")?, labelled), value);
            }
        }
        published.read_best(data)?;
        published.read_thresholds(data)?;
        Ok(published)
    }

    /// What the paper prints there.
    pub fn value(&self, collection: &str, system: &str, labelled: usize) -> Option<f64> {
        self.printed.get(&(collection.into(), system.into(), labelled)).copied()
    }

    /// The parameters of the configuration that did best on the test labels, as the study chose it.
    pub fn settings(&self, collection: &str, system: &str, labelled: usize) -> Map<String, Value> {
        self.settings.get(&(collection.into(), system.into(), labelled)).cloned().unwrap_or_default()
    }

    fn read_best(&mut self, data: &DataFolder) -> Result<()> {
        let best = data.table("textcollections/reference/carnevali2021_best_of_grid.csv")?;
        for row in 0..best.rows() {
            let cell = |name: &str| Ok::<_, crate::Error>(best.column(name)?.cell(row).into_owned());
            let (method, config) = (cell("method")?, cell("config")?);
            let setting: HashMap<&str, &str> =
                config.split(' ').filter_map(|pair| pair.split_once('=')).collect();
            let parameters = match method.as_str() {
                "LP-PUL" => lp_pul(&setting),
                "PU-LP" => pu_lp(&setting),
                "RC-SVM" => rc_svm(&setting),
                _ => None,
            };
            // The paper spells it without the hyphen.
            let system = if method == "RC-SVM" { "RCSVM".into() } else { method };
            if let (Some(Value::Object(parameters)), Ok(labelled)) = (parameters, cell("labeled")?.parse()) {
                self.settings.insert((cell("collection")?, system, labelled), parameters);
            }
        }
        Ok(())
    }

    /// The best of the grid of k-means among the thresholds that are numbers.
    fn read_thresholds(&mut self, data: &DataFolder) -> Result<()> {
        let grid = data.table("textcollections/reference/grid_k-Means.csv.gz")?;
        let mut best: HashMap<Place, f64> = HashMap::new();
        for row in 0..grid.rows() {
            let cell = |name: &str| Ok::<_, crate::Error>(grid.column(name)?.cell(row).into_owned());
            let number = |name: &str| Ok::<_, crate::Error>(cell(name)?.parse::<f64>().ok());
            let (Some(k), Some(threshold), Some(f1)) = (number("k")?, number("threshold")?, number("f1")?)
            else {
                continue;
            };
            let Ok(labelled) = cell("labeled")?.parse() else { continue };
            let place = (cell("collection")?, "K-Means".to_string(), labelled);
            if best.get(&place).is_none_or(|known| f1 > *known) {
                best.insert(place.clone(), f1);
                let Value::Object(parameters) = json!({ "k": k as u64, "threshold": threshold }) else {
                    unreachable!("an object");
                };
                self.settings.insert(place, parameters);
            }
        }
        Ok(())
    }
}

type Setting<'a> = HashMap<&'a str, &'a str>;

fn number(setting: &Setting<'_>, name: &str) -> Option<f64> {
    setting.get(name)?.parse().ok()
}

fn lp_pul(setting: &Setting<'_>) -> Option<Value> {
    let size = number(setting, "graph_param")?;
    // The epsilon graph joins all rows whose cosine reaches it.
    let (k, least_cosine) = if setting["graph"] == "eN" { (100_000, size) } else { (size as u64, 0.0) };
    Some(json!({
        "k": k,
        "least_cosine": least_cosine,
        "mutual": setting["graph"] == "MkNN",
        "spreading": setting.get("propagation")?.to_lowercase(),
        "negatives": setting.get("neg_factor")?.strip_prefix('x')?.parse::<f64>().ok()?,
        "alpha": number(setting, "llgc_alpha")?,
    }))
}

fn pu_lp(setting: &Setting<'_>) -> Option<Value> {
    Some(json!({
        "k": number(setting, "graph_k")? as u64,
        "attenuation": number(setting, "katz_alpha")?,
        "positives": number(setting, "lambda")?,
        "rounds": number(setting, "m")? as u64,
    }))
}

/// The study iterates the SVM to the end, which is `roc-svm` without its guard.
fn rc_svm(setting: &Setting<'_>) -> Option<Value> {
    let alpha = number(setting, "rocchio_alpha")?;
    Some(json!({
        "alpha": alpha,
        "beta": 1.0 - alpha,
        "c": number(setting, "svm_C")?,
        "kernel": "linear",
        "guard": 1.0,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_of_the_study_becomes_parameters() {
        let setting: Setting = [
            ("graph", "MkNN"),
            ("graph_param", "19.0"),
            ("propagation", "GFHF"),
            ("neg_factor", "x5"),
            ("llgc_alpha", "0.1"),
        ]
        .into();
        let found = lp_pul(&setting).unwrap();
        assert_eq!((&found["k"], &found["mutual"]), (&json!(19), &json!(true)));
        assert_eq!((&found["negatives"], &found["spreading"]), (&json!(5.0), &json!("gfhf")));
        assert!(pu_lp(&setting).is_none());
    }
}
