"""How long a first start may take, and for how long CloudFormation waits."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import bootstrap_timeout, made_by_engine
from config.findings import Severity
from config.rules.base import Problem, Rule, Subject
from config.wording import quoted

CUSTOM_RESOURCE_SECONDS = 3600
"""CloudFormation gives up on a custom resource after one hour."""
CREATION_SECONDS = {"fsx-lustre": 600, "efs": 180}
"""What a new filesystem adds as a rule: estimates of ours, since AWS only says "minutes" (FSx's FAQ). To load
a large bucket can take over an hour, as users of ParallelCluster report. EBS volumes take seconds."""


class BootstrapTimeout(Rule):
    """The head node's timeout is 1 to 43200 seconds: CloudFormation's 12 hours, which ParallelCluster forgets."""

    name = "bootstrap-timeout"
    ceiling = 43200

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare the value that is given."""
        given = subject.spec.head_node.bootstrap_timeout
        if given is not None and not 1 <= given <= self.ceiling:
            path = ("head_node", "bootstrap_timeout")
            yield Problem(
                path, f"{given} seconds: 1 to {self.ceiling} are possible", "leave it out for the default"
            )


class CreationTime(Rule):
    """Creating filesystems and starting the head node together can outlast CloudFormation's hour.

    A start that is slower, but would succeed, then counts as failed and the new cluster is deleted. The sum is the
    careful reading: in ParallelCluster's template the timeout counts from the beginning of the stack.
    """

    name = "creation-time"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Add the timeout to what the slowest new filesystem takes; they are created side by side."""
        new = [storage for storage in subject.spec.storage if made_by_engine(storage)]
        extra, slowest = max(((CREATION_SECONDS.get(s.type, 0), s.name) for s in new), default=(0, ""))
        timeout = bootstrap_timeout(subject.spec)
        if timeout + extra <= CUSTOM_RESOURCE_SECONDS:
            return
        storage = f", and creating {quoted(slowest)} about {extra} s" if extra else ""
        most = CUSTOM_RESOURCE_SECONDS - extra
        remedy = f"write bootstrap_timeout: {most} or less"
        yield Problem(
            ("head_node", "bootstrap_timeout"),
            f"the head node may take {timeout} s{storage}, but CloudFormation waits {CUSTOM_RESOURCE_SECONDS} s "
            "for the whole cluster",
            f"{remedy}, or managed_by: stack, which makes the filesystem before the cluster" if extra else remedy,
        )
