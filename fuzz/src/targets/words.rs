//! Stop words and texts: what becomes of them is words, weights and a ranking.

use likewise::Run;
use likewise::data::{PuData, Table};
use likewise::features::words::{StopWords, WordOptions};
use likewise::features::{Features, Input};
use likewise::method::Parameters;
use likewise::registry;
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::{Answer, Target, alter};

pub struct Words {
    honest: Vec<Vec<u8>>,
}

impl Words {
    pub fn new() -> Self {
        let stop = "the\nof and\nüber\n";
        let texts = "please refund my money\nmoney back for the order\nrefund of 3.50\nwhere is my parcel\nçà et là\nthe of and\n日本語 テキスト\n";
        Words { honest: vec![format!("{stop}\n%%%%\n{texts}").into_bytes()] }
    }
}

impl Target for Words {
    fn name(&self) -> String {
        "stop-words".into()
    }

    fn honest(&self) -> &[Vec<u8>] {
        &self.honest
    }

    fn alter(&self, rng: &mut Pcg64) -> Vec<u8> {
        let mut file = self.honest[0].clone();
        let words = ["refund", "money", "\u{301}", "\u{200d}", "İ", "ß", "ﬁ", "’s", "\u{ad}", "🏳️‍🌈"];
        (0..rng.random_range(1..6)).for_each(|_| alter::text(rng, &mut file, &words));
        file
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, String> {
        let text = String::from_utf8_lossy(bytes);
        let (stop, texts) = text.split_once("\n%%%%\n").unwrap_or(("", &text));
        let texts: Vec<&str> = texts.lines().collect();
        if texts.len() < 2 {
            return Ok(Answer::Refused);
        }
        let table = Table::from_texts("text", texts.iter().copied());
        let entry = registry::find("nb").map_err(|e| e.to_string())?;
        let stop: Vec<String> = stop.split_whitespace().map(String::from).collect();
        let stemmed = WordOptions {
            stop_words: StopWords::These(stop.clone()),
            stemming: Some("english".into()),
            ngrams: (1, 3),
            ..WordOptions::default()
        };
        let plain = WordOptions { stop_words: StopWords::These(stop), ..WordOptions::default() };
        let mut answer = Answer::Refused;
        for options in [plain, stemmed] {
            let run = Run::new(0);
            let input = Input::Text(vec!["text".into()]);
            let Ok((_, x, _)) = Features::fit(&table, &input, &options, &entry.spec(), &run) else {
                continue;
            };
            let marks = (0..texts.len()).map(|row| row % 2 == 0).collect();
            let fitted = PuData::new(x, marks).and_then(|train| entry.fit(&Parameters::new(), &train, &run));
            if let Ok(fitted) = fitted {
                super::models::sound(&fitted.scores)?;
                answer = Answer::Given;
            }
        }
        Ok(answer)
    }
}
