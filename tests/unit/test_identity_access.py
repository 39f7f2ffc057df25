"""What the configuration names is let through by role and boundary alike, and its neighbour is not."""

from __future__ import annotations

from typing import Any

import pytest

from config.models.cluster import Cluster
from tests.factories import cluster
from tests.iam.access_cases import DATABASE, DIRECTORY, NAME, OURS, READ_SECRET, SECRET, Case, raw, s3
from tests.iam.access_cases_raw import RAW
from tests.iam.evaluation import Principal
from tests.iam.resolver import Resolver
from tests.iam.templates import node, resolved

EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
CASES = [*OURS, *RAW]


def principal(kind: str, case: Case, resolver: Resolver) -> Principal:
    if case.engine is None:
        return node(kind, resolver)
    action, resource = case.engine
    statement = {"Effect": "Allow", "Action": action, "Resource": resource}
    return node(kind, resolver, {"Version": "2012-10-17", "Statement": [statement]})


def spec(changes: dict[str, Any]) -> Cluster:
    return cluster(login=[{"name": "login", "subnet": "public-a"}], **changes)


def located(resource: str, resolver: Resolver) -> str:
    return resource.replace("STAGING", resolver.arn("StagingBucket"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_allowed_and_its_neighbour_denied(case: Case) -> None:
    resolver = resolved(NAME, spec(case.changes))
    for kind in case.nodes:
        role = principal(kind, case, resolver)
        assert role.may(case.action, located(case.resource, resolver), **case.context), kind
        for action, resource in case.neighbours:
            assert not role.may(action, located(resource, resolver), **case.neighbour_context), (
                kind,
                action,
                resource,
            )


@pytest.mark.parametrize("case", [case for case in CASES if case.changes], ids=lambda case: case.name)
def test_refused_where_the_configuration_does_not_ask(case: Case) -> None:
    """By the boundary too: it would let nothing pass that a node's role got from elsewhere."""
    resolver = resolved(NAME, spec({}))
    unlimited = Principal([EVERYTHING], resolver.document("Boundary"), "us-east-1")
    assert not unlimited.may(case.action, case.resource, **case.context)


@pytest.mark.parametrize("kind", ["login", "compute"])
@pytest.mark.parametrize("resource", [DATABASE, SECRET])
def test_secrets_of_the_head_node_are_its_own(kind: str, resource: str) -> None:
    resolver = resolved(NAME, spec({"directory": DIRECTORY}))
    assert node("head", resolver).may(READ_SECRET, resource)
    assert not node(kind, resolver).may(READ_SECRET, resource)


def test_without_accounting_nobody_reads_its_secret() -> None:
    resolver = resolved(NAME, spec({"software": {"accounting": False}}))
    unlimited = Principal([EVERYTHING], resolver.document("Boundary"), "us-east-1")
    assert not unlimited.may(READ_SECRET, DATABASE)
    assert "HeadIdentity" not in resolver.template["Resources"]


def test_without_session_manager_no_channel() -> None:
    resolver = resolved(NAME, spec({"session_manager": False}))
    unlimited = Principal([EVERYTHING], resolver.document("Boundary"), "us-east-1")
    assert not unlimited.may("ssmmessages:OpenDataChannel")
    assert not unlimited.may("ec2messages:GetMessages")


def test_two_buckets_keep_their_own_prefixes() -> None:
    buckets = [{"name": "one", "prefix": "a"}, {"name": "two", "prefix": "b"}]
    role = node("compute", resolved(NAME, spec({"access": {"buckets": buckets}})))
    for name, prefix in (("one", "a"), ("two", "b")):
        assert role.may("s3:ListBucket", s3(name), keys={"s3:prefix": f"{prefix}/x"})
    assert not role.may("s3:ListBucket", s3("one"), keys={"s3:prefix": "b/x"})
    assert not role.may("s3:GetObject", s3("two/a/x"))


def test_a_fragment_of_the_wrong_shape_is_passed_over() -> None:
    """The check against ParallelCluster's schema reports it, in the same run."""
    shapes = [
        {"HeadNode": 3, "SharedStorage": "x", "Scheduling": ["y"]},
        {"HeadNode": {"Iam": {"S3Access": {"BucketName": 3}}, "CustomActions": [1]}, "SharedStorage": [1, None]},
        {"SharedStorage": [{"StorageType": "Efs", "EfsSettings": 5}], "LoginNodes": {"Pools": {"Name": "x"}}},
    ]
    minimal = resolved(NAME, spec({})).document("Boundary")
    for shape in shapes:
        assert resolved(NAME, spec(raw(shape))).document("Boundary") == minimal


def test_a_fragments_dollar_sign_is_no_variable() -> None:
    script = {"Script": "s3://site/${AWS::Region}/a.sh"}
    resolver = resolved(NAME, spec(raw({"HeadNode": {"CustomActions": {"OnNodeStart": script}}})))
    assert "arn:aws:s3:::site/${AWS::Region}/a.sh" in str(resolver.document("HeadStorage"))
