"""The two declarations that every role which manages things is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aws_cdk import Stack

from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.identity.rendering_documents import Statement, document, iam_path, policy_name, trust
from hpc_constructs.intrinsics import Value


def managed_policy(
    scope: Part | Stack,
    logical_id: str,
    *,
    cluster: str,
    purpose: str,
    statements: Sequence[Statement],
    roles: Sequence[str] = (),
    depends_on: Iterable[str] = (),
) -> str:
    """Declare a managed policy of one cluster and return its logical id (``ref()`` of it is its ARN).

    ``purpose`` is the part of the name that tells the policies of a cluster apart, in lowercase. Statements come
    from :func:`~hpc_constructs.identity.rendering_documents.allow` and ``deny``. ``roles`` names existing roles
    that the policy is attached to. There is no description: a changed one would replace the policy, whose fixed
    name would then be taken. docs/permissions.md says what each is for.
    """
    properties: dict[str, Value] = {
        "ManagedPolicyName": policy_name(cluster, purpose),
        "Path": iam_path(cluster),
        "PolicyDocument": document(statements),
    }
    if roles:
        properties["Roles"] = list(roles)
    return declare(scope, logical_id, "AWS::IAM::ManagedPolicy", properties, depends_on=depends_on)


def managed_role(
    scope: Part | Stack,
    logical_id: str,
    *,
    cluster: str,
    service: str,
    ceiling: Value,
    policies: Sequence[Value],
    depends_on: Iterable[str] = (),
) -> str:
    """Declare a role that manages things, under the ceiling, and return its logical id.

    ``service`` is the AWS service that takes the role (``lambda``). ``ceiling`` and ``policies`` are ARNs or
    references. The policies are attached through ManagedPolicyArns: CloudFormation then deletes the role before
    its policies, and whatever uses the role before both. The role's name is CloudFormation's, beginning with the
    stack's name, by which the ceiling protects it from the roles beneath.
    """
    properties = {
        "Path": iam_path(cluster),
        "AssumeRolePolicyDocument": trust(service),
        "PermissionsBoundary": ceiling,
        "ManagedPolicyArns": list(policies),
    }
    return declare(scope, logical_id, "AWS::IAM::Role", properties, depends_on=depends_on)
