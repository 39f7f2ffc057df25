"""All examples as one account in one Region holds them: the closed world that policies are judged in.

The example files are moved to the partition's Region and given the partition in their ARNs, as text, and loaded
and checked as people's files are. Beside them stand a cluster that uses everything and one with the longest name.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from config.loader import LoadedCluster
from config.models.account import Account
from config.models.storage_file import StorageFile
from config.project import load
from config.selection import select
from config.standalone import LoadedFile
from hpc_constructs.rendering_findings import consequences
from stacks.application import synthesize
from tests.assembly import CONTEXT
from tests.factories import document
from tests.iam.resolver import PARTITIONS, Resolver
from tests.iam.templates import LONGEST_NAME
from tests.privilege.examples import everything, fragment, storage
from tests.projects import Project, with_account

REGION = re.compile(r"\b[a-z]{2}-(?:north|south|east|west|central)[a-z]*-\d")
HOOKS = ("start", "after", "updated")
Loaded = LoadedCluster | LoadedFile[StorageFile] | LoadedFile[Account]


@dataclass(frozen=True)
class OwnNames(Resolver):
    """Resolves as ever, and gives each stack's key pair an id of its own."""

    exports: dict[str, Any] = field(default_factory=dict)

    def _attribute(self, name: str, attribute: str) -> Any:
        if attribute == "KeyPairId":
            return f"key-0{hashlib.sha256(self.stack.encode()).hexdigest()[:16]}"
        return super()._attribute(name, attribute)


@dataclass(frozen=True, eq=False)
class Deployed:
    """One stack of the world, with the file that it comes from."""

    kind: str
    loaded: Loaded
    template: dict[str, Any]
    partition: str
    region: str

    @property
    def name(self) -> str:
        """The stack's name."""
        return "clusterform-account" if self.kind == "account" else f"clusterform-{self.kind}-{self.loaded.name}"

    @property
    def cluster(self) -> str:
        """The cluster's or storage file's name."""
        return self.loaded.name

    @cached_property
    def resolver(self) -> Resolver:
        return OwnNames(self.template, self.partition, self.region, self.name)

    @property
    def resources(self) -> dict[str, dict[str, Any]]:
        return self.template["Resources"]

    def of_type(self, type_name: str) -> dict[str, dict[str, Any]]:
        """Properties of the resources of a type by logical id."""
        return {
            logical_id: each.get("Properties", {})
            for logical_id, each in self.resources.items()
            if each["Type"] == type_name
        }

    @property
    def configuration(self) -> dict[str, Any] | None:
        """What ParallelCluster is given, unresolved."""
        cluster = self.resources.get("Cluster")
        return cluster["Properties"]["ClusterConfiguration"] if cluster else None

    def line(self, *path: str | int) -> str:
        """Where a key stands, as ``FILE:LINE key``; of what stands in no file, the key that decides by default."""
        origins = self.loaded.origins
        known = next((path[:end] for end in range(len(path), 0, -1) if path[:end] in origins), None)
        key = ".".join(str(part) for part in path)
        if known is None or origins[known].line is None:
            return f"{key} (default)"
        return f"{origins[known].file}:{origins[known].line} {key}"


@dataclass(frozen=True, eq=False)
class World:
    """All stacks of one account, Region and partition. What is worked out about one is kept."""

    partition: str
    region: str
    stacks: tuple[Deployed, ...]

    @property
    def clusters(self) -> list[Deployed]:
        return [stack for stack in self.stacks if stack.kind == "pc"]

    def stack(self, cluster: str) -> Deployed:
        """The stack of a cluster or storage file."""
        return next(stack for stack in self.stacks if stack.cluster == cluster)


@cache
def world(partition: str) -> World:
    """The examples in a partition, synthesized once."""
    return _synthesized(partition, _project(partition, {}))


@cache
def siblings(partition: str) -> World:
    """Clusters whose names begin with that of ``demo``."""
    names = ("demo", "demo-a", "demo2", "demo-2026")
    return _synthesized(partition, _project(partition, {name: everything(partition) for name in names}, only=True))


def pair(partition: str) -> World:
    """Two of them, with a storage file and the account: small, and with all that a check looks at."""
    both = siblings(partition)
    return replace(both, stacks=tuple(stack for stack in both.stacks if stack.cluster not in ("demo-a", "demo2")))


def _project(partition: str, clusters: dict[str, dict[str, Any]], *, only: bool = False) -> Project:
    project = with_account(Path(tempfile.mkdtemp(prefix="clusterform-privilege-")))
    given = clusters or {
        "everything": everything(partition),
        "fragment": fragment(partition),
        # Called as if it were the storage file's.
        "storage-datasets": document(),
        LONGEST_NAME: everything(partition),
    }
    if only:
        for path in (project.root / "config/clusters").glob("*.yaml"):
            path.unlink()
    for name, content in given.items():
        project.write(f"config/clusters/{name}.yaml", json.dumps(content))
    if not only:
        project.write("config/storage/datasets.yaml", json.dumps(storage(partition)))
    for hook in HOOKS:
        project.write(f"site/{hook}.sh", f"#!/bin/bash\necho {hook}\n")
    for folder in ("clusters", "storage", "profiles"):
        for path in (project.root / "config" / folder).glob("*.yaml"):
            path.write_text(moved(path.read_text(encoding="utf-8"), partition), encoding="utf-8")
    account = project.root / "config/account.yaml"
    account.write_text(moved(account.read_text(encoding="utf-8"), partition), encoding="utf-8")
    return project


def moved(text: str, partition: str) -> str:
    """A file's text in the partition's Region."""
    return REGION.sub(PARTITIONS[partition], text).replace("arn:aws:", f"arn:{partition}:")


def _synthesized(partition: str, project: Project) -> World:
    loaded = load(project.root, select({}, project.root))
    assert consequences(loaded) == []
    with tempfile.TemporaryDirectory() as folder:
        outdir = Path(folder)
        synthesize(loaded, CONTEXT, project.root, outdir)
        files: list[tuple[str, Loaded]] = [
            *(("pc", cluster) for cluster in loaded.clusters),
            *(("storage", file) for file in loaded.storage),
            *([("account", loaded.account)] if loaded.account else []),
        ]
        stacks = []
        for kind, file in files:
            name = "clusterform-account" if kind == "account" else f"clusterform-{kind}-{file.name}"
            template = json.loads((outdir / f"{name}.template.json").read_text(encoding="utf-8"))
            stacks.append(Deployed(kind, file, template, partition, PARTITIONS[partition]))
    return World(partition, PARTITIONS[partition], tuple(stacks))
