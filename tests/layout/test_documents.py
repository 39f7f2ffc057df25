"""What the documents say about the project's files."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ops.cli import COMMANDS
from tests.layout.project_files import ROOT, syntax, tracked
from tests.runbook import FAILURES, sections

DOCUMENTS = [path for path in tracked() if path.suffix == ".md"]
README = (ROOT / "README.md").read_text()


def commands(text: str) -> list[str]:
    """The ``./clusterform`` commands in the console blocks, without their comments."""
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    lines = [line.partition("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("./clusterform")]


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", (ROOT / path).read_text())
    relative = [link for link in links if "://" not in link]
    assert [link for link in relative if not (ROOT / path.parent / link).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_commands_exist(path: Path) -> None:
    assert {line.split()[1] for line in commands((ROOT / path).read_text())} <= set(COMMANDS)


def test_the_readme_begins_with_the_two_commands() -> None:
    assert commands(README)[:2] == ["./clusterform demo", "./clusterform test"]


def test_ci_runs_the_readmes_test_command() -> None:
    body = [line for line in (ROOT / ".ci/run").read_text().splitlines() if not line.startswith("#")]
    assert len(body) == 1
    assert body[0].endswith("exec ./clusterform test")


def test_the_readme_names_every_example() -> None:
    examples = {path.as_posix() for path in tracked() if path.parent == Path("config/clusters")}
    assert examples == set(re.findall(r"\((config/clusters/[^)]+)\)", README))


def test_the_readme_names_every_folder() -> None:
    folders = {path.parts[0] for path in tracked() if len(path.parts) > 1 and not path.parts[0].startswith(".")}
    assert {folder for folder in folders if f"`{folder}/" not in README} == set()


def functions(paths: list[Path]) -> set[str]:
    """The names of the tests in some files, outside of classes."""
    bodies = [node for path in paths for node in syntax(path).body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in bodies if node.name.startswith("test_")}


FAILING = [path for path in tracked() if path.match("tests/e2e/test_failures_*.py")]


@pytest.mark.parametrize("title", sections(FAILURES))
def test_each_section_of_the_runbook_has_a_test_that_runs_it(title: str) -> None:
    section = sections(FAILURES)[title]
    assert section.commands
    assert section.tests
    assert set(section.tests) - functions([*FAILING, Path("tests/e2e/test_disasters.py")]) == set()


def test_each_test_of_failures_is_named_in_the_runbook() -> None:
    named = {name for section in sections(FAILURES).values() for name in section.tests}
    assert FAILING
    assert functions(FAILING) - named == set()


def test_each_section_of_the_runbook_is_run_by_title() -> None:
    code = "".join((ROOT / path).read_text() for path in [*FAILING, Path("tests/e2e/test_disasters.py")])
    assert [title for title in sections(FAILURES) if f'"{title}"' not in code] == []
