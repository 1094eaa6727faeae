"""`fanmill.Sifter`: texts that were changed on purpose."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import fanmill
import pytest

KEY = bytes(range(1, 33))
WORDS = (
    "the miller of the village had a daughter who could spin straw into gold as he told the king one day when they met "
    "by the river and the king who loved gold above all things in his realm sent for her at once and led her to a room "
    "full of straw with a wheel and a reel and said now get to work and if by early morning you have not spun this straw "
    "into gold you must die and he locked the door himself and left her there alone with the straw"
).split()
ORIGINAL = " ".join(WORDS)
DISGUISED = " ".join("very" if i % 9 == 4 else word for i, word in enumerate(WORDS))
OTHER = " ".join(WORDS[::-1])


def test_a_disguised_copy_is_recognised() -> None:
    sifter = fanmill.Sifter(KEY)
    done = sifter.add({"tale.txt": ORIGINAL})
    assert (done["new"], done["in_all"], done["notices"]) == (1, 1, [])
    copy, other, none = sifter.check({"copy.txt": DISGUISED, "other.txt": OTHER, "empty.txt": "…"})
    assert copy.is_copy and copy.originals == ["tale.txt"] and copy.grade in ("likely", "strong")
    assert repr(copy) == f"<fanmill.Verdict copy.txt: yes, {copy.grade}>"
    assert (other.answer, other.is_copy, other.grade) == ("no", False, None)
    assert none.answer in ("none", "skip")
    assert sifter.check({"same.txt": ORIGINAL})[0].grade == "same"


def test_keys_decide_and_nobody_sees_them() -> None:
    one, same, other = fanmill.Sifter(KEY), fanmill.Sifter(KEY), fanmill.Sifter(KEY[::-1])
    values = [sifter.fingerprints([ORIGINAL, None, ""]).to_pylist() for sifter in (one, same, other)]
    assert values[0] == values[1] != values[2]
    assert values[0][1] is None and values[0][2] == [] and values[0][0]
    assert one.key_id == same.key_id != other.key_id
    assert one.key_id in one.fingerprints([ORIGINAL]).scheme
    assert KEY.hex() not in repr(one) + repr(vars(one))
    changed = one.fingerprints([DISGUISED])
    assert 0 < (fanmill.resemblance(one.fingerprints([ORIGINAL]), changed)[0] or 0) < 1


def test_a_mailbox(examples: Path) -> None:
    sifter = fanmill.Sifter(KEY, "mail")
    inbox = examples / "sift" / "inbox.mbox"
    done = sifter.add(inbox)
    assert done["new"] > 1
    again = sifter.check({"inbox.mbox": inbox.read_bytes()})
    assert len(again) >= done["new"]
    assert all(verdict.is_copy for verdict in again if verdict.answer != "none")
    groups = sifter.campaigns(inbox)
    assert all(group["size"] == len(group["members"]) >= 2 for group in groups)


def test_a_folder_of_suspects_and_the_command(examples: Path, tmp_path: Path, program: str) -> None:
    key = tmp_path / "secret.key"
    fanmill.Sifter.new_key(key)
    with pytest.raises(ValueError, match="exists already"):
        fanmill.Sifter.new_key(key)
    folder, store = examples / "sift", tmp_path / "library.sift"
    sifter = fanmill.Sifter(key, store=store)
    sifter.add(folder / "originals")
    verdicts = sifter.check(folder / "suspects")
    command = [program, "sift", "check", "--key", str(key), str(store), str(folder / "suspects")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = [line.split()[0] for line in done.stdout.splitlines() if line.split()[:1] in (["yes"], ["no"])]
    assert said == [verdict.answer for verdict in verdicts if verdict.answer in ("yes", "no")]
    assert "yes" in said
    assert sifter.remove([verdicts[said.index("yes")].originals[0]]) == 1


def test_wanted_texts_are_not_reported() -> None:
    sifter = fanmill.Sifter(KEY)
    sifter.add({"newsletter.txt": ORIGINAL}, wanted=True, date="2026-03-01")
    assert sifter.check({"it.txt": DISGUISED})[0].answer == "wanted"


def test_a_store_of_its_own_goes_with_its_object() -> None:
    sifter = fanmill.Sifter(KEY)
    sifter.add({"a.txt": ORIGINAL})
    store = sifter.store
    assert os.path.isdir(store)
    del sifter
    import gc

    gc.collect()
    assert not os.path.exists(store)


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_errors(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="make one with `fanmill.Sifter.new_key`"):
        fanmill.Sifter(bytes(32))
    with pytest.raises(ValueError, match="`key=` has 3 bytes, and must have 32"):
        fanmill.Sifter(b"abc")
    with pytest.raises(ValueError, match="profile"):
        fanmill.Sifter(KEY, "best")
    with pytest.raises(ValueError, match="`kind=`: unknown variant `moon`"):
        fanmill.Sifter(KEY).add({"a": "b"}, kind="moon")
    with pytest.raises(ValueError, match="min_score"):
        sifter = fanmill.Sifter(KEY)
        sifter.add({"a.txt": ORIGINAL})
        sifter.check({"b.txt": ORIGINAL}, min_score=7)
    path = tmp_path / "open.key"
    fanmill.Sifter.new_key(path)
    path.chmod(0o644)
    with pytest.raises(ValueError, match="can be read or written by others"):
        fanmill.Sifter(path)
