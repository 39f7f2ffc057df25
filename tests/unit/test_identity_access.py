"""What the configuration names is let through by role and boundary alike, and its neighbour is not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from config.models.cluster import Cluster
from tests.factories import cluster
from tests.iam.evaluation import Principal
from tests.iam.resolver import Resolver
from tests.iam.templates import node, resolved

NAME = "demo"
EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
BASE = "arn:aws:{}:us-east-1:123456789012:{}"
SECRET = BASE.format("secretsmanager", "secret:licence-AbCdEf")
KEY = BASE.format("kms", "key/01234567-89ab-cdef-0123-456789abcdef")
READ_SECRET = "secretsmanager:GetSecretValue"
EC2_SERVICE = {"keys": {"kms:ViaService": "ec2.us-east-1.amazonaws.com"}}


@dataclass(frozen=True)
class Case:
    """A configuration, a request that it makes possible for some nodes, and requests beside it that stay refused.

    ``engine`` is what ParallelCluster itself writes into the node's role where it does.
    """

    name: str
    changes: dict[str, Any]
    action: str
    resource: str
    neighbours: list[tuple[str, str]]
    nodes: tuple[str, ...] = ("head",)
    context: dict[str, Any] = field(default_factory=dict)
    neighbour_context: dict[str, Any] = field(default_factory=dict)
    engine: tuple[str, str] | None = None


def s3(path: str) -> str:
    return f"arn:aws:s3:::{path}"


def bucket(**changes: Any) -> dict[str, Any]:
    return {"access": {"buckets": [{"name": "data", **changes}]}}


def raw(document: dict[str, Any]) -> dict[str, Any]:
    return {"parallelcluster": {"raw": document}}


ALL = ("head", "login", "compute")
LUSTRE = {"name": "scratch", "mount": "/fsx", "type": "fsx-lustre"}
SHARED = {"name": "shared", "mount": "/shared", "type": "ebs"}
OTHER_SECRET = BASE.format("secretsmanager", "secret:licence-2-AbCdEf")
OTHER_KEY = BASE.format("kms", "key/11234567-89ab-cdef-0123-456789abcdef")
DATABASE = BASE.format("secretsmanager", f"secret:/clusterform/{NAME}/database-AbCdEf")
DIRECTORY = {
    "domain_name": "corp.example.org",
    "address": ["ldaps://ldap.example.org"],
    "read_only_user": "cn=reader,dc=example,dc=org",
    "password_secret": SECRET,
}
QUEUE = {"Name": "cpu"}

CASES = [
    Case("a secret", {"access": {"secrets": [SECRET]}}, READ_SECRET, SECRET, [(READ_SECRET, OTHER_SECRET)], ALL),
    Case("a key", {"access": {"kms_keys": [KEY]}}, "kms:Decrypt", KEY, [("kms:Decrypt", OTHER_KEY)], ALL),
    Case(
        "a key for data",
        {"access": {"kms_keys": [KEY]}},
        "kms:GenerateDataKey",
        KEY,
        [("kms:PutKeyPolicy", KEY)],
        ALL,
    ),
    Case(
        "a key for disks",
        {"access": {"kms_keys": [KEY]}},
        "kms:CreateGrant",
        KEY,
        [("kms:CreateGrant", OTHER_KEY)],
        context=EC2_SERVICE,
        neighbour_context=EC2_SERVICE,
    ),
    Case(
        "no grant but through EC2",
        {"access": {"kms_keys": [KEY]}},
        "kms:Decrypt",
        KEY,
        [("kms:CreateGrant", KEY)],
        neighbour_context={"keys": {"kms:ViaService": "rds.us-east-1.amazonaws.com"}},
    ),
    Case(
        "a bucket",
        bucket(),
        "s3:GetObject",
        s3("data/a/b"),
        [("s3:GetObject", s3("data-2/a")), ("s3:PutObject", s3("data/a")), ("s3:DeleteObject", s3("data/a"))],
        ALL,
    ),
    Case("listing a bucket", bucket(), "s3:ListBucket", s3("data"), [("s3:ListBucket", s3("data-2"))], ALL),
    Case("where a bucket is", bucket(prefix="a"), "s3:GetBucketLocation", s3("data"), [], ALL),
    Case(
        "below a prefix",
        bucket(prefix="genome"),
        "s3:GetObject",
        s3("data/genome/x"),
        [("s3:GetObject", s3("data/genomes/x")), ("s3:GetObject", s3("data/x"))],
        ALL,
    ),
    Case("a prefix with a slash", bucket(prefix="genome/"), "s3:GetObject", s3("data/genome/x"), [], ALL),
    Case(
        "listing below a prefix",
        bucket(prefix="genome"),
        "s3:ListBucket",
        s3("data"),
        [("s3:ListBucket", s3("data"))],
        ALL,
        {"keys": {"s3:prefix": "genome/x"}},
        {"keys": {"s3:prefix": "genomes/"}},
    ),
    Case(
        "not all of it",
        bucket(prefix="genome"),
        "s3:GetObject",
        s3("data/genome/x"),
        [("s3:ListBucket", s3("data"))],
    ),
    Case(
        "writing a bucket",
        bucket(write=True),
        "s3:PutObject",
        s3("data/x"),
        [
            ("s3:PutObject", s3("data-2/x")),
            ("s3:PutBucketPolicy", s3("data")),
            ("s3:DeleteObjectVersion", s3("data/x")),
        ],
        ALL,
    ),
    Case("reading it too", bucket(write=True), "s3:GetObject", s3("data/x"), [], ALL),
    Case("deleting in it", bucket(write=True), "s3:DeleteObject", s3("data/x"), [], ALL),
    Case(
        "writing below a prefix",
        bucket(write=True, prefix="out"),
        "s3:PutObject",
        s3("data/out/x"),
        [("s3:PutObject", s3("data/outside/x"))],
        ALL,
    ),
    Case("the directory's secret", {"directory": DIRECTORY}, READ_SECRET, SECRET, [(READ_SECRET, OTHER_SECRET)]),
    Case("the database's secret", {}, READ_SECRET, DATABASE, [(READ_SECRET, DATABASE.replace(NAME, "other"))]),
    Case(
        "the remote desktop's licence",
        {"head_node": {"instance_type": "c8g.xlarge", "subnet": "public-a", "dcv": {"enabled": True}}},
        "s3:GetObject",
        s3("dcv-license.us-east-1/x"),
        [("s3:GetObject", s3("dcv-license.eu-west-1/x")), ("s3:PutObject", s3("dcv-license.us-east-1/x"))],
    ),
    Case(
        "Session Manager",
        {},
        "ssmmessages:OpenDataChannel",
        "*",
        [("ssm:StartSession", "*"), ("ssm:GetParameter", BASE.format("ssm", "parameter/x"))],
        ALL,
    ),
    Case("commands", {}, "ec2messages:GetMessages", "*", [("ssm:SendCommand", "*")], ALL),
    Case("the agent's sign of life", {}, "ssm:UpdateInstanceInformation", "*", [], ALL),
    Case(
        "loading Lustre",
        {"storage": [{**LUSTRE, "hydration": {"import_bucket": "data", "export_bucket": "data"}}]},
        "s3:GetObject",
        s3("data/import/x"),
        [("s3:PutObject", s3("data/import/x")), ("s3:GetObject", s3("data/x"))],
    ),
    Case(
        "saving Lustre",
        {"storage": [{**LUSTRE, "hydration": {"import_bucket": "data", "export_bucket": "data"}}]},
        "s3:PutObject",
        s3("data/export/x"),
        [("s3:PutObject", s3("data/exports/x"))],
    ),
    Case(
        "a shared volume's key",
        {"storage": [{**SHARED, "kms_key": KEY}]},
        "kms:CreateGrant",
        KEY,
        [("kms:CreateGrant", OTHER_KEY)],
        context=EC2_SERVICE,
        neighbour_context=EC2_SERVICE,
    ),
    Case(
        "a volume of the user's",
        {"storage": [{**SHARED, "id": "vol-0123456789abcdef0"}]},
        "ec2:AttachVolume",
        BASE.format("ec2", "volume/vol-0123456789abcdef0"),
        [("ec2:AttachVolume", BASE.format("ec2", "volume/vol-1123456789abcdef0"))],
        engine=("ec2:AttachVolume", BASE.format("ec2", "volume/*")),
    ),
    Case(
        "staged scripts",
        {},
        "s3:GetObject",
        "STAGING/scripts/scratch-0.sh",
        [("s3:GetObject", "STAGING/secret")],
        ALL,
    ),
    Case(
        "staged downloads",
        {},
        "s3:GetObject",
        "STAGING/downloads/x-0",
        [("s3:PutObject", "STAGING/downloads/x")],
        ALL,
    ),
    Case("the manifest", {}, "s3:GetObject", "STAGING/manifest", [("s3:ListBucket", "STAGING")], ALL),
    # Raw fragments.
    Case(
        "a raw directory's secret",
        raw({"DirectoryService": {"PasswordSecretArn": SECRET}}),
        READ_SECRET,
        SECRET,
        [(READ_SECRET, OTHER_SECRET)],
    ),
    Case(
        "a raw directory's parameter",
        raw({"DirectoryService": {"PasswordSecretArn": BASE.format("ssm", "parameter/ldap")}}),
        "ssm:GetParameter",
        BASE.format("ssm", "parameter/ldap"),
        [("ssm:GetParameter", BASE.format("ssm", "parameter/ldap2"))],
    ),
    Case(
        "a raw database's secret",
        raw({"Scheduling": {"SlurmSettings": {"Database": {"PasswordSecretArn": SECRET}}}}),
        READ_SECRET,
        SECRET,
        [(READ_SECRET, OTHER_SECRET)],
    ),
    Case(
        "a raw Munge key",
        raw({"Scheduling": {"SlurmSettings": {"MungeKeySecretArn": SECRET}}}),
        READ_SECRET,
        SECRET,
        [(READ_SECRET, OTHER_SECRET)],
    ),
    Case(
        "a raw remote desktop",
        raw({"HeadNode": {"Dcv": {"Enabled": True}}}),
        "s3:GetObject",
        s3("dcv-license.us-east-1/x"),
        [("s3:GetObject", s3("dcv-license.eu-west-1/x"))],
    ),
    Case(
        "a login pool's raw remote desktop",
        raw({"LoginNodes": {"Pools": [{"Name": "login", "Dcv": {"Enabled": True}}]}}),
        "s3:GetObject",
        s3("dcv-license.us-east-1/x"),
        [],
        ("login",),
        engine=("s3:GetObject", s3("dcv-license.us-east-1/*")),
    ),
    Case(
        "a head node's script",
        raw({"HeadNode": {"CustomActions": {"OnNodeConfigured": {"Script": "s3://site/scripts/a.sh"}}}}),
        "s3:GetObject",
        s3("site/scripts/a.sh"),
        [("s3:GetObject", s3("site/scripts/b.sh"))],
    ),
    Case(
        "a queue's sequence of scripts",
        raw(
            {
                "Scheduling": {
                    "SlurmQueues": [
                        {
                            **QUEUE,
                            "CustomActions": {
                                "OnNodeConfigured": {
                                    "Sequence": [{"Script": "s3://site/a.sh"}, {"Script": "s3://site/b.sh"}]
                                }
                            },
                        }
                    ]
                }
            }
        ),
        "s3:GetObject",
        s3("site/b.sh"),
        [("s3:GetObject", s3("site/c.sh"))],
        ("compute",),
    ),
    Case(
        "S3Access to read",
        raw({"HeadNode": {"Iam": {"S3Access": [{"BucketName": "data"}]}}}),
        "s3:GetObject",
        s3("data/x"),
        [("s3:PutObject", s3("data/x")), ("s3:GetObject", s3("data-2/x"))],
        engine=("s3:*", "*"),
    ),
    Case(
        "S3Access to write below a key",
        raw(
            {
                "Scheduling": {
                    "SlurmQueues": [
                        {
                            **QUEUE,
                            "Iam": {
                                "S3Access": [{"BucketName": "data", "KeyName": "out/*", "EnableWriteAccess": True}]
                            },
                        }
                    ]
                }
            }
        ),
        "s3:PutObject",
        s3("data/out/x"),
        [("s3:PutObject", s3("data/in/x"))],
        ("compute",),
        engine=("s3:*", "*"),
    ),
    Case(
        "a raw volume's key",
        raw({"SharedStorage": [{"Name": "a", "StorageType": "Ebs", "EbsSettings": {"KmsKeyId": KEY}}]}),
        "kms:CreateGrant",
        KEY,
        [("kms:CreateGrant", OTHER_KEY)],
        context=EC2_SERVICE,
        neighbour_context=EC2_SERVICE,
    ),
    Case(
        "a raw volume's key by id",
        raw(
            {
                "SharedStorage": [
                    {"Name": "a", "StorageType": "Ebs", "EbsSettings": {"KmsKeyId": KEY.rpartition("/")[2]}}
                ]
            }
        ),
        "kms:Decrypt",
        KEY,
        [("kms:Decrypt", OTHER_KEY)],
    ),
    Case(
        "EFS with IAM authorization",
        raw({"SharedStorage": [{"Name": "e", "StorageType": "Efs", "EfsSettings": {"IamAuthorization": True}}]}),
        "elasticfilesystem:ClientMount",
        BASE.format("elasticfilesystem", "file-system/fs-0"),
        [("elasticfilesystem:DeleteFileSystem", BASE.format("elasticfilesystem", "file-system/fs-0"))],
        engine=("elasticfilesystem:*", "*"),
    ),
    Case(
        "cleanup functions in a VPC",
        raw({"DeploymentSettings": {"LambdaFunctionsVpcConfig": {"SubnetIds": ["subnet-0"]}}}),
        "ec2:CreateNetworkInterface",
        "*",
        [("ec2:AttachNetworkInterface", "*")],
        engine=("ec2:*", "*"),
    ),
    Case(
        "reserved capacity",
        raw(
            {
                "Scheduling": {
                    "SlurmQueues": [
                        {
                            **QUEUE,
                            "CapacityReservationTarget": {
                                "CapacityReservationResourceGroupArn": BASE.format("resource-groups", "group/a")
                            },
                        }
                    ]
                }
            }
        ),
        "resource-groups:ListGroupResources",
        BASE.format("resource-groups", "group/a"),
        [("resource-groups:ListGroupResources", BASE.format("resource-groups", "group/b"))],
        engine=("resource-groups:*", "*"),
    ),
]


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
