//! Databases of related tables and facts through the real binary: ranked, kept, scored, explained, shown.

use crate::support::Folder;

/// Thirty people in ten clubs; those of one club know each other, and six such pairs are known.
fn clubs() -> Folder {
    let folder = Folder::new();
    let facts: Vec<String> = (0..30).map(|p| format!("with(p{p},c{}).", p / 3)).collect();
    let known: Vec<String> = (0..6).map(|c| format!("knows(p{},p{}).", 3 * c, 3 * c + 1)).collect();
    folder
        .write("modes.txt", "mode: knows(+p,+p).\nmode: with(+p,-c).\nmode: with(-p,+c).\n")
        .write("train_facts.txt", &facts.join("\n"))
        .write("train_pos.txt", &known.join("\n"));
    folder
}

/// Orders with a fragile product are refunded; half of the refunds are known.
fn shop() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("shop")).unwrap();
    let row = |o: usize| format!("{},{}", o + 1, 10 + (o * 37) % 90);
    let fragile = |o: usize| o.is_multiple_of(4);
    let items = |o: usize| format!("{},{}", o + 1, if fragile(o) { 1 } else { 2 + o % 3 });
    let all = |of: &dyn Fn(usize) -> String| (0..60).map(of).collect::<Vec<_>>().join("\n");
    let refunds: Vec<String> = (0..60).filter(|o| o % 8 == 0).map(|o| (o + 1).to_string()).collect();
    folder
        .write("shop/orders.csv", &format!("id,total\n{}\n", all(&row)))
        .write(
            "shop/products.csv",
            "id,kind,about\n1,fragile,thin glass\n2,solid,oak\n3,solid,steel\n4,solid,stone\n",
        )
        .write("shop/items.csv", &format!("order_id,product_id\n{}\n", all(&items)))
        .write("refunds.txt", &refunds.join("\n"));
    folder
}

#[test]
fn facts_are_ranked_scored_and_explained_by_rules() {
    let folder = clubs();
    let ran = folder.run("find --database . --target knows --output out.jsonl --model m.likewise");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("it is the 894 combinations of `p` and `p` that are not marked"), "{}", ran.err);
    assert!(ran.err.contains("with method `relocc`"), "{}", ran.err);
    let answer = folder.read("out.jsonl");
    assert_eq!(answer.lines().count(), 894);
    assert!(answer.lines().next().unwrap().contains("\"id\":\"knows(p"), "{answer}");
    folder.write("ask.txt", "knows(p24,p25).\nknows(p0,p29).\n");
    let ran = folder.run("score m.likewise --database . --in ask.txt --quiet");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (0, 2), "{}", ran.err);
    assert!(lines[0].contains("\"positive\":true") && lines[1].contains("\"positive\":false"), "{}", ran.out);
    let ran = folder.run("explain m.likewise --database . --id knows(p24,p25) --quiet");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("knows(A,B) :- with(A,C), with(B,C)."), "{}", ran.out);
    assert!(ran.out.contains("SELECT EXISTS (SELECT 1 FROM \"with\" AS t1"), "{}", ran.out);
    let json = folder.run("explain m.likewise --database . --id knows(p24,p25) --quiet --json").ok().out;
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let told = |field: &str| answer["reasons"][0][field].as_str().unwrap_or_default().to_string();
    assert!(told("reason").ends_with('.') && !told("reason").contains('\n'), "{json}");
    assert!(told("sql").starts_with("SELECT ") && answer["notes"].is_array(), "{json}");
    let ran = folder.run("features m.likewise --database . --in ask.txt --output paths.csv");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(folder.read("paths.csv").starts_with("id,path1,path2"), "{}", folder.read("paths.csv"));
    assert!(ran.err.contains("path1: knows(A,B) :- "), "{}", ran.err);
    let ran = folder.run("schema .");
    assert!(ran.out.contains("#   with(+p,-c): 30") && ran.out.contains("#   p: 30"), "{}", ran.out);
}

