"""What nodes in subnets without internet need instead: VPC endpoints, and a source of packages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bootstrap_assets.manifest import JOB, Script
from config.models.cluster import Cluster

ENGINE = ("cloudformation", "dynamodb", "ec2", "logs", "s3")
"""What ParallelCluster's nodes call, as its user guide lists it for subnets without internet."""
SESSIONS = ("ec2messages", "ssm", "ssmmessages")
"""What Systems Manager's agent calls, for sessions and commands."""
GATEWAYS = ("dynamodb", "s3")
"""The services with gateway endpoints, which cost nothing; the others have interface endpoints."""
PACKAGES = "packages"
"""Not a service: the sources from which a system's packages come."""
IN_S3 = ("alinux2023",)
"""Amazon Linux's repositories are buckets of the Region; Ubuntu's and Red Hat's are servers on the internet."""

_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_CALL = re.compile(
    r"(?:^|[;&|(!]|\b(?:do|else|if|then|until|while)\b)\s*aws "
    r"(?:--(?:endpoint-url|output|profile|query|region) \S+ |--\S+ )*([a-z0-9-]+) ",
    re.MULTILINE,
)
_INSTALL = re.compile(r"\b(?:apt-get|dnf|pip3?)\b[^\n]*\binstall\b")


@dataclass(frozen=True)
class Need:
    """A service that nodes of one type call: ``why`` names ParallelCluster, a feature or a script of ours."""

    service: str
    node: str
    why: str


def node_subnets(spec: Cluster) -> dict[str, list[str]]:
    """The keys of each node type's subnets."""
    return {
        "head": [spec.head_node.subnet],
        "login": list(dict.fromkeys(pool.subnet for pool in spec.login)),
        "compute": list(dict.fromkeys(key for queue in spec.queues for key in queue.subnets)),
    }


def closed_subnets(spec: Cluster) -> dict[str, list[str]]:
    """Those of them without internet; node types without such a subnet are left out."""
    subnets = spec.network.subnets
    closed = {
        node: [key for key in keys if key in subnets and not subnets[key].internet]
        for node, keys in node_subnets(spec).items()
    }
    return {node: keys for node, keys in closed.items() if keys}


def needs(spec: Cluster, scripts: Sequence[Script]) -> list[Need]:
    """Everything that nodes without internet need; ``scripts`` are the manifest's, the user's own included."""
    return [need for node in closed_subnets(spec) for need in (*_engine(spec, node), *_of_scripts(scripts, node))]


def missing(spec: Cluster, found: Sequence[Need]) -> list[Need]:
    """Those that the configuration does not say to be there."""
    has = {*spec.network.endpoints, *([PACKAGES] if has_packages(spec) else [])}
    return [need for need in found if need.service not in has]


def has_packages(spec: Cluster) -> bool:
    """Whether packages can be installed without internet."""
    return spec.network.package_mirror or (spec.os in IN_S3 and "s3" in spec.network.endpoints)


def by_service(found: Sequence[Need]) -> dict[str, list[Need]]:
    """The needs of each service, services in order."""
    return {
        service: [need for need in found if need.service == service]
        for service in sorted({need.service for need in found})
    }


def _engine(spec: Cluster, node: str) -> Iterator[Need]:
    for service in ENGINE:
        yield Need(service, node, "ParallelCluster")
    if node == "login":
        yield Need("elasticloadbalancing", node, "ParallelCluster")
    if spec.directory is not None:
        yield Need("secretsmanager", node, "directory")
    if spec.session_manager:
        for service in SESSIONS:
            yield Need(service, node, "session_manager")


def _of_scripts(scripts: Sequence[Script], node: str) -> Iterator[Need]:
    """What a script calls is what it needs: nobody has to remember to say so."""
    for script in scripts:
        if node not in script.nodes or script.stage == JOB:
            continue
        text = _COMMENT.sub("", script.content.decode("utf-8", "replace"))
        for service in sorted({*_CALL.findall(text)}):
            yield Need(service, node, script.name)
        if _INSTALL.search(text):
            yield Need(PACKAGES, node, script.name)
