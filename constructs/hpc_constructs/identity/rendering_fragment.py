"""What a raw ParallelCluster fragment makes nodes reach for, read from the fragment itself.

A fragment is merged after everything of ours, so whatever it names has to be let through as well. Parts of the
wrong shape are passed over: the check against ParallelCluster's schema reports them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_S3_URL = re.compile(r"s3://([^/]+)/(.+)")
_MOMENTS = ("OnNodeStart", "OnNodeConfigured", "OnNodeUpdated")

HEAD = "HeadNode"
POOLS = "LoginNodes.Pools[]"
QUEUES = "Scheduling.SlurmQueues[]"
LUSTRE = "SharedStorage[].FsxLustreSettings"


def values(raw: Any, path: str) -> list[Any]:
    """Every value at a dotted path, in which ``[]`` after a key stands for each item of its list."""
    found = [raw]
    for part in path.split("."):
        key, each, _ = part.partition("[]")
        found = [value[key] for value in found if isinstance(value, Mapping) and key in value]
        if each:
            found = [item for value in found if isinstance(value, list) for item in value]
    return found


def texts(raw: Any, path: str) -> list[str]:
    """Every text at a path, without repetition, in order of appearance."""
    return list(dict.fromkeys(value for value in values(raw, path) if isinstance(value, str)))


def scripts(raw: Any, node: str) -> list[tuple[str, str]]:
    """Bucket and key of each script in S3 that the custom actions at ``node`` run."""
    urls: list[str] = []
    for moment in _MOMENTS:
        urls += texts(raw, f"{node}.CustomActions.{moment}.Script")
        urls += texts(raw, f"{node}.CustomActions.{moment}.Sequence[].Script")
    return list(_split(urls))


def s3_paths(raw: Any, path: str) -> list[tuple[str, str]]:
    """Bucket and prefix of each ``s3://`` address at a path."""
    return list(_split([url if url.count("/") > 2 else f"{url}/" for url in texts(raw, path)], empty=True))


def literal(text: str) -> str:
    """A text of the fragment's as CloudFormation's Sub leaves it alone."""
    return text.replace("${", "${!")


def policies(raw: Any, node: str) -> list[str]:
    """The managed policies that the fragment adds at ``node``."""
    return texts(raw, f"{node}.Iam.AdditionalIamPolicies[].Policy")


def wants_desktop(raw: Any) -> bool:
    """Whether a node gets a remote desktop."""
    return any(True in values(raw, f"{node}.Dcv.Enabled") for node in (HEAD, POOLS))


def kms_keys(raw: Any, kind: str) -> list[str]:
    """The KMS keys of shared storage of a kind (``Ebs``, ``Efs``, ``FsxLustre``), as written: an ARN or an id."""
    return texts(raw, f"SharedStorage[].{kind}Settings.KmsKeyId")


def creates(raw: Any, kind: str) -> bool:
    """Whether ParallelCluster would create storage of a kind (``Efs``, ``FsxLustre``)."""
    return any(
        values(storage, "StorageType") == [kind] and not has(storage, f"{kind}Settings.FileSystemId")
        for storage in values(raw, "SharedStorage[]")
    )


def has(raw: Any, path: str) -> bool:
    """Whether anything stands at a path."""
    return bool(values(raw, path))


def _split(urls: list[str], empty: bool = False) -> Iterator[tuple[str, str]]:
    for url in dict.fromkeys(urls):
        if match := _S3_URL.fullmatch(url):
            yield literal(match.group(1)), literal(match.group(2))
        elif empty and url.startswith("s3://"):
            yield literal(url.removeprefix("s3://").strip("/")), ""