#[test]
fn every_relational_method_ranks_and_is_evaluated() {
    let folder = clubs();
    let truth: Vec<String> = (0..30)
        .flat_map(|a| (0..30).map(move |b| format!("\"knows(p{a},p{b})\",{}", a / 3 == b / 3)))
        .collect();
    folder.write("truth.csv", &format!("id,label\n{}\n", truth.join("\n")));
    for method in ["relocc", "relocc-random", "rpt", "o-rel", "o-rnd", "s-rel", "s-rnd"] {
        let ran = folder.run(&format!(
            "find --database . --target knows --method {method} --output out.csv --model m.likewise --quiet"
        ));
        assert_eq!(ran.code, 0, "{method}: {}", ran.err);
        let ran =
            folder.run("evaluate out.csv --truth truth.csv --label label --positive true --json --quiet");
        assert_eq!(ran.code, 0, "{method}: {}", ran.err);
        let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let area = found["answer"]["area_under_roc"].as_f64().unwrap();
        // The others are baselines: they draw their tests, or take the pile for negative.
        if ["relocc", "rpt", "o-rel"].contains(&method) {
            assert!(area >= 0.95, "{method}: {area}");
        }
        let ran = folder.run("explain m.likewise --database . --id knows(p24,p25) --quiet");
        assert!(ran.code == 0 && ran.out.contains("knows(A,B) :- "), "{method}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_copy_of_the_target_is_left_out_with_a_warning() {
    let folder = clubs();
    let copies: Vec<String> = (0..6).map(|c| format!("friend(p{},p{}).", 3 * c + 1, 3 * c)).collect();
    folder
        .write("modes.txt", "mode: knows(+p,+p).\nmode: with(+p,-c).\nmode: with(-p,+c).\nmode: friend(+p,-p).\nmode: friend(-p,+p).\n")
        .write("more_facts.txt", &copies.join("\n"));
    let ran = folder.run("find --database . --target knows --output out.csv --model m.likewise");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = "relation `friend` names the same examples as `knows` and is left out of the rules";
    assert!(ran.err.contains(told), "{}", ran.err);
    let ran = folder.run("explain m.likewise --database . --id knows(p0,p1) --quiet");
    assert!(ran.code == 0 && !ran.out.contains("friend"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_folder_of_tables_is_understood_and_ranked() {
    let folder = shop();
    let ran = folder.run("schema shop");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("order_id = \"-> orders\"") && ran.out.contains("kind = \"category\""),
        "{}",
        ran.out
    );
    let ran =
        folder.run("find --database shop --target refund(order) --like refunds.txt --output out.csv --quiet");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer = folder.read("out.csv");
    let mut best: Vec<usize> =
        answer.lines().skip(1).take(7).map(|l| l.split(',').nth(1).unwrap().parse().unwrap()).collect();
    best.sort_unstable();
    assert_eq!(best, [5, 13, 21, 29, 37, 45, 53]);
    folder.write("wanted.txt", "1\n99999\n");
    let about = "--database shop --text products.about";
    let ran = folder
        .run(&format!("find {about} --like wanted.txt --method nb -o docs.csv --model words.model"))
        .ok();
    assert!(
        ran.err.contains("`99999`, the first, is not in `products.id`, where a key is such as `1`"),
        "{}",
        ran.err
    );
    assert_eq!(folder.read("docs.csv").lines().count(), 4);
    folder.run("explain words.model --database shop --id 1").failed(2, &["--text table.column"]);
    assert!(folder.run(&format!("explain words.model {about} --id 1")).ok().out.starts_with("1: score"));
    folder.run(&format!("explain words.model {about} --id 77")).failed(1, &["no row has the id `77`"]);
    // The command that is printed runs, and the words of a model are the same through every door.
    let next = "likewise score words.model --database PATH --text products.about";
    assert!(ran.err.contains(next), "{}", ran.err);
    let of = |rows: &str, model: &str| {
        let answer = folder.run(&format!("score {model} {rows} --quiet")).ok().out;
        answer.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let by_table = of(about, "words.model");
    assert_eq!((by_table.len(), &by_table), (4, &of("--in shop/products.csv", "words.model")));
    let files = "--like shop/products.csv --in shop/products.csv --text about --method nb --keep-positives";
    folder.run(&format!("find {files} -o files.csv --model files.model")).ok();
    assert_eq!(of(about, "files.model"), of("--in shop/products.csv", "files.model"));
    let other = folder.read("shop/products.csv").replace("about", "told");
    folder.write("shop/products.csv", &other);
    assert_eq!(of("--database shop --text products.told", "words.model"), by_table);
}

#[test]
fn a_model_reads_tomorrows_tables_as_those_of_its_training() {
    let folder = shop();
    folder
        .run("find --database shop --target refund(order) --like refunds.txt --model m.likewise -o out.csv --quiet")
        .ok();
    folder.write("all.txt", &(1..=9).map(|o| o.to_string()).collect::<Vec<_>>().join("\n"));
    let today = folder.run("score m.likewise --database shop --in all.txt --quiet").ok().out;
    for file in ["orders", "items"] {
        let text = folder.read(&format!("shop/{file}.csv"));
        let few: Vec<&str> = text.lines().take(10).collect();
        folder.write(&format!("shop/{file}.csv"), &few.join("\n"));
    }
    let products = folder.read("shop/products.csv").replace("id,kind", "id,sort");
    folder.write("shop/visits.csv", "id,day\n1,monday\n");
    let few = folder.run("score m.likewise --database shop --in all.txt").ok();
    assert_eq!(few.out, today, "nine totals are still numbers");
    assert!(few.err.contains("table `visits` was not there at training and is left out"), "{}", few.err);
    folder.write("shop/products.csv", &products);
    let lacking = folder.run("score m.likewise --database shop --in all.txt").ok();
    assert!(lacking.err.contains("table `products` lacks the column `kind` of training"), "{}", lacking.err);
    std::fs::remove_file(folder.path("shop/products.csv")).unwrap();
    folder
        .run("score m.likewise --database shop --in all.txt")
        .failed(1, &["table `products` is not in shop; the model was trained with it"]);
}

#[test]
fn a_schema_is_printed_corrected_and_given_back() {
    let folder = shop();
    let printed = folder.run("schema shop --quiet").ok().out;
    folder.write("mine.toml", &printed.replace("total = \"number\"", "total = \"ignore\""));
    let corrected = folder.run("schema shop --schema mine.toml --quiet").ok().out;
    assert!(
        printed.contains("orders_total(+orders,>number)") && !corrected.contains("orders_total"),
        "{corrected}"
    );
    folder
        .run("find --database shop --schema mine.toml --target refund(order) --like refunds.txt -o out.csv")
        .ok();
    folder.run("schema . --schema gone.toml").failed(1, &["gone.toml"]);
}

#[test]
fn known_negatives_teach_every_relational_method_and_are_not_ranked() {
    let folder = shop();
    // Of the stone only that in the refused orders is known to be fine.
    folder.write("refused.txt", "3\n7\n11\n15\n");
    for method in ["relocc", "relocc-random", "rpt", "o-rel", "o-rnd", "s-rel", "s-rnd"] {
        let ran = folder
            .run(&format!("find --database shop --target refund(order) --like refunds.txt --unlike refused.txt --method {method} -o out.csv"))
            .ok();
        assert!(!ran.err.contains("has no use for them"), "{method}: {}", ran.err);
        let answer = folder.read("out.csv");
        assert_eq!(answer.lines().count(), 1 + 60 - 8 - 4, "{method}");
        let ids: Vec<&str> = answer.lines().map(|line| line.split(',').nth(1).unwrap()).collect();
        assert!(["3", "7", "11", "15"].iter().all(|id| !ids.contains(id)), "{method}: {ids:?}");
    }
    let about = "find --database shop --text products.about --method nb -o docs.csv";
    folder.write("one.txt", "1\n").write("two.txt", "2\n");
    folder.run(&format!("{about} --like one.txt --unlike two.txt")).ok();
    assert_eq!(folder.read("docs.csv").lines().count(), 3);
}

#[test]
fn examples_of_which_nothing_is_known_are_refused_or_left_out() {
    let folder = shop();
    folder
        .write("nope.txt", "nope1\nnope2\nnope3\n")
        .write("one.txt", &(folder.read("refunds.txt") + "\nnope1\n"));
    let find = "find --database shop --target refund(order) -o out.csv";
    let none = "none of the 3 examples are known: `nope1` is not in `orders.id`, where a key is such as `1`";
    folder.run(&format!("{find} --like nope.txt")).failed(1, &[none]);
    let some = folder.run(&format!("{find} --like one.txt")).ok();
    assert!(some.err.contains("1 of 9 examples names nothing that is known and is left out"), "{}", some.err);
    assert_eq!(folder.read("out.csv").lines().count(), 1 + 60 - 8);
    folder
        .run("find --database shop --text products.about --like nope.txt -o out.csv")
        .failed(1, &["none of the 3 examples are known: `nope1` is not in `products.id`"]);
}

#[test]
fn a_column_that_copies_the_marks_is_left_out_with_a_warning() {
    for no in ["no", ""] {
        let folder = shop();
        let refunds = folder.read("refunds.txt");
        let marked: Vec<&str> = refunds.lines().collect();
        let orders = folder.read("shop/orders.csv");
        let with = |line: &str| {
            let id = line.split(',').next().unwrap();
            let said = if id == "id" {
                "refunded"
            } else if marked.contains(&id) {
                "yes"
            } else {
                no
            };
            format!("{line},{said}")
        };
        let orders: Vec<String> = orders.lines().map(with).collect();
        folder.write("shop/orders.csv", &(orders.join("\n") + "\n"));
        let ran =
            folder.run("find --database shop --target refund(order) --like refunds.txt -o out.csv").ok();
        assert!(ran.err.contains("is left out of the rules"), "{}", ran.err);
        let answer = folder.read("out.csv");
        let mut best: Vec<usize> =
            answer.lines().skip(1).take(7).map(|l| l.split(',').nth(1).unwrap().parse().unwrap()).collect();
        best.sort_unstable();
        assert_eq!(best, [5, 13, 21, 29, 37, 45, 53], "{no}");
    }
}

#[test]
fn rows_to_read_show_what_their_own_table_says() {
    let folder = shop();
    folder
        .run("find --database shop --target refund(order) --like refunds.txt -o out.csv --audit-sample 5 --audit-file read.csv")
        .ok();
    let read = folder.read("read.csv");
    assert!(read.lines().skip(1).all(|line| line.contains("total=")), "{read}");
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = shop();
    folder.write("keys.txt", "1\n");
    let related = "find --database shop --target refund(order) --like refunds.txt -o out.csv";
    let text = "find --database shop --text products.about --like keys.txt -o out.csv";
    for (call, option, advice) in [
        (related, "--except total", "say which to ignore in a schema"),
        (related, "--features total", "say which to ignore in a schema"),
        (related, "--vectors v", "say which to ignore in a schema"),
        (related, "--embed v.vec", "say which to ignore in a schema"),
        (related, "--id total", "say which to ignore in a schema"),
        (related, "--weights count", "learn from a text column with --text TABLE.COL"),
        (related, "--stemming english", "learn from a text column with --text TABLE.COL"),
        (related, "--stop-words english", "learn from a text column with --text TABLE.COL"),
        (related, "--keep-columns", "join it with the database by `id`"),
        (related, "--keep-positives", "leave it out"),
        (related, "--separator ;", "leave it out"),
        (related, "--text products.about", "leave one of them out"),
        (text, "--features kind", "give that with --in"),
        (text, "--vectors file.npy", "give that with --in"),
        (text, "--except kind", "give that with --in"),
    ] {
        let name = option.split(' ').next().unwrap();
        folder.run(&format!("{call} {option}")).failed(2, &[name, advice]);
    }
    folder
        .run("audit --database shop --target refund(order) --like refunds.txt --weights count")
        .failed(2, &["--weights"]);
    folder.run(&format!("{text} --stemming english --method nb")).ok();
}

#[test]
fn wrong_calls_say_what_to_do() {
    let folder = clubs();
    folder.write("bad.txt", "with(+p,-c).\nknows(p,+p).").write("none.txt", "% nobody\n");
    for (arguments, expected) in [
        ("find --database gone --target knows", "gone: there is no such file or folder"),
        ("find --database .", "Name the table or relation with --target"),
        ("find --database . --target knws", "nothing says what its arguments are"),
        ("find --database . --target knows(p,q)", "there is no type `q`"),
        ("find --database . --target knows(p)", "`knows` has 2 arguments, not 1"),
        (
            "find --database . --target knows --modes bad.txt",
            "bad.txt:2: argument `p` of `knows` has no sign",
        ),
        ("find --database . --target knows --like none.txt", "there is no positive example"),
        ("find --target knows", "--database"),
        ("schema gone", "there is no such file or folder"),
    ] {
        let ran = folder.run(arguments);
        assert!(ran.code == 1 || ran.code == 2, "{arguments}: {}", ran.code);
        assert!(ran.err.contains(expected), "{arguments}: {}", ran.err);
    }
}
