"""What roles that manage a cluster may do with IAM: only under the cluster's path, only under its boundary."""

from __future__ import annotations

from config.models.cluster import Cluster
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_documents import Statement, allow, deny
from hpc_constructs.identity.rendering_scope import BOUNDED, Scope, aws_policy
from hpc_constructs.intrinsics import Value, arn, sub

AGENT_POLICY = "CloudWatchAgentServerPolicy"
"""ParallelCluster attaches it to every node that writes logs."""
VPC_FUNCTION_POLICY = "service-role/AWSLambdaVPCAccessExecutionRole"


def user_policies(spec: Cluster) -> list[str]:
    """The managed policies that the configuration adds to nodes, raw fragment included."""
    raw = spec.parallelcluster.raw
    named = [
        *spec.head_node.policies,
        *(policy for pool in spec.login for policy in pool.policies),
        *(policy for queue in spec.queues for policy in queue.policies),
        *(
            policy
            for node in (fragment.HEAD, fragment.POOLS, fragment.QUEUES)
            for policy in fragment.policies(raw, node)
        ),
    ]
    return sorted(set(named))


def iam_statements() -> list[Statement]:
    """Reading what roles are to be given. A managed policy's name says little, and nothing secret."""
    policies = [arn("iam", "policy/*", region=False), aws_policy("*")]
    return [allow("PolicyRead", "iam:GetPolicy", policies)]


def role_statements(spec: Cluster, scope: Scope) -> list[Statement]:
    """Roles and instance profiles of the cluster's nodes and cleanup functions.

    DeleteRole has no condition on the boundary: sources disagree whether it knows that key, and a key that it does
    not know would make a cluster impossible to delete. DetachRolePolicy is not limited to the configuration's
    policies: an update detaches those that the configuration no longer has.
    """
    return [
        allow(
            "RoleRead",
            "iam:GetInstanceProfile GetRole GetRolePolicy ListAttachedRolePolicies ListRolePolicies",
            [scope.roles, scope.instance_profiles],
        ),
        allow(
            "Profiles",
            "iam:AddRoleToInstanceProfile CreateInstanceProfile DeleteInstanceProfile "
            "RemoveRoleFromInstanceProfile TagInstanceProfile UntagInstanceProfile",
            scope.instance_profiles,
        ),
        allow(
            "Roles",
            "iam:CreateRole DeleteRolePolicy DetachRolePolicy PutRolePermissionsBoundary PutRolePolicy",
            scope.roles,
            BOUNDED,
        ),
        allow("RolesEnd", "iam:DeleteRole TagRole UntagRole", scope.roles),
        allow(
            "RolePolicies",
            "iam:AttachRolePolicy",
            scope.roles,
            {**BOUNDED, "ArnLike": {"iam:PolicyARN": attachable(spec, scope)}},
        ),
        allow("PassToNodes", "iam:PassRole", scope.node_roles, passed(scope.instance_service)),
        allow(
            "PassToFunctions",
            "iam:PassRole",
            [scope.roles, *given_function_roles(spec)],
            passed(["lambda.amazonaws.com"]),
        ),
        hands_off_managers(scope),
    ]


def attachable(spec: Cluster, scope: Scope) -> list[Value]:
    """The managed policies that a node or cleanup function may get."""
    vpc = fragment.has(spec.parallelcluster.raw, "DeploymentSettings.LambdaFunctionsVpcConfig")
    return [
        scope.policies,
        aws_policy(AGENT_POLICY),
        *([aws_policy(VPC_FUNCTION_POLICY)] if vpc else []),
        *user_policies(spec),
    ]


def hands_off_managers(scope: Scope) -> Statement:
    """Whoever manages the cluster does not touch the roles of those who do, which stand under the same path."""
    return deny("HandsOffManagers", ["iam:*"], scope.manager_roles)


def service_linked_roles(*services: str) -> Statement:
    """Roles that AWS's own services need once an account."""
    names = [f"{service}.amazonaws.com" for service in services]
    return allow(
        "ServiceRoles",
        "iam:CreateServiceLinkedRole",
        sub("arn:${AWS::Partition}:iam::${AWS::AccountId}:role/aws-service-role/*"),
        {"StringEquals": {"iam:AWSServiceName": names}},
    )


def passed(services: list[str]) -> dict[str, Value]:
    """Condition: the role is passed to one of the services, where the request says to which.

    As in ParallelCluster's own policies: putting a role into an instance profile may not say it.
    """
    return {"StringEqualsIfExists": {"iam:PassedToService": services}}


def given_function_roles(spec: Cluster) -> list[str]:
    """Roles of the user's that a raw fragment names for the cleanup functions."""
    return fragment.texts(spec.parallelcluster.raw, "Iam.Roles.LambdaFunctionsRole")
