"""Every right on a bucket comes from a line of a file, or from a bucket that the stack itself declares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from config.derived import export_target
from config.models.account import Account
from config.models.cluster import Cluster
from config.models.storage import FsxLustre
from tests.iam.resolver import ACCOUNT
from tests.privilege.documents import Paper, grants, listed, papers
from tests.privilege.world import Deployed, World

READS = ("s3:Get*", "s3:List*")
PROVIDER = "ProviderPolicy*"


@dataclass(frozen=True)
class Source:
    """What a line asks for: a bucket, the objects below a prefix, for some policies, to read or also to write."""

    line: str
    bucket: str
    policies: tuple[str, ...]
    prefix: str = ""
    write: bool = False

    def covers(self, paper: Paper, action: str, resource: str, listing: list[str]) -> bool:
        """Whether this line is the reason for an action on a resource; ``listing`` holds prefixes asked for."""
        bucket, _, key = resource.split(":::", 1)[1].partition("/")
        if bucket != self.bucket or not any(fnmatchcase(paper.logical_id, each) for each in self.policies):
            return False
        if not (self.write or any(fnmatchcase(action, each) for each in READS)):
            return False
        if key:
            return key.startswith(f"{self.prefix}/") if self.prefix else True
        below = [prefix.startswith(self.prefix) for prefix in listing]
        return not self.prefix or action != "s3:ListBucket" or (bool(below) and all(below))


def problems(world: World) -> list[str]:
    """Rights on buckets that no line asks for."""
    found = [f"{where}: {action} on {resource}" for where, action, resource, line in traces(world) if line is None]
    found += [
        f"{paper.label} {statement['Sid']}: a bucket's policy lets somebody in"
        for paper in papers(world)
        for statement in paper.allows
        if paper.type_name == "AWS::S3::BucketPolicy"
    ]
    return found


def traces(world: World) -> Iterator[tuple[str, str, str, str | None]]:
    """Each right on S3: where it stands, the action, the resource, and the line that asks for it."""
    for paper in grants(world):
        asked = sources(paper.stack)
        for statement in paper.allows:
            listing = listed(statement.get("Condition", {}).get("StringLike", {}).get("s3:prefix", []))
            for action in listed(statement["Action"]):
                for resource in listed(statement["Resource"]) if action.startswith("s3:") else []:
                    found = (each.line for each in asked if each.covers(paper, action, resource, listing))
                    yield f"{paper.label} {statement['Sid']}", action, resource, next(found, None)


def sources(stack: Deployed) -> list[Source]:
    """Everything that the files of a stack ask for of S3."""
    match stack.loaded.spec:
        case Cluster():
            return [*_own(stack), *_configured(stack)]
        case Account():
            return list(_execution(stack))
        case _:
            return []


def _execution(stack: Deployed) -> Iterator[Source]:
    """What CloudFormation deploys clusters with: the CDK's assets, the provider's release, clusters' buckets."""
    policies = ("ExecutionParts",)
    yield Source("the bootstrap (assets)", f"cdk-clform-assets-{ACCOUNT}-{stack.region}", policies)
    yield Source("the provider (releases)", f"{stack.region}-aws-parallelcluster", policies)
    yield Source("buckets of clusters' stacks", "clusterform-pc-*", policies, write=True)


def _own(stack: Deployed) -> Iterator[Source]:
    """The stack's buckets, the provider's, what AWS publishes, and the CDK's assets."""
    staging, engine = (stack.resolver.arn(each).rpartition(":")[2] for each in ("StagingBucket", "EngineBucket"))
    version = stack.line("parallelcluster_version")
    yield Source("own bucket StagingBucket", staging, ("StagingPolicy",), write=True)
    yield Source("own bucket StagingBucket", staging, ("ComputeBase", PROVIDER))
    yield Source("own bucket EngineBucket", engine, ("StagingPolicy", PROVIDER), write=True)
    yield Source(f"{version} (releases)", f"{stack.region}-aws-parallelcluster", (PROVIDER,))
    yield Source(f"{version} (the provider's bucket)", "*-pclustercustomresourceb*", (PROVIDER,), write=True)
    assets = f"cdk-clform-assets-{ACCOUNT}-{stack.region}"
    yield Source(f"{stack.line('hooks')} (assets)", assets, ("StagingPolicy",))


def _configured(stack: Deployed) -> Iterator[Source]:
    spec = stack.loaded.spec
    assert isinstance(spec, Cluster)
    if spec.head_node.dcv.enabled:
        yield Source(stack.line("head_node", "dcv"), f"dcv-license.{stack.region}", ("HeadCompute",))
    for number, bucket in enumerate(spec.access.buckets):
        line = stack.line("access", "buckets", number)
        yield Source(line, bucket.name, ("ComputeBase",), bucket.prefix.strip("/"), bucket.write)
    for number, storage in enumerate(spec.storage):
        if not isinstance(storage, FsxLustre) or storage.hydration is None:
            continue
        line, given = stack.line("storage", number, "hydration"), storage.hydration
        yield Source(line, given.import_bucket, ("HeadStorage",), given.import_path.strip("/"))
        bucket, path = export_target(storage) or ("", "")
        yield Source(line, bucket, ("HeadStorage",), path.strip("/"), write=True)
        # FSx wants these on the whole bucket, of whoever creates the filesystem.
        for each in dict.fromkeys((given.import_bucket, bucket)):
            yield Source(line, each, ("ProviderPolicyFeatures",), write=True)
    yield from _raw(stack, spec.parallelcluster.raw)


def _raw(stack: Deployed, raw: Any) -> Iterator[Source]:
    """Scripts that a fragment names, each as an object."""
    if isinstance(raw, str) and raw.startswith("s3://"):
        bucket, _, key = raw.removeprefix("s3://").partition("/")
        yield Source(stack.line("parallelcluster", "raw"), bucket, ("HeadStorage", "ComputeBase", PROVIDER), key)
    items = raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else []
    for item in items:
        yield from _raw(stack, item)
