"""Rows for `margin_race`, our side of the margin races: a matrix, who is labelled, and the truth."""

import gzip
import json
from pathlib import Path


def write(path: Path, x, labelled, truth=None, tested=None) -> None:
    """`x` is a dense array or a scipy CSR matrix; the others have a flag for each row. Rows that are `tested` are
    not learned from; without any, the unlabeled rows are the test."""
    import numpy as np
    import scipy.sparse as sp

    sparse = sp.issparse(x)
    if sparse:
        x = x.tocsr()
        x.sort_indices()
    values = x.data if sparse else np.ascontiguousarray(x)
    flags = np.asarray(labelled, bool) * 1 + np.asarray(labelled if truth is None else truth, bool) * 2
    if tested is not None:
        flags = flags + np.asarray(tested, bool) * 4
    with path.open("wb") as out:
        out.write(np.array([sparse, *x.shape, values.size], "<u8").tobytes())
        if sparse:
            out.write(x.indptr.astype("<u8").tobytes())
            out.write(x.indices.astype("<u4").tobytes())
        out.write(values.astype("<f4").tobytes())
        out.write(flags.astype("u1").tobytes())


def read(path: Path):
    """What `write` wrote: the matrix, the labelled rows and the truth, as arrays."""
    import numpy as np
    import scipy.sparse as sp

    bytes_ = path.read_bytes()
    sparse, rows, cols, entries = (int(v) for v in np.frombuffer(bytes_, "<u8", 4))
    at = 32
    def take(kind, count):
        nonlocal at
        taken = np.frombuffer(bytes_, kind, count, at)
        at += taken.nbytes
        return taken
    if sparse:
        indptr, indices = take("<u8", rows + 1).astype("i4"), take("<u4", entries).astype("i4")
        x = sp.csr_matrix((take("<f4", entries).astype("f8"), indices, indptr), (rows, cols))
    else:
        x = take("<f4", entries).astype("f8").reshape(rows, cols)
    flags = take("u1", rows)
    return x, (flags & 1) != 0, (flags & 2) != 0


def newsgroups(source: Path):
    """Subject and body of the 20 Newsgroups as tf-idf (ranking.md), and the groups."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    with gzip.open(source, "rt", encoding="utf-8") as lines:
        messages = [json.loads(line) for line in lines]
    texts = [f"{m['subject']}\n{m['text']}" for m in messages]
    words = TfidfVectorizer(min_df=2, stop_words="english", sublinear_tf=True, dtype=np.float32)
    return words.fit_transform(texts), np.array([m["label"] for m in messages])
