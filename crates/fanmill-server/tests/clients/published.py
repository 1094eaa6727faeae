"""Published clients of MOSS, unchanged, submit the example, download the result and take it apart.

published.py HOST:PORT USER-ID EXAMPLE, in an empty folder. Says `CLIENT: hana and ivo` for each that found them first.
"""

import os
import shutil
import sys
from pathlib import Path

import bs4
import mosspy

address, user, example = sys.argv[1], sys.argv[2], Path(sys.argv[3])
host, port = address.rsplit(":", 1)
# Also for the two that use mosspy.
mosspy.Moss.server, mosspy.Moss.port = host, int(port)
work = Path.cwd()
programs = sorted((example / "submissions").glob("*/*.py"))
base = example / "handout/python/inventory.py"


def found(client, names):
    """Says so if the two names are those of the copies."""
    persons = sorted("hana" if "hana" in name else "ivo" if "ivo" in name else name for name in names)
    assert persons == ["hana", "ivo"], f"{client} found {names} first"
    print(f"{client}: hana and ivo")


def first(index):
    """The names of the first pair of an index that was saved."""
    links = bs4.BeautifulSoup(index.read_text(), "lxml").find_all("a")
    return [link.text for link in links[:2]]


def with_mosspy():
    for folders in (0, 1):
        moss = mosspy.Moss(user, "python")
        moss.setDirectoryMode(folders)
        moss.setCommentString("week 3")
        moss.addBaseFile(str(base), "handout/inventory.py")
        for path in programs:
            moss.addFile(str(path), str(path.relative_to(example)))
        url = moss.send()
        moss.saveWebPage(url, work / "index.html")
        pages = work / f"mosspy-{folders}"
        # With more connections it may stop before its threads have found all pages.
        mosspy.download_report(url, f"{pages}/", connections=1, log_level=40)
        names = first(pages / "index.html")
        for name in ("match0.html", "match0-top.html", "match0-0.html", "match0-1.html"):
            assert (pages / name).stat().st_size > 0, name
        found("mosspy", names)


def with_pymousse():
    import mousse

    mousse.config["moss"]["userid"] = user
    for path in programs:
        there = work / "mousse/projects" / path.relative_to(example / "submissions")
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, there)
    (work / "mousse/base").mkdir()
    shutil.copy(base, work / "mousse/base")
    assignment = mousse.Assignment("mousse", "python", base="base")
    assignment.walk()
    assert assignment.submit().startswith("http://")
    assignment.download()
    assert assignment.extract(clean=False)
    rows = [line.split(",") for line in (work / "mousse/dists.csv").read_text().splitlines()]
    names = rows[0][1:]
    pairs = [
        (float(cell), row[0], name)
        for row in rows[1:]
        for name, cell in zip(names, row[1:])
        if cell and row[0] < name
    ]
    found("pymousse", min(pairs)[1:])


def with_moss_cappa():
    from moss_cappa.moss import Moss

    client = Moss("python", user)
    client.server, client.port = host, int(port)
    os.chdir(example / "submissions")
    client.add_files("*/inventory.py")
    url = client.send_file()
    os.chdir(work)
    # It looks for the largest share alone.
    assert client.process_url(url) > 80, client.process_url(url)
    mosspy.Moss(user, "python").saveWebPage(url, work / "cappa.html")
    found("moss-cappa", first(work / "cappa.html"))


def with_markus_moss():
    from markus_moss.markusmoss import MarkusMoss

    for path in programs:
        there = work / "markus/submission_files" / path.relative_to(example / "submissions")
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, there)
    starter = work / "markus/starter_files/org/all"
    starter.mkdir(parents=True)
    shutil.copy(base, starter)
    client = MarkusMoss(
        moss_userid=user,
        language="python",
        workdir=str(work / "markus"),
        markus_assignment="week3",
        file_glob="*.py",
    )
    client.run(["run_moss", "download_moss_report"])
    pairs = list(client._parse_html_report())
    match_file, one, other, similarity, lines = pairs[0]
    assert int(similarity) > 30 and lines > 10, pairs
    client._copy_moss_report(match_file, "case.html")
    matches = list(client.extract_matches("case.html"))
    assert matches, "no passage was read"
    found("markus-moss", [one, other])


with_mosspy()
with_pymousse()
with_moss_cappa()
with_markus_moss()
