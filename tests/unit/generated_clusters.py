"""Clusters drawn from our models, such as a user may write.

Bounds: one Region, two zones, the instance types of the catalogue; no fragment of ParallelCluster's
own configuration, no storage file. Values sit at or near their limits, and what our own rules refuse is left out.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import assume, reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from pydantic import ValidationError

from config.facts.instance_types import load
from config.findings import KeyPath, Severity
from config.models.cluster import Cluster
from config.rules.base import Subject
from config.rules.run import check
from tests.factories import MINIMAL

Document = dict[str, Any]

KEY = "arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d-0000-1111-2222-333344445555"
POLICY = "arn:aws:iam::123456789012:policy/more"
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:ldap-AbCdEf"
SUBNETS = ("private-a", "private-b", "public-a")
VOLUME_TYPES = ("gp2", "gp3", "io1", "io2", "st1")
SIZES = (1, 4, 40, 45, 100, 500, 16384, 65536)
IOPS = (100, 3000, 4000, 16000, 64000, 256000)
THROUGHPUT = (125, 250, 1000)
NAMES = ("a", "cpu", "b-2", "abcdefghijklmnopqrstuvwxy")


def some(required: Document, **optional: SearchStrategy[Any]) -> SearchStrategy[Document]:
    """A mapping with the required values and about a third of the optional ones."""
    drawn = st.fixed_dictionaries({key: st.none() | st.none() | values for key, values in optional.items()})
    return drawn.map(lambda found: required | {key: value for key, value in found.items() if value is not None})


def sampled(*values: Any) -> SearchStrategy[Any]:
    return st.sampled_from(values)


def one_of(names: Sequence[str]) -> SearchStrategy[str]:
    """Like ``sampled``, for so many that their listing in a strategy's repr would be slow."""
    return st.integers(0, len(names) - 1).map(lambda index: names[index])


def root_volumes() -> SearchStrategy[Document]:
    return some(
        {},
        size_gib=sampled(*SIZES),
        type=sampled(*VOLUME_TYPES),
        iops=sampled(*IOPS),
        throughput=sampled(*THROUGHPUT),
        encrypted=st.booleans(),
    )


def head_nodes(types: SearchStrategy[str]) -> SearchStrategy[Document]:
    dcv = some({"enabled": True}, port=sampled(1, 8443, 65535), allowed_cidrs=st.just(["10.2.0.0/16"]))
    node = some(
        {},
        subnet=sampled("public-a", "private-b"),
        elastic_ip=st.booleans(),
        multithreading=st.booleans(),
        root_volume=root_volumes(),
        dcv=dcv,
        bootstrap_timeout=sampled(1, 1800, 43200),
        policies=st.just([POLICY]),
        security_groups=st.just(["sg-0aaa1234"]),
    )
    return st.builds(lambda kind, rest: {"instance_type": kind, "subnet": "public-a"} | rest, types, node)


def queues(types: SearchStrategy[str], for_efa: SearchStrategy[str]) -> SearchStrategy[Document]:
    return _queues(types, sampled(*SUBNETS), {}) | _queues(for_efa, st.just("private-a"), {"efa": True})


def _queues(types: SearchStrategy[str], subnets: SearchStrategy[str], fixed: Document) -> SearchStrategy[Document]:
    settings = some(
        {},
        capacity=sampled("spot", "ondemand"),
        min_nodes=sampled(0, 1, 8),
        max_nodes=sampled(1, 8, 1000),
        multithreading=st.booleans(),
        efa=st.booleans(),
        gpudirect=st.booleans(),
        placement_group=st.booleans(),
        custom_ami=st.just("ami-0bbb1234"),
        root_volume=root_volumes(),
        policies=st.just([POLICY]),
        security_groups=st.just(["sg-0aaa1234"]),
    )
    return st.builds(
        lambda name, kinds, places, rest: (
            {"name": name, "instance_types": kinds, "subnets": places} | rest | fixed
        ),
        sampled(*NAMES),
        st.lists(types, min_size=1, max_size=4, unique=True),
        st.lists(subnets, min_size=1, max_size=2, unique=True),
        settings,
    )


def pools(types: SearchStrategy[str]) -> SearchStrategy[Document]:
    settings = some(
        {"subnet": "public-a"},
        instance_type=types,
        count=sampled(0, 1, 10),
        policies=st.just([POLICY]),
        security_groups=st.just(["sg-0aaa1234"]),
    )
    return st.builds(lambda name, rest: {"name": name} | rest, sampled("login", "login-2"), settings)


