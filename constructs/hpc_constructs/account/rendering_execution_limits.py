"""What CloudFormation's execution role never does, whatever else it may be given. Plain data."""

from __future__ import annotations

from config.models.account import Account
from hpc_constructs.account.rendering_execution_places import NEVER, managing_boundaries
from hpc_constructs.identity.rendering_documents import ACCOUNT_PATH, Statement, deny
from hpc_constructs.intrinsics import arn
from hpc_constructs.rendering_bootstrap import QUALIFIER, TOOLKIT_STACK


def limits(spec: Account) -> list[Statement]:
    """The ceiling stays over every role, and an administrator's, as the account's stack and the bootstrap do."""
    unbounded = {"ArnNotEquals": {"iam:PermissionsBoundary": managing_boundaries(spec)}}
    others = [
        arn("iam", f"policy{ACCOUNT_PATH}*", region=False),
        arn("iam", f"role/cdk-{QUALIFIER}-*", region=False),
    ]
    stacks = [arn("cloudformation", f"stack/{name}/*") for name in ("clusterform-account", TOOLKIT_STACK)]
    roles = arn("iam", "role/clusterform/*", region=False)
    return [
        deny(
            "UnderTheCeiling",
            "iam:AttachRolePolicy CreateRole PutRolePermissionsBoundary PutRolePolicy",
            roles,
            unbounded,
        ),
        deny("CeilingStays", [*NEVER, "iam:DeleteUserPermissionsBoundary", "iam:PutUserPermissionsBoundary"], "*"),
        deny(
            "NotTheAdministrators",
            ["cloudformation:*", "iam:A*", "iam:C*", "iam:D*", "iam:P*", "iam:S*", "iam:T*", "iam:U*"],
            [*others, *stacks],
        ),
    ]
