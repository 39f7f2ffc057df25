"""ParallelCluster's version, and what of AWS it supports."""

from __future__ import annotations

from collections.abc import Iterator

from config.facts.parallelcluster_schema import versions
from config.findings import Severity
from config.rules.base import Problem, Rule, Subject
from config.wording import quoted

# The list that ParallelCluster 3.15.1 and 3.16.1 carry; AWS may have added Regions since.
REGIONS = {
    *("af-south-1", "ap-east-1", "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-1"),
    *("ap-southeast-2", "ap-southeast-3", "ap-southeast-5", "ap-southeast-7", "ca-central-1", "cn-north-1"),
    *("cn-northwest-1", "eu-central-1", "eu-north-1", "eu-south-1", "eu-west-1", "eu-west-2", "eu-west-3"),
    *("il-central-1", "me-south-1", "sa-east-1", "us-east-1", "us-east-2", "us-iso-east-1", "us-iso-west-1"),
    *("us-isob-east-1", "us-gov-east-1", "us-gov-west-1", "us-west-1", "us-west-2"),
}
# CloudWatch Logs' own list, as far as ParallelCluster takes it.
RETENTION_DAYS = (1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653)


class ParallelClusterVersion(Rule):
    """The version is one of those whose rules we carry. A live cluster keeps the version that made it."""

    name = "parallelcluster-version"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare with the committed schemas."""
        version = subject.spec.parallelcluster_version
        if version not in versions():
            supported = ", ".join(reversed(versions()))
            message = f"ParallelCluster {quoted(version)} is not supported, only {supported}"
            yield Problem(("parallelcluster_version",), message, f"for a new cluster write {versions()[-1]}")


class SupportedRegion(Rule):
    """ParallelCluster supports the Region, as far as its release knows."""

    name = "supported-region"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare with ParallelCluster's list."""
        region = subject.spec.region
        if region not in REGIONS:
            message = f"ParallelCluster's release does not list Region {region}"
            yield Problem(("region",), message, "check the spelling, and ParallelCluster's current list")


class LogRetention(Rule):
    """Logs are kept for one of CloudWatch's own numbers of days."""

    name = "log-retention"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare with the list."""
        days = subject.spec.logs.retention_days
        if days not in RETENTION_DAYS:
            nearest = min(RETENTION_DAYS, key=lambda known: (abs(known - days), known))
            message = f"{days} days: CloudWatch knows {', '.join(map(str, RETENTION_DAYS))}"
            yield Problem(("logs", "retention_days"), message, f"write {nearest}")
