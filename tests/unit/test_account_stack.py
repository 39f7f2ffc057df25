"""The account's stack: deployable before anything else is, and what it keeps."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.models.account import Account
from config.project import load
from config.selection import select
from hpc_constructs.account.rendering_commands import OPERATOR, commands_of
from hpc_constructs.account.rendering_failures import NOTICES
from hpc_constructs.account.rendering_policies import account_findings, account_policies
from hpc_constructs.account.rendering_reference import page
from hpc_constructs.account.rendering_results import account_kept
from hpc_constructs.identity.rendering_sizes import POLICY_LIMIT
from hpc_constructs.rendering_findings import consequences
from tests import accounts
from tests.assembly import ROOT
from tests.iam.resolver import PARTITIONS

INLINE_LIMIT = 50 * 1024
"""Characters of a template that the CDK CLI hands over without a bucket, as YAML."""

FULL: dict[str, Any] = {
    "notifications": {"emails": ["b@example.org", "a@example.org"]},
    "spot_role": "create",
    "owner": {"name": "hpc", "email": "hpc@example.org", "project": "polaroid"},
}


def full(partition: str = "aws") -> Account:
    """Everything that the file can declare, and lists as long as people make them."""
    region = PARTITIONS[partition]
    where = f"{region}:123456789012"
    return accounts.account(
        region=region,
        ceiling={
            "secrets": [
                f"arn:{partition}:secretsmanager:{where}:secret:research/licence-{i}-AbCdEf" for i in range(2)
            ],
            "kms_keys": [f"arn:{partition}:kms:{where}:key/01234567-89ab-cdef-0123-456789abcdef"],
            "buckets": [f"b{i}".ljust(40, "x") for i in range(3)],
            "topics": [f"arn:{partition}:sns:{where}:hpc-messages"],
        },
        **FULL,
    )


def of_type(template: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {name: each for name, each in template["Resources"].items() if each["Type"] == kind}


def test_it_needs_no_bootstrap() -> None:
    files = accounts.synthesize(full())
    artifact = files["manifest.json"]["artifacts"]["clusterform-account"]
    properties = artifact["properties"]
    assert {
        "assumeRoleArn",
        "cloudFormationExecutionRoleArn",
        "stackTemplateAssetObjectUrl",
        "lookupRole",
    }.isdisjoint(properties)
    assert artifact["environment"] == "aws://123456789012/ap-southeast-2"
    assert properties["terminationProtection"] is True
    assert [name for name in files if "asset" in name] == []
    template = files["clusterform-account.template.json"]
    assert {"Parameters", "Rules"}.isdisjoint(template)


def test_it_is_short_enough_to_be_handed_over_without_a_bucket() -> None:
    for partition in PARTITIONS:
        text = yaml.safe_dump(accounts.template(full(partition)), sort_keys=False, width=10_000)
        assert len(text) < INLINE_LIMIT, len(text)


def test_lists_that_make_the_ceiling_too_long_are_found_before_a_deployment(tmp_path: Path) -> None:
    topics = [f"arn:aws:sns:us-east-1:123456789012:research-computing-messages-{i}" for i in range(40)]
    document = {**accounts.MINIMAL, "ceiling": {"topics": topics}}
    (tmp_path / "config").mkdir()
    (tmp_path / "config/account.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    (finding,) = consequences(load(tmp_path, select({"scope": "account"}, tmp_path)))
    assert (finding.rule, finding.path, finding.file) == ("policy-size", ("ceiling",), "config/account.yaml")
    assert finding.line is not None
    assert "Ceiling" in finding.message and str(POLICY_LIMIT) in finding.message
    assert account_findings(full()) == []


@pytest.mark.parametrize("partition", PARTITIONS)
def test_no_policy_is_longer_than_iam_takes(partition: str) -> None:
    spec = full(partition)
    resolver = accounts.resolved(partition, ceiling=spec.ceiling.model_dump(), **FULL)
    sizes = {
        each.logical_id: len(json.dumps(resolver.document(each.logical_id), separators=(",", ":")))
        for each in account_policies(spec)
    }
    assert set(sizes) == set(of_type(resolver.template, "AWS::IAM::ManagedPolicy"))
    assert {name: size for name, size in sizes.items() if size > POLICY_LIMIT} == {}


def test_the_results_bucket_outlives_everything_and_is_closed() -> None:
    template = accounts.template(full())
    bucket = template["Resources"]["ResultsBucket"]
    assert (bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]) == ("Retain", "Retain")
    properties = bucket["Properties"]
    assert properties["BucketName"] == {"Fn::Sub": "clusterform-results-${AWS::AccountId}-${AWS::Region}"}
    assert properties["VersioningConfiguration"] == {"Status": "Enabled"}
    assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    rules = {rule["Id"]: rule for rule in properties["LifecycleConfiguration"]["Rules"]}
    assert rules["replaced-versions"]["NoncurrentVersionExpiration"] == {"NoncurrentDays": 90}
    assert rules["unfinished-uploads"]["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 7}
    assert not any("ExpirationInDays" in rule for rule in rules.values()), "a result is deleted by people alone"
    policy = template["Resources"]["ResultsBucketPolicy"]
    assert policy["DeletionPolicy"] == "Retain"
    (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})


def test_the_bucket_may_have_a_name_of_your_own() -> None:
    template = accounts.template(accounts.account(results_bucket="genomics-results"))
    assert template["Resources"]["ResultsBucket"]["Properties"]["BucketName"] == "genomics-results"


def test_the_role_of_spot_is_made_on_demand_and_kept() -> None:
    role = accounts.template(full())["Resources"]["SpotRole"]
    assert role["Type"] == "AWS::IAM::ServiceLinkedRole"
    assert role["Properties"] == {"AWSServiceName": "spot.amazonaws.com"}
    assert role["DeletionPolicy"] == "Retain"
    assert "SpotRole" not in accounts.template(accounts.account())["Resources"]


@pytest.mark.parametrize("changes", [{}, FULL])
def test_everything_that_is_kept_stands_in_the_ledger(changes: dict[str, Any]) -> None:
    spec = accounts.account(**changes)
    template = accounts.template(spec)
    retained = {name for name, each in template["Resources"].items() if each.get("DeletionPolicy") == "Retain"}
    named = {name for entry in account_kept(spec) for name in re.findall(r"\$\{(\w+)\}", entry.what)}
    assert retained == named | {"ResultsBucketPolicy"}  # which is the bucket's
    assert "ResultsBucket" in json.dumps(template["Outputs"]["Kept"])


def test_failed_updates_and_deletions_of_our_stacks_are_told_to_one_topic() -> None:
    template = accounts.template(full())
    assert {each["Properties"]["Endpoint"] for each in of_type(template, "AWS::SNS::Subscription").values()} == {
        "a@example.org",
        "b@example.org",
    }
    rules = of_type(template, "AWS::Events::Rule")
    assert set(rules) == set(NOTICES)
    told: list[str] = []
    for rule in rules.values():
        pattern = rule["Properties"]["EventPattern"]
        assert pattern["source"] == ["aws.cloudformation"]
        told += pattern["detail"]["status-details"]["status"]
        (target,) = rule["Properties"]["Targets"]
        assert target["Arn"] == {"Ref": "FailureTopic"}
        lines = [json.loads(line) for line in target["InputTransformer"]["InputTemplate"].splitlines()]
        assert lines[0].startswith("Clusterform: ")
        fields = set(re.findall("<([a-z]+)>", " ".join(lines)))
        assert fields == set(target["InputTransformer"]["InputPathsMap"])
    assert sorted(told) == [
        "DELETE_FAILED",
        "UPDATE_FAILED",
        "UPDATE_ROLLBACK_FAILED",
        "UPDATE_ROLLBACK_IN_PROGRESS",
    ]
    statements = template["Resources"]["FailureTopicPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert statements[0]["Principal"] == {"Service": "events.amazonaws.com"}
    sources = statements[0]["Condition"]["ArnEquals"]["aws:SourceArn"]
    assert sources == [{"Fn::GetAtt": [name, "Arn"]} for name in NOTICES]


def test_every_command_of_a_message_is_one_that_operators_may_run() -> None:
    told = {line for notice in NOTICES.values() for line in notice.advice if line.startswith("aws ")}
    allowed = [part for text in commands_of(OPERATOR) for part in text.split()]
    for line in told:
        verb = line.split()[2]
        assert any(part.strip(",") == verb for part in allowed), line


def test_the_owner_is_told_where_nobody_is_named() -> None:
    subscriptions = of_type(accounts.template(accounts.account()), "AWS::SNS::Subscription")
    assert [each["Properties"]["Endpoint"] for each in subscriptions.values()] == ["hpc@example.org"]


def test_the_page_is_not_stale_and_tells_of_every_policy() -> None:
    command = "python -m hpc_constructs.account.rendering_reference > docs/account-permissions.md"
    assert (ROOT / "docs/account-permissions.md").read_text(encoding="utf-8") == page(), f"renew it: {command}"
    for logical_id in of_type(accounts.template(full()), "AWS::IAM::ManagedPolicy"):
        assert f"| {logical_id} |" in page()


def test_stateful_logical_ids_are_pinned() -> None:
    # Another id is another resource: the bucket's name would be taken, and the role is there already.
    assert {
        name: each["Type"]
        for name, each in accounts.template(full())["Resources"].items()
        if each["Type"] in ("AWS::S3::Bucket", "AWS::IAM::ServiceLinkedRole", "AWS::IAM::ManagedPolicy")
        and name in ("ResultsBucket", "SpotRole", "Ceiling")
    } == {
        "ResultsBucket": "AWS::S3::Bucket",
        "SpotRole": "AWS::IAM::ServiceLinkedRole",
        "Ceiling": "AWS::IAM::ManagedPolicy",
    }
