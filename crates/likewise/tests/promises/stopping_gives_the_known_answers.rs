//! The stop rule against values computed by an independent program, some of them exact fractions.

use likewise::stopping::martingale::{Bound, Draw, draws_needed};
use likewise::stopping::others::{buscar, qbcb_quota};
use likewise::stopping::{Rule, Source, Step, draws, least_missing};
use serde_json::Value;

fn known() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/stop-rule.json");
    let text = std::fs::read_to_string(path).expect("the known answers are part of the repository");
    serde_json::from_str(&text).unwrap()
}

fn close(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0)
}

fn log(best: (u64, u64), checks: &[bool]) -> Vec<Step> {
    let (found, read) = best;
    let best = (0..read).map(|k| Step { source: Source::Best, wanted: k < found });
    best.chain(checks.iter().map(|&wanted| Step { source: Source::Random, wanted })).collect()
}

#[test]
fn the_plain_stake_is_a_fraction() {
    let known = known();
    let fractions = known["e c=0, N=20 n=8 r=4 T*=6, draws all 0: M after each"].as_array().unwrap();
    for (k, fraction) in fractions.iter().enumerate() {
        let log = log((4, 8), &vec![false; k + 1]);
        let (draws, found) = draws(&log);
        assert_eq!(least_missing(found, 0.8), 6);
        let bound = Bound { rows: 20, alpha: 0.05, draws: &draws, found, read: log.len() as u64 };
        let plain = (bound.evidence(6).logs[0] - 0.6f64.ln()).exp();
        match fraction.as_str().unwrap().split_once('/') {
            Some((a, b)) => assert!(close(plain, a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap())),
            None if fraction == "inf" => assert_eq!(plain, f64::INFINITY),
            None => assert!(close(plain, fraction.as_str().unwrap().parse().unwrap())),
        }
    }
    assert_eq!(fractions.len(), 11);
}

#[test]
fn the_mixture_and_its_running_maximum() {
    let known = known();
    let rows = &known["mixture B, N=100 n=20 r=10 rho=.8: (x, r, n, T*, M(T*) now, its running max)"];
    let rows: Vec<Vec<f64>> = serde_json::from_value(rows.clone()).unwrap();
    let mut checks = Vec::new();
    for row in &rows {
        checks.push(row[0] == 1.0);
        let log = log((10, 20), &checks);
        let (draws, found) = draws(&log);
        let total = least_missing(found, 0.8);
        assert_eq!((found as f64, log.len() as f64, total as f64), (row[1], row[2], row[3]));
        let bound = Bound { rows: 100, alpha: 0.05, draws: &draws, found, read: log.len() as u64 };
        let evidence = bound.evidence(total);
        assert!(close(evidence.log_now.exp(), row[4]) && close(evidence.log_most.exp(), row[5]), "{row:?}");
        let state = Rule::new(100, 0.8, 0.05).unwrap().state(&log);
        assert!(close(state.log_e.exp(), row[5]));
    }
    assert_eq!(rows.len(), 6);
}

#[test]
fn draws_until_it_is_proved() {
    let known = known();
    let answer = &known["mixture B, N=1000 n=300 r=95 rho=.95, all draws 0: T*, K*, draws until M>=20"];
    let [total, left, needed] = serde_json::from_value::<[u64; 3]>(answer.clone()).unwrap();
    let (high, recall): (u64, f64) =
        serde_json::from_value(known["upper bound of T then, and recall >="].clone()).unwrap();
    assert_eq!((least_missing(95, 0.95), least_missing(95, 0.95) - 95), (total, left));
    let rule = Rule::new(1000, 0.95, 0.05).unwrap();
    let before = rule.state(&log((95, 300), &vec![false; needed as usize - 1]));
    assert!(!before.stop && before.to_target == 1);
    let state = rule.state(&log((95, 300), &vec![false; needed as usize]));
    assert!(state.stop);
    assert_eq!((state.total_high, state.recall_low), (high, recall));
    assert_eq!(rule.state(&log((95, 300), &[])).to_target, needed);
}

#[test]
fn prices() {
    let known = known();
    let lost = f64::NEG_INFINITY;
    for (name, stake) in [
        ("price(U=10000, r, rho, alpha=.05) stake .6: draws if none is wanted", 0.6f64),
        ("hypergeometric one look, stake 1", 1.0),
    ] {
        let prices = known[name].as_object().unwrap();
        for (case, draws) in prices {
            let (r, rho) = case.split_once(" rho=").unwrap();
            let (found, target): (u64, f64) =
                (r.strip_prefix("r=").unwrap().parse().unwrap(), rho.parse().unwrap());
            let left = (least_missing(found, target) - found) as f64;
            let ours = draws_needed(10_000, left, &[stake.ln(), lost, lost], 20f64.ln());
            assert_eq!(Some(ours), draws.as_u64(), "{case}");
        }
        assert_eq!(prices.len(), 12);
    }
}

#[test]
fn the_rules_beside_it() {
    let known = known();
    let read: Vec<u8> = [vec![1; 5], vec![0, 1, 0, 1], vec![0; 30]].concat();
    let log: Vec<Step> = read.iter().map(|&x| Step { source: Source::Best, wanted: x == 1 }).collect();
    let p = known["buscar p, y=1x5,0,1,0,1,0x30 N=100 rho=.95"].as_f64().unwrap();
    assert!((buscar(100, 0.95, &log) - p).abs() < 1e-8);
    let quotas = known["QBCB (r,j) alpha .05"].as_object().unwrap();
    for (case, quota) in quotas {
        let (rho, r) = case.split_once(" r=").unwrap();
        let target = rho.strip_prefix("rho=").unwrap().parse().unwrap();
        assert_eq!(qbcb_quota(r.parse().unwrap(), target, 0.05), quota.as_u64(), "{case}");
    }
    assert_eq!(quotas.len(), 7);
}

#[test]
fn a_log_gives_the_draws_with_their_own_moment() {
    let (draws, found) = draws(&log((2, 3), &[false, true, false]));
    let draw = |found_before, read_before, wanted| Draw { found_before, read_before, wanted };
    assert_eq!(draws, [draw(2, 3, false), draw(2, 4, true), draw(3, 5, false)]);
    assert_eq!(found, 3);
}
