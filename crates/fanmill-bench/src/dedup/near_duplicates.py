"""Candidate pairs of a corpus by another tool: python3 near_duplicates.py TOOL CORPUS.jsonl [--parts]

Prints its version, seconds of processor time, and the number of candidate pairs; with --parts also the seconds for reading and
cutting into shingles, which are then done once more.
"""
import importlib.metadata
import json
import re
import sys
import time

tool, path, *options = sys.argv[1:]
WORDS, PERMUTATIONS, BANDS, ROWS = 5, 128, 16, 8


def shingles(text):
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[i:i + WORDS]) for i in range(max(1, len(words) - WORDS + 1))}


def documents():
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def with_rensa():
    import rensa

    index = rensa.RMinHashLSH(threshold=0.8, num_perm=PERMUTATIONS, num_bands=BANDS)
    pairs = 0
    for number, text in enumerate(documents()):
        sketch = rensa.RMinHash(num_perm=PERMUTATIONS, seed=1)
        sketch.update(list(shingles(text)))
        pairs += len(set(index.query(sketch)))
        index.insert(number, sketch)
    return pairs


def with_datasketch():
    import datasketch

    index = datasketch.MinHashLSH(num_perm=PERMUTATIONS, params=(BANDS, ROWS))
    pairs = 0
    for number, text in enumerate(documents()):
        sketch = datasketch.MinHash(num_perm=PERMUTATIONS)
        sketch.update_batch([shingle.encode() for shingle in shingles(text)])
        pairs += len(index.query(sketch))
        index.insert(number, sketch)
    return pairs


def with_gaoya():
    from gaoya.minhash import MinHashStringIndex

    # It cuts texts into shingles itself.
    index = MinHashStringIndex(
        hash_size=32, jaccard_threshold=0.8, num_bands=BANDS, band_size=ROWS,
        analyzer="word", lowercase=True, ngram_range=(WORDS, WORDS),
    )
    pairs = 0
    for number, text in enumerate(documents()):
        pairs += len(index.query(text))
        index.insert_document(number, text)
    return pairs


def with_daft():
    import daft
    from daft import col

    corpus = daft.read_json(path)
    # Words are what stands between spaces. A pair is counted in each band in which it agrees.
    sketches = corpus.select(col("text").lower().minhash(num_hashes=PERMUTATIONS, ngram_size=WORDS, seed=1).alias("sketch"))
    rows = sketches.with_column("row", col("sketch").chunk(ROWS))
    numbered = rows.with_column("band", daft.lit(list(range(BANDS))))
    bands = numbered.select("row", "band").explode("row", "band")
    sizes = bands.groupby("band", "row").agg(col("row").count().alias("n")).where(col("n") > 1)
    return sum(n * (n - 1) // 2 for n in sizes.to_pydict()["n"])


figures = {"version": importlib.metadata.version(tool)}
if "--parts" in options:
    start = time.process_time()
    for text in documents():
        shingles(text)
    figures["reading"] = time.process_time() - start
start = time.process_time()
tools = {"rensa": with_rensa, "gaoya": with_gaoya, "datasketch": with_datasketch, "daft": with_daft}
figures["pairs"] = tools[tool]()
figures["seconds"] = time.process_time() - start
print(json.dumps(figures))
