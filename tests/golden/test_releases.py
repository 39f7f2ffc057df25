"""A deployed cluster keeps its document when Clusterform is upgraded; what it was is frozen with each release."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from config.findings import ConfigError
from config.report import render
from config.selection import existing
from tests.golden.releases import DOCUMENTS, RELEASES, changelog, documents, freeze
from tests.projects import ROOT

VERSIONS = sorted(path.name for path in RELEASES.iterdir())


def todays(folder: Path, name: str) -> str:
    """The document, or why the configuration is refused today: that is a change as well."""
    try:
        return documents(folder, [name])[name]
    except ConfigError as error:
        return render(error.findings)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_documents_of_an_earlier_release_are_still_the_same(version: str) -> None:
    folder = RELEASES / version
    today = {f"{name}.yaml": todays(folder, name) for name in existing(folder)}
    named = {name for name in today if f"{version}/{name.removesuffix('.yaml')}" in changelog()}
    frozen = {path.name: path.read_text() for path in (folder / DOCUMENTS).iterdir()}
    assert set(frozen) == set(today)
    changed = sorted(name for name in today.keys() - named if today[name] != frozen[name])
    lines = [
        line
        for name in changed
        for line in unified_diff(frozen[name].splitlines(), today[name].splitlines(), f"{version}/{name}", "today")
    ]
    assert not changed, (
        f"this changes deployed clusters: undo it, or name {version}/EXAMPLE in CHANGELOG.md with the effect\n"
        + "\n".join(lines)
    )


def test_what_is_frozen_today_gives_todays_documents(tmp_path: Path) -> None:
    freeze(ROOT, tmp_path / "today")
    assert {f"{name}.yaml" for name in documents(ROOT)} == {
        path.name for path in (tmp_path / "today" / DOCUMENTS).iterdir()
    }
    assert documents(tmp_path / "today") == documents(ROOT)
