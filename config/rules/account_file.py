"""The account's file."""

from __future__ import annotations

from collections.abc import Iterator

from config.findings import KeyPath, Severity
from config.models.account import Account
from config.rules.arns import partition_of
from config.rules.base import FileRule, FileSubject, Problem
from config.rules.names import repeated_emails
from config.wording import quoted

CLUSTER_PREFIX = "clusterform-pc-"
"""How the names of buckets begin that CloudFormation makes for a cluster's stack."""


class ResultsBucketName(FileRule[Account]):
    """The results bucket is not called as clusters' buckets are, which whoever manages them may empty."""

    name = "results-bucket-name"

    def check(self, subject: FileSubject[Account]) -> Iterator[Problem]:
        """Look at the name's beginning."""
        name = subject.spec.results_bucket
        if name is not None and name.startswith(CLUSTER_PREFIX):
            message = f"{quoted(name)} begins as the buckets of clusters do, which whoever manages them may empty"
            yield Problem(("results_bucket",), message, f"begin it otherwise than with {CLUSTER_PREFIX}")


class AccountEmails(FileRule[Account]):
    """An address is told once."""

    name = "account-emails"

    def check(self, subject: FileSubject[Account]) -> Iterator[Problem]:
        """Report the second of two."""
        yield from repeated_emails(subject.spec.notifications.emails)


class AccountArnPlace(FileRule[Account]):
    """What clusters may reach is of the account's own partition and Region, where they look for it."""

    name = "account-arn-place"

    def check(self, subject: FileSubject[Account]) -> Iterator[Problem]:
        """Compare each ARN's second and fourth part."""
        region = subject.spec.region
        partition = partition_of(region)
        for path, arn in _arns(subject.spec):
            _, of_partition, _, of_region, *_ = arn.split(":")
            if (of_partition, of_region) != (partition, region):
                message = f"{arn} is of {of_partition}, {of_region}, not of {partition}, {region}"
                yield Problem(path, message, "use one of the same Region")


class AccountArnOwner(FileRule[Account]):
    """What belongs to another account works only if that account shares it."""

    name = "account-arn-owner"
    severity = Severity.WARNING

    def check(self, subject: FileSubject[Account]) -> Iterator[Problem]:
        """Compare each ARN's fifth part."""
        account = subject.spec.account
        for path, arn in _arns(subject.spec):
            owner = arn.split(":")[4]
            if owner != account:
                message = f"{arn} belongs to account {owner}, this file to {account}"
                yield Problem(path, message, "make sure that account shares it, or correct the number")


ACCOUNT_RULES: tuple[FileRule[Account], ...] = (
    ResultsBucketName(),
    AccountEmails(),
    AccountArnPlace(),
    AccountArnOwner(),
)


def _arns(spec: Account) -> Iterator[tuple[KeyPath, str]]:
    reach = spec.ceiling
    for key, arns in (("secrets", reach.secrets), ("kms_keys", reach.kms_keys), ("topics", reach.topics)):
        for index, arn in enumerate(arns):
            yield ("ceiling", key, index), arn
