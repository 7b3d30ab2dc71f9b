//! JSON lines: one object a line, its keys are the columns.

use likewise::data::Table;

use crate::error::Result;
use crate::input::Input;
use crate::lines::Lines;
use crate::objects::Objects;
use crate::read::{Reading, RowReader};

pub(crate) struct JsonLines {
    lines: Lines,
    objects: Objects,
}

impl JsonLines {
    pub fn new(input: Input, reading: &Reading) -> Self {
        JsonLines { lines: Lines::new(input), objects: Objects::new(reading) }
    }
}

impl RowReader for JsonLines {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let mut batch = self.objects.batch(reading);
        while !batch.is_full(reading) {
            let number = self.lines.number() + 1;
            let Some(line) = self.lines.next()? else {
                self.objects.check_required(reading)?;
                break;
            };
            if !line.trim_ascii().is_empty() {
                self.objects.push(&mut batch, line, number, reading)?;
            }
        }
        self.objects.finish(batch, reading)
    }
}

#[cfg(test)]
mod tests {
    use crate::Format::Jsonl;
    use crate::testing::{cells, failure, lines, only, parse, requiring, skipping, table};

    #[test]
    fn every_kind_of_value_becomes_a_cell() {
        let text = r#"{"a": "x", "b": 1.10, "c": true, "d": null, "e": [1, {"f": "g"}], "i": 12345678901234567890123}"#;
        let expected = [
            ["a", "x"],
            ["b", "1.10"],
            ["c", "true"],
            ["d", ""],
            ["e", r#"[1, {"f": "g"}]"#],
            ["i", "12345678901234567890123"],
        ];
        assert_eq!(cells(&table(Jsonl, text)), expected);
    }

    #[test]
    fn lists_of_equally_many_numbers_are_vectors() {
        let text =
            "{\"v\": [0.5, 1], \"w\": [1, 2]}\n{\"v\": null, \"w\": [1]}\n{\"v\": [2, 3], \"w\": [4, 5]}\n";
        let read = table(Jsonl, text);
        assert!(
            matches!(read.column("v").unwrap(), likewise::data::Column::Vectors(x) if x.values == [0.5, 1.0, 0.0, 0.0, 2.0, 3.0])
        );
        assert_eq!(cells(&read)[1], ["w", "[1, 2]", "[1]", "[4, 5]"]);
        let named = |names: &[&str]| crate::ReadOptions {
            vectors: Some(names.iter().map(|n| n.to_string()).collect()),
            ..Default::default()
        };
        assert_eq!(cells(&parse(Jsonl, text, &named(&[])).unwrap().0)[0][1], "[0.5, 1]");
        let message = parse(Jsonl, text, &named(&["w"])).unwrap_err().to_string();
        assert_eq!(message, "in:2: column `w`: a vector of 1 number where the first has 2");
    }

    #[test]
    fn keys_may_differ_from_line_to_line() {
        let read = table(Jsonl, "{\"a\": 1}\r\n\n{\"b\": 2, \"a\": 3}\n  \n{}\n{\"b\": 4}");
        assert_eq!(cells(&read), [["a", "1", "3", "", ""], ["b", "", "2", "", "4"]]);
        assert_eq!(lines(&read), [1, 3, 5, 6]);
    }

    #[test]
    fn escapes_are_resolved() {
        let text = r#"{"a\tb": "\"\\\/\b\f\n\r\t\u00e9 \ud83d\ude00 ü"}"#;
        assert_eq!(cells(&table(Jsonl, text)), [["a\tb", "\"\\/\u{8}\u{c}\n\r\té 😀 ü"]]);
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced_and_counted() {
        let text = r#"{"a": "x\ud83dy"}
{"a": "\ude00\ud83d"}
{"a": "\ud83d\u0041"}"#;
        let (read, warnings) = parse(Jsonl, text, &skipping()).unwrap();
        assert_eq!(cells(&read), [["a", "x\u{fffd}y", "\u{fffd}\u{fffd}", "\u{fffd}A"]]);
        assert_eq!(warnings.not_utf8.rows, 3);
    }

    #[test]
    fn only_wanted_keys_are_kept() {
        let text = "{\"a\": 1, \"b\": {\"c\": [2]}, \"d\": 3}\n{\"d\": 4}\n";
        assert_eq!(cells(&parse(Jsonl, text, &only(&["d", "x"])).unwrap().0), [["d", "3", "4"]]);
    }

    #[test]
    fn a_required_key_must_be_on_some_line() {
        let text = "{\"id\": 1}\n{\"id\": 2, \"text\": \"x\"}\n";
        let mut options = requiring(&["text"]);
        options.batch_rows = 1;
        assert_eq!(cells(&parse(Jsonl, text, &options).unwrap().0), [["text", "", "x"]]);
        let message = parse(Jsonl, text, &requiring(&["txt"])).unwrap_err().to_string();
        assert_eq!(message, "in has no column `txt` (did you mean `text`?); it has `id`, `text`");
    }

    #[test]
    fn malformed_lines_are_told_by_line_and_character_or_left_out() {
        let text = "{\"a\": 1}\n{\"a\": 2\n{\"a\": 3} x\n[1]\n5\n{\"b\": 1, \"b\": 2}\n{\"a\": 4}\n";
        let message = failure(Jsonl, text);
        assert_eq!(
            message,
            "in:2: malformed JSON at character 7: EOF while parsing an object; mend this row, or leave bad rows out with `skip_bad_rows`"
        );
        let (read, warnings) = parse(Jsonl, text, &skipping()).unwrap();
        assert_eq!(cells(&read), [["a", "1", "4"]]);
        assert_eq!(lines(&read), [1, 7]);
        assert_eq!(warnings.skipped.rows, 5);
        assert!(failure(Jsonl, "[{\"a\": 1},\n{\"a\": 2}]").contains("a JSON array? call the file .json"));
        assert!(failure(Jsonl, "{\"b\": 1, \"b\": 2}").contains("the key `b` stands twice"));
        assert!(failure(Jsonl, "7").contains("expected an object"));
    }

    #[test]
    fn keys_that_are_data_do_not_make_columns_without_end() {
        let text: String = (0..4100).map(|i| format!("{{\"key {i}\": 1, \"a\": {i}}}\n")).collect();
        let message = failure(Jsonl, &text);
        assert_eq!(
            message,
            "in:4096: 4097 different keys up to here, few in a row; name the columns to read"
        );
        assert_eq!(cells(&parse(Jsonl, &text, &only(&["a"])).unwrap().0)[0].len(), 1 + 4100);
        let wide: Vec<_> = (0..5000).map(|i| format!("\"key {i}\": {i}")).collect();
        assert_eq!(cells(&table(Jsonl, format!("{{{}}}", wide.join(",")))).len(), 5000);
    }

    #[test]
    fn no_objects_are_no_data() {
        for text in ["", "\n \n"] {
            assert_eq!(failure(Jsonl, text), "in: there are no rows in it; give a file with data");
        }
        assert!(parse(Jsonl, "", &requiring(&["text"])).unwrap_err().to_string().contains("no rows"));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        let (read, warnings) = parse(Jsonl, b"{\"a\": \"caf\xe9\"}\n", &skipping()).unwrap();
        assert_eq!(cells(&read), [["a", "caf\u{fffd}"]]);
        assert_eq!(
            warnings.messages(),
            [
                "1 row with bytes that are not UTF-8, read as U+FFFD; name its encoding, such as windows-1252 (first at in:1)"
            ]
        );
    }
}
