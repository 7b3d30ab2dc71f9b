//! What can be said at the moment: computed after marks in a thread of its own, kept, and told to every tab.

use std::sync::Arc;
use std::time::Duration;

use likewise::stopping::{Phase, State};
use serde_json::{Value, json};

use super::{Condvar, Desk, Mutex};
use crate::project::writer::Order;
use crate::trainer::locked;

/// The last look, and the wish for another one.
#[derive(Default)]
pub(super) struct Looking {
    last: Mutex<Option<Arc<Look>>>,
    wish: Mutex<Wish>,
    wake: Condvar,
}

#[derive(Default)]
struct Wish {
    stale: bool,
    end: bool,
}

pub(super) struct Look {
    seq: u64,
    open: u64,
    state: State,
    curve: Vec<(u64, u64)>,
}

/// Many tabs that mark at once need no look each.
const AT_MOST_EVERY: Duration = Duration::from_millis(50);
const CURVE_POINTS: usize = 200;

impl Looking {
    pub fn nudge(&self) {
        locked(&self.wish).stale = true;
        self.wake.notify_all();
    }

    pub fn end(&self) {
        locked(&self.wish).end = true;
        self.wake.notify_all();
    }

    /// Until there is something new, or for a while; true where all is over.
    pub fn wait(&self) -> bool {
        let wish = locked(&self.wish);
        let asleep = |wish: &mut Wish| !wish.stale && !wish.end;
        let waited = self.wake.wait_while(wish, asleep);
        let mut wish = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
        wish.stale = false;
        if wish.end {
            return true;
        }
        drop(wish);
        std::thread::sleep(AT_MOST_EVERY);
        false
    }
}

impl Desk {
    pub(super) fn look_now(&self) {
        let (seq, rule, steps) = {
            let inner = locked(&self.inner);
            (inner.session.seq(), inner.rule(), inner.session.steps())
        };
        let (state, open) = (steps.look(&rule), steps.open);
        let curve = steps.curve(CURVE_POINTS);
        let before = locked(&self.looking.last).as_ref().map(|look| look.seq);
        if before.is_some_and(|before| before < seq) {
            let State { total_high, recall_low, log_e, .. } = state;
            // What was said is noted for later; nobody waits for it.
            let _ = self.writer.send(Order::Look { seq, total_high, recall_low, log_e });
        }
        *locked(&self.looking.last) = Some(Arc::new(Look { seq, open, state, curve }));
        self.tell("state", &self.state());
    }

    /// What is said of the reading, computed now.
    pub fn last_word(&self) -> State {
        let (rule, steps) = {
            let inner = locked(&self.inner);
            (inner.rule(), inner.session.steps())
        };
        steps.look(&rule)
    }

    /// Everything that a page shows beside the row.
    pub fn state(&self) -> Value {
        let look = locked(&self.looking.last).clone();
        let ranking = self.trainer.ranking();
        let inner = locked(&self.inner);
        let (session, settings) = (&inner.session, &inner.settings);
        let counts = session.counts();
        let shown = settings.show_checks;
        let model = json!({
            "id": ranking.as_ref().map(|r| r.id),
            "seq": ranking.as_ref().map(|r| r.seq),
            "at": ranking.as_ref().map(|r| r.at),
            "marks": ranking.as_ref().map(|r| r.marks),
            "seconds": ranking.as_ref().map(|r| r.took.as_secs_f64()),
            "training": self.trainer.is_training(),
            "choosing": self.trainer.is_choosing(),
            "searching": self.trainer.is_searching(),
            "joined": ranking.as_ref().is_some_and(|r| r.joined),
            "ready": self.trainer.is_ready(),
            "trouble": self.trainer.complaint(),
        });
        let stop = look.as_ref().map(|look| {
            let state = &look.state;
            json!({
                "seq": look.seq,
                "target": settings.target,
                "alpha": settings.alpha,
                "recall_low": state.recall_low,
                "total_high": state.total_high,
                "still_there": state.still_there,
                "log_e": state.log_e.is_finite().then_some(state.log_e),
                "proved_at": -settings.alpha.ln(),
                "open": look.open,
                "price": state.price,
                "to_target": state.to_target,
                "buscar": state.buscar,
                "stop": state.stop,
                "phase": (shown).then(|| if state.phase == Phase::Checking { "checking" } else { "reading" }),
            })
        });
        json!({
            "seq": session.seq(),
            "id": self.id,
            "project": self.path.file_name().map(|name| name.to_string_lossy()),
            "sources": self.made.sources,
            "columns": self.made.columns,
            "format": self.made.format,
            "rows": session.distinct(),
            "pile": self.made.pile,
            "yes": counts.yes,
            "no": counts.no,
            "read": counts.read(),
            "unsure": counts.unsure,
            "undone": counts.undone,
            "examples": session.examples(),
            "program": json!({
                "yes": counts.program_yes,
                "no": counts.program_no,
                "trouble": inner.program_trouble,
                "agreement": session.agreement(),
            }),
            "model": model,
            "stop": stop,
            "curve": look.as_ref().map(|look| &look.curve),
            "settings": settings,
        })
    }
}
