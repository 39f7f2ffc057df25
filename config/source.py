"""Reads one configuration file, or one value of the command line, and refuses bytes that no editor would show."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from config.composer import Composer, Refused
from config.document import Node, Origin
from config.findings import Finding
from config.scalars import resolve

SIZE_LIMIT = 256 * 1024
"""Bytes of one file: a hundred times a large cluster's."""

# Control characters, line separators that only some tools count as lines, a stray byte order mark, and the marks
# that let text run backwards on a reviewer's screen.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
_TAB_INDENT = re.compile(r"^ *\t[ \t]*[^ \t\n]", re.MULTILINE)


@dataclass
class Source:
    """One file as read: ``root`` is None for a file that is unreadable or holds nothing; see ``findings``."""

    file: str
    root: Node | None = None
    findings: list[Finding] = field(default_factory=list)


def read(root: Path, file: str) -> Source:
    """Read ``file`` (POSIX path relative to the project's root). Never raises for a file's content."""
    composer = Composer(file)
    source = Source(file, findings=composer.findings)
    try:
        source.root = composer.compose(_text(root / file, file))
    except Refused as refused:
        finding = Finding(
            rule=refused.rule, message=refused.message, file=file, line=refused.line, hint=refused.hint
        )
        source.findings.append(finding)
    return source


def parse_value(text: str, origin: Origin) -> Node:
    """The value of one ``-c`` override: a plain word, or YAML's flow style (``[a, b]``, ``{a: 1}``, ``"text"``).

    Raises ``ValueError`` with a sentence for people.
    """
    text = text.strip()
    composer = Composer(origin.file, fixed=origin)
    try:
        _refuse_unseen(text)
        if not text.startswith(("[", "{", '"', "'")):
            return Node(resolve(text), origin, text)
        node = composer.compose(text, root_is_mapping=False)
    except Refused as refused:
        raise ValueError(refused.message) from None
    if composer.findings or node is None:
        raise ValueError(composer.findings[0].message if composer.findings else "the value is empty")
    return node


def _text(path: Path, file: str) -> str:
    try:
        if not path.is_file():
            raise Refused(
                0, "the file does not exist" if not path.exists() else "this is not a file", rule="file-unreadable"
            )
        with path.open("rb") as stream:
            content = stream.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise Refused(0, f"the file cannot be read: {error.strerror}", rule="file-unreadable") from None
    if len(content) > SIZE_LIMIT:
        raise Refused(
            0,
            f"the file is larger than {SIZE_LIMIT // 1024} KiB, the limit of a configuration file",
            rule="file-too-large",
        )
    return _decoded(content, file)


def _decoded(content: bytes, file: str) -> str:
    if content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise Refused(1, "the file begins with a byte order mark", "save it as UTF-8 without one", "file-encoding")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        shown = f"0x{content[error.start]:02x}"
        raise Refused(line, f"the file is not UTF-8: byte {shown}", "save it as UTF-8", "file-encoding") from None
    if "\r" in text:
        line = text.count("\n", 0, text.index("\r")) + 1
        hint = f"save it with LF line ends, or run: sed -i 's/\\r$//' {file}"
        raise Refused(line, "the file has Windows line ends (CR LF), must have LF alone", hint, "line-ends")
    _refuse_unseen(text)
    _refuse_tabs(text)
    return text


def _refuse_unseen(text: str) -> None:
    if unseen := _UNSEEN.search(text):
        line = text.count("\n", 0, unseen.start()) + 1
        message = f"this line holds the invisible character U+{ord(unseen[0]):04X}"
        raise Refused(line, message, "remove it", "invisible-character")


def _refuse_tabs(text: str) -> None:
    lines = [text.count("\n", 0, match.start()) + 1 for match in _TAB_INDENT.finditer(text)]
    if lines:
        also = f" (so do {len(lines) - 1} more, line {lines[1]} next)" if lines[1:] else ""
        raise Refused(lines[0], f"this line's indentation holds a tab{also}", "indent with spaces", "tab-indent")
