#!/usr/bin/env python3
"""Makes a wheel of the package and a native part that cargo has built already: for tests.

    wheel_of_build.py target/debug/libfanmill_python.so FOLDER

Releases are built by maturin, in a profile that takes far longer. The wheel is for this machine only.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(library: Path, folder: Path) -> None:
    version = "0.0.0.dev0"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    sources = [path for path in (HERE / "fanmill").rglob("*") if path.suffix in (".py", ".pyi", ".typed")]
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in sources}
    ending = ".pyd" if library.suffix == ".dll" else ".abi3.so"
    files[f"fanmill/_native{ending}"] = library.read_bytes()
    about = f"fanmill-{version}.dist-info"
    files[f"{about}/METADATA"] = f"Metadata-Version: 2.1\nName: fanmill\nVersion: {version}\n".encode()
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp39-abi3-{platform}\n".encode()
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    files[f"{about}/RECORD"] = "".join([*lines, f"{about}/RECORD,,\n"]).encode()
    wheel = folder / f"fanmill-{version}-cp39-abi3-{platform}.whl"
    with zipfile.ZipFile(wheel, "w") as out:
        for name, content in files.items():
            out.writestr(name, content)
    print(wheel)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
