"""ARNs: of the cluster's own partition, Region and account."""

from __future__ import annotations

from collections.abc import Iterator

from config.findings import KeyPath, Severity
from config.models.cluster import Cluster
from config.models.storage import Imported, Nfs
from config.rules.base import Problem, Rule, Subject

PARTITIONS = {
    "cn-": "aws-cn",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "us-isof-": "aws-iso-f",
    "eu-isoe-": "aws-iso-e",
    "eusc-": "aws-eusc",
}


def partition_of(region: str) -> str:
    """The partition that a Region belongs to."""
    return next((name for prefix, name in PARTITIONS.items() if region.startswith(prefix)), "aws")


class ArnPartition(Rule):
    """Every ARN is of the partition that the Region belongs to: nothing reaches across."""

    name = "arn-partition"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare each ARN's second part."""
        region = subject.spec.region
        partition = partition_of(region)
        for path, arn in _arns(subject.spec):
            if arn.split(":")[1] != partition:
                message = f"{arn} is of partition {arn.split(':')[1]}, but {region} is in {partition}"
                yield Problem(path, message, f"write arn:{partition}:...")


class ArnRegion(Rule):
    """Filesystems' keys, the directory's secret, topic and webhook are of the Region where they are looked for."""

    name = "arn-region"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare each ARN's fourth part; what nodes merely may read can be elsewhere."""
        region = subject.spec.region
        for path, arn in _arns(subject.spec):
            local = path[0] in ("storage", "notifications") or path == ("directory", "password_secret")
            if local and arn.split(":")[3] != region:
                message = f"{arn} is of Region {arn.split(':')[3]}, not {region}"
                yield Problem(path, message, "use one of the cluster's Region")


class ArnAccount(Rule):
    """What belongs to another account works only if that account shares it."""

    name = "arn-account"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare each ARN's fifth part, where the cluster names its account."""
        account = subject.spec.account
        for path, arn in _arns(subject.spec):
            owner = arn.split(":")[4]
            if account is not None and owner not in (account, "aws"):
                message = f"{arn} belongs to account {owner}, the cluster to {account}"
                yield Problem(path, message, "make sure that account shares it, or correct the number")


def _arns(spec: Cluster) -> Iterator[tuple[KeyPath, str]]:
    for key, arns in (("secrets", spec.access.secrets), ("kms_keys", spec.access.kms_keys)):
        for index, arn in enumerate(arns):
            yield ("access", key, index), arn
    if spec.directory is not None:
        yield ("directory", "password_secret"), spec.directory.password_secret
    notifications = spec.notifications
    for key, arn in (("topic_arn", notifications.topic_arn), ("webhook_secret", notifications.webhook_secret)):
        if arn is not None:
            yield ("notifications", key), arn
    if spec.identity.ceiling.startswith("arn:"):
        yield ("identity", "ceiling"), spec.identity.ceiling
    for index, storage in enumerate(spec.storage):
        if not isinstance(storage, Nfs | Imported) and storage.kms_key is not None:
            yield ("storage", index, "kms_key"), storage.kms_key
    yield from _policies(spec)


def _policies(spec: Cluster) -> Iterator[tuple[KeyPath, str]]:
    owners = [
        (("head_node",), spec.head_node.policies),
        *((("login", index), pool.policies) for index, pool in enumerate(spec.login)),
        *((("queues", index), queue.policies) for index, queue in enumerate(spec.queues)),
    ]
    for path, policies in owners:
        for index, arn in enumerate(policies):
            yield (*path, "policies", index), arn
