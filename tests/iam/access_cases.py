"""What configurations ask for: requests that they make possible, and requests beside them that stay refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NAME = "demo"
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

OURS = [
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
]
