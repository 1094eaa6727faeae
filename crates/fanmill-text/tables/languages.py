"""Makes `languages.txt`: how often languages in Latin script have each letter that is not ASCII.

    python3 languages.py FOLDER... > languages.txt

A FOLDER holds message catalogues as Debian's packages have them: `LANGUAGE/LC_MESSAGES/*.mo` below `/usr/share/locale`.
Measured on the translations of apt, aptitude, bash, coreutils, dpkg, gettext, gimp, git, glib, gnupg, gtk, man-db, tar, vim
and others of Debian 12. Catalogues of names (iso_*) are left out. Languages of fewer than 4,000 characters are left out, too;
those of ESTIMATES, which have no catalogues, are our own estimates.

A line of the result is a language, and after it for each letter: the letter in lower case, how often it occurs in 100,000
letters, and how often in 1,000 letters of its base. A letter is a character, or one with one mark on it.
"""

import collections
import gettext
import pathlib
import sys
import unicodedata

# The base of a letter that Unicode does not take apart.
STROKES = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "a", "œ": "o", "ß": "s"}
SAMPLE = 400_000

# Rates and shares as in the result.
ESTIMATES = {
    "yo": "á 2500 300 à 2500 300 é 900 200 è 900 200 í 2500 350 ì 2500 350 ó 900 200 ò 900 200 ú 1200 300 ù 1200 300 ẹ 2200 450 "
    "ẹ\u0301 900 200 ẹ\u0300 900 200 ọ 2200 450 ọ\u0301 900 200 ọ\u0300 900 200 ṣ 1700 700 ń 600 120 ǹ 100 30",
    "ig": "ị 3500 400 ọ 3500 500 ụ 2000 400 ṅ 500 100 á 500 60 à 900 90 é 300 60 è 300 60 í 300 50 ì 300 50 ó 300 60 ò 300 60",
    "gn": "ã 1000 80 ẽ 600 70 ĩ 500 80 õ 600 70 ũ 500 80 ỹ 500 120 ñ 1200 250 á 1500 120 é 1500 150 í 600 80 ó 900 100 ú 900 120 "
    "ý 500 120 g\u0303 100 40",
    "haw": "ā 3000 180 ē 600 90 ī 1200 130 ō 1200 130 ū 800 120",
    "pinyin": "ā 1600 200 á 1400 180 ǎ 1600 200 à 2400 300 ē 700 140 é 800 150 ě 700 140 è 1200 230 ī 1500 150 í 1600 160 ǐ 1700 170 "
    "ì 2700 270 ō 600 130 ó 700 140 ǒ 900 180 ò 700 140 ū 600 120 ú 700 140 ǔ 800 160 ù 1200 230 ǖ 10 5 ǘ 10 5 ǚ 150 30 ǜ 100 20",
    "iast": "ā 9000 350 ī 2000 250 ū 1200 180 ṛ 1500 200 ṝ 20 10 ḷ 60 20 ṃ 2600 350 ṁ 2600 350 ḥ 2400 300 ṅ 500 60 ñ 500 60 ṭ 900 130 "
    "ḍ 400 80 ṇ 1500 180 ś 1800 230 ṣ 2200 280",
}


def base(letter):
    """The ASCII letter that a letter is made of, or the letter."""
    first = unicodedata.normalize("NFD", letter)[0]
    return STROKES.get(first, first)


def is_latin(char):
    return char.isascii() or unicodedata.name(char, "").startswith("LATIN")


def letters(text):
    """The letters of a text in lower case, each with the marks on it."""
    found = []
    for char in unicodedata.normalize("NFC", text).replace("İ", "i").lower():
        if unicodedata.combining(char):
            if found and found[-1]:
                found[-1] += char
        else:
            found.append(char if char.isalpha() else "")
    return [letter for letter in found if letter]


def translations(folders):
    """The translations of each language."""
    texts, seen = collections.defaultdict(list), set()
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*/LC_MESSAGES/*.mo")):
            language = path.parts[-3]
            if path.name.startswith("iso_") or language.startswith("en") or (language, path.name) in seen:
                continue
            seen.add((language, path.name))
            try:
                catalogue = gettext.GNUTranslations(path.open("rb"))._catalog
            except (OSError, ValueError, IndexError):
                continue
            texts[language] += [text for key, text in catalogue.items() if key and isinstance(text, str) and text != key]
    return texts


for language, texts in sorted(translations(sys.argv[1:]).items()):
    found = letters("\n".join(texts)[:SAMPLE])
    if len(found) < 4000 or sum(is_latin(letter[0]) for letter in found) < 0.9 * len(found):
        continue
    found = [letter for letter in found if is_latin(letter[0])]
    counts, bases = collections.Counter(found), collections.Counter(map(base, found))
    rates = [(letter, round(1e5 * n / len(found)), round(1e3 * n / bases[base(letter)])) for letter, n in counts.items()]
    rates = [rate for rate in sorted(rates) if not rate[0].isascii() and len(rate[0]) <= 2 and rate[1] >= 5]
    if rates:
        print(language, " ".join(f"{letter} {rate} {share}" for letter, rate, share in rates))
for language, rates in ESTIMATES.items():
    print(language, unicodedata.normalize("NFC", rates))
