//! Every code that a note or an error can carry, with what it means and what to do.
//!
//! The list is the documentation: `likewise codes` prints it, and `docs/codes.md` is its output.

/// A kind of message.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// As programs see it.
    pub name: &'static str,
    /// What has happened.
    pub meaning: &'static str,
    /// What a person does about it.
    pub advice: &'static str,
}

macro_rules! codes {
    ($($constant:ident $name:literal: $meaning:literal, $advice:literal;)*) => {
        $(
            #[doc = $meaning]
            pub static $constant: Code = Code { name: $name, meaning: $meaning, advice: $advice };
        )*
        /// All of them, in the order of the road.
        pub static ALL: &[&Code] = &[$(&$constant),*];
        #[cfg(test)]
        const CONSTANTS: &[&str] = &[$(stringify!($constant)),*];
    };
}

codes! {
    // What is read.
    NO_SUCH_COLUMN "no-such-column":
        "A column that was asked for is not in the table.",
        "Check its spelling; the message lists the columns there are.";
    WHAT_TO_LEARN_FROM "what-to-learn-from":
        "It is not clear which columns to learn from.",
        "Name text columns, feature columns, or both.";
    NO_SUCH_ROW "no-such-row":
        "No row has the id that was asked for.",
        "Check the id, and which column holds the ids.";
    REPEATED_IDS "repeated-ids":
        "Several rows have the same id, so the answer cannot tell them apart.",
        "Name a column of unique ids.";
    INPUTS_DIFFER "inputs-differ":
        "Inputs that are read as one table do not fit together.",
        "Give files of one data set, with the same columns.";
    NOT_A_NUMBER "not-a-number":
        "A cell of a column of numbers is not a finite number.",
        "Mend the cell, leave it empty, or leave the column out.";
    NOT_YES_OR_NO "not-yes-or-no":
        "A cell that is to say yes or no says neither.",
        "Write yes or no (or true, false, 1, 0).";
    NOT_A_CATEGORY "not-a-category":
        "A column of words has too many different values to be a category.",
        "Leave it out of the features, or name it as text.";
    MISSING_CELLS "missing-cells":
        "Some cells of a column were missing and were filled.",
        "Nothing, unless many are missing.";
    UNKNOWN_VALUES "unknown-values":
        "New rows hold values that the training rows did not.",
        "Train again with rows like these if it is more than a few.";
    NO_USABLE_WORD "no-usable-word":
        "The text columns hold no word that can be learned from.",
        "Check that the right columns are named, and that stop words and document limits leave something.";
    NO_VECTORS "no-vectors":
        "A column that was named as vectors holds none, or vectors of another length than in training.",
        "Name the column that holds lists of equally many numbers.";
    BAD_VECTOR "bad-vector":
        "Nearly all rows of a column are vectors of one length, and one is not.",
        "Mend the row, leave its vector empty, or leave the column out.";
    EMBEDDING "embedding":
        "A model learned with an embedding, and it was not given, or another one was.",
        "Give the file that the message names; its hash tells it from others of that name.";
    BLOCKS_LEFT_OUT "blocks-left-out":
        "A method that counts words learned from the words alone, not from the other columns.",
        "Choose another method if the other columns matter.";
    COLUMNS_TAKEN "columns-taken":
        "Nobody named what to learn from, so the columns were looked at.",
        "Name text, features or vectors, or columns to leave out, if that is wrong.";
    COLUMNS_NOT_USED "columns-not-used":
        "There are columns that could be learned from and are not: others beside text, or vectors beside features.",
        "Name them too, or say which columns to leave out, if they tell something.";
    COLUMNS_REPLACED "columns-replaced":
        "The rows have columns that are called as those of the answer are, which take their place there.",
        "Rename them to see them beside the answer.";
    BLANK_ROWS "blank-rows":
        "Some rows hold nothing to judge; they are ranked last and never called positive.",
        "Nothing, unless the wrong column was named.";

    // Related tables.
    SCHEMA_GUESSED "schema-guessed":
        "The model does not know how its tables were read, so keys and kinds of columns were guessed again.",
        "Train it again with this version, or say what the columns are in a schema.";
    TABLES_DIFFER "tables-differ":
        "The tables are not quite those of training: tables or columns are new or missing.",
        "Nothing, unless a missing column matters; new ones are used after training again.";
    MISSING_TABLE "missing-table":
        "A table that the model was trained with is not there.",
        "Give the database that has it.";
    MISSING_KEY "missing-key":
        "A column by which tables refer to each other is not there.",
        "Give tables with the keys and references that the model was trained with.";
    UNUSABLE_KEY "unusable-key":
        "A column would name the rows of a table, but cells of it are empty or repeat others.",
        "Mend these cells, or name another key in a schema.";
    TABLE_LEFT_OUT "table-left-out":
        "A table that cannot be read, or whose rows its key does not name, takes no part.",
        "Nothing, if it does not matter; the message says how to bring it in.";
    REFERENCE_NOT_FOLLOWED "reference-not-followed":
        "A declared reference does not lead to the key of a table that is read, so rules do not follow it.",
        "Name the column it leads to as that table's key in a schema.";
    UNREAD_FACTS "unread-facts":
        "Facts of relations that no mode mentions are left out.",
        "Add modes for them if rules should use them.";
    PILE_OF_COMBINATIONS "pile-of-combinations":
        "No pile was named, so it is all possible examples, or a draw of them.",
        "Name the examples to rank, if these are too many.";
    TARGET_UNCLEAR "target-unclear":
        "The target could mean the rows of a table or what these refer to.",
        "Write the types of its arguments, as the message shows.";

    // Marks.
    NO_POSITIVE "no-positive":
        "There is no positive example.",
        "Mark at least one row of what you want; five or more are better, thirty are good.";
    NO_PILE "no-pile":
        "There is nothing to search: every row is an example.",
        "Add the rows to search.";
    VALUE_NOT_FOUND "value-not-found":
        "No row has the value that marks a positive.",
        "Check the value; the message lists those there are.";
    BLANK_EXAMPLES "blank-examples":
        "Examples without content were left out.",
        "Nothing, unless the wrong column was named.";
    REPEATED_EXAMPLES "repeated-examples":
        "Examples with the content of another one were left out: hidden from each other, they would flatter.",
        "Nothing.";
    COPIES_OF_EXAMPLES "copies-of-examples":
        "Rows of the pile have the content of an example.",
        "Nothing; keep them in the ranking if you want to see them there.";
    COPIES_OF_UNWANTED "copies-of-unwanted":
        "Rows have the content of one known not to be wanted, or such rows say nothing; they take no part.",
        "Nothing.";
    REPEATED_KEYS "repeated-keys":
        "A list of keys names the same rows several times; each counts once.",
        "Nothing.";
    COMMENTS_IN_LIST "comments-in-list":
        "Lines of a list of examples begin as comments do and were left out.",
        "Nothing; give keys that begin so in a table, such as a CSV file.";
    MARKED_BOTH_WAYS "marked-both-ways":
        "Rows are marked as wanted and, with the same content, as not wanted; the example counts.",
        "Mend one of the two marks.";
    NEGATIVES_UNUSED "negatives-unused":
        "The method has no use for rows known not to be wanted and has left them out.",
        "Choose a method that learns from them; the description of each says how.";
    FEW_EXAMPLES "few-examples":
        "So few examples that the answer can be far off.",
        "Mark more: five at least, thirty for useful ranges.";
    STRANGE_EXAMPLES "strange-examples":
        "Examples name rows that nothing is known of.",
        "Check their keys.";
    UNNAMED_CLASS "unnamed-class":
        "Known rows without a class were left out.",
        "Fill in their class if it is known.";

    // Learning.
    LEARNED "learned":
        "What a method found and chose on its way.",
        "Nothing.";
    POORLY_LEARNED "poorly-learned":
        "A method found too little to learn from, or fell back to something simpler.",
        "Read the top of the ranking before you rely on it, or choose another method.";
    CUT_SAYS_NOTHING "cut-says-nothing":
        "The method's own threshold marks nothing or nearly everything.",
        "Cut by hidden positives, by a share of the positives, or by a number of rows.";
    CUT_OUT_OF_REACH "cut-out-of-reach":
        "No cut of the ranking is believed to give what was asked for.",
        "Ask for less, or mark more rows and learn again.";
    PRIOR_ESTIMATED "prior-estimated":
        "The share of positives in the pile was estimated, since nobody gave it.",
        "Give it if you know it.";
    PRIOR_POOR "prior-poor":
        "The share of positives in the pile is estimated from too few examples.",
        "Mark more, fifty or more if you can.";
    PRIOR_UNTOLD "prior-untold":
        "The examples cannot be told from the pile, so how many are positive cannot be known.",
        "Mark more, give more telling columns, or give the share if you know it.";
    NOT_A_RANDOM_DRAW "not-a-random-draw":
        "The examples look like the typical ones of their class, not like a random draw of it.",
        "Trust the ranking more than the count; mark rows drawn at random and learn again.";
    PRIOR_WIDE "prior-wide":
        "How many positives there are is uncertain.",
        "Trust the ranking more than the cut.";
    WEAK_SEPARATION "weak-separation":
        "The examples hardly differ from the pile.",
        "Give more telling columns or more examples.";
    RARE_CLASS "rare-class":
        "Positives are rare in the pile, so the range of recall is less reliable.",
        "Read the top of the ranking yourself.";
    MOSTLY_POSITIVE "mostly-positive":
        "The pile is mostly what was shown; what there is to find is the unexpected.",
        "Read the end of the ranking, or ask for the unexpected.";
    HIDDEN_CLASSES "hidden-classes":
        "Known classes were hidden in turn, and what found them best looks for the unexpected.",
        "Nothing.";
    ABSENT_CLASSES "absent-classes":
        "The new rows seem to lack some of the known classes, so they were compared with the other classes alone.",
        "Nothing; check the new rows if you expected these classes among them.";
    UNEXPECTED_UNTOLD "unexpected-untold":
        "Known classes that were hidden were not told from the others, so the unexpected is not either.",
        "Read the top of the ranking yourself; give longer texts, more telling columns or more known rows.";
    NOTHING_HIDDEN "nothing-hidden":
        "No known class could be hidden, so nobody knows how well the unexpected is found.",
        "Give several known classes of five rows or more.";
    METHODS_DISAGREE "methods-disagree":
        "The two best methods disagree on many of the rows marked.",
        "Look at some of them before you rely on the cut.";
    LARGE_PILE "large-pile":
        "The pile is large, so a part of the work was done on a part of it.",
        "Nothing.";
    ROWS_KEPT "rows-kept":
        "The model keeps rows that it learned from.",
        "Give it only to those who may read these rows, or choose a method that keeps none.";
    SMALL_SAMPLE "small-sample":
        "Few rows of a larger pile are learned from, so the cut can fail on the others.",
        "Take a larger sample, or trust the ranking more than the marks.";
    LEAKING_COLUMN "leaking-column":
        "A column or relation tells the examples from the pile all by itself.",
        "Leave it out if it is known only after the fact.";
    DANGLING_VALUES "dangling-values":
        "Values refer to rows that do not exist.",
        "Check the keys; the values are kept as names without facts of their own.";
    REFERENCE_GUESSED "reference-guessed":
        "A column is taken to refer to another table.",
        "Declare keys, or give a schema, if that is wrong.";

    // New rows beside those that were learned from.
    ANOTHER_KIND "another-kind":
        "New rows hold words or numbers that the rows learned from did not, beyond chance.",
        "Do not rely on their scores; learn again with rows like these in the pile.";
    LEARNED_FROM "learned-from":
        "Most of the rows to score are rows that the model learned from, so that they are compared with nothing.",
        "Take the ranking that learning gave them, or score rows that are new.";
    SHARE_CHANGED "share-changed":
        "The share of positives among new rows differs beyond chance from that of the pile that was learned from.",
        "Place the cut for the new share, or learn again.";
    SCORES_DIFFER "scores-differ":
        "Scores of new rows are distributed otherwise than those of rows like the pile, beyond chance.",
        "Read some of the marked before you rely on them, or learn again.";
    CUT_NOT_PLACED "cut-not-placed":
        "A cut for the new rows was asked for, and the model does not know enough to place it.",
        "Learn the model again with this version, from five examples or more and a pile of fifty rows or more.";

    NO_PROBABILITIES "no-probabilities":
        "Probabilities were asked for, and no positives were hidden to learn them.",
        "Give two examples or more; learn a kept model again with `probabilities`.";

    EXAMPLES_FORGOTTEN "examples-forgotten":
        "A model was learned again from fewer examples than before, and a model does not keep its examples.",
        "Give the old examples too, or leave the pile out to keep what was learned.";

    // Measuring.
    TRUTH_MISSING "truth-missing":
        "The truth has no label for a row, or labels it in two ways.",
        "Give the file that holds the labels of these rows, with unique ids.";
    TRUTH_UNUSED "truth-unused":
        "Rows of the truth are not in the answer and do not count.",
        "Nothing: marked examples are such rows.";
    NOTHING_TO_SELECT_BY "nothing-to-select-by":
        "A biased draw has nothing to go by.",
        "Name a column of numbers that differ.";

    // Reading on a page.
    PROJECT "project":
        "The file of a review cannot be used as it is.",
        "The message says what is wrong with it; nothing was written to it.";
    READING_PROGRAM "reading-program":
        "A program that reads rows failed, or answered what is no answer.",
        "Run it by hand with a row on its standard input.";
    ADDRESS "address":
        "The page cannot be served at that address.",
        "Give a token, or another port.";

    // Files.
    USAGE "usage":
        "What was asked for makes no sense together, or cannot be understood.",
        "The message says what to give instead.";
    NO_SUCH_FILE "no-such-file":
        "There is no file or folder of that name.",
        "Check the path.";
    EMPTY_FILE "empty-file":
        "There is not a single row.",
        "Check that it is the right file.";
    BAD_ROW "bad-row":
        "One row cannot be read.",
        "Mend the row, or leave bad rows out.";
    MALFORMED_FILE "malformed-file":
        "The file cannot be read as what it claims to be.",
        "Write the file again, or say which format it has.";
    SYSTEM "system":
        "The system refused to read or write.",
        "The message says why.";

    // What programs meet.
    PARAMETER "parameter":
        "A parameter is unknown or out of range.",
        "The message says what it may be.";
    UNKNOWN_METHOD "unknown-method":
        "No method of that name is registered.",
        "List the methods.";
    WRONG_KIND "wrong-kind":
        "A method or model does not take rows of this kind.",
        "Choose another method, or give rows as the model was trained on.";
    TOO_LARGE "too-large":
        "The rows would not fit into the memory that may be used.",
        "Name fewer columns, give fewer rows, or allow more memory.";
    NO_ANSWER "no-answer":
        "None of several methods gave an answer.",
        "The message says why for each.";
    BROKEN_PROMISE "broken-promise":
        "A method broke its promise on scores.",
        "Please report it.";
    MODEL_FILE "model-file":
        "The bytes are not a model that this version can read.",
        "Train the model again, or use the version that wrote it.";
    UNUSABLE_DATA "unusable-data":
        "The data cannot be learned from, or do not fit the model.",
        "The message says where and what to do.";
    CANCELLED "cancelled":
        "The work was stopped.",
        "Nothing was written.";
    NO_PROGRESS "no-progress":
        "Progress was asked for, and what shows it is not there.",
        "Install tqdm, or ask for no progress.";
    SAID_BEFORE "said-before":
        "A message kept by an older version.",
        "Read its text.";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every Rust source of these crates, but this file.
    fn sources(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs")
                && path.file_name().is_some_and(|f| f != "codes.rs")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_string());
            }
        }
    }

    #[test]
    fn every_code_is_said_somewhere() {
        let mut found = Vec::new();
        for of in ["likewise", "likewise-io", "likewise-review", "likewise-cli", "likewise-python"] {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(of).join("src");
            if folder.is_dir() {
                sources(&folder, &mut found);
            }
        }
        let all = found.concat();
        let name = |rest: &'_ str| {
            rest.split(|c: char| !c.is_ascii_uppercase() && c != '_').next().map(String::from)
        };
        let said: std::collections::HashSet<String> = all.split("codes::").skip(1).filter_map(name).collect();
        // Said by Python's own progress, in words.
        let silent: Vec<_> =
            CONSTANTS.iter().filter(|name| **name != "NO_PROGRESS" && !said.contains(**name)).collect();
        assert!(silent.is_empty(), "no message has {silent:?}");
    }

    #[test]
    fn names_are_unique_and_plain() {
        let mut names: Vec<&str> = ALL.iter().map(|code| code.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        assert!(ALL.iter().all(|code| code.meaning.ends_with('.') && code.advice.ends_with('.')));
    }
}
