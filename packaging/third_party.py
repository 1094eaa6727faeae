"""Lists what others have written of a release: their licences, and a bill of materials (CycloneDX 1.5).

    python3 packaging/third_party.py notices TARGET [CRATE]   the licences of all that CRATE (fanmill-cli) has in it
    python3 packaging/third_party.py bill TARGET [CRATE]      the same as a list for programs
    python3 packaging/third_party.py page                     the licences of the pages alone, from `web/node_modules`

TARGET is a target of rustc. The pages' packages are needed only by `page`, whose result is packaging/page-licences.txt: so a
program is packed without Node. A crate's licences are all files of it with such a name, in folders of fonts and tables too.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "packaging" / "page-licences.txt"
# Crates with pages in them.
WITH_PAGES = {"fanmill-report", "fanmill-server"}
NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
SOURCES = {".rs", ".c", ".h", ".py", ".go", ".pl", ".json", ".toml"}
# What is no crate: the library of Rust, which is in all programs, and what was made from others' data.
BESIDES = """\
Programs hold parts of Rust's standard library (https://www.rust-lang.org), under the MIT licence or the Apache License, version 2.0;
those for `*-musl` also parts of musl (https://musl.libc.org, Copyright 2005-2025 Rich Felker and others), under the MIT licence.

Tables of Chinese characters that are spellings of one (crates/fanmill-text/tables/han.txt): made from the dictionaries of
OpenCC (https://github.com/BYVoid/OpenCC), under the Apache License, version 2.0.
"""


def crates(target, crate):
    """Returns the packages of `crate` for `target`, without what only tests and builds need."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    about = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in about["packages"]}
    nodes = {node["id"]: node for node in about["resolve"]["nodes"]}
    open_ = [identity for identity, package in packages.items() if package["name"] == crate]
    if not open_:
        sys.exit(f"packaging/third_party.py: no crate {crate}")
    found = set(open_)
    while open_:
        for needed in nodes[open_.pop()]["deps"]:
            if needed["pkg"] not in found and any(kind["kind"] is None for kind in needed["dep_kinds"]):
                found.add(needed["pkg"])
                open_.append(needed["pkg"])
    return sorted((packages[identity] for identity in found), key=lambda package: (package["name"], package["version"]))


def is_foreign(package):
    """Returns whether others have written a package."""
    return package["source"] is not None


def licence_files(folder):
    """Returns the licences in a folder, by name."""
    files = [path for path in pathlib.Path(folder).rglob("*") if NAMES.match(path.name) and path.is_file()]
    files = [path for path in files if path.suffix not in SOURCES and "node_modules" not in path.relative_to(folder).parts]
    return sorted(files)


def licence_texts(package, all_packages):
    """Returns the texts of a crate's licences; of one that has no file, those of its repository's other crates or of Apache's."""
    files = licence_files(pathlib.Path(package["manifest_path"]).parent)
    if not files:
        def is_sibling(other):
            return other["repository"] == package["repository"] and other["license"] == package["license"]
        siblings = [other for other in all_packages if is_sibling(other)]
        files = [path for other in siblings for path in licence_files(pathlib.Path(other["manifest_path"]).parent)]
    if not files and "Apache-2.0" in package["license"]:
        files = [ROOT / "LICENSE-APACHE"]
    if not files:
        sys.exit(f"packaging/third_party.py: {package['name']} {package['version']} ({package['license']}) has no text of its licence")
    return [path.read_text("utf-8", "replace").strip() for path in chosen(package["license"], files)]


def chosen(expression, files):
    """Returns the files of the MIT licence alone, where a crate lets choose it: it is the shortest."""
    alternatives = re.split(r" OR |/", expression)
    if "MIT" in alternatives and " AND " not in expression:
        others = re.compile(r"apache|unlicense|zlib|bsl|boost|bsd|isc", re.IGNORECASE)
        kept = [path for path in files if not others.search(path.name)]
        if any("MIT" in path.name.upper() for path in kept):
            return kept
    return files


def listed(titled):
    """Returns texts, each once, below the names of all that have it. `titled` is pairs of a name and its texts."""
    names_of = {}
    for name, texts in titled:
        for text in texts:
            names_of.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    rule = "=" * 80
    blocks = []
    for text, names in names_of.values():
        blocks.append(f"{rule}\n{chr(10).join(dict.fromkeys(names))}\n{rule}\n\n{text}\n\n")
    return "".join(blocks)


def page_packages():
    """Returns the npm packages that pages may hold: those of `dependencies`, and Svelte, with what they need."""
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    open_ = [*locked[""]["dependencies"], "svelte"]
    found = {}
    while open_:
        name = open_.pop()
        package = locked.get(f"node_modules/{name}")
        # Types alone leave nothing in a page.
        if package is not None and name not in found and not name.startswith("@types/"):
            found[name] = package
            open_ += package.get("dependencies", {})
    return sorted(found.items())


def page_licences():
    """Returns the licences of the pages' packages as they are installed."""
    titled = []
    for name, package in page_packages():
        texts = [path.read_text("utf-8").strip() for path in licence_files(ROOT / "web" / "node_modules" / name)]
        texts = texts or [f"{package['license']}, without a text of its own."]
        titled.append((f"{name} ({package['license']})", texts))
    return listed(titled)


def notices(target, crate):
    """Returns all licences of a crate's program."""
    packages = crates(target, crate)
    foreign = [package for package in packages if is_foreign(package)]
    titled = [(f"{p['name']} {p['version']} ({p['license']})", licence_texts(p, foreign)) for p in foreign]
    parts = [f"What others have written of {crate} for {target}, and its licences.\n\n", listed(titled)]
    if WITH_PAGES & {package["name"] for package in packages}:
        parts.append(f"The pages of reports and of the service hold packages of npm:\n\n{PAGE.read_text('utf-8')}")
    parts.append(BESIDES)
    return "".join(parts)


def checksums():
    """Returns the SHA-256 of each crate's package, by name and version, from the lock file."""
    entry = re.compile(r'name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"')
    return {(name, version): digest for name, version, digest in entry.findall((ROOT / "Cargo.lock").read_text("utf-8"))}


def bill(target, crate):
    """Returns the bill of materials of a crate's program; the same for the same sources."""
    packages = crates(target, crate)
    digests = checksums()
    components = []
    for package in packages:
        name, version = package["name"], package["version"]
        component = {"type": "library", "name": name, "version": version, "purl": f"pkg:cargo/{name}@{version}",
                     "licenses": [{"expression": package["license"].replace("/", " OR ")}]}
        if (name, version) in digests:
            component["hashes"] = [{"alg": "SHA-256", "content": digests[name, version]}]
        components.append(component)
    own = next(package for package in packages if package["name"] == crate)
    if WITH_PAGES & {package["name"] for package in packages}:
        for name, package in page_packages():
            components.append({"type": "library", "name": name, "version": package["version"],
                               "purl": f"pkg:npm/{name.replace('@', '%40')}@{package['version']}",
                               "licenses": [{"expression": package["license"]}]})
    return json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {"type": "application", "name": crate, "version": own["version"]},
                     "properties": [{"name": "rustc:target", "value": target}]},
        "components": components,
    }, indent=1, ensure_ascii=False) + "\n"


def main(words):
    """Writes what is asked for to standard output."""
    match words:
        case ["page"]:
            text = page_licences()
        case ["notices" | "bill" as what, target, *rest] if len(rest) < 2:
            text = {"notices": notices, "bill": bill}[what](target, *(rest or ["fanmill-cli"]))
        case _:
            sys.exit(__doc__)
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main(sys.argv[1:])
