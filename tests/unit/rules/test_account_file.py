"""The account's file: each rule against its table, and the example that people copy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from config import json_schema
from config.document import plain
from config.findings import KeyPath, Severity
from config.models.account import Account
from config.rules.account_file import ACCOUNT_RULES
from config.rules.base import FileRule, FileSubject
from config.rules.registry import RULES
from config.selection import ACCOUNT, select
from config.source import read
from config.standalone import load_file

ROOT = Path(__file__).parents[3]
EXAMPLE = "config/account.example.yaml"
MINIMAL: dict[str, Any] = {
    "account": "123456789012",
    "region": "us-east-1",
    "owner": {"name": "hpc", "email": "hpc@example.org"},
}


def reach(**changes: list[str]) -> dict[str, Any]:
    return {"ceiling": changes}


def topic(region: str = "us-east-1", account: str = "123456789012", partition: str = "aws") -> str:
    return f"arn:{partition}:sns:{region}:{account}:hpc"


def secret(region: str = "us-east-1", account: str = "123456789012") -> str:
    return f"arn:aws:secretsmanager:{region}:{account}:secret:directory-AbCdEf"


def key(region: str = "us-east-1", account: str = "123456789012") -> str:
    return f"arn:aws:kms:{region}:{account}:key/1234abcd-12ab-34cd-56ef-1234567890ab"


@dataclass(frozen=True)
class Case:
    rule: str
    path: KeyPath
    says: str
    bad: dict[str, Any]
    good: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.rule}: {self.says}"


CASES = [
    Case(
        "results-bucket-name",
        ("results_bucket",),
        "begins as the buckets of clusters do",
        {"results_bucket": "clusterform-pc-results"},
        {"results_bucket": "genomics-results"},
    ),
    Case(
        "account-emails",
        ("notifications", "emails", 1),
        "listed already",
        {"notifications": {"emails": ["a@example.org", "a@example.org"]}},
        {"notifications": {"emails": ["a@example.org", "b@example.org"]}},
    ),
    Case(
        "account-arn-place",
        ("ceiling", "topics", 0),
        "not of aws, us-east-1",
        reach(topics=[topic("eu-west-1")]),
        reach(topics=[topic()]),
    ),
    Case(
        "account-arn-place",
        ("ceiling", "topics", 0),
        "of aws-us-gov",
        reach(topics=[topic(partition="aws-us-gov")]),
        reach(topics=[topic()]),
    ),
    Case(
        "account-arn-place",
        ("ceiling", "secrets", 1),
        "of aws, eu-west-1",
        reach(secrets=[secret(), secret("eu-west-1")]),
        reach(secrets=[secret()]),
    ),
    Case(
        "account-arn-place",
        ("ceiling", "kms_keys", 0),
        "of aws, eu-west-1",
        reach(kms_keys=[key("eu-west-1")]),
        reach(kms_keys=[key()]),
    ),
    Case(
        "account-arn-owner",
        ("ceiling", "kms_keys", 0),
        "belongs to account 210987654321",
        reach(kms_keys=[key(account="210987654321")]),
        reach(kms_keys=[key()]),
    ),
]


def found(document: dict[str, Any], rules: tuple[FileRule[Account], ...]) -> list[tuple[str, KeyPath, str]]:
    subject = FileSubject("account", Account.model_validate(MINIMAL | document))
    return [(rule.name, each.path, each.message) for rule in rules for each in rule.check(subject)]


def reported(case: Case, document: dict[str, Any], rules: tuple[FileRule[Account], ...]) -> bool:
    return any(
        (name, path) == (case.rule, case.path) and case.says in message
        for name, path, message in found(document, rules)
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_bad_case_is_reported_and_its_good_neighbour_is_not(case: Case) -> None:
    assert reported(case, case.bad, ACCOUNT_RULES), found(case.bad, ACCOUNT_RULES)
    assert found(case.good, ACCOUNT_RULES) == []


@pytest.mark.parametrize("rule", ACCOUNT_RULES, ids=lambda rule: rule.name)
def test_a_rule_that_is_switched_off_is_missed(rule: FileRule[Account]) -> None:
    table = [case for case in CASES if case.rule == rule.name]
    others = tuple(each for each in ACCOUNT_RULES if each is not rule)
    assert table
    assert not any(reported(case, case.bad, others) for case in table)


def test_names_are_those_of_no_other_rule_and_warnings_are_few() -> None:
    names = [rule.name for rule in (*RULES, *ACCOUNT_RULES)]
    assert len(set(names)) == len(names)
    assert {case.rule for case in CASES} == {rule.name for rule in ACCOUNT_RULES}
    assert {rule.name for rule in ACCOUNT_RULES if rule.severity is Severity.WARNING} == {"account-arn-owner"}


def test_the_example_is_valid_without_a_warning_and_editors_find_its_schema() -> None:
    loaded, findings = load_file(ROOT, EXAMPLE, Account, ACCOUNT_RULES)
    assert findings == []
    assert loaded is not None
    first = (ROOT / EXAMPLE).read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=schema/account.schema.json"
    source = read(ROOT, EXAMPLE)
    assert source.root is not None
    assert list(Draft7Validator(json_schema.account_schema()).iter_errors(plain(source.root))) == []


def test_the_example_declares_no_stack() -> None:
    # Whoever runs "cdk ls" or "cdk deploy --all" in a fresh checkout has no account stack among the clusters.
    assert not (ROOT / ACCOUNT).exists()
    assert not select({}, ROOT).account


@pytest.mark.parametrize("change", [{"regoin": "x"}, {"spot_role": "delete"}, {"account": 123456789012}])
def test_an_editor_sees_what_the_loader_refuses(change: dict[str, Any]) -> None:
    validator = Draft7Validator(json_schema.account_schema())
    assert list(validator.iter_errors(MINIMAL)) == []
    assert list(validator.iter_errors(MINIMAL | change))
    assert list(validator.iter_errors({key: value for key, value in MINIMAL.items() if key != "region"}))
