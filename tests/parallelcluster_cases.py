"""Clusters of the ParallelCluster engine for tests: one with everything set, and the values of its stack."""

from __future__ import annotations

from typing import Any

from config.facts.instance_types import load
from config.models.cluster import Cluster
from hpc_constructs.parallelcluster.rendering import References, cluster_configuration
from tests.factories import document

STACK_ID = (
    "arn:aws:cloudformation:us-east-1:123456789012:stack/clusterform-pc-demo/4c5f1e0a-0000-1111-2222-333344445555"
)
POLICY = "arn:aws:iam::123456789012:policy/"
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:ldap-AbCdEf"
KEY = "arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-0000-1111-2222-333344445555"

FULL: dict[str, Any] = document(
    account="123456789012",
    extends="research",
    owner={"name": "compbio-ops", "email": "hpc@example.org", "department": "compbio", "project": "polaroid"},
    environment="stage",
    termination_protection=True,
    os="ubuntu2204",
    custom_ami="ami-0aaa1234",
    ssh={"allowed_cidrs": ["10.1.0.0/16"], "key_reader": "admins"},
    session_manager=False,
    head_node={
        "instance_type": "g4dn.xlarge",
        "subnet": "public-a",
        "elastic_ip": True,
        "multithreading": False,
        "root_volume": {"size_gib": 120, "type": "gp3", "iops": 4000, "throughput": 250, "encrypted": True},
        "dcv": {"enabled": True, "port": 8444, "allowed_cidrs": ["10.2.0.0/16"]},
        "bootstrap_timeout": 3000,
        "policies": [POLICY + "head-more"],
        "security_groups": ["sg-0aaa1234"],
    },
    login=[
        {
            "name": "login",
            "subnet": "public-a",
            "instance_type": "c6i.large",
            "count": 2,
            "policies": [POLICY + "login-more"],
            "security_groups": ["sg-0bbb1234"],
        }
    ],
    queues=[
        {
            "name": "cpu",
            "instance_types": ["c6i.2xlarge", "c6i.4xlarge"],
            "subnets": ["private-a"],
            "capacity": "spot",
            "min_nodes": 1,
            "max_nodes": 4,
            "multithreading": False,
            "placement_group": True,
            "custom_ami": "ami-0bbb1234",
            "root_volume": {"size_gib": 300, "type": "io2", "iops": 5000, "encrypted": True},
            "policies": [POLICY + "cpu-more"],
            "security_groups": ["sg-0ccc1234"],
        },
        {
            "name": "gpu",
            "instance_types": ["p5.48xlarge"],
            "subnets": ["private-a"],
            "capacity": "ondemand",
            "efa": True,
            "gpudirect": True,
        },
    ],
    slurm={
        "scaledown_idletime": 7,
        "queue_update_strategy": "DRAIN",
        "custom_settings": [{"SchedulerParameters": "bf_max_job_test=500"}, {"MaxArraySize": 10000}],
    },
    storage=[
        {
            "name": "shared",
            "mount": "/shared",
            "type": "ebs",
            "size_gib": 500,
            "volume_type": "gp3",
            "iops": 3500,
            "throughput": 200,
            "encrypted": True,
            "kms_key": KEY,
            "on_delete": "snapshot",
        },
        {
            "name": "efs",
            "mount": "/efs",
            "type": "efs",
            "performance_mode": "generalPurpose",
            "throughput_mode": "provisioned",
            "provisioned_throughput": 100,
            "encrypted": True,
            "kms_key": KEY,
            "encryption_in_transit": True,
            "on_delete": "retain",
        },
        {
            "name": "fsx",
            "mount": "/fsx",
            "type": "fsx-lustre",
            "size_gib": 2400,
            "deployment_type": "PERSISTENT_1",
            "throughput_per_tib": 50,
            "kms_key": KEY,
            "weekly_maintenance": "5:21:30",
            "hydration": {
                "import_bucket": "genomes",
                "import_path": "in",
                "export_bucket": "genomes",
                "export_path": "out",
                "chunk_size_mib": 2048,
                "auto_import": "NEW",
            },
            "on_delete": "delete",
        },
        {
            "name": "nas",
            "mount": "/nfs/nas",
            "type": "nfs",
            "server": "nas.example.org",
            "export": "/export/nas",
            "security_group": "sg-0ddd1234",
        },
    ],
    directory={
        "domain_name": "corp.example.org",
        "address": ["ldaps://ldap1.example.org", "ldaps://ldap2.example.org"],
        "read_only_user": "cn=reader,dc=corp,dc=example,dc=org",
        "password_secret": SECRET,
        "ca_certificate": "/opt/ca.pem",
        "verify_certificate": "demand",
        "access_filter": "memberOf=cn=hpc",
        "generate_ssh_keys": False,
    },
    access={"secrets": [SECRET], "kms_keys": [KEY], "buckets": [{"name": "data", "prefix": "a/", "write": True}]},
    identity={"ceiling": POLICY + "ceiling"},
    software={
        "accounting": False,
        "spack": True,
        "spack_release": {"version": "0.22.2", "sha256": "ef" * 32},
    },
    hooks={
        "on_node_start": [{"script": "site/start.sh", "args": ["a b"], "nodes": ["head"]}],
        "on_node_configured": [{"script": "site/after.sh", "args": ['say "hi"'], "nodes": ["compute"]}],
        "on_node_updated": [{"script": "site/updated.sh", "nodes": ["head"]}],
        "job_prolog": [{"script": "site/start.sh"}],
        "job_epilog": [{"script": "site/after.sh"}],
    },
    downloads=[{"name": "tool", "url": "https://example.org/tool.tgz", "sha256": "ab" * 32}],
    rollout="drain",
    notifications={"emails": ["team@example.org"]},
    logs={"retention_days": 90},
    tags={"CostCenter": "4711"},
    parallelcluster={"raw": {"HeadNode": {"SharedStorageType": "Efs"}}},
)
"""Every key of the model set to something other than its default, as far as they can go together."""


def references(**changes: Any) -> References:
    """The stack's values as texts, as ParallelCluster gets to see them."""
    values: dict[str, Any] = {
        "permissions_boundary": POLICY + "clusterform/demo/boundary",
        "key_name": "demo-key",
        "engine_bucket": "engine-bucket",
        "entry_url": "s3://staging-bucket/entry.sh",
        "head_policies": [POLICY + "head", POLICY + "deny"],
        "compute_policies": [POLICY + "compute", POLICY + "deny"],
        "login_policies": [POLICY + "login"],
        "owner": STACK_ID,
        "manifest_sha256": "cd" * 32,
    }
    return References(**(values | changes))


def render(spec: Cluster, **changes: Any) -> dict[str, Any]:
    """The document of cluster ``demo``."""
    return cluster_configuration("demo", spec, load(), references(**changes))
