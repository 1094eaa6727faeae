"""Columns without any other library: lists in, sequences out."""

from __future__ import annotations

import pickle

import fanmill
import pytest
from fanmill._native import buckets

CAT = "the cat sat on the mat and slept"
LOUD_CAT = "THE CAT SAT ON THE MAT AND SLEPT WELL"
DOG = "a dog ran through the park after its ball"


def test_near_duplicates_share_a_key() -> None:
    keys = fanmill.band_keys([CAT, LOUD_CAT, DOG])
    cat, loud, dog = keys.to_pylist()
    assert len(cat) == len(loud) == fanmill.Recipe().bands[0]
    assert set(cat) & set(loud)
    assert not set(cat) & set(dog)


def test_a_text_without_words_has_neither_keys_nor_a_sketch_and_an_empty_set() -> None:
    texts = [CAT, None, "", "…"]
    for made in (fanmill.band_keys(texts), fanmill.sketch(texts)):
        assert [row is None for row in made] == [False, True, True, True]
    assert [None if row is None else len(row) for row in fanmill.shingles(texts)] == [4, None, 0, 0]


def test_texts_without_words_have_no_bucket_and_those_of_one_shingle_have_one() -> None:
    recipe = fanmill.Recipe(min_score=0.8)
    # By turns a bucket and an order.
    both = 2 * recipe.bands[0]
    texts = [CAT, None, "", "…", "word", "Word!", "a text of five words", "a text of six words now"]
    rows = buckets(recipe, texts, threshold=0.8).to_pylist()
    assert [row and len(row) for row in rows] == [both, None, None, None, 2, 2, 2, both]
    assert rows[4] == rows[5] != rows[6]
    # Half of its shingles may now be enough.
    rows = buckets(recipe, texts, threshold=0.5).to_pylist()
    assert [row and len(row) for row in rows] == [both, None, None, None, *[both] * 4]
    assert rows[4] == rows[5] and not set(rows[4][::2]) & set(rows[6][::2])


def test_registers_are_fit_for_an_estimate() -> None:
    a, b = fanmill.sketch([CAT, LOUD_CAT])
    assert len(a) == 128
    equal = sum(x == y for x, y in zip(a, b)) / 128
    assert abs(equal - fanmill.resemblance(CAT, LOUD_CAT)) < 0.15


def test_resemblance_and_containment_of_texts_and_of_sets() -> None:
    left, right = [CAT, CAT, None, ""], [LOUD_CAT, DOG, CAT, ""]
    expected = [4 / 5, 0.0, None, None]
    assert fanmill.resemblance(left, right).to_pylist() == pytest.approx(expected)
    assert fanmill.containment(left, right).to_pylist() == pytest.approx([1.0, 0.0, None, None])
    assert fanmill.containment(LOUD_CAT, CAT) == 4 / 5
    key = bytes(range(32))
    sets = [fanmill.shingles(texts, key=key) for texts in (left, right)]
    assert fanmill.resemblance(*sets).to_pylist() == pytest.approx(expected)


def test_weighted_shingles_count_as_often_as_they_occur() -> None:
    text = "Ask me, ask me"
    assert len(fanmill.shingles([text], shingle=2)[0]) == 2
    assert len(fanmill.shingles([text], shingle=2, weighted=True)[0]) == 3


def test_sets_under_different_keys_are_not_compared() -> None:
    a, b = fanmill.shingles([CAT]), fanmill.shingles([CAT], key=bytes(range(32)))
    with pytest.raises(ValueError, match="set.key=.*set.key=") as caught:
        fanmill.resemblance(a, b)
    assert caught.value.code == "input"


def test_a_recipe_is_its_scheme() -> None:
    recipe = fanmill.Recipe(min_score=0.7, shingle=4, weighted=True)
    assert recipe.scheme.startswith("corpus:runs@3/k=4/weighted/fss(t=128)/bands(")
    for own in (recipe, fanmill.Recipe(min_score=None), fanmill.Recipe(sketch="perm(t=64)")):
        same = pickle.loads(pickle.dumps(own))
        assert same == own == fanmill.Recipe.of_scheme(own.scheme)
        assert same.sketch([CAT]).to_pylist() == own.sketch([CAT]).to_pylist()
    assert recipe.band_keys([CAT]).scheme == recipe.scheme
    assert fanmill.Recipe(min_score=None).bands is None


