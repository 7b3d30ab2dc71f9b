"""The whole automatic run on 20 Newsgroups against what scikit-learn needs for one plain model.

    python3 benches/automatic_text.py [--positives 50] [--rounds 3]

The work: 19,997 messages (subject and body) in one JSON lines file, some of sci.space marked. Ours reads the
file, makes features, hides positives, estimates the prior, tries every candidate, places the cut, works out the
intervals and writes the ranking. The peer reads the same file and fits one TfidfVectorizer and one balanced
LogisticRegression, nothing more. Ours may take twice as long; the last lines tell the ratio.
"""

import argparse
import gzip
import json
import random
import sys
import time
from pathlib import Path

import race

PEER = "scikit-learn==1.7.2"
CLASS = "sci.space"


def main() -> None:
    arguments = argparse.ArgumentParser(description="The automatic run, against one scikit-learn model.")
    arguments.add_argument("--positives", type=int, default=50)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--peer", metavar="FILE", help="run the peer's side only; the race does this")
    options = arguments.parse_args()
    if options.peer:
        return fit_with_peer(Path(options.peer))

    source = race.data("20newsgroups/20news-19997.jsonl.gz")
    python = race.virtualenv(PEER)
    ours = race.binary()
    with race.workplace() as folder:
        messages = Path(folder) / "messages.jsonl"
        write_messages(source, messages, options.positives)
        peer, auto, quick = f"Tfidf + LogisticRegression ({PEER})", "likewise, auto", "likewise, auto --effort quick"
        command = [ours, "find", "--in", messages, "--label", "marked", "--positive", "yes",
                   "--text", "subject,text", "--quiet", "--output", Path(folder) / "ranked.jsonl"]
        runs = race.alternate({
            peer: [python, __file__, "--peer", messages],
            auto: command,
            quick: [*command, "--effort", "quick"],
        }, options.rounds)
        race.table(runs)
    race.finish([
        race.Ratio("auto", runs[peer], runs[auto], wanted=0.5),
        race.Ratio("auto --effort quick", runs[peer], runs[quick], wanted=0.5),
    ])


def write_messages(source: Path, messages: Path, positives: int) -> None:
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    members = [i for i, row in enumerate(rows) if row["label"] == CLASS]
    marked = set(random.Random(0).sample(members, positives))
    with messages.open("w", encoding="utf-8") as out:
        for i, row in enumerate(rows):
            fields = {"id": row["id"], "subject": row["subject"], "text": row["text"]}
            out.write(json.dumps({**fields, "marked": "yes" if i in marked else "no"}) + "\n")


def fit_with_peer(messages: Path) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    started = time.perf_counter()
    rows = [json.loads(line) for line in messages.open(encoding="utf-8")]
    texts = [f"{row['subject']} {row['text']}" for row in rows]
    labels = [row["marked"] == "yes" for row in rows]
    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2)
    x = vectorizer.fit_transform(texts)
    vectorized = time.perf_counter()
    model = LogisticRegression(class_weight="balanced", max_iter=1000).fit(x, labels)
    model.decision_function(x)
    ended = time.perf_counter()
    json.dump({"seconds": ended - started, "vectorizing": vectorized - started}, sys.stdout)


if __name__ == "__main__":
    main()
