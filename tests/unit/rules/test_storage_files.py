"""Storage files: each rule against its table, its own rules and those that it shares with clusters."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from config import json_schema
from config.document import plain
from config.findings import KeyPath, Severity
from config.rules.base import FileRule, FileSubject, Rule
from config.rules.registry import RULES
from config.rules.storage_files import STORAGE_RULES
from config.selection import STORAGE, existing
from config.source import read
from tests.factories import MINIMAL, storage_document
from tests.factories import storage_file as parsed

ROOT = Path(__file__).parents[3]
PROD = {"environment": "prod"}
KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
SOURCE = {"import_bucket": "genomes", "export_bucket": "genomes"}


def ebs(**changes: Any) -> dict[str, Any]:
    return {"name": "disk", "type": "ebs", "zone": "us-east-1a"} | changes


def efs(**changes: Any) -> dict[str, Any]:
    return {"name": "home", "type": "efs"} | changes


def lustre(**changes: Any) -> dict[str, Any]:
    return {"name": "fast", "type": "fsx-lustre", "subnet": "private-a"} | changes


def persistent(**changes: Any) -> dict[str, Any]:
    return lustre(deployment_type="PERSISTENT_2", throughput_per_tib=125, **changes)


def file(*filesystems: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return storage_document(*filesystems, **changes)


def subnet(**changes: Any) -> dict[str, Any]:
    subnets = MINIMAL["network"]["subnets"] | {"more": {"id": "subnet-0ddd1234", "zone": "us-east-1c"} | changes}
    return {"network": MINIMAL["network"] | {"subnets": subnets}}


@dataclass(frozen=True)
class Case:
    rule: str
    path: KeyPath
    says: str
    bad: dict[str, Any]
    good: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.rule}: {self.says}"


def of(key: str) -> KeyPath:
    return ("filesystems", 0, key)


CASES = [
    Case(
        "unique-filesystems",
        ("filesystems", 1, "name"),
        '"home" is the name of another filesystem',
        file(efs(), efs()),
        file(efs(), efs(name="other")),
    ),
    Case("unique-filesystems", of("name"), "31 characters", file(efs(name="a" * 31)), file(efs(name="a" * 30))),
    Case("filesystem-place", of("zone"), "not in Region us-east-1", file(ebs(zone="us-west-2a")), file(ebs())),
    Case(
        "filesystem-place",
        of("subnet"),
        '"privat-a" is not a key',
        file(lustre(subnet="privat-a")),
        file(lustre()),
    ),
    Case(
        "backup-possible",
        of("backup"),
        "SCRATCH_2 filesystems cannot be backed up",
        file(lustre(backup={})),
        file(persistent(backup={})),
    ),
    Case(
        "backup-possible",
        of("backup"),
        "loads from S3 cannot be backed up",
        file(lustre(deployment_type="PERSISTENT_1", throughput_per_tib=50, hydration=SOURCE, backup={})),
        file(lustre(deployment_type="PERSISTENT_1", throughput_per_tib=50, backup={})),
    ),
    Case("no-backup-in-prod", of("backup"), '"home" of prod has no backups', file(**PROD), file(lustre(), **PROD)),
    Case(
        "backup-ceiling-in-prod",
        ("identity", "ceiling"),
        "the stack itself declares the ceiling",
        file(efs(backup={}), **PROD),
        file(efs(backup={}), identity={"ceiling": "account"}, **PROD),
    ),
    Case(
        "storage-arn-place",
        of("kms_key"),
        "is of aws eu-west-1, not of aws us-east-1",
        file(efs(kms_key=KEY.replace("us-east-1", "eu-west-1"))),
        file(efs(kms_key=KEY)),
    ),
    Case(
        "storage-arn-place",
        ("identity", "ceiling"),
        "is of aws-cn, not of aws us-east-1",
        file(identity={"ceiling": "arn:aws-cn:iam::123456789012:policy/boundary"}),
        file(identity={"ceiling": "arn:aws:iam::123456789012:policy/boundary"}),
    ),
    Case(
        "zone-in-region",
        ("network", "subnets", "more", "zone"),
        "is not in Region us-east-1",
        file(**subnet(zone="us-west-2a")),
        file(**subnet()),
    ),
    Case(
        "unique-subnet-ids",
        ("network", "subnets", "more", "id"),
        "is already the id of",
        file(**subnet(id="subnet-0aaa1234")),
        file(**subnet()),
    ),
    Case("volume-size", of("size_gib"), "gp3 volumes have", file(ebs(size_gib=0)), file(ebs(size_gib=6))),
    Case("volume-iops", of("iops"), "2999 IOPS", file(ebs(iops=2999)), file(ebs(iops=3000))),
    Case("volume-iops-ratio", of("size_gib"), "on 5 GiB", file(ebs(size_gib=5)), file(ebs(size_gib=6))),
    Case("volume-throughput", of("throughput"), "124 MB/s", file(ebs(throughput=124)), file(ebs(throughput=125))),
    Case(
        "volume-throughput-ratio",
        of("throughput"),
        "751 MB/s",
        file(ebs(throughput=751)),
        file(ebs(throughput=750)),
    ),
    Case(
        "kms-needs-encryption",
        of("encrypted"),
        "there is a key",
        file(efs(kms_key=KEY, encrypted=False)),
        file(efs(kms_key=KEY)),
    ),
    Case(
        "efs-throughput",
        of("throughput_mode"),
        "without an amount",
        file(efs(throughput_mode="provisioned")),
        file(efs(throughput_mode="provisioned", provisioned_throughput=100)),
    ),
    Case(
        "deleted-in-prod",
        of("on_delete"),
        "deleted with all its data",
        file(lustre(on_delete="delete"), **PROD),
        file(lustre(on_delete="delete", acknowledge_data_loss=True), **PROD),
    ),
    Case("lustre-size", of("size_gib"), "3600 GiB", file(lustre(size_gib=3600)), file(lustre(size_gib=4800))),
    Case(
        "lustre-throughput",
        of("throughput_per_tib"),
        "needs one of",
        file(lustre(deployment_type="PERSISTENT_2")),
        file(persistent()),
    ),
    Case("lustre-kms", of("kms_key"), "takes no key of yours", file(lustre(kms_key=KEY)), file(persistent())),
    Case(
        "hydration-deployment",
        of("hydration"),
        "PERSISTENT_2 cannot be hydrated",
        file(persistent(hydration=SOURCE)),
        file(lustre(hydration=SOURCE)),
    ),
    Case(
        "hydration-buckets",
        ("filesystems", 0, "hydration", "export_bucket"),
        "export_bucket is others",
        file(lustre(hydration=SOURCE | {"export_bucket": "others"})),
        file(lustre(hydration=SOURCE)),
    ),
    Case(
        "hydration-overwrites",
        ("filesystems", 0, "hydration"),
        "overwrites s3://genomes/import",
        file(lustre(hydration={"import_bucket": "genomes"})),
        file(lustre(hydration=SOURCE)),
    ),
    Case("encryption-off", of("encrypted"), "switched off", file(efs(encrypted=False)), file()),
    Case(
        "unprotected-prod",
        ("termination_protection",),
        "without termination protection",
        file(lustre(), termination_protection=False, **PROD),
        file(lustre(), **PROD),
    ),
]


def found(document: dict[str, Any], rules: tuple[FileRule[Any], ...]) -> list[tuple[str, KeyPath, str]]:
    subject = FileSubject("shared", parsed().model_validate(document))
    return [(rule.name, each.path, each.message) for rule in rules for each in rule.check(subject)]


def hits(case: Case, rules: tuple[FileRule[Any], ...]) -> list[str]:
    """The messages by which a case's bad file is found at its place."""
    return [message for name, path, message in found(case.bad, rules) if (name, path) == (case.rule, case.path)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_bad_case_is_reported_and_its_good_neighbour_is_not(case: Case) -> None:
    assert any(case.says in message for message in hits(case, STORAGE_RULES)), found(case.bad, STORAGE_RULES)
    assert found(case.good, STORAGE_RULES) == []


@pytest.mark.parametrize("rule", STORAGE_RULES, ids=lambda rule: rule.name)
def test_a_rule_that_is_switched_off_is_missed(rule: FileRule[Any]) -> None:
    table = [case for case in CASES if case.rule == rule.name]
    others = tuple(each for each in STORAGE_RULES if each is not rule)
    assert table
    assert not any(hits(case, others) for case in table)


def test_a_rule_of_one_name_is_one_rule() -> None:
    of_clusters = {rule.name: type(rule) for rule in RULES}
    shared = {rule.name: type(rule) for rule in STORAGE_RULES if isinstance(rule, Rule)}
    assert shared.items() <= of_clusters.items()
    own = [rule.name for rule in STORAGE_RULES if not isinstance(rule, Rule)]
    assert not set(own) & of_clusters.keys()
    assert {case.rule for case in CASES} == {*own, *shared}


def test_warnings_of_its_own_are_few() -> None:
    own = {rule.name for rule in STORAGE_RULES if not isinstance(rule, Rule) and rule.severity is Severity.WARNING}
    assert own == {"no-backup-in-prod"}


@pytest.mark.parametrize("name", existing(ROOT, STORAGE))
def test_editors_know_the_examples(name: str) -> None:
    path = f"{STORAGE}/{name}.yaml"
    first = (ROOT / path).read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../schema/storage.schema.json"
    source = read(ROOT, path)
    assert source.root is not None
    assert list(Draft7Validator(json_schema.storage_schema()).iter_errors(plain(source.root))) == []