@pytest.mark.parametrize("sketch", ["bottom(t=16)", "mod(m=2)", "classic(k=6,s=14,r=2)", "bytes(s=11,r=3)"])
def test_other_sketches_have_rows_of_their_own(sketch: str) -> None:
    recipe = fanmill.Recipe(sketch=sketch)
    for made in (recipe.sketch([CAT, "", CAT]), recipe.band_keys([CAT, "", CAT])):
        assert made[0] == made[2] and made[1] is None


def test_fingerprints_are_shared_where_texts_are() -> None:
    run = "we walked along the river until the old mill came into sight"
    texts = [f"Last summer {run}, and then home.", None, f"Über {run}. So did everybody.", "other words"]
    column = fanmill.fingerprints(texts)
    assert column.scheme.startswith("words:words@") and column[1] is None
    one, other = column[0], column[2]
    common = {own["hash"] for own in one} & {own["hash"] for own in other}
    assert common
    for text, found in ((texts[0], one), (texts[2], other)):
        for own in found:
            shown = text.encode()[own["start"] : own["end"]].decode()
            assert own["hash"] not in common or shown in run
    assert not common & {own["hash"] for own in column[3]}
    code = "for i in range(10):\n    total += i * 3 - total\n"
    renamed = code.replace("total", "summe")
    same = fanmill.fingerprints([code, renamed], lang="python", noise=5, guarantee=8)
    assert [own["hash"] for own in same[0]] == [own["hash"] for own in same[1]] != []
    assert same.scheme.startswith("code:python@")


def test_a_column_is_a_sequence() -> None:
    column = fanmill.resemblance([CAT] * 5, [CAT] * 4 + [DOG])
    assert len(column) == 5 and column[-1] == 0.0 and column[0] == 1.0
    assert column[3:].to_pylist() == list(column)[3:] == [1.0, 0.0]
    with pytest.raises(IndexError):
        column[5]
    with pytest.raises(TypeError):
        column[::2]
    assert repr(column) == "<fanmill.Column of 5 rows, Float64>"


def test_many_rows_are_those_of_each(shop: list[str]) -> None:
    """More than a block of rows, at any number of threads."""
    texts = (shop * 9000)[:9000]
    one = fanmill.band_keys(texts, threads=1).to_pylist()
    assert one == fanmill.band_keys(texts, threads=3).to_pylist()
    assert one[8990:] == fanmill.band_keys(texts[8990:]).to_pylist()
    assert fanmill.band_keys(iter(texts)).to_pylist() == one


@pytest.mark.parametrize("wrong", ["one text", b"bytes", {"text": 1}, 7, [CAT, 7], [CAT, [b"bytes"]], [float("nan")]])
def test_what_is_no_column_is_a_type_error(wrong: object) -> None:
    with pytest.raises(TypeError, match="give"):
        fanmill.band_keys(wrong)


def test_half_a_surrogate_is_a_replacement_character() -> None:
    texts = ["one \ud800 two", "one \ufffd two", "one two"]
    rows = fanmill.shingles(texts, shingle=9, key=bytes(32)).to_pylist()
    assert rows[0] == rows[1] != rows[2]
    assert fanmill.shingles(["\ud83d\ude00 a"], key=bytes(32)).to_pylist() == fanmill.shingles(["😀 a"], key=bytes(32)).to_pylist()


@pytest.mark.parametrize(
    ("call", "settings", "text"),
    [
        (lambda: fanmill.band_keys([CAT], min_score=1.5), (), "threshold 1.5 is not above 0"),
        (lambda: fanmill.band_keys([CAT], min_score=1.0), ("exact",), "use `exact=`"),
        (lambda: fanmill.sketch([CAT], sketch="best"), (), "sketch `best`"),
        (lambda: fanmill.sketch([CAT], shingle=0), (), "a shingle of 0 words"),
        (lambda: fanmill.sketch([CAT], threads=0), ("threads",), "`threads=` is 0"),
        (lambda: fanmill.shingles([CAT], key=b"short"), ("key",), "`key=` has 5 bytes"),
        (lambda: fanmill.Recipe(min_score=None).band_keys([CAT]), ("min_score",), "`min_score=`"),
        (lambda: fanmill.resemblance([CAT], [CAT, DOG]), (), "1 and 2 rows"),
        (lambda: fanmill.Recipe.of_scheme("corpus:runs@9/k=5/rarest"), (), "runs@9"),
    ],
)
def test_errors_are_worded_for_python(call, settings, text) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError) as caught:
        call()
    assert isinstance(caught.value, fanmill.FanmillError)
    assert text in str(caught.value), str(caught.value)
    assert "--" not in str(caught.value) and "the setting" not in str(caught.value)
    assert caught.value.settings == settings
    assert caught.value.code in ("setting", "input")
