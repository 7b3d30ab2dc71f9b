"""The loop of reading against ASReview's default learner: how much is found after so many marks, and how fast.

    python3 benches/review_loop.py [--seeds 5] [--sets sms,disaster,...] [--no-speed]

The work: the rows of a set, ten wanted and ten unwanted ones known (ASReview cannot learn from wanted rows alone), then
marks by a reader who never errs, best first. Both start from the same rows and make a new ranking whenever the marks
have grown by a twentieth. ASReview runs by its simulation, with its default cycle ELAS u4. Ours reads best first with
the neighbours of all rows known, as a page does from some seconds after it was opened; beside it by the learner alone,
with every second row from the learner's boundary, and without near copies in a batch. The race for speed is one ranking
with 500 marks on 20,000 and 200,000 documents, features and neighbours in memory; beside it stands what a reader of the
page waits, from sending a mark to the ranking that knows it. The last lines tell how much of the class each found in the
mean, and the ratios.
"""

import argparse
import gzip
import http.client
import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import race

PEER = "asreview==3.0.8"
AT = (100, 200, 500)
EXAMPLES = 10
GROWTH = 0.05
PILE = 8000
MARKS = 60
PICKS = ("alone", "uncertain", "diverse")


def sms():
    return [(row["text"], row["label"] == "spam") for row in rows("sms-spam/sms-spam.jsonl.gz")], 60


def disaster():
    kept = (row for row in rows("disaster-dfe/disaster-dfe.jsonl.gz") if row["label"] != "undecided")
    return [(row["text"], row["label"] == "relevant") for row in kept], 300


def crisislex():
    return [(row["text"], row["label"] == "on-topic") for row in rows("crisislex-t6/crisislex-t6.jsonl.gz")], 400


def reuters():
    kept = (row for row in rows("reuters21578/reuters21578.jsonl.gz") if row["labels"])
    return [(f"{row['title']}\n{row['text']}", "crude" in row["labels"]) for row in kept], 400


def newsgroups():
    every = rows("20newsgroups/20news-19997.jsonl.gz")
    return [(f"{row['subject']}\n{row['text']}", row["label"] == "sci.space") for row in every], 500


SETS = {task.__name__: task for task in (sms, disaster, crisislex, reuters, newsgroups)}


def main() -> None:
    arguments = argparse.ArgumentParser(description="The loop of reading, against ASReview.")
    arguments.add_argument("--seeds", type=int, default=5)
    arguments.add_argument("--sets", default=",".join(SETS))
    arguments.add_argument("--no-speed", action="store_true", help="compare what is found only")
    arguments.add_argument("--peer", nargs=2, metavar="FILE", help="run the peer's side only; the race does this")
    options = arguments.parse_args()
    if options.peer:
        return peer(Path(options.peer[0]), Path(options.peer[1]))

    python = race.virtualenv(PEER)
    ours = race.driver("review_loop")
    binary = None if options.no_speed else race.binary()
    found: dict[str, list[list[float]]] = {}
    ratios = []
    with race.workplace() as folder:
        for name in options.sets.split(","):
            documents = Path(folder) / f"{name}.jsonl"
            write(documents, *SETS[name]())
            theirs, own = both(python, ours, documents, options.seeds, max(AT))
            others = [(f"likewise, {pick}", race.run([ours, documents, options.seeds, max(AT), pick])) for pick in PICKS]
            for contestant, outcome in ((PEER, theirs), ("likewise", own), *others):
                means = [mean_recall(outcome.answer, documents, marks) for marks in AT]
                found.setdefault(contestant, []).append(means)
                print(f"{name:12} {contestant:20} " + " ".join(f"{m:.3f}" for m in means), flush=True)
        if not options.no_speed:
            for count in (20_000, 200_000):
                documents = Path(folder) / f"{count}.jsonl"
                write_paragraphs(documents, count)
                theirs, own = both(python, ours, documents, 1, max(AT))
                theirs.seconds, own.seconds = theirs.answer["seconds"], own.answer["seconds"]
                ratios.append(race.Ratio(f"a ranking of {count:,} rows", theirs, own, wanted=1))
                print(f"{count:,} rows: {theirs.seconds:.3f} s and {own.seconds:.3f} s a ranking", flush=True)
                waits = latencies(binary, documents)
                print(f"{count:,} rows: a mark on the page is known to the ranking after {statistics.median(waits):.3f} s, "
                      f"at most {max(waits):.3f} s of {MARKS}", flush=True)
    means = {who: [statistics.mean(column) for column in zip(*of)] for who, of in found.items()}
    for who, of in means.items():
        print(f"mean         {who:20} " + " ".join(f"{m:.3f}" for m in of))
    ratio = statistics.mean(means["likewise"]) / statistics.mean(means[PEER])
    print(f"ratio, found after {', '.join(map(str, AT))} marks: {ratio:.3f} (wanted: 1)")
    if ratio < 1:
        sys.exit("less was found than the peer finds")
    race.finish(ratios)


def both(python: Path, ours: Path, documents: Path, seeds: int, marks: int):
    """Ours first: its starts are the peer's starts."""
    own = race.run([ours, documents, seeds, marks])
    starts = documents.with_suffix(".starts")
    starts.write_text(json.dumps([[start["examples"], start["unwanted"]] for start in own.answer["starts"]]))
    return race.run([python, Path(__file__).resolve(), "--peer", documents, starts], cwd=documents.parent), own


