"""Every key of a cluster file reaches the document or the manifest, or is used somewhere that is named here."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import pytest

from bootstrap_assets.renderer import render_manifest
from config.models.base import Model
from config.models.cluster import Cluster
from tests.parallelcluster_cases import FULL, render

# What each key is changed to, in the cluster that has everything set. A key stands as ``Model.key``; the path
# leads to one place of it.
CHANGES: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "Cluster.region": (("region",), "eu-west-1"),
    "Cluster.environment": (("environment",), "test"),
    "Cluster.os": (("os",), "alinux2023"),
    "Cluster.custom_ami": (("custom_ami",), "ami-0ccc1234"),
    "Cluster.rollout": (("rollout",), "next_boot"),
    "Cluster.tags": (("tags",), {"CostCenter": "1"}),
    "Owner.name": (("owner", "name"), "others"),
    "Owner.email": (("owner", "email"), "others@example.org"),
    "Owner.department": (("owner", "department"), "imaging"),
    "Owner.project": (("owner", "project"), "other"),
    "Subnet.id": (("network", "subnets", "private-a", "id"), "subnet-0ddd1234"),
    "Ssh.allowed_cidrs": (("ssh", "allowed_cidrs"), ["10.9.0.0/16"]),
    "HeadNode.instance_type": (("head_node", "instance_type"), "m6i.xlarge"),
    "HeadNode.subnet": (("head_node", "subnet"), "private-b"),
    "HeadNode.elastic_ip": (("head_node", "elastic_ip"), False),
    "HeadNode.multithreading": (("head_node", "multithreading"), True),
    "HeadNode.bootstrap_timeout": (("head_node", "bootstrap_timeout"), 3100),
    "HeadNode.policies": (("head_node", "policies"), []),
    "HeadNode.security_groups": (("head_node", "security_groups"), []),
    "RootVolume.size_gib": (("head_node", "root_volume", "size_gib"), 130),
    "RootVolume.type": (("head_node", "root_volume", "type"), "gp2"),
    "RootVolume.iops": (("head_node", "root_volume", "iops"), 5000),
    "RootVolume.throughput": (("head_node", "root_volume", "throughput"), 300),
    "RootVolume.encrypted": (("head_node", "root_volume", "encrypted"), False),
    "Dcv.enabled": (("head_node", "dcv", "enabled"), False),
    "Dcv.port": (("head_node", "dcv", "port"), 8445),
    "Dcv.allowed_cidrs": (("head_node", "dcv", "allowed_cidrs"), ["10.3.0.0/16"]),
    "LoginPool.name": (("login", 0, "name"), "entry"),
    "LoginPool.subnet": (("login", 0, "subnet"), "private-b"),
    "LoginPool.instance_type": (("login", 0, "instance_type"), "m6i.large"),
    "LoginPool.count": (("login", 0, "count"), 3),
    "LoginPool.policies": (("login", 0, "policies"), []),
    "LoginPool.security_groups": (("login", 0, "security_groups"), []),
    "Queue.name": (("queues", 0, "name"), "batch"),
    "Queue.instance_types": (("queues", 0, "instance_types"), ["m6i.large"]),
    "Queue.subnets": (("queues", 0, "subnets"), ["private-b"]),
    "Queue.capacity": (("queues", 0, "capacity"), "ondemand"),
    "Queue.min_nodes": (("queues", 0, "min_nodes"), 2),
    "Queue.max_nodes": (("queues", 0, "max_nodes"), 5),
    "Queue.multithreading": (("queues", 0, "multithreading"), True),
    "Queue.efa": (("queues", 1, "efa"), False),
    "Queue.gpudirect": (("queues", 1, "gpudirect"), False),
    "Queue.placement_group": (("queues", 0, "placement_group"), False),
    "Queue.custom_ami": (("queues", 0, "custom_ami"), "ami-0ddd1234"),
    "Queue.policies": (("queues", 0, "policies"), []),
    "Queue.security_groups": (("queues", 0, "security_groups"), []),
    "Slurm.scaledown_idletime": (("slurm", "scaledown_idletime"), 8),
    "Slurm.queue_update_strategy": (("slurm", "queue_update_strategy"), "TERMINATE"),
    "Slurm.custom_settings": (("slurm", "custom_settings"), []),
    "Ebs.type": (("storage", 0), {"name": "shared", "mount": "/shared", "type": "efs"}),
    "Ebs.name": (("storage", 0, "name"), "other"),
    "Ebs.mount": (("storage", 0, "mount"), "/other"),
    "Ebs.id": (("storage", 0, "id"), "vol-0abc1234"),
    "Ebs.size_gib": (("storage", 0, "size_gib"), 600),
    "Ebs.volume_type": (("storage", 0, "volume_type"), "io1"),
    "Ebs.iops": (("storage", 0, "iops"), 3600),
    "Ebs.throughput": (("storage", 0, "throughput"), 201),
    "Ebs.encrypted": (("storage", 0, "encrypted"), False),
    "Ebs.kms_key": (("storage", 0, "kms_key"), None),
    "Ebs.on_delete": (("storage", 0, "on_delete"), "delete"),
    "Ebs.managed_by": (("storage", 0, "managed_by"), "stack"),
    "Efs.type": (("storage", 1), {"name": "efs", "mount": "/efs", "type": "ebs"}),
    "Efs.name": (("storage", 1, "name"), "other"),
    "Efs.mount": (("storage", 1, "mount"), "/other"),
    "Efs.id": (("storage", 1, "id"), "fs-0abc1234"),
    "Efs.performance_mode": (("storage", 1, "performance_mode"), "maxIO"),
    "Efs.throughput_mode": (("storage", 1, "throughput_mode"), "bursting"),
    "Efs.provisioned_throughput": (("storage", 1, "provisioned_throughput"), 101),
    "Efs.encrypted": (("storage", 1, "encrypted"), False),
    "Efs.kms_key": (("storage", 1, "kms_key"), None),
    "Efs.encryption_in_transit": (("storage", 1, "encryption_in_transit"), False),
    "Efs.on_delete": (("storage", 1, "on_delete"), "delete"),
    "Efs.managed_by": (("storage", 1, "managed_by"), "stack"),
    "Efs.security_group": (("storage", 1, "security_group"), "sg-0abc1234"),
    "FsxLustre.type": (("storage", 2), {"name": "fsx", "mount": "/fsx", "type": "ebs"}),
    "FsxLustre.name": (("storage", 2, "name"), "other"),
    "FsxLustre.mount": (("storage", 2, "mount"), "/other"),
    "FsxLustre.id": (("storage", 2, "id"), "fs-0abc1234567890123"),
    "FsxLustre.size_gib": (("storage", 2, "size_gib"), 4800),
    "FsxLustre.deployment_type": (("storage", 2, "deployment_type"), "PERSISTENT_2"),
    "FsxLustre.throughput_per_tib": (("storage", 2, "throughput_per_tib"), 100),
    "FsxLustre.kms_key": (("storage", 2, "kms_key"), None),
    "FsxLustre.weekly_maintenance": (("storage", 2, "weekly_maintenance"), "1:02:03"),
    "FsxLustre.hydration": (("storage", 2, "hydration"), None),
    "FsxLustre.on_delete": (("storage", 2, "on_delete"), "retain"),
    "FsxLustre.managed_by": (("storage", 2, "managed_by"), "stack"),
    "FsxLustre.security_group": (("storage", 2, "security_group"), "sg-0abc1234"),
    "Hydration.import_bucket": (("storage", 2, "hydration", "import_bucket"), "proteins"),
    "Hydration.import_path": (("storage", 2, "hydration", "import_path"), "source"),
    "Hydration.export_bucket": (("storage", 2, "hydration", "export_bucket"), "proteins"),
    "Hydration.export_path": (("storage", 2, "hydration", "export_path"), "results"),
    "Hydration.chunk_size_mib": (("storage", 2, "hydration", "chunk_size_mib"), 4096),
    "Hydration.auto_import": (("storage", 2, "hydration", "auto_import"), "NONE"),
    "Nfs.type": (("storage", 3), {"name": "nas", "mount": "/nfs/nas", "type": "efs"}),
    "Nfs.name": (("storage", 3, "name"), "other"),
    "Nfs.mount": (("storage", 3, "mount"), "/nfs/other"),
    "Nfs.server": (("storage", 3, "server"), "10.0.0.7"),
    "Nfs.export": (("storage", 3, "export"), "/export/other"),
    "Nfs.security_group": (("storage", 3, "security_group"), "sg-0eee1234"),
    "Directory.domain_name": (("directory", "domain_name"), "other.example.org"),
    "Directory.address": (("directory", "address"), ["ldaps://other.example.org"]),
    "Directory.read_only_user": (("directory", "read_only_user"), "cn=other"),
    "Directory.password_secret": (
        ("directory", "password_secret"),
        "arn:aws:secretsmanager:us-east-1:123456789012:secret:other-AbCdEf",
    ),
    "Directory.ca_certificate": (("directory", "ca_certificate"), "/opt/other.pem"),
    "Directory.verify_certificate": (("directory", "verify_certificate"), "hard"),
    "Directory.access_filter": (("directory", "access_filter"), "memberOf=cn=other"),
    "Directory.generate_ssh_keys": (("directory", "generate_ssh_keys"), True),
    "Hooks.on_node_start": (("hooks", "on_node_start"), []),
    "Hooks.on_node_configured": (("hooks", "on_node_configured"), []),
    "Hooks.on_node_updated": (("hooks", "on_node_updated"), []),
    "Hooks.job_prolog": (("hooks", "job_prolog"), []),
    "Hooks.job_epilog": (("hooks", "job_epilog"), []),
    "JobHook.script": (("hooks", "job_prolog", 0, "script"), "site/after.sh"),
    "Hook.script": (("hooks", "on_node_configured", 0, "script"), "site/updated.sh"),
    "Hook.args": (("hooks", "on_node_configured", 0, "args"), ["other"]),
    "Hook.nodes": (("hooks", "on_node_configured", 0, "nodes"), ["head"]),
    "Download.name": (("downloads", 0, "name"), "other"),
    "Download.url": (("downloads", 0, "url"), "https://example.org/other.tgz"),
    "Download.sha256": (("downloads", 0, "sha256"), "cd" * 32),
    "Software.spack": (("software", "spack"), False),
    "Software.spack_release": (("software", "spack_release"), None),
    "SpackRelease.version": (("software", "spack_release", "version"), "0.22.1"),
    "SpackRelease.sha256": (("software", "spack_release", "sha256"), "cd" * 32),
    "Subnet.internet": (("network", "subnets", "public-a", "internet"), False),
    "Logs.retention_days": (("logs", "retention_days"), 365),
    "ParallelClusterOptions.raw": (("parallelcluster", "raw"), {}),
}

ELSEWHERE = {
    "Cluster.engine": "app.py chooses the stack by it",
    "Cluster.parallelcluster_version": "the provider's template address, hpc_constructs.parallelcluster.construct",
    "Cluster.account": "the stack's environment, stacks.parallelcluster_cluster",
    "Cluster.extends": "the loader's layers",
    "Cluster.termination_protection": "the stack itself, config.derived",
    "Cluster.session_manager": "the nodes' policies, hpc_constructs.identity.rendering_grants",
    "Network.vpc_id": "the rules; ParallelCluster takes the VPC from the subnets",
    "Subnet.zone": "the rules on several zones",
    "Network.endpoints": "what is said of subnets without internet, bootstrap_assets.findings",
    "Network.package_mirror": "the same",
    "Hook.seconds": "the budget of a start, bootstrap_assets.budget",
    "Ssh.key_reader": "who may read the private key, hpc_constructs.secrets",
    "Access.secrets": "policies and boundary, hpc_constructs.identity.rendering_grants",
    "Access.kms_keys": "policies and boundary, hpc_constructs.identity.rendering_grants",
    "Bucket.name": "policies and boundary, hpc_constructs.identity.rendering_grants",
    "HeadNode.home_on_root_volume": "a rule of production alone, config.rules.imports",
    **dict.fromkeys(
        ("Ebs.acknowledge_data_loss", "Efs.acknowledge_data_loss", "FsxLustre.acknowledge_data_loss"),
        "a rule of production alone, config.rules.storage",
    ),
    **dict.fromkeys(
        (
            *("Imported.type", "Imported.name", "Imported.mount", "Imported.from_", "Imported.filesystem"),
            "Imported.encryption_in_transit",
        ),
        "another filesystem, tests/unit/test_storage_imports.py",
    ),
    "Bucket.prefix": "policies and boundary, hpc_constructs.identity.rendering_grants",
    "Bucket.write": "policies and boundary, hpc_constructs.identity.rendering_grants",
    "Identity.ceiling": "the roles that manage things, hpc_constructs.identity",
    "Software.accounting": "the database's secret, hpc_constructs.secrets",
    "Notifications.emails": "the topic's subscriptions, hpc_constructs.notifications",
    "Notifications.topic_arn": "who the lifecycle function tells, hpc_constructs.parallelcluster.lifecycle",
    "Notifications.webhook_secret": "the same",
}

# Keys that only hold other models, and are seen through those.
CONTAINERS = {
    *("Cluster.owner", "Cluster.network", "Cluster.ssh", "Cluster.head_node", "Cluster.login", "Cluster.queues"),
    *("Cluster.slurm", "Cluster.storage", "Cluster.directory", "Cluster.access", "Cluster.identity"),
    *("Cluster.software", "Cluster.hooks", "Cluster.downloads", "Cluster.notifications", "Cluster.logs"),
    *("Cluster.parallelcluster", "Network.subnets", "HeadNode.root_volume", "HeadNode.dcv", "Queue.root_volume"),
    "Access.buckets",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("root")
    (folder / "site").mkdir()
    for name in ("start", "after", "updated"):
        (folder / "site" / f"{name}.sh").write_text(f"#!/bin/bash\necho {name}\n")
    return folder


def test_every_key_of_the_model_is_accounted_for() -> None:
    keys = {f"{model.__name__}.{key}" for model in _models(Cluster) for key in model.model_fields}

    assert keys == CHANGES.keys() | ELSEWHERE.keys() | CONTAINERS


@pytest.mark.parametrize("key", CHANGES)
def test_a_changed_key_changes_what_the_cluster_is_given(key: str, root: Path) -> None:
    path, value = CHANGES[key]
    changed = copy.deepcopy(FULL)
    place: Any = changed
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value

    assert _outcome(changed, root) != _outcome(FULL, root)


@pytest.mark.parametrize("key", sorted(CONTAINERS & {"HeadNode.root_volume", "Queue.root_volume"}))
def test_both_kinds_of_node_have_their_own_root_volume(key: str, root: Path) -> None:
    changed = copy.deepcopy(FULL)
    node = changed["head_node"] if key.startswith("HeadNode") else changed["queues"][0]
    node["root_volume"]["size_gib"] = 999

    assert _outcome(changed, root) != _outcome(FULL, root)


def _outcome(document: dict[str, Any], root: Path) -> tuple[Any, list[str]]:
    spec = Cluster.model_validate(document)
    return render(spec), render_manifest("demo", spec, root).lines()


def _models(model: type[Model]) -> set[type[Model]]:
    found = {model}
    for field in model.model_fields.values():
        for inner in _inner(field.annotation):
            found |= _models(inner)
    return found


def _inner(annotation: Any) -> list[type[Model]]:
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return [annotation] if issubclass(annotation, Model) else []
    arguments = get_args(annotation)[:1] if get_origin(annotation) is Annotated else get_args(annotation)
    return [model for argument in arguments for model in _inner(argument)]


def test_changed_scripts_around_jobs_change_the_head_nodes_update_alone() -> None:
    """So the cluster is updated, and its head node brings the next job the changed ones."""
    before, after = (render(Cluster.model_validate(FULL), job_sha256=sha256) for sha256 in (None, "aa" * 32))

    updated = after["HeadNode"]["CustomActions"]["OnNodeUpdated"]
    assert updated["Args"][4:] == ["jobs", "aa" * 32]
    updated["Args"] = updated["Args"][:4]
    assert before == after
