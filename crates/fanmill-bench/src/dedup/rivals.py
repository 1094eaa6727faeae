"""Candidate pairs of a corpus by another tool: python3 rivals.py TOOL CORPUS.jsonl

Prints its version, seconds of processor time (in all, and for reading and cutting into shingles), and
the number of candidate pairs.
"""
import importlib.metadata
import json
import re
import sys
import time

tool, path = sys.argv[1:]
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


start = time.process_time()
for text in documents():
    shingles(text)
reading = time.process_time() - start
start = time.process_time()
pairs = {"rensa": with_rensa, "datasketch": with_datasketch}[tool]()
seconds = time.process_time() - start
version = importlib.metadata.version(tool)
print(json.dumps({"version": version, "seconds": seconds, "reading": reading, "pairs": pairs}))
