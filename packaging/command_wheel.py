"""Packs a built program as a wheel, so that `pip install fanmill-cli` gives it to people without Rust.

    python3 packaging/command_wheel.py PROGRAM TARGET VERSION FOLDER [FILE…]

Prints the wheel's path. The program is the one of the archive for TARGET, byte for byte; FILEs are licences and bills of
materials. What is said of the package comes from python/cli. A static program for Linux runs with any C library, so its wheel
is for all of them.
"""

import base64
import hashlib
import pathlib
import sys
import tomllib
import zipfile

CLI = pathlib.Path(__file__).resolve().parent.parent / "python" / "cli"
TAGS = {
    "x86_64-unknown-linux-musl": ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
    "aarch64-unknown-linux-musl": ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"],
    "x86_64-apple-darwin": ["macosx_10_12_x86_64"],
    "aarch64-apple-darwin": ["macosx_11_0_arm64"],
    "x86_64-pc-windows-gnu": ["win_amd64"],
    "x86_64-pc-windows-msvc": ["win_amd64"],
}
# The first time that a zip can hold: the same program gives the same wheel.
TIME = (1980, 1, 1, 0, 0, 0)


def metadata(project, version):
    """Returns the core metadata (version 2.4) of the package."""
    lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version}", f"Summary: {project['description']}",
             f"Requires-Python: {project['requires-python']}", f"License-Expression: {project['license']}",
             f"Keywords: {','.join(project['keywords'])}"]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]
    readme = (CLI / project["readme"]).read_text("utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def entries(program, target, version, files):
    """Yields the names, contents and modes of what the wheel holds, but for its list of them."""
    project = tomllib.loads((CLI / "pyproject.toml").read_text("utf-8"))["project"]
    about = f"fanmill_cli-{version}.dist-info"
    yield f"fanmill_cli-{version}.data/scripts/{program.name}", program.read_bytes(), 0o755
    yield f"{about}/METADATA", metadata(project, version).encode(), 0o644
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in TAGS[target])
    yield f"{about}/WHEEL", f"Wheel-Version: 1.0\nGenerator: fanmill\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644
    for file in files:
        folder = "sboms" if file.name.endswith(".cdx.json") else "licenses"
        yield f"{about}/{folder}/{file.name}", file.read_bytes(), 0o644


def pack(program, target, version, folder, files):
    """Writes the wheel, and returns its path."""
    wheel = folder / f"fanmill_cli-{version}-py3-none-{'.'.join(TAGS[target])}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        def add(name, contents, mode):
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode) << 16
            packed.writestr(entry, contents)

        for name, contents, mode in entries(program, target, version, files):
            digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(contents)}\n")
            add(name, contents, mode)
        own = f"fanmill_cli-{version}.dist-info/RECORD"
        add(own, "".join([*record, f"{own},,\n"]).encode(), 0o644)
    return wheel


def main(words):
    """Packs what the command line names."""
    if len(words) < 4 or words[1] not in TAGS:
        sys.exit(f"{__doc__}\nTARGET is one of {', '.join(TAGS)}")
    program, target, version, folder, *files = words
    print(pack(pathlib.Path(program), target, version, pathlib.Path(folder), [pathlib.Path(file) for file in files]))


if __name__ == "__main__":
    main(sys.argv[1:])
