"""`fanmill.compare`: who shares what with whom, and the evidence."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import fanmill
import pytest

RIVER = "we walked along the river until the old mill came into sight"
TEXTS = {
    "anna.txt": f"Last summer {RIVER}, and then home.",
    "ben.txt": f"He says: {RIVER}. So did everybody.",
    "cleo.txt": "The mill is younger than the bridge, whatever the sign at the river tells its visitors.",
}


def test_texts_in_memory() -> None:
    report = fanmill.compare(TEXTS)
    assert [(pair.a, pair.b) for pair in report.pairs] == [("anna.txt", "ben.txt")]
    pair = report.pairs[0]
    (passage,) = pair.passages
    match = passage.matches[0]
    assert match.a.text == match.b.text == RIVER
    assert TEXTS["anna.txt"][match.a.start : match.a.end] == RIVER
    assert (match.a.path, match.a.first_line, match.a.last_line) == ("anna.txt", 1, 1)
    assert passage.tokens == match.tokens == pair.longest == 12 and not passage.moved
    assert 0 < pair.score <= 1 and 0.5 < pair.containment_a < 1
    assert report.promises and report.notices == []
    assert repr(report) == "<fanmill.Report: 3 submissions, 1 pairs listed of 3>"
    assert repr(pair).startswith("<fanmill.Pair anna.txt and ben.txt: ")


def test_a_class_on_disk(examples: Path) -> None:
    folder = examples / "assignment"
    report = fanmill.compare(folder / "submissions", base=[folder / "handout"], archive=folder / "last-year")
    table = report.table()
    assert len(table) == len(report.pairs) == len(report) > 3
    assert table[0]["a"] == report.pairs[0].a
    assert table["score"].to_pylist() == sorted((pair.score for pair in report.pairs), reverse=True)
    assert max(map(len, report.clusters)) >= 2
    assert any(passage.matches[0].a.text for passage in report.pairs[0].passages)


def test_texts_and_paths_are_the_same_comparison(examples: Path) -> None:
    files = sorted((examples / "essays").iterdir())
    by_path = fanmill.compare(files)
    by_name = fanmill.compare({path.name: path.read_bytes() for path in files})
    assert len(by_path) > 0
    for one, other in zip(by_path.pairs, by_name.pairs):
        assert (one.score, one.longest, len(one.passages)) == (other.score, other.longest, len(other.passages))
        assert one.passages[0].matches[0].a.text == other.passages[0].matches[0].a.text


def test_boilerplate_and_earlier_work_in_memory() -> None:
    report = fanmill.compare(TEXTS, base={"handout": RIVER})
    assert report.pairs == []
    report = fanmill.compare({"cleo": TEXTS["cleo.txt"], "anna": TEXTS["anna.txt"]}, archive={"ben": TEXTS["ben.txt"]})
    assert [(pair.a, pair.b) for pair in report.pairs] == [("anna", "ben")]
    assert [own["role"] for own in report.data["submissions"]] == ["new", "new", "archive"]


def test_umlauts_do_not_move_places() -> None:
    prefix = "Über Bäume, größer als Häuser – "
    texts = {"a": prefix + TEXTS["anna.txt"], "b": TEXTS["ben.txt"], "c": TEXTS["anna.txt"].encode("utf-16")}
    report = fanmill.compare(texts)
    for pair in report.pairs:
        for passage in pair.passages:
            for match in passage.matches:
                assert match.a.text.lower() == match.b.text.lower()
    assert len(report.pairs) == 3


def test_settings_are_those_of_the_command() -> None:
    report = fanmill.compare(
        TEXTS,
        noise=4,
        guarantee=6,
        select="winnow",
        max_docs="90%",
        min_score=0.1,
        max_pairs=1,
        cluster_threshold=0.5,
        lang="words",
        quotes=True,
        title="A class",
        anonymous=True,
    )
    assert report.data["title"] == "A class"
    assert report.data["settings"]["max_pairs"] == 1
    assert "anna" not in json.dumps(report.data)
    by_kind = fanmill.compare(TEXTS, words={"noise": 2, "guarantee": 5})
    assert [promise["noise"] for promise in by_kind.data["promises"]] == [2]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"noise": 25, "guarantee": 10}, "guarantee threshold 10 is below noise threshold 25 (tokens)"),
        ({"select": "best"}, "`select=`: unknown selector"),
        ({"min_score": 60}, "60 is not a score"),
        ({"max_docs": "many"}, "`max_docs=`: "),
        ({"group_by": "moon"}, "`group_by=`: unknown variant `moon`"),
        ({"metadata": True, "anonymous": True}, "`metadata=` says who wrote documents, and `anonymous=`"),
        ({"words": {"length": 3}}, "`words=`: `length`: there is no such setting"),
        ({"lang": "klingon"}, "`fanmill.languages` lists all"),
    ],
)
def test_errors_name_arguments(options, text) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError) as caught:
        fanmill.compare(TEXTS, **options)
    assert text in str(caught.value), str(caught.value)
    assert "--" not in str(caught.value)


def test_limits_and_languages(tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_text("word " * 1000)
    (tmp_path / "small.txt").write_text("word")
    report = fanmill.compare(tmp_path, max_file_bytes=100, hidden="read")
    (notice,) = (own for own in report.notices if own["outcome"] == "skipped")
    assert "raise `max_file_bytes=`" in notice["reason"]
    with pytest.raises(TypeError, match="unexpected argument max_bytes=; there are max_depth"):
        fanmill.compare(TEXTS, max_bytes=1)
    with pytest.raises(ValueError, match="`max_depth=`: invalid type"):
        fanmill.compare(TEXTS, max_depth="deep")
    assert {"python", "java", "words"} <= set(fanmill.languages())


def test_inputs_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nowhere") as caught:
        fanmill.compare(tmp_path / "nowhere")
    assert caught.value.code == "input"
    with pytest.raises(TypeError, match="the text `a` is of type int"):
        fanmill.compare({"a": 1})  # type: ignore[dict-item]
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "mine.txt").write_text("precious")
    with pytest.raises(ValueError, match="mine.txt"):
        fanmill.compare(TEXTS, output=tmp_path / "report")


def test_a_report_is_saved_as_the_command_writes_it(tmp_path: Path, program: str) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    report = fanmill.compare(folder, output=tmp_path / "one")
    report.save(tmp_path / "two")
    command = [program, "compare", str(folder), "--output", str(tmp_path / "three"), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = ["report.json", "index.html", "pairs.csv", "data/overview.js", "data/pairs/0001.js"]
    for name in names:
        one, two, three = ((tmp_path / number / name).read_bytes() for number in ("one", "two", "three"))
        assert one == two == three, name
    assert json.loads((tmp_path / "one" / "report.json").read_text()) == report.data


def test_notebooks_show_a_table_and_a_pair_side_by_side() -> None:
    report = fanmill.compare({"<b>anna</b>": TEXTS["anna.txt"], "ben": TEXTS["ben.txt"]})
    table = report._repr_html_()
    assert "&lt;b&gt;anna&lt;/b&gt;" in table and "<b>anna" not in table
    assert "<script" not in table and "noise" not in table
    framed = report.pairs[0]._repr_html_()
    assert framed.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts' in framed
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', framed).group(1))  # type: ignore[union-attr]
    assert page == report.pairs[0].page()
    assert 'fanmill("pairs/0001", ' in page and "location.hash" in page
    with pytest.raises(ValueError, match="there is no pair 7"):
        report._comparison.page(7)


def pdf(lines: list[str]) -> bytes:
    """A document of one page."""
    shown = "".join(f"BT /F1 9 Tf 50 {780 - 12 * i} Td ({line}) Tj ET\n" for i, line in enumerate(lines))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Length {len(shown)} >>\nstream\n{shown}endstream",
    ]
    document, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(document))
        document += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return document + (
        f"xref\n0 6\n0000000000 65535 f \n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{len(document)}\n%%EOF\n"
    ).encode()


def test_pdf_is_read_by_the_command(tmp_path: Path, program: str) -> None:
    words = TEXTS["anna.txt"].split()
    lines = [" ".join(words[i : i + 8]) for i in range(0, len(words), 8)]
    (tmp_path / "anna.pdf").write_bytes(pdf(lines))
    (tmp_path / "ben.txt").write_text(TEXTS["ben.txt"])
    # The command is looked for once, so in a process of its own.
    code = f"import fanmill; report = fanmill.compare({str(tmp_path)!r}); print(report.pairs[0].passages[0].matches[0].a.text)"
    path = os.pathsep.join([os.path.dirname(program), os.environ["PATH"]])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PATH": path}, capture_output=True, text=True)
    assert "until the old mill came into sight" in " ".join(done.stdout.split()), done.stderr


BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.skipif(not BROWSER, reason="there is no Chromium")
def test_a_browser_shows_the_pair_inside_of_another_page(tmp_path: Path) -> None:
    report = fanmill.compare(TEXTS)
    outer = tmp_path / "notebook.html"
    # The frame cannot be looked into, so the page is asked in the same way without it.
    outer.write_text(report.pairs[0].page(), encoding="utf-8")
    command = [
        str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000",
        f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", outer.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    body = done.stdout.partition("<body>")[2]
    text = re.sub(r"<script.*?</script>|<[^>]*>", "", body, flags=re.S)
    assert "until the old mill came into sight" in text, done.stderr[-2000:]
    assert "anna.txt" in text and "ben.txt" in text
