"""A file with every kind of key that people write, read as one: what it says is what comes out."""

from __future__ import annotations

from pathlib import Path

from config.project import load
from config.selection import select
from tests.projects import Project, create

SAMPLE = """\
engine: parallelcluster
parallelcluster_version: 3.16.1
account: "123456789012"
region: us-east-1
extends: research
owner: {name: compbio-ops, email: hpc@example.org, department: compbio, project: polaroid}
environment: stage
os: ubuntu2404
network:
  vpc_id: vpc-0abc1234
  subnets:
    public-a: {id: subnet-0aaa1234, zone: us-east-1a}
    private-a: {id: subnet-0bbb1234, zone: us-east-1a}
ssh: {allowed_cidrs: [10.0.0.0/16]}
head_node: {instance_type: c8g.xlarge, subnet: public-a}
login: [{name: login, instance_type: c8g.large, count: 2, subnet: public-a}]
queues:
  - {name: cpu, instance_types: [c8g.2xlarge, c8g.4xlarge], capacity: spot, min_nodes: 0, max_nodes: 8,
     subnets: [private-a]}
  - {name: gpu, instance_types: [g5g.4xlarge], capacity: ondemand, max_nodes: 2, subnets: [private-a], efa: false}
storage:
  - {name: home, mount: /home, from: shared-home}
  - {name: scratch, mount: /fsx, type: fsx-lustre, size_gib: 1200, on_delete: delete}
directory: {}
access: {secrets: [], kms_keys: [], buckets: []}
software: {spack: true, accounting: true}
hooks: {on_node_configured: [{script: site/after.sh, args: [], nodes: [compute]}]}
parallelcluster: {raw: {}}
"""
STORAGE = """\
region: us-east-1
owner: {name: storage, email: hpc@example.org}
network: {vpc_id: vpc-0abc1234, subnets: {a: {id: subnet-0aaa1234, zone: us-east-1a}}}
filesystems: [{name: home, type: efs}]
"""


def _project(folder: Path) -> Project:
    project = create(folder, {"sample": SAMPLE})
    project.write("config/profiles/research.yaml", "logs: {retention_days: 14}\n")
    project.write("config/storage/shared-home.yaml", STORAGE)
    project.write("site/after.sh", "#!/bin/bash\necho after\n")
    return project


def test_every_key_is_taken(tmp_path: Path) -> None:
    root = _project(tmp_path).root

    loaded = load(root, select({"cluster": "sample"}, root))

    spec = loaded.clusters[0].spec
    assert spec.directory is None, "an empty mapping is no directory"
    assert spec.logs.retention_days == 14
    assert [queue.name for queue in spec.queues] == ["cpu", "gpu"]
    assert [storage.mount for storage in spec.storage] == ["/home", "/fsx"]
    assert spec.hooks.on_node_configured[0].nodes == ["compute"]
