"""IAM documents as plain data: statements, whole documents, names. Every ARN is built from the partition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hpc_constructs.intrinsics import Value, arn, sub

Statement = dict[str, Value]
"""One statement of a policy document, in AWS's own form."""

POLICY_VERSION = "2012-10-17"


def allow(
    sid: str,
    actions: str | Iterable[str],
    resources: Value | Sequence[Value],
    condition: Mapping[str, Value] | None = None,
) -> Statement:
    """A statement that allows ``actions`` (``"service:Name Name"`` or full names) on ``resources``."""
    return _statement("Allow", sid, actions, resources, condition)


def deny(
    sid: str,
    actions: str | Iterable[str],
    resources: Value | Sequence[Value],
    condition: Mapping[str, Value] | None = None,
) -> Statement:
    """A statement that denies ``actions`` on ``resources``."""
    return _statement("Deny", sid, actions, resources, condition)


def deny_elsewhere(sid: str, actions: Iterable[str], resources: Sequence[Value]) -> Statement:
    """A statement that denies ``actions`` on everything but ``resources``."""
    return {"Sid": sid, "Effect": "Deny", "Action": _actions(actions), "NotResource": list(resources)}


def document(statements: Sequence[Statement]) -> dict[str, Value]:
    """A policy document."""
    return {"Version": POLICY_VERSION, "Statement": list(statements)}


def trust(service: str) -> dict[str, Value]:
    """Who may take a role: one AWS service, named by the first part of its principal (``lambda``)."""
    return document(
        [{"Effect": "Allow", "Principal": {"Service": f"{service}.amazonaws.com"}, "Action": "sts:AssumeRole"}]
    )


def iam_path(cluster: str) -> str:
    """The IAM path of everything that belongs to one cluster."""
    return f"/clusterform/{cluster}/"


def policy_name(cluster: str, purpose: str) -> dict[str, Value]:
    """A managed policy's name. It ends in the Region, since IAM's names are global."""
    return sub(f"clusterform-{cluster}-{purpose}-${{AWS::Region}}")


ACCOUNT_PATH = "/clusterform/account/"
"""The IAM path of what belongs to no cluster: of the account's stack. No cluster can be called account."""


def account_policy_name(purpose: str) -> dict[str, Value]:
    """The name of a managed policy of the account's stack."""
    return sub(f"clusterform-{purpose}-${{AWS::Region}}")


def account_policy_arn(purpose: str) -> dict[str, Value]:
    """The ARN of a managed policy of the account's stack, which another stack can know."""
    return arn("iam", f"policy{ACCOUNT_PATH}clusterform-{purpose}-${{AWS::Region}}", region=False)


ACCOUNT_CEILING = account_policy_arn("ceiling")
"""What ``identity.ceiling: account`` means."""


def _statement(
    effect: str,
    sid: str,
    actions: str | Iterable[str],
    resources: Value | Sequence[Value],
    condition: Mapping[str, Value] | None,
) -> Statement:
    statement: Statement = {
        "Sid": sid,
        "Effect": effect,
        "Action": _actions(actions),
        "Resource": resources if isinstance(resources, (str, dict)) else list(resources),
    }
    if condition:
        statement["Condition"] = dict(condition)
    return statement


def _actions(actions: str | Iterable[str]) -> list[str]:
    """``"s3:GetObject PutObject"`` as the sorted list of full action names."""
    if not isinstance(actions, str):
        return sorted(actions)
    service, _, names = actions.partition(":")
    return sorted(f"{service}:{name}" for name in names.split())
