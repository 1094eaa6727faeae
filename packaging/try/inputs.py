"""Writes what a program is tried on into a new folder: `python3 packaging/try/inputs.py FOLDER`.

The folder gets a copy of `examples`, a corpus in which one text is nearly another, an essay as PDF and as text, a PDF that is none,
and an empty folder `out`, in which anybody may write.
"""

import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ESSAY = ROOT / "examples" / "essays" / "quinn.txt"


def pdf(lines):
    """Returns a PDF of one page in Helvetica, which it does not embed."""
    shown = "".join(f"({line.translate({40: 91, 41: 93, 92: 47})}) Tj T*\n" for line in lines)
    content = f"BT /F 9 Tf 11 TL 40 800 Td\n{shown}ET".encode("latin-1", "replace")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def folded(text, width=90):
    """Returns the words of a text in lines."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def corpus():
    """Returns three records; the second is the first with one word changed."""
    first = " ".join(f"word{n * 7 % 97}" for n in range(200))
    texts = {"first": first, "changed": first.replace("word14", "other", 1), "third": " ".join(f"thing{n * n % 101}" for n in range(200))}
    return "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items())


def main(folder):
    """Writes all inputs."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "corpus.jsonl").write_text(corpus(), "utf-8")
    text = ESSAY.read_text("utf-8")
    for name in ["printed", "typed", "damaged"]:
        (folder / "documents" / name).mkdir(parents=True)
    (folder / "documents" / "printed" / "essay.pdf").write_bytes(pdf(folded(text)))
    (folder / "documents" / "typed" / "essay.txt").write_text(text, "utf-8")
    (folder / "documents" / "damaged" / "essay.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    (folder / "out").mkdir()
    (folder / "out").chmod(0o777)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
