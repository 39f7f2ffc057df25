"""The policies of a cluster and a storage file that use everything, for the page that shows them. Plain data."""

from __future__ import annotations

from typing import Any

from config.models.cluster import Cluster
from hpc_constructs.functions.rendering import log_statement
from hpc_constructs.identity.rendering_check import all_statements, cluster_scope
from hpc_constructs.identity.rendering_documents import Statement
from hpc_constructs.identity.rendering_nodes import key_reader_statements
from hpc_constructs.intrinsics import ref, sub
from hpc_constructs.parallelcluster.rendering_lifecycle import lifecycle_statements
from hpc_constructs.rendering_bootstrap import ASSETS_BUCKET
from hpc_constructs.staging.rendering import staging_statements
from hpc_constructs.storage.rendering_backup import backup_statements

NAME = "NAME"
PARTITION = "aws"
"""None of these ARNs is shown: a reader sees the key of the file that it stands under."""


def _here(service: str, resource: str) -> str:
    return f"arn:{PARTITION}:{service}:us-east-1:123456789012:{resource}"


SECRET, DIRECTORY, WEBHOOK = (
    _here("secretsmanager", f"secret:{name}-AbCdEf") for name in ("access", "directory", "webhook")
)
KEY = _here("kms", "key/01234567-89ab-cdef-0123-456789abcdef")
READABLE = {
    SECRET: "`access.secrets`",
    DIRECTORY: "`directory.password_secret`",
    WEBHOOK: "`notifications.webhook_secret`",
    KEY: "keys of `access.kms_keys` and of filesystems",
}
"""What stands in a file, by the key that it stands under."""


def policies() -> dict[str, list[Statement]]:
    """Statements by the logical id of each policy."""
    spec = Cluster.model_validate(_document())
    scope = cluster_scope(NAME, spec)
    sources = {"ebs": ["volumes"], "efs": ["EFS filesystems"], "fsx-lustre": ["Lustre filesystems"]}
    backup = backup_statements(sources, "the file's vault", ["keys of filesystems"])
    return {
        **all_statements(spec, scope),
        "KeyReader": key_reader_statements(scope),
        "StagingPolicy": [
            log_statement("StagingLogs"),
            *staging_statements("StagingBucket", "EngineBucket", sub(ASSETS_BUCKET)),
        ],
        "LifecyclePolicy": [
            log_statement("LifecycleLogs"),
            *lifecycle_statements(NAME, ref("Topic"), WEBHOOK),
        ],
        "BackupPolicy": backup,
    }


def _document() -> dict[str, Any]:
    zone, subnet = "us-east-1a", "subnet-0123456789abcdef0"
    return {
        "engine": "parallelcluster",
        "parallelcluster_version": "3.16.1",
        "region": "us-east-1",
        "owner": {"name": "hpc", "email": "hpc@example.org"},
        "network": {"vpc_id": "vpc-0123456789abcdef0", "subnets": {"a": {"id": subnet, "zone": zone}}},
        "ssh": {"allowed_cidrs": ["10.0.0.0/16"], "key_reader": "admins"},
        "head_node": {"instance_type": "c8g.xlarge", "subnet": "a", "dcv": {"enabled": True}},
        "login": [{"name": "login", "subnet": "a"}],
        "queues": [{"name": "cpu", "instance_types": ["c8g.large"], "subnets": ["a"]}],
        "storage": [
            {"name": "volume", "mount": "/volume", "type": "ebs", "kms_key": KEY},
            {"name": "given", "mount": "/given", "type": "ebs", "id": "vol-0123456789abcdef0"},
            {"name": "efs", "mount": "/efs", "type": "efs", "kms_key": KEY},
            {
                "name": "lustre",
                "mount": "/lustre",
                "type": "fsx-lustre",
                "kms_key": KEY,
                "hydration": {"import_bucket": "example-simulations", "export_bucket": "example-simulations"},
            },
        ],
        "directory": {
            "domain_name": "corp.example.org",
            "address": ["ldaps://ldap.example.org"],
            "read_only_user": "cn=reader,dc=example,dc=org",
            "password_secret": DIRECTORY,
        },
        "access": {
            "secrets": [SECRET],
            "kms_keys": [KEY],
            "buckets": [
                {"name": "example-reference-data"},
                {"name": "example-results", "prefix": "polaroid/", "write": True},
            ],
        },
        "notifications": {"webhook_secret": WEBHOOK},
    }
