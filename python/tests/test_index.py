"""`fanmill.Index`: an archive on disk."""

from __future__ import annotations

import subprocess
from pathlib import Path

import fanmill
import pytest

RIVER = "we walked along the river until the old mill came into sight"
ANNA = f"Last summer {RIVER}, and then home."
BEN = f"He says: {RIVER}. So did everybody."
CLEO = "The mill is younger than the bridge, whatever the sign at the river tells its visitors."


@pytest.fixture
def index(tmp_path: Path) -> fanmill.Index:
    index = fanmill.Index(tmp_path / "archive")
    done = index.add({"anna.txt": ANNA, "cleo.txt": CLEO}, label="2025")
    assert (done["added"], done["replaced"], done["unchanged"], done["notices"]) == (2, 0, 0, [])
    return index


def test_a_text_is_found_in_its_source(index: fanmill.Index) -> None:
    answer = index.search(BEN)
    (source,) = answer.sources
    assert (source.name, source.group, source.author) == ("anna.txt", "2025", None)
    assert source.share_of_text > 0.5
    assert source.pair is not None
    match = source.pair.passages[0].matches[0]
    assert match.a.text == match.b.text == RIVER
    (covered,) = answer.coverage
    assert BEN[covered["start"] : covered["end"]] == RIVER
    assert len(answer) == 1 and repr(answer) == "<fanmill.Answer: 1 sources among 2 documents>"
    assert "<iframe" in (source._repr_html_() or "") and "<table" in answer._repr_html_()
    assert index.search("nothing of this is known to anybody here").sources == []


def test_the_command_reads_the_same_index(index: fanmill.Index, program: str, tmp_path: Path) -> None:
    text = tmp_path / "ben.txt"
    text.write_text(BEN)
    done = subprocess.run([program, "search", index.path, str(text)], capture_output=True, text=True)
    assert done.returncode == 0 and "anna.txt" in done.stdout, done.stdout + done.stderr


def test_what_an_index_knows(index: fanmill.Index) -> None:
    assert len(index) == 2
    assert [document["name"] for document in index.documents()] == ["anna.txt", "cleo.txt"]
    assert index.stats()["documents"] == 2
    index.verify()
    assert index.add({"anna.txt": ANNA})["replaced"] + index.add({"cleo.txt": CLEO, "x.txt": BEN})["added"] >= 1
    assert index.remove("anna.txt", merge=True) == 1
    assert index.remove(["x.txt"]) == 1
    index.merge()
    assert index.upgrade() == 0
    assert index.search(BEN).sources == []


def test_a_search_can_be_narrowed(index: fanmill.Index) -> None:
    index.add({"dora.txt": ANNA.upper()}, label="2026")
    assert len(index.search(BEN)) == 2
    assert [source.name for source in index.search(BEN, label="2025").sources] == ["anna.txt"]
    assert [source.name for source in index.search(BEN, exclude_source=["anna.txt"]).sources] == ["dora.txt"]
    assert len(index.search(BEN, max_sources=1)) == 1
    assert len(index.search(BEN, quick=20)) == 2


def test_files_of_a_folder(tmp_path: Path, examples: Path) -> None:
    index = fanmill.Index(tmp_path / "archive")
    assert index.add(examples / "essays", lang="words")["added"] == 4
    essay = (examples / "essays" / "petra.txt").read_text(encoding="utf-8")
    assert any("petra" in source.name for source in index.search(essay).sources)


def test_an_index_of_fingerprints_alone(tmp_path: Path) -> None:
    index = fanmill.Index(tmp_path / "archive")
    index.add({"anna.txt": ANNA}, no_texts=True)
    (source,) = index.search(BEN).sources
    assert source.name == "anna.txt" and source.pair is None and source.share_of_text == 0
    assert "by fingerprints alone" in repr(source)


def test_an_index_under_a_key(tmp_path: Path) -> None:
    key = tmp_path / "secret.key"
    fanmill.Sifter.new_key(key)
    index = fanmill.Index(tmp_path / "archive", key=key)
    index.add({"anna.txt": ANNA}, no_texts=True)
    assert len(index.search(BEN)) == 1
    with pytest.raises(ValueError, match="key"):
        fanmill.Index(tmp_path / "archive").search(BEN)


def test_a_text_in_a_programming_language(tmp_path: Path) -> None:
    code = "def f(x):\n    total = 0\n    for i in range(x):\n        total += i * x - 3\n    return total\n"
    index = fanmill.Index(tmp_path / "archive")
    index.add({"a.py": code})
    renamed = code.replace("total", "summe").replace("x", "zahl")
    assert len(index.search(renamed, name="b.py")) == 1


def test_errors_name_arguments(index: fanmill.Index, tmp_path: Path) -> None:
    with pytest.raises(ValueError) as caught:
        fanmill.Index(tmp_path / "nowhere").search(BEN)
    assert caught.value.code == "input"
    with pytest.raises(ValueError, match="`since=`|2026-13"):
        index.search(BEN, since="2026-13-45")
    with pytest.raises(ValueError, match="there is nothing to add"):
        index.add({})
    with pytest.raises(ValueError, match="zoe.txt"):
        index.remove("zoe.txt")
    with pytest.raises(ValueError, match="guarantee"):
        index.add({"x.txt": BEN}, noise=2, guarantee=9)