def filesystems() -> SearchStrategy[Document]:
    shared = {"encrypted": st.booleans(), "kms_key": st.just(KEY), "on_delete": sampled("retain", "delete")}
    hydration = some(
        {"import_bucket": "genomes"},
        export_bucket=st.just("genomes"),
        export_path=sampled("export", "a/b"),
        chunk_size_mib=sampled(1024, 512000),
        auto_import=sampled("NONE", "NEW", "NEW_CHANGED", "NEW_CHANGED_DELETED"),
    )
    ebs = some(
        {"type": "ebs"},
        size_gib=sampled(*SIZES),
        volume_type=sampled(*VOLUME_TYPES),
        iops=sampled(*IOPS),
        throughput=sampled(*THROUGHPUT),
        **shared | {"on_delete": sampled("retain", "delete", "snapshot")},
    )
    efs = some(
        {"type": "efs"},
        performance_mode=sampled("generalPurpose", "maxIO"),
        throughput_mode=sampled("bursting", "provisioned"),
        provisioned_throughput=sampled(1, 1024),
        encryption_in_transit=st.booleans(),
        **shared,
    )
    lustre = some(
        {"type": "fsx-lustre"},
        size_gib=sampled(1200, 2400, 3600, 4800, 7200),
        deployment_type=sampled("SCRATCH_1", "SCRATCH_2", "PERSISTENT_1", "PERSISTENT_2"),
        throughput_per_tib=sampled(50, 100, 125, 200, 250, 500, 1000),
        kms_key=st.just(KEY),
        hydration=hydration,
        on_delete=sampled("retain", "delete"),
    )
    existing = sampled(
        {"type": "ebs", "id": "vol-0abc1234"},
        {"type": "efs", "id": "fs-0abc1234"},
        {"type": "fsx-lustre", "id": "fs-0abc1234567890123"},
    )
    made_by = sampled({}, {"managed_by": "stack"})
    return st.builds(lambda one, by: one | (by if "id" not in one else {}), ebs | efs | lustre | existing, made_by)


@st.composite
def documents(draw: DrawFn, version: str) -> Document:
    """A cluster's document, right or wrong; the whole catalogue of one architecture is in reach."""
    arch = draw(sampled("arm64", "x86_64"))
    known = sorted(name for name in load() if load()[name].architecture == arch)
    types = st.one_of(one_of(known), one_of(known), one_of(known), one_of(sorted(load())))
    for_efa = one_of([name for name in known if load()[name].efa])
    stores = draw(st.lists(filesystems(), max_size=4))
    mounts = draw(st.permutations(["/shared", "/home", "/data/a", "/data/b"]))
    rest = draw(
        some(
            {},
            environment=sampled("dev", "test", "stage"),
            custom_ami=st.just("ami-0aaa1234"),
            session_manager=st.booleans(),
            slurm=some(
                {},
                scaledown_idletime=sampled(1, 60),
                queue_update_strategy=sampled("COMPUTE_FLEET_STOP", "DRAIN", "TERMINATE"),
                custom_settings=st.just([{"KillWait": 60}]),
            ),
            directory=st.just(
                {
                    "domain_name": "dc=corp,dc=example,dc=org",
                    "address": ["ldaps://ldap.example.org"],
                    "read_only_user": "cn=reader,dc=corp,dc=example,dc=org",
                    "password_secret": SECRET,
                }
            ),
            access=st.just({"buckets": [{"name": "genomes"}, {"name": "results", "write": True}]}),
            software=some({}, accounting=st.booleans()),
            logs=some({}, retention_days=sampled(1, 30, 3653)),
            rollout=sampled("next_boot", "drain"),
            tags=st.just({"cost": "42"}),
        )
    )
    return (
        copy.deepcopy(MINIMAL)
        | {
            "parallelcluster_version": version,
            "os": draw(sampled("ubuntu2204", "ubuntu2404", "rhel9", "alinux2023")),
            "head_node": draw(head_nodes(types)),
            "queues": draw(
                st.lists(queues(types, for_efa), min_size=1, max_size=3, unique_by=lambda one: one["name"])
            ),
            "login": draw(st.lists(pools(types), max_size=2, unique_by=lambda one: one["name"])),
            "storage": [
                {"name": f"s{index}", "mount": mount} | one
                for index, (one, mount) in enumerate(zip(stores, mounts, strict=False))
            ],
        }
        | rest
    )


@st.composite
def accepted_clusters(draw: DrawFn, version: str) -> Cluster:
    """A cluster that our models and rules accept: what they refuse of a drawn document is left out of it."""
    document = draw(documents(version))
    for _ in range(8):
        try:
            spec = Cluster.model_validate(document)
        except ValidationError as error:
            refused = [tuple(one["loc"]) for one in error.errors()]
        else:
            found = check(Subject("demo", spec, load(), Path()))
            refused = [problem.path for rule, problem in found if rule.severity is Severity.ERROR]
            if not refused:
                return spec
        assume(_left_out(document, max(refused, key=str)))
    reject()


def _left_out(document: Document, path: KeyPath) -> bool:
    """Take the value at the path out of the document, or what is nearest around it; whether there was any."""
    within: list[Any] = [document]
    for part in path:
        try:
            within.append(within[-1][part])
        except (KeyError, IndexError, TypeError):
            break
    if len(within) < 2:
        return False
    del within[-2][path[len(within) - 2]]
    return True
