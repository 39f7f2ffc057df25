"""Configurations that use little and much of what policies depend on."""

from __future__ import annotations

from typing import Any

from config.models.cluster import Cluster
from tests.factories import cluster
from tests.iam.resolver import ACCOUNT, PARTITIONS

BUCKET_NAME_LENGTH = 63


def minimal(partition: str) -> Cluster:
    """A cluster that asks for nothing."""
    return cluster(region=PARTITIONS[partition])


def access(partition: str, *, buckets: int = 10, length: int = BUCKET_NAME_LENGTH) -> dict[str, Any]:
    """Two secrets, two keys and many buckets with names of a length; every second bucket below a prefix."""
    region = PARTITIONS[partition]
    where = f"arn:{partition}:{{}}:{region}:{ACCOUNT}"
    return {
        "secrets": [f"{where.format('secretsmanager')}:secret:research/licence-{i}-AbCdEf" for i in range(2)],
        "kms_keys": [f"{where.format('kms')}:key/{i}1234567-89ab-cdef-0123-456789abcdef" for i in range(2)],
        "buckets": [
            {
                "name": f"b{i:02}".ljust(length, "x"),
                "prefix": "projects/genome" if i % 2 else "",
                "write": i < 3,
            }
            for i in range(buckets)
        ],
    }


def much(partition: str) -> Cluster:
    """A cluster with every feature that a policy knows, and access to much."""
    key = access(partition)["kms_keys"][0]
    return cluster(
        region=PARTITIONS[partition],
        access=access(partition, length=30),
        login=[{"name": "login", "subnet": "public-a"}],
        head_node={"instance_type": "c8g.xlarge", "subnet": "public-a", "dcv": {"enabled": True}},
        ssh={"allowed_cidrs": ["10.0.0.0/16"], "key_reader": "hpc-admins"},
        storage=[
            {"name": "ebs", "mount": "/ebs", "type": "ebs", "kms_key": key},
            {"name": "given", "mount": "/given", "type": "ebs", "id": "vol-0123456789abcdef0"},
            {"name": "efs", "mount": "/efs", "type": "efs", "kms_key": key},
            {
                "name": "fsx",
                "mount": "/fsx",
                "type": "fsx-lustre",
                "kms_key": key,
                "hydration": {"import_bucket": "genomes", "export_bucket": "genomes"},
            },
        ],
        directory={
            "domain_name": "corp.example.org",
            "address": ["ldaps://ldap.example.org"],
            "read_only_user": "cn=reader,dc=example,dc=org",
            "password_secret": access(partition)["secrets"][0],
        },
    )
