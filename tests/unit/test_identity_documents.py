"""Every document that a cluster's stack declares: known to AWS, of any partition, and complete as a set."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from config.models.cluster import Cluster
from hpc_constructs.identity.rendering_nodes import NODE_POLICIES
from tests.factories import cluster
from tests.iam import examples
from tests.iam.lint import problems
from tests.iam.resolver import PARTITIONS, Resolver
from tests.iam.templates import LONGEST_NAME, resolved

EXAMPLES: list[Callable[[str], Cluster]] = [examples.minimal, examples.much]


def policies(resolver: Resolver) -> dict[str, dict[str, Any]]:
    resources = resolver.template["Resources"]
    ids = [
        logical_id for logical_id, resource in resources.items() if resource["Type"] == "AWS::IAM::ManagedPolicy"
    ]
    return {logical_id: resolver.document(logical_id) for logical_id in ids}


@pytest.fixture(scope="module", params=list(PARTITIONS))
def partition(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("example", EXAMPLES)
def test_aws_knows_actions_keys_and_resource_levels(partition: str, example: Callable[[str], Cluster]) -> None:
    found = policies(resolved("demo", example(partition)))
    assert {name: problems(document) for name, document in found.items() if problems(document)} == {}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"Action": ["s3:GetObjects"]}, "no action s3:GetObjects"),
        ({"Action": ["nothing:Get*"]}, "no action nothing:Get*"),
        ({"Action": ["ec2:DescribeInstances"]}, "ec2:DescribeInstances has no resource level"),
        (
            {"Condition": {"StringEquals": {"iam:PermissionsBoundary": "x"}}},
            "does not know iam:PermissionsBoundary",
        ),
        ({"Condition": {"ForAllValues:StringLike": {"s3:nothing": "x"}}}, "no action knows s3:nothing"),
    ],
)
def test_the_linter_finds_a_fault(change: dict[str, Any], expected: str) -> None:
    sound = {"Sid": "A", "Effect": "Allow", "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::b/*"]}
    assert problems({"Statement": [sound]}) == []
    assert any(expected in problem for problem in problems({"Statement": [{**sound, **change}]}))


@pytest.mark.parametrize("example", EXAMPLES)
def test_sids_are_unique_words(partition: str, example: Callable[[str], Cluster]) -> None:
    for name, document in policies(resolved("demo", example(partition))).items():
        sids = [statement["Sid"] for statement in document["Statement"]]
        assert len(set(sids)) == len(sids), name
        assert all(sid.isalnum() for sid in sids), name


def test_sids_of_buckets_that_a_fragment_reads_and_writes_are_unique() -> None:
    # IAM refuses a policy in which one occurs twice.
    given = {"S3Access": [{"BucketName": "read"}, {"BucketName": "written", "EnableWriteAccess": True}]}
    spec = cluster(parallelcluster={"raw": {"HeadNode": {"Iam": given}}})
    sids = [statement["Sid"] for statement in resolved("demo", spec).document("Boundary")["Statement"]]
    assert len(set(sids)) == len(sids)


def test_no_partition_is_written_out() -> None:
    """Except in what the configuration itself names."""
    for partition in ("aws-cn", "aws-us-gov"):
        for example in EXAMPLES:
            resolver = resolved("demo", example(partition))
            text = json.dumps([policies(resolver), resolver.value(resolver.template["Resources"]["ProviderRole"])])
            assert "arn:aws:" not in text
            assert "Fn::" not in text
    assert "arn:aws" not in json.dumps(resolved("demo", cluster()).template["Resources"])


READS = ("Describe", "Get", "List")
NO_NARROWER_FORM = {
    "ec2messages:*",
    "route53:ChangeTagsForResource",
    "route53:CreateHostedZone",
    "route53:DeleteHostedZone",
    "ssm:UpdateInstanceInformation",
    "ssmmessages:*",
    "xray:Put*",
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
}
"""Actions that stand on ``*`` without a condition. Whoever adds one has looked for a narrower form."""


def test_what_stands_on_everything_reads_or_is_listed() -> None:
    for name, document in policies(resolved("demo", examples.much("aws"))).items():
        for statement in document["Statement"]:
            narrow = statement.get("Resource") not in ("*", ["*"]) or "Condition" in statement
            if statement["Effect"] == "Deny" or narrow:
                continue
            rest = [action for action in statement["Action"] if not action.split(":")[1].startswith(READS)]
            assert set(rest) <= NO_NARROWER_FORM, name


def test_node_policies_never_write_iam_and_deny_is_on_every_node() -> None:
    resolver = resolved("demo", examples.much("aws"))
    for policy in NODE_POLICIES:
        for statement in resolver.document(policy.logical_id)["Statement"]:
            if policy.logical_id == "NodeDeny":
                assert statement["Effect"] == "Deny"
            else:
                assert statement["Effect"] == "Allow"
                assert not any(action.startswith(("iam:", "sts:", "*")) for action in statement["Action"])
    (deny,) = [policy for policy in NODE_POLICIES if policy.logical_id == "NodeDeny"]
    assert set(deny.nodes) == {"head", "login", "compute"}


def test_names_fit_and_tell_cluster_and_region() -> None:
    """IAM is global, and two Regions may hold clusters of one name; a policy's name has 128 characters."""
    resolver = resolved(LONGEST_NAME, examples.much("aws"))
    names = set()
    for resource in resolver.template["Resources"].values():
        if resource["Type"] == "AWS::IAM::ManagedPolicy":
            properties = resource["Properties"]
            name = resolver.value(properties["ManagedPolicyName"])
            assert name.startswith(f"clusterform-{LONGEST_NAME}-") and name.endswith("-ap-southeast-2")
            assert len(name) <= 128
            assert properties["Path"] == f"/clusterform/{LONGEST_NAME}/"
            assert "Description" not in properties, "a changed one would replace a policy of a fixed name"
            names.add(name)
    assert len(names) == 11
