"""What a cluster under the account's ceiling needs that the ceiling does not let pass: found before a deployment.

AWS would deny it in the middle of the cluster's creation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from config.findings import Finding, KeyPath
from config.models.account import Account
from config.models.cluster import Cluster
from hpc_constructs.account.rendering_ceiling import reach_statements
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_documents import Statement
from hpc_constructs.identity.rendering_iam import given_function_roles
from hpc_constructs.identity.rendering_provider_features import configured_statements
from hpc_constructs.intrinsics import Value

RULE = "account-ceiling"
RAW: KeyPath = ("parallelcluster", "raw")
LISTS: Mapping[str, tuple[str, KeyPath]] = {
    "FsxBuckets": ("buckets", ("storage",)),
    "Keys": ("kms_keys", ("storage",)),
    "MungeKey": ("secrets", RAW),
    "Secrets": ("secrets", ("directory",)),
}
"""Statements of a cluster's own: the list of the account's file that lets them pass, and where they come from."""
NOWHERE: Mapping[str, str] = {
    "Parameters": "parameters that the fragment names",
    "RawScripts": "scripts in S3 that the fragment names",
}
"""Statements of a cluster's own that no list lets pass."""

_HINT = "an administrator adds it to {} in config/account.yaml and deploys the account's stack"


def reach_findings(spec: Cluster, account: Account | None) -> list[Finding]:
    """What is out of reach for a cluster with ``identity.ceiling: account``; ``account`` is the file, if any."""
    if spec.identity.ceiling != "account":
        return []
    found = list(_unreachable(spec))
    if account is not None:
        found += _elsewhere(spec, account) or list(_unlisted(spec, account))
    return found


def _unreachable(spec: Cluster) -> Iterator[Finding]:
    """What only an organisation's own boundary can let pass."""
    named = [
        text for sid, text in NOWHERE.items() if any(each["Sid"] == sid for each in configured_statements(spec))
    ]
    if fragment.has(spec.parallelcluster.raw, "Scheduling.SlurmSettings.Dns.HostedZoneId"):
        named.append("a hosted zone of your own")
    if given_function_roles(spec):
        named.append("roles of your own for the cluster's functions")
    for what in named:
        yield Finding(
            rule=RULE,
            path=RAW,
            message=f"the account's ceiling does not let pass {what}",
            hint="leave them out, or write the ARN of a boundary of your own as identity.ceiling",
        )


def _elsewhere(spec: Cluster, account: Account) -> list[Finding]:
    """Whether the account's file is about another account or Region."""
    if spec.region == account.region and spec.account in (None, account.account):
        return []
    ours, theirs = f"{spec.account or 'any account'}, {spec.region}", f"{account.account}, {account.region}"
    message = (
        f"config/account.yaml is about {theirs}, this cluster about {ours}, where its ceiling would be missing"
    )
    hint = "keep one project an account and Region, or correct one of the two"
    return [Finding(rule=RULE, path=("identity", "ceiling"), message=message, hint=hint)]


def _unlisted(spec: Cluster, account: Account) -> Iterator[Finding]:
    """What the account's file would have to list."""
    reach = account.ceiling
    listed = {_text(each) for statement in reach_statements(reach) for each in _resources(statement)}
    wanted: list[tuple[str, KeyPath, Value]] = [
        (*LISTS[str(statement["Sid"])], each)
        for statement in configured_statements(spec)
        if statement["Sid"] in LISTS
        for each in _resources(statement)
    ]
    told = spec.notifications
    wanted += (
        [("secrets", ("notifications", "webhook_secret"), told.webhook_secret)] if told.webhook_secret else []
    )
    for key, path, value in wanted:
        if _text(value) not in listed and not _text(value).endswith("/*"):
            yield _missing(key, path, _text(value).removeprefix("arn:${AWS::Partition}:s3:::"))
    if told.topic_arn is not None and told.topic_arn not in reach.topics:
        yield _missing("topics", ("notifications", "topic_arn"), told.topic_arn)
    reader = spec.ssh.key_reader
    if reader is not None and reader not in account.execution.key_readers:
        yield Finding(
            rule=RULE,
            path=("ssh", "key_reader"),
            message=f"CloudFormation may not attach the policy that reads the private key to role {reader}",
            hint=_HINT.format("execution.key_readers"),
        )


def _missing(key: str, path: KeyPath, what: str) -> Finding:
    return Finding(
        rule=RULE,
        path=path,
        message=f"the account's ceiling does not let pass {what}",
        hint=_HINT.format(f"ceiling.{key}"),
    )


def _resources(statement: Statement) -> list[Value]:
    resources = statement["Resource"]
    return resources if isinstance(resources, list) else [resources]


def _text(value: Value) -> str:
    """A resource as text: an ARN as it is, or what CloudFormation makes one of."""
    if isinstance(value, str):
        return value
    text = value.get("Fn::Sub")
    return text if isinstance(text, str) else json.dumps(value, sort_keys=True)
