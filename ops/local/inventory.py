"""What exists in a local AWS, and what of it nobody accounts for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Client = Callable[[str], Any]
"""Gives the boto3 client of a service."""


@dataclass(frozen=True, order=True)
class Item:
    """One thing that exists; ``kind`` in words, ``name`` as the service identifies it."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Listing:
    """How one kind of thing is listed: service, operation, where the answer holds the items, and their name.

    ``name`` is empty where the items are the names.
    """

    kind: str
    service: str
    operation: str
    items: str
    name: str
    arguments: tuple[tuple[str, Any], ...] = ()


LISTINGS = (
    Listing("stack", "cloudformation", "describe_stacks", "Stacks", "StackId"),
    Listing("bucket", "s3", "list_buckets", "Buckets", "Name"),
    Listing("role", "iam", "list_roles", "Roles", "RoleName"),
    Listing("policy", "iam", "list_policies", "Policies", "Arn", (("Scope", "Local"),)),
    Listing("instance profile", "iam", "list_instance_profiles", "InstanceProfiles", "InstanceProfileName"),
    Listing("function", "lambda", "list_functions", "Functions", "FunctionName"),
    Listing("log group", "logs", "describe_log_groups", "logGroups", "logGroupName"),
    Listing("parameter", "ssm", "describe_parameters", "Parameters", "Name"),
    Listing("secret", "secretsmanager", "list_secrets", "SecretList", "Name"),
    Listing("topic", "sns", "list_topics", "Topics", "TopicArn"),
    Listing("subscription", "sns", "list_subscriptions", "Subscriptions", "SubscriptionArn"),
    Listing("key pair", "ec2", "describe_key_pairs", "KeyPairs", "KeyName"),
    Listing("security group", "ec2", "describe_security_groups", "SecurityGroups", "GroupId"),
    Listing("prefix list", "ec2", "describe_managed_prefix_lists", "PrefixLists", "PrefixListId"),
    Listing("volume", "ec2", "describe_volumes", "Volumes", "VolumeId"),
    Listing("instance", "ec2", "describe_instances", "Reservations", "ReservationId"),
    Listing("file system", "efs", "describe_file_systems", "FileSystems", "FileSystemId"),
    Listing("Lustre file system", "fsx", "describe_file_systems", "FileSystems", "FileSystemId"),
    Listing("snapshot", "ec2", "describe_snapshots", "Snapshots", "SnapshotId", (("OwnerIds", ["self"]),)),
    Listing("backup vault", "backup", "list_backup_vaults", "BackupVaultList", "BackupVaultName"),
    Listing("backup plan", "backup", "list_backup_plans", "BackupPlansList", "BackupPlanId"),
    Listing("alarm", "cloudwatch", "describe_alarms", "MetricAlarms", "AlarmName"),
    Listing("table", "dynamodb", "list_tables", "TableNames", ""),
    Listing("hosted zone", "route53", "list_hosted_zones", "HostedZones", "Id"),
    Listing("registry", "ecr", "describe_repositories", "repositories", "repositoryName"),
    Listing("key", "kms", "list_keys", "Keys", "KeyId"),
    Listing("rule", "events", "list_rules", "Rules", "Name"),
)

LEDGER_LINE = re.compile(r"^(?P<kind>log group|bucket|parameter) (?P<name>\S+?)(?P<open>\.\.\.)?$")
"""How the ledger's entries name what outlives a cluster on purpose; three dots stand for the rest of the name."""


def inventory(client: Client) -> list[Item]:
    """Everything that exists, what AWS itself puts into every account excepted."""
    return sorted(item for listing in LISTINGS for item in _listed(listing, client))


def _listed(listing: Listing, client: Client) -> Iterable[Item]:
    service, arguments = client(listing.service), dict(listing.arguments)
    if service.can_paginate(listing.operation):
        pages = service.get_paginator(listing.operation).paginate(**arguments)
    else:
        pages = [getattr(service, listing.operation)(**arguments)]
    for found in (found for page in pages for found in page.get(listing.items, [])):
        if not _is_awss_own(listing.kind, found):
            yield Item(listing.kind, found[listing.name] if listing.name else found)


def _is_awss_own(kind: str, found: Any) -> bool:
    """Default security groups, AWS's prefix lists, parameters and service roles, and stacks that are gone."""
    return (
        (kind == "security group" and found["GroupName"] == "default")
        or (kind == "prefix list" and found.get("OwnerId") == "AWS")
        or (kind == "parameter" and found["Name"].startswith("/aws/"))
        or (kind == "role" and found["Path"].startswith("/aws-service-role/"))
        or (kind == "stack" and found["StackStatus"] == "DELETE_COMPLETE")
    )


def unaccounted(items: Iterable[Item], client: Client, *, toolkit: str, ledger: Iterable[str]) -> list[Item]:
    """The items that belong neither to the CDK's bootstrap stack ``toolkit`` nor to what the ledger names."""
    cloudformation = client("cloudformation")
    stack = cloudformation.describe_stacks(StackName=toolkit)["Stacks"][0]["StackId"]
    resources = cloudformation.list_stack_resources(StackName=toolkit)["StackResourceSummaries"]
    bootstrap = {stack} | {resource["PhysicalResourceId"] for resource in resources}
    lines = [match for line in ledger if (match := LEDGER_LINE.match(line))]
    return [item for item in items if item.name not in bootstrap and not any(_names(line, item) for line in lines)]


def _names(line: re.Match[str], item: Item) -> bool:
    matches = item.name.startswith if line["open"] else item.name.__eq__
    return line["kind"] == item.kind and matches(line["name"])
