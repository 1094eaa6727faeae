"""Makes `han.txt`: which Chinese characters are spellings of one.

    python3 han.py DICTIONARIES > han.txt

DICTIONARIES is the folder `data/dictionary` of OpenCC (https://github.com/BYVoid/OpenCC, Apache License 2.0), or
`opencc/dictionary` of the Python package opencc-python-reimplemented 0.1.7, which has the same files. A traditional
character has the simplified one that OpenCC gives it first, and variants of Taiwan and Hong Kong that of the character
that they are variants of. Where several traditional characters have one simplified character (發 and 髮 have 发), all are
that one, since a text in simplified characters does not say which of them was meant.

A line of the result is a simplified character and all others that are spellings of it, in the order of Unicode.
"""

import pathlib
import sys

folder = pathlib.Path(sys.argv[1])


def pairs(name):
    """The characters of a dictionary, each with the ones that it may become."""
    for line in (folder / f"{name}.txt").read_text("utf-8").splitlines():
        from_, tab, to = line.partition("\t")
        if tab and len(from_) == 1:
            yield from_, [other for other in to.split(" ") if len(other) == 1]


variants = {}
for name in ["TWVariants", "HKVariants"]:
    for standard, others in pairs(name):
        for other in others:
            variants.setdefault(other, standard)

simplified = {from_: to[0] for from_, to in pairs("TSCharacters") if to}
# A character that is simplified to itself at times (乾) is also what it stands for at other times (干).
for short, longs in pairs("STCharacters"):
    for long in longs:
        if long != short:
            simplified.setdefault(long, short)
            if simplified[long] == long:
                simplified[long] = short


def root(char):
    """The end of the chain of simplifications."""
    seen = [char]
    while True:
        following = simplified.get(seen[-1], seen[-1])
        if following == seen[-1]:
            following = variants.get(seen[-1], seen[-1])
        if following in seen:
            return min(seen[seen.index(following):])
        seen.append(following)


groups = {}
for char in sorted(set(simplified) | set(variants)):
    if root(char) != char:
        groups.setdefault(root(char), []).append(char)
for short, others in sorted(groups.items()):
    print(short + "".join(others))
