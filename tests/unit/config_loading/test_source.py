"""Files that are no configuration: each is refused with one clear finding, and never with a traceback."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from config.document import origins, plain
from config.findings import dotted
from config.source import SIZE_LIMIT, read
from tests.unit.config_loading.projects import CLUSTER, demo, project

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{last}'] * 9)}]\n" for last, name in zip("abcdefg", "bcdefgh", strict=True)
)

# content, rule, line, part of the message
REFUSED = [
    (CLUSTER.replace("\n", "\r\n"), "line-ends", 1, "Windows line ends"),
    (b"\xef\xbb\xbf" + CLUSTER.encode(), "file-encoding", 1, "byte order mark"),
    (CLUSTER.encode("utf-16"), "file-encoding", 1, "byte order mark"),
    (b"region: us-east-1\nowner: \xff\n", "file-encoding", 2, "not UTF-8: byte 0xff"),
    ("a: 1\nb:\n\tc: 1\n\td: 1\n", "tab-indent", 3, "tab"),
    ("a: 1\nb: \u202eevil\n", "invisible-character", 2, "U+202E"),
    ("a: \x00\n", "invisible-character", 1, "U+0000"),
    ("a: 1\u2028b: 2\n", "invisible-character", 1, "U+2028"),
    ("# comment\n" * (SIZE_LIMIT // 10 + 1), "file-too-large", 0, "256 KiB"),
    ("x" * 1_000_000, "file-too-large", 0, "256 KiB"),
    ("", "file-empty", 0, "empty"),
    ("# nothing yet\n", "file-empty", 0, "empty"),
    ("- a\n- b\n", "yaml-syntax", 1, "got a list"),
    ("just text\n", "yaml-syntax", 1, "got text"),
    ("region:us-east-1\n", "yaml-syntax", 1, "keys and values"),
    (CLUSTER + "---\nregion: x\n", "yaml-syntax", 17, "second document"),
    ("a: 1\n...\nb: 2\n", "yaml-syntax", 3, "goes on after its end"),
    ("a: b: c\n", "yaml-syntax", 1, "a second 'key: value'"),
    ("a: [1,\n  2\nb: 3\n", "yaml-syntax", 1, "the [ opened here"),
    ("a: {b: 1\n", "yaml-syntax", 1, "the { opened here"),
    ("a: 1\nb: 'x\nc: 2\n", "yaml-syntax", 2, "the quotes opened here"),
    ("a:\n  b: 1\n c: 2\n", "yaml-syntax", 3, "indentation"),
    ("a: @x\n", "yaml-syntax", 1, "starts with '@'"),
    ("a: - b\n", "yaml-syntax", 1, "list item"),
    ('a: "\\q"\n', "yaml-syntax", 1, "backslash"),
    ("a: 1\nb\nc: 2\n", "yaml-syntax", 3, "colon"),
    ("a: ]\n", "yaml-syntax", 1, "closes"),
    ("[" * 100_000, "too-deep", 1, "32 levels"),
    ("{a: " * 60_000, "too-deep", 1, "32 levels"),
    ("? " * 100_000, "too-deep", 1, "32 levels"),
    ("- " * 100_000, "too-deep", 1, "32 levels"),
]


@pytest.mark.parametrize(
    ("content", "rule", "line", "message"), REFUSED, ids=[f"{rule}-{text}" for _, rule, _, text in REFUSED]
)
def test_refused_with_one_finding(
    tmp_path: Path, content: str | bytes, rule: str, line: int, message: str
) -> None:
    started = time.process_time()
    (finding,) = demo(tmp_path, content)
    assert (finding.file, finding.rule, finding.line) == ("config/clusters/demo.yaml", rule, line)
    assert message in finding.message
    assert time.process_time() - started < 2


# one line of a file, rule, part of the message; the rest of the file is still read
UNREAD = [
    ("x: &a 1", "yaml-alias", "anchors are not read, got &a"),
    ("x: *a", "yaml-alias", "aliases are not read, got *a"),
    ("<<: {x: 1}", "yaml-merge", "merge keys"),
    ("x: !!python/object/apply:os.system [ls]", "yaml-tag", "tag:yaml.org,2002:python/object/apply:os.system"),
    ("x: !!str 1", "yaml-tag", "tags are not read"),
    ("x: .nan", "yaml-number", "finite"),
    ("x: -.inf", "yaml-number", "finite"),
    ("x: 1e999", "yaml-number", "finite"),
    ("x: " + "9" * 5000, "yaml-number", "5000 characters"),
    ("x: 0x" + "f" * 5000, "yaml-number", "5002 characters"),
    ("2: x", "yaml-key", "a key must be text, got 2"),
    ("true: x", "yaml-key", "a key must be text, got true"),
    ("null: x", "yaml-key", "a key must be text, got null"),
    ("? {a: 1}\n: x", "yaml-key", "a mapping or list"),
    ("[a]: x", "yaml-key", "a mapping or list"),
    ("y: 1\ny: 2", "duplicate-key", "first in line 2"),
]


@pytest.mark.parametrize(("line", "rule", "message"), UNREAD, ids=[f"{row[1]}-{row[0][:12]}" for row in UNREAD])
def test_what_yaml_has_and_a_configuration_has_not(tmp_path: Path, line: str, rule: str, message: str) -> None:
    project(tmp_path, clusters__demo=f"a: 1\n{line}\nz: &z 26\n")
    source = read(tmp_path, "config/clusters/demo.yaml")
    assert [finding.rule for finding in source.findings] == [rule, "yaml-alias"]
    assert message in source.findings[0].message
    assert source.findings[0].line == (3 if rule == "duplicate-key" else 2)
    assert source.root is not None and plain(source.root)["z"] == 26


def test_a_bomb_costs_nothing(tmp_path: Path) -> None:
    started = time.process_time()
    findings = demo(tmp_path, CLUSTER + BOMB)
    assert time.process_time() - started < 1
    assert {finding.rule for finding in findings} == {"yaml-alias", "unknown-key"}


def test_duplicate_key_names_both_lines(tmp_path: Path) -> None:
    (finding,) = demo(tmp_path, CLUSTER + "region: us-east-1\n")
    assert (finding.rule, finding.path, finding.line) == ("duplicate-key", ("region",), 17)
    assert "first in line 2" in finding.message


SCALARS = [
    ("4:20:00", "4:20:00"),
    ("no", "no"),
    ("On", "On"),
    ("yes", "yes"),
    ("true", True),
    ("FALSE", False),
    ("~", None),
    ("Null", None),
    ("", None),
    ("'true'", "true"),
    ('"4"', "4"),
    ("3.16.1", "3.16.1"),
    ("25.10", 25.1),
    ("-7", -7),
    ("+7", 7),
    ("012", 12),
    ("0o17", 15),
    ("0x1F", 31),
    ("1_000", "1_000"),
    ("0b11", "0b11"),
    ("1e3", 1000.0),
    (".5", 0.5),
    (".", "."),
    ("2024-01-01", "2024-01-01"),
    ("10.0.0.0/16", "10.0.0.0/16"),
    ("=", "="),
    ("|\n  two\n  lines", "two\nlines\n"),
]


@pytest.mark.parametrize(("written", "value"), SCALARS, ids=[repr(row[0]) for row in SCALARS])
def test_scalars_are_those_of_yaml_1_2(tmp_path: Path, written: str, value: object) -> None:
    project(tmp_path, clusters__demo=f"x: {written}\n")
    source = read(tmp_path, "config/clusters/demo.yaml")
    assert source.root is not None and not source.findings
    got = plain(source.root)["x"]
    assert (got, type(got)) == (value, type(value))


def test_a_key_and_an_item_know_their_lines(tmp_path: Path) -> None:
    project(tmp_path, clusters__demo="# c\na:\n\n  b:\n    - 1\n    - {c: 2,\n       d: 3}\n")
    root = read(tmp_path, "config/clusters/demo.yaml").root
    assert root is not None
    lines = {dotted(path): origin.line for path, origin in origins(root)}
    assert lines == {"a": 2, "a.b": 4, "a.b[0]": 5, "a.b[1]": 6, "a.b[1].c": 6, "a.b[1].d": 7}


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    project(tmp_path, clusters__demo=CLUSTER)
    monkeypatch.setattr(Path, "open", denied)
    (finding,) = read(tmp_path, "config/clusters/demo.yaml").findings
    assert finding.message == "the file cannot be read: Permission denied"


def test_a_folder_or_a_dead_link_is_no_file(tmp_path: Path) -> None:
    folder = project(tmp_path) / "config/clusters"
    (folder / "abc.yaml").mkdir()
    (folder / "abd.yaml").symlink_to("nowhere")
    findings = [read(tmp_path, f"config/clusters/{name}.yaml").findings[0].message for name in ("abc", "abd")]
    assert findings == ["this is not a file", "the file does not exist"]
