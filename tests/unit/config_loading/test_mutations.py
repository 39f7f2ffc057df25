"""Broken files of every kind end in findings that people can read, never in another exception."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_origin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from config.finding_names import NAMES
from config.findings import ConfigError
from config.loader import load_clusters
from config.models.cluster import Cluster
from config.report import render
from config.rules.registry import RULES
from config.selection import Selection, select
from config.shape import MAPPING_KEY, bare, child, field_type, is_model, members
from tests.unit.config_loading.projects import CLUSTER, project

# How pydantic and Python put things, which no reader of ours should meet.
FOREIGN = re.compile(
    r"input should|string should|valid (string|integer|dictionary|list)|'NoneType'|\bNone\b|Traceback"
)
TEXT = CLUSTER + (
    "storage:\n  - {name: a, mount: /a, type: efs}\nlogs: {retention_days: 30}\ntags: {a: b}\n"
    "slurm:\n  custom_settings: [{Key: 1}]\nidentity: {ceiling: cluster}\n"
)
SNIPPETS = [
    "\n",
    "  ",
    "\t",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "'",
    '"',
    "#",
    "&a ",
    "*a",
    "!!x ",
    "<<: ",
    "|",
    "? ",
    "~",
    "---\n",
    "\r\n",
    "\x00",
    "\ufeff",
    "\u2028",
    "é",
    "4",
    "-1",
    "1.5",
    "true",
    ".nan",
    "[1, 2]",
    "{a: b}",
]
DOCUMENTED = {*NAMES, *(rule.name for rule in RULES)}
FEW = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def survive(root: Path, content: bytes) -> None:
    """Load a project's only cluster; whatever is wrong must come as findings."""
    project(root, clusters__demo=content)
    try:
        load_clusters(root, Selection(("demo",)))
    except ConfigError as error:
        assert {finding.rule for finding in error.findings} <= DOCUMENTED
        text = render(error.findings)
        assert not FOREIGN.search(text), text


@FEW
@given(data=st.data())
def test_a_mutated_file(tmp_path: Path, data: st.DataObject) -> None:
    text = TEXT
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        text = text[:start] + data.draw(st.sampled_from(SNIPPETS)) + text[start + length :]
    survive(tmp_path, text.encode())


@FEW
@given(start=st.integers(0, len(TEXT)), junk=st.binary(min_size=1, max_size=6))
def test_bytes_in_the_middle(tmp_path: Path, start: int, junk: bytes) -> None:
    content = TEXT.encode()
    survive(tmp_path, content[:start] + junk + content[start:])


@FEW
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    ),
    path=st.sampled_from(
        ["os", "queues", "queues.cpu.subnets", "storage.a", "network.subnets", "tags", "x", "owner"]
    ),
)
def test_any_override(tmp_path: Path, path: str, value: object) -> None:
    project(tmp_path, clusters__demo=TEXT)
    try:
        load_clusters(tmp_path, select({"cluster": "demo", f"clusterform:{path}": value}, tmp_path))
    except ConfigError as error:
        assert not FOREIGN.search(render(error.findings))


WRONG_VALUES = ["", "4", "-1", "99999999", "2.5", "true", "zzz", "[]", "[4]", "[[]]", "{}", "{zzz: 4}"]


def places(model: type[BaseModel], path: str = "") -> Iterator[str]:
    """Every key of every model, as an override's path; lists are entered at their first item."""
    for key, field in model.model_fields.items():
        here = f"{path}{key}"
        yield here
        for member in members(field_type(field)):
            item = child(member, 0) if get_origin(bare(member)) is list else None
            for inner in members(item) if item is not None else (member,):
                if is_model(bare(inner)):
                    yield from places(bare(inner), f"{here}." if item is None else f"{here}.0.")


@pytest.mark.parametrize("wrong", WRONG_VALUES)
def test_every_key_of_every_model_has_sentences_of_its_own(tmp_path: Path, wrong: str) -> None:
    """Each key in turn gets each kind of wrong value."""
    project(tmp_path, clusters__demo=TEXT + "login: [{name: l, subnet: private-a}]\ndownloads: [{}]\n")
    for place in sorted(set(places(Cluster))):
        try:
            load_clusters(tmp_path, select({f"clusterform:{place}": wrong}, tmp_path))
        except ConfigError as error:
            text = render(error.findings)
            assert not FOREIGN.search(text) and MAPPING_KEY not in text, text
