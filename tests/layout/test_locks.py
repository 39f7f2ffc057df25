"""The locks: complete, hashed, without addresses, and of the same pins as the files that people edit."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

from tests.layout.project_files import ROOT, canonical, runtime_pins

LOCKS = ("requirements.lock", "requirements-local.lock", "requirements-test.lock")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
GROUPS = PROJECT["dependency-groups"]
NODE_LOCKS = ("package-lock.json", "tests/package-lock.json")


def pins(lines: list[str]) -> dict[str, str]:
    """Name and version of exact requirements."""
    found = {}
    for line in lines:
        requirement = Requirement(line)
        (exact,) = requirement.specifier
        assert exact.operator == "==", f"{line}: not an exact version"
        found[canonical(requirement.name)] = exact.version
    return found


def locked(lock: str) -> dict[str, str]:
    """Name and version of everything in a lock that this system would install."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        requirement = Requirement(line.split(" --hash")[0].strip())
        assert " --hash=sha256:" in line, line
        if requirement.marker is None or requirement.marker.evaluate():
            (exact,) = requirement.specifier
            found[canonical(requirement.name)] = exact.version
    return found


def needs(wanted: list[str]) -> set[str]:
    """The names of requirements and, all the way down, of what their installed packages require."""
    environment: dict[str, str] = {name: str(value) for name, value in default_environment().items()}
    open_, closed = [Requirement(line) for line in wanted], set()
    while open_:
        requirement = open_.pop()
        for extra in requirement.extras or {""}:
            key = (canonical(requirement.name), extra)
            if key in closed:
                continue
            closed.add(key)
            for line in importlib.metadata.requires(requirement.name) or []:
                below = Requirement(line)
                if below.marker is None or below.marker.evaluate(environment | {"extra": extra}):
                    open_.append(below)
    return {name for name, _ in closed}


def test_requirements_end_with_the_project_itself() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    assert lines[-1] == "-e ."
    assert pins(runtime_pins())


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.lock", runtime_pins() + GROUPS["node"]),
        ("requirements-local.lock", GROUPS["local"]),
        ("requirements-test.lock", GROUPS["test"]),
    ],
)
def test_a_lock_holds_the_pins_it_was_made_from(lock: str, wanted: list[str]) -> None:
    assert pins(wanted).items() <= locked(lock).items()


def test_the_runtime_lock_holds_what_the_runtime_needs_and_nothing_else() -> None:
    """The local AWS and the tests' tools must never reach a production environment."""
    assert locked("requirements.lock").keys() == needs(runtime_pins() + GROUPS["node"])


def test_the_locks_together_hold_what_all_needs() -> None:
    together = {name for lock in LOCKS for name in locked(lock)}
    assert together == needs(runtime_pins() + GROUPS["node"] + GROUPS["local"] + GROUPS["test"])


def test_no_package_is_in_two_locks() -> None:
    names = [name for lock in LOCKS for name in locked(lock)]
    assert len(names) == len(set(names))


def test_what_is_installed_is_what_is_locked() -> None:
    differing = {}
    for lock in LOCKS:
        for name, version in locked(lock).items():
            installed = importlib.metadata.version(name)
            if installed != version:
                differing[name] = f"{installed}, locked {version}"
    assert differing == {}


@pytest.mark.parametrize("lock", [*LOCKS, *NODE_LOCKS])
def test_a_lock_names_no_address(lock: str) -> None:
    """Packages come from whatever index or mirror the machine is set up for."""
    assert "://" not in (ROOT / lock).read_text()


@pytest.mark.parametrize("lock", NODE_LOCKS)
def test_a_node_lock_is_hashed_and_of_its_package_file(lock: str) -> None:
    document = json.loads((ROOT / lock).read_text())
    package = json.loads((ROOT / lock).with_name("package.json").read_text())
    root = document["packages"].pop("")
    assert root["dependencies"] == package["dependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in package["dependencies"].values())
    assert all(entry["integrity"].startswith("sha512-") for entry in document["packages"].values())


def test_the_build_backend_is_pinned() -> None:
    assert pins(PROJECT["build-system"]["requires"])


def test_editable_installs_find_both_source_roots() -> None:
    from ops.environment import SOURCE_ROOTS

    assert PROJECT["tool"]["hatch"]["build"]["dev-mode-dirs"] == list(SOURCE_ROOTS)
    assert all(Path(ROOT / folder).is_dir() for folder in SOURCE_ROOTS)
