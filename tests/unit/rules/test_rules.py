"""Every rule against its table, and the tables against the rules: a rule that is switched off must be missed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

from config.facts.instance_types import load
from config.findings import Severity
from config.rules.base import Problem, Rule, Subject
from config.rules.raw import OWNED
from config.rules.registry import RULES
from config.rules.run import check
from tests.factories import cluster
from tests.unit.rules.case import Case, Document
from tests.unit.rules.cases import (
    compute,
    efa_gpu,
    hooks,
    lustre,
    names,
    network,
    raw,
    security,
    settings,
    storage,
    volumes,
)

MODULES: tuple[ModuleType, ...] = (
    names,
    network,
    compute,
    efa_gpu,
    volumes,
    storage,
    lustre,
    security,
    settings,
    hooks,
    raw,
)
CASES: list[Case] = [case for module in MODULES for case in module.CASES]
BY_NAME = {rule.name: rule for rule in RULES}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with good and bad hooks."""
    project = tmp_path_factory.mktemp("project")
    outside = tmp_path_factory.mktemp("outside") / "good.sh"
    outside.write_text("#!/bin/bash\n")
    site = project / "site"
    site.mkdir()
    (site / "good.sh").write_text("#!/bin/bash\n")
    (site / "link.sh").symlink_to(outside)
    (site / "limit.sh").write_bytes(b"#!/bin/bash\n".ljust(262_144))
    (site / "big.sh").write_bytes(b"#!/bin/bash\n".ljust(262_145))
    (site / "binary.sh").write_bytes(b"#!\xff\n")
    (site / "windows.sh").write_bytes(b"#!/bin/bash\r\n")
    (site / "bare.sh").write_text("echo\n")
    return project


def problems(
    name: str, document: Document, root: Path, rules: Sequence[Rule] = RULES
) -> list[tuple[Rule, Problem]]:
    return check(Subject(name, cluster(**document), load(), root), rules)


def reported(case: Case, root: Path, rules: Sequence[Rule] = RULES) -> bool:
    """Whether the case's problem is found, by whichever rule."""
    found = problems(case.name, case.bad, root, rules)
    return any(problem.path == case.path and case.says in problem.message for _, problem in found)


def table_failures(cases: Iterable[Case], root: Path, rules: Sequence[Rule]) -> list[Case]:
    """The rows of a table that are not reported as they should be."""
    return [case for case in cases if not reported(case, root, rules)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_bad_case_is_reported_by_its_rule(case: Case, root: Path) -> None:
    found = problems(case.name, case.bad, root)
    hits = [problem for rule, problem in found if rule.name == case.rule and problem.path == case.path]
    assert any(case.says in problem.message for problem in hits), found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_good_neighbour_is_left_alone(case: Case, root: Path) -> None:
    found = problems(case.good_name, case.good, root)
    assert [problem for rule, problem in found if rule.name == case.rule] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_table_fails_without_its_rule(rule: Rule, root: Path) -> None:
    table = [case for case in CASES if case.rule == rule.name]
    assert table, f"{rule.name} has no cases"
    others = [other for other in RULES if other is not rule]
    assert table_failures(table, root, RULES) == []
    assert table_failures(table, root, others) == table


def test_minimal_cluster_has_no_problems(root: Path) -> None:
    assert problems("demo", {}, root) == []


def test_every_case_belongs_to_a_rule() -> None:
    assert {case.rule for case in CASES} == set(BY_NAME)


def test_names_are_unique_and_stable_in_form() -> None:
    assert len(BY_NAME) == len(RULES)
    assert all(name == name.lower() and " " not in name for name in BY_NAME)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_messages_are_sentences_of_ours(case: Case, root: Path) -> None:
    """No final full stop, no path of this machine, no class name."""
    for _, problem in problems(case.name, case.bad, root):
        assert not problem.message.endswith("."), problem
        assert str(root) not in problem.message + problem.hint
        assert "Error" not in problem.message


def test_rules_bear_several_faults_at_once(root: Path) -> None:
    """Each rule runs whatever else is wrong, and none raises: every ninth pair of cases of different keys."""
    pairs = [pair for pair in combinations(CASES, 2) if not pair[0].bad.keys() & pair[1].bad.keys()]
    for one, other in pairs[::9]:
        found = problems(one.name, one.bad | other.bad, root)
        assert {one.rule, other.rule} & {rule.name for rule, _ in found}


def test_what_is_ours_in_a_raw_fragment_has_a_case_each() -> None:
    shown = {tuple("*" if isinstance(part, int) else part for part in path) for path, _, _ in raw.OWNED}
    assert shown == set(OWNED)


def test_warnings_are_few_and_named() -> None:
    """A warning lets the synthesis pass, so each is a decision."""
    assert {rule.name for rule in RULES if rule.severity is Severity.WARNING} == {
        "supported-region",
        "broad-networks",
        "small-memory",
        "accelerator-drivers",
        "hydration-overwrites",
        "creation-time",
        "encryption-off",
        "somebody-can-log-in",
        "key-reader-in-prod",
        "unprotected-prod",
        "directory-tls",
        "directory-certificate",
        "arn-account",
        "policies-are-capped",
    }
