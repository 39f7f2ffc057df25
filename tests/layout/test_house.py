"""The shape of the house: what must not exist, and what files must not contain."""

from __future__ import annotations

import re

import pytest

from tests.layout.project_files import ROOT, python_files, room, tracked

LONGEST = 400
TEXT_LIMIT = 1_000_000
"""Bytes; what is larger is data that a command made, not text that a person wrote."""

# Written in pieces, or these lines would find themselves.
REGISTRIES = re.compile(
    "|".join(["npm" + r"js\.org", "py" + r"pi\.org", "python" + "hosted", r"deb\.deb" + "ian"])
)
MACHINE = re.compile(r"(?:^|[\s\"'=:(])/(?:" + "work|root|farm" + r")/\w")
OUTSIDE = re.compile(r"\b(?:rows?|issues?|session) " + r"\d|of the base" + "line", re.IGNORECASE)
"""Documents that readers of the project do not have. What is said has to stand here."""
PLACEHOLDER = re.compile(r"\b(?:" + "TO" + "DO|FIX" + "ME|X" + "XX" + r")\b|raise Not" + "ImplementedError")


def texts() -> list[tuple[str, str]]:
    """Name and content of every text file."""
    found = []
    for path in tracked():
        content = (ROOT / path).read_bytes()
        if len(content) < TEXT_LIMIT and b"\0" not in content:
            found.append((path.as_posix(), content.decode("utf-8", "replace")))
    return found


def test_constructs_is_a_source_root_and_never_a_package() -> None:
    """The library of that name is what aws_cdk imports: a package of ours would hide it."""
    assert not (ROOT / "constructs/__init__.py").exists()
    assert not (ROOT / "tests/constructs").exists()
    beside = {path.parts[1] for path in tracked() if path.parts[0] == "constructs"}
    assert beside == {"hpc_constructs"}


def test_package_files_are_empty() -> None:
    packages = [path for path in python_files() if path.name == "__init__.py"]
    assert packages
    assert [path for path in packages if (ROOT / path).read_text().strip()] == []


def test_every_folder_of_a_room_is_a_package() -> None:
    rooms = {"config", "stacks", "hpc_constructs", "bootstrap_assets", "ops", "pcluster_rules", "local_aws"}
    folders = {path.parent for path in python_files() if room(path) in rooms and "handlers" not in path.parts}
    assert [folder for folder in sorted(folders) if not (ROOT / folder / "__init__.py").exists()] == []


def test_no_python_file_is_too_long() -> None:
    lengths = {path.as_posix(): len((ROOT / path).read_text().splitlines()) for path in python_files()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_the_application_file_is_short() -> None:
    assert len((ROOT / "app.py").read_text().splitlines()) < 60


@pytest.mark.parametrize(
    "unwanted",
    [REGISTRIES, MACHINE, OUTSIDE, PLACEHOLDER],
    ids=["registry", "path of a machine", "document elsewhere", "placeholder"],
)
def test_no_file_contains(unwanted: re.Pattern[str]) -> None:
    found = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if unwanted.search(line)
    ]
    assert found == []


def test_text_files_end_lines_as_unix_does() -> None:
    fixtures = ("tests/",)
    assert [name for name, text in texts() if "\r" in text and not name.startswith(fixtures)] == []


def test_every_script_can_be_executed() -> None:
    rendered = ("tests/golden/", "bootstrap_assets/")
    shebangs = [name for name, text in texts() if text.startswith("#!") and not name.startswith(rendered)]
    scripts = [name for name in shebangs if not name.endswith(".py")]
    assert "clusterform" in scripts
    assert [name for name in scripts if not (ROOT / name).stat().st_mode & 0o100] == []