def latencies(binary: Path, documents: Path) -> list[float]:
    """Seconds from sending a mark to a ranking that knows it, for marks sent one after another."""
    command = [binary, "review", "--no-open", "--quiet", "--in", documents, "--text", "text",
               "--project", documents.with_suffix(".likewise")]
    served = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    try:
        address = urlsplit(served.stdout.readline().strip())
        connection = http.client.HTTPConnection(address.netloc)
        cookie = {"Cookie": f"likewise-{address.port}={address.query.removeprefix('token=')}", "x-tab": "race"}

        def ask(method: str, path: str, body: dict | None = None) -> dict:
            headers = cookie | ({"Content-Type": "application/json"} if body else {})
            connection.request(method, path, json.dumps(body) if body else None, headers)
            return json.loads(connection.getresponse().read())

        while not ask("GET", "/api/state")["model"]["ready"]:
            time.sleep(0.1)
        waits = []
        for turn in range(MARKS):
            row = ask("GET", "/api/next?n=1")["rows"][0]
            verdict = "yes" if row["columns"] and dict(row["columns"]).get("wanted") == "true" or turn == 0 else "no"
            started = time.perf_counter()
            mark = {"row": row["row"], "verdict": verdict}
            seq = ask("POST", "/api/marks", {"base": 10**9, "key": f"race {turn}", "marks": [mark]})["seq"]
            while (ask("GET", "/api/state")["model"]["seq"] or 0) < seq:
                time.sleep(0.001)
            waits.append(time.perf_counter() - started)
        return waits
    finally:
        served.terminate()
        served.wait()


def mean_recall(answer: dict, documents: Path, marks: int) -> float:
    wanted = sum(json.loads(line)["wanted"] for line in documents.open(encoding="utf-8"))
    curves = [start["curve"] for start in answer["starts"]]
    at = [curve[min(2 * EXAMPLES + marks, len(curve)) - 1] for curve in curves]
    return statistics.mean((found - EXAMPLES) / (wanted - EXAMPLES) for found in at)


def rows(name: str):
    with gzip.open(race.data(name), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write(documents: Path, labelled: list[tuple[str, bool]], wanted: int) -> None:
    """Each text once, at most PILE of them, and so many wanted ones."""
    chance = random.Random(0)
    once = list(dict(reversed(labelled)).items())
    chance.shuffle(once)
    once = once[:PILE]
    kept = [text for text, label in once if label][:wanted]
    once = [(text, label) for text, label in once if not label] + [(text, True) for text in kept]
    chance.shuffle(once)
    dump(documents, once)


def write_paragraphs(documents: Path, count: int) -> None:
    """Thirty words each, of newsgroups and Reuters; wanted are those of sci.space."""
    found: dict[str, bool] = {}
    for text, wanted in newsgroups()[0] + reuters()[0]:
        words = text.split()
        for start in range(0, len(words), 30):
            found.setdefault(" ".join(words[start:start + 30]), wanted)
    every = list(found.items())
    random.Random(0).shuffle(every)
    if len(every) < count:
        sys.exit(f"only {len(every)} paragraphs, {count} are needed")
    dump(documents, every[:count])


def dump(documents: Path, labelled: list[tuple[str, bool]]) -> None:
    with documents.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps({"text": text, "wanted": wanted}) + "\n" for text, wanted in labelled)


def peer(documents: Path, starts: Path) -> None:
    import numpy
    from asreview.learner import ActiveLearningCycle
    from asreview.models.models import get_ai_config
    from asreview.simulation.simulate import Simulate
    from sklearn.feature_extraction.text import TfidfVectorizer

    every = [json.loads(line) for line in documents.open(encoding="utf-8")]
    labels = numpy.array([int(row["wanted"]) for row in every])
    settings = get_ai_config()["value"]
    vectorizer = TfidfVectorizer(**settings.feature_extractor_param)
    x = vectorizer.fit_transform(row["text"] for row in every).tocsr()
    answers, seconds = [], []
    for examples, unwanted in json.loads(starts.read_text()):
        cycle = ActiveLearningCycle.from_meta(settings, skip_feature_extraction=True)
        cycle.n_query = lambda results: 1 + int(GROWTH * len(results))
        fit, rank = cycle.fit, cycle.rank

        def timed(step):
            def call(*given):
                started = time.perf_counter()
                result = step(*given)
                seconds.append(time.perf_counter() - started)
                return result
            return call

        cycle.fit, cycle.rank = timed(fit), timed(rank)
        simulation = Simulate(x, labels, cycle, stopper=2 * EXAMPLES + max(AT), skip_transform=True,
                              print_progress=False)
        simulation.label(numpy.array(examples + unwanted))
        simulation.review()
        found = simulation._results["label"].to_numpy()[2 * EXAMPLES:]
        curve = EXAMPLES + numpy.concatenate([numpy.zeros(2 * EXAMPLES, int), numpy.cumsum(found)])
        answers.append({"curve": curve.tolist()})
    # A ranking is a fit and a rank; each stands in the list by itself.
    print(json.dumps({"seconds": 2 * statistics.mean(seconds), "starts": answers}))


if __name__ == "__main__":
    main()
