"""Faults to put into synthesized templates: each has the check that has to find it, and no other may speak."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.privilege.world import World

Resources = dict[str, Any]
HERE = "arn:aws:{}:ap-southeast-2:123456789012:{}"
SECRET = HERE.format("secretsmanager", "secret:{}-AbCdEf")
ROLE = {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/clusterform/demo/demo/x"}
ADMINISTRATOR = {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/AdministratorAccess"}
CLUSTER = ("demo",)
EVERY = ("demo", "demo-2026")


@dataclass(frozen=True)
class Fault:
    """A change of the resources of some stacks; ``also`` names checks that cannot but see it too."""

    name: str
    check: str
    expected: str
    mutate: Callable[[Resources], object]
    stacks: tuple[str, ...] = CLUSTER
    also: tuple[str, ...] = ()

    def put_into(self, world: World) -> World:
        """Another world with the fault in it."""
        stacks = []
        for stack in world.stacks:
            if stack.cluster in self.stacks:
                stack = replace(stack, template=copy.deepcopy(stack.template))
                self.mutate(stack.resources)
            stacks.append(stack)
        return replace(world, stacks=tuple(stacks))


def properties(resources: Resources, logical_id: str) -> dict[str, Any]:
    return resources[logical_id]["Properties"]


def statements(resources: Resources, logical_id: str) -> list[dict[str, Any]]:
    return properties(resources, logical_id)["PolicyDocument"]["Statement"]


def statement(resources: Resources, logical_id: str, sid: str) -> dict[str, Any]:
    return next(each for each in statements(resources, logical_id) if each["Sid"] == sid)


def adds(logical_id: str, action: str, resource: Any, effect: str = "Allow") -> Callable[[Resources], None]:
    """One more statement in a policy."""

    def mutate(resources: Resources) -> None:
        added = {"Sid": "Seeded", "Effect": effect, "Action": [action], "Resource": [resource]}
        statements(resources, logical_id).append(added)

    return mutate


def both(*mutations: Callable[[Resources], object]) -> Callable[[Resources], None]:
    def mutate(resources: Resources) -> None:
        for each in mutations:
            each(resources)

    return mutate


def sets(logical_id: str, sid: str, **changes: Any) -> Callable[[Resources], None]:
    """A statement with elements replaced; None takes one away."""

    def mutate(resources: Resources) -> None:
        changed = statement(resources, logical_id, sid)
        for key, value in changes.items():
            if value is None:
                del changed[key]
            else:
                changed[key] = value

    return mutate


def drops(logical_id: str, sid: str) -> Callable[[Resources], None]:
    return lambda resources: statements(resources, logical_id).remove(statement(resources, logical_id, sid))


def gives(logical_id: str, **more: Any) -> Callable[[Resources], None]:
    return lambda resources: properties(resources, logical_id).update(more)


def declares(type_name: str, **more: Any) -> Callable[[Resources], None]:
    return lambda resources: resources.update(Seeded={"Type": type_name, "Properties": more})


def configuration(resources: Resources) -> dict[str, Any]:
    return properties(resources, "Cluster")["ClusterConfiguration"]


def queue_policies(resources: Resources) -> list[Any]:
    return configuration(resources)["Scheduling"]["SlurmQueues"][0]["Iam"]["AdditionalIamPolicies"]


FAULTS = (
    Fault(
        "a role without boundary",
        "boundaries",
        "StagingRole: has no permissions boundary",
        lambda resources: properties(resources, "StagingRole").pop("PermissionsBoundary"),
    ),
    Fault(
        "a boundary that caps nothing",
        "boundaries",
        "LifecycleRole: has a boundary that is no ceiling",
        gives("LifecycleRole", PermissionsBoundary=ADMINISTRATOR),
    ),
    Fault(
        "a backup role without boundary",
        "boundaries",
        "BackupRole: has no permissions boundary",
        lambda resources: properties(resources, "BackupRole").pop("PermissionsBoundary"),
        stacks=("shared-home",),
        # The account's ceiling then caps nothing in this small world: it looks like a grant.
        also=("rights on buckets",),
    ),
    Fault(
        "a cluster without boundary",
        "boundaries",
        "head node: has no permissions boundary",
        lambda resources: configuration(resources)["Iam"].pop("PermissionsBoundary"),
        also=("rights on buckets", "siblings"),
    ),
    Fault(
        "a cluster under the managers' boundary",
        "boundaries",
        "head node: has another boundary",
        lambda resources: configuration(resources)["Iam"].update(PermissionsBoundary={"Ref": "ComputeBase"}),
        also=("iam writes", "passing roles", "rights on buckets", "secrets", "siblings", "wildcards"),
    ),
    Fault(
        "a provider with a role of its own making",
        "boundaries",
        "Provider: parameters []",
        gives("Provider", Parameters={}),
    ),
    Fault(
        "a provider with policies more",
        "boundaries",
        "Provider: parameters ['AdditionalIamPolicies', 'CustomLambdaRole']",
        lambda resources: properties(resources, "Provider")["Parameters"].update(AdditionalIamPolicies="x"),
    ),
    Fault(
        "a provider with somebody else's role",
        "boundaries",
        "CustomLambdaRole is no role of this stack",
        gives("Provider", Parameters={"CustomLambdaRole": ROLE}),
    ),
    Fault("a user", "boundaries", "AWS::IAM::User", declares("AWS::IAM::User")),
    Fault(
        "an inline policy",
        "boundaries",
        "StagingRole: inline policies",
        gives("StagingRole", Policies=[{"PolicyName": "x", "PolicyDocument": {"Statement": []}}]),
    ),
    Fault(
        "a node that may write IAM",
        "iam writes",
        "head node: what it is granted lets through iam:PutRolePolicy",
        adds("HeadStorage", "iam:PutRolePolicy", ROLE),
    ),
    Fault(
        "a node that may attach policies by a pattern",
        "iam writes",
        "iam:AttachRolePolicy",
        adds("ComputeBase", "iam:At*RolePolicy", ROLE),
    ),
    Fault(
        "a boundary that lets IAM be written",
        "iam writes",
        "its boundary, with every permission lets through iam:CreateRole",
        adds("Boundary", "iam:CreateRole", ROLE),
    ),
    Fault(
        "a deny policy with a gap",
        "iam writes",
        "its deny policy, with every permission lets through",
        lambda resources: statement(resources, "NodeDeny", "NoIdentityChange")["Action"].remove("iam:Put*"),
    ),
    Fault(
        "a role passed to anybody",
        "passing roles",
        "PassToNodes: PassRole without iam:PassedToService",
        sets("ProviderPolicyIam", "PassToNodes", Condition=None),
    ),
    Fault(
        "a role passed to another service",
        "passing roles",
        "PassRole to ['glue.amazonaws.com']",
        sets(
            "ProviderPolicyIam",
            "PassToFunctions",
            Condition={"StringEquals": {"iam:PassedToService": "glue.amazonaws.com"}},
        ),
    ),
    Fault(
        "any role passed",
        "passing roles",
        "which is no cluster's",
        sets("ProviderPolicyIam", "PassToNodes", Resource=[{"Fn::Sub": "arn:${AWS::Partition}:iam::*:role/*"}]),
    ),
    Fault(
        "a node that passes roles without naming a service",
        "passing roles",
        "Boundary Pass: PassRole of nodes",
        sets(
            "Boundary", "Pass", Condition={"StringEqualsIfExists": {"iam:PassedToService": ["ec2.amazonaws.com"]}}
        ),
    ),
    Fault(
        "an action on everything",
        "wildcards",
        "ComputeBase Seeded: sqs:SendMessage on *",
        adds("ComputeBase", "sqs:SendMessage", "*"),
    ),
    Fault(
        "everything by another name",
        "wildcards",
        "ComputeBase Seeded: sqs:SendMessage on *",
        adds("ComputeBase", "sqs:SendMessage", "*:*"),
        also=("vocabulary",),
    ),
    Fault(
        "an allowance beyond its limit",
        "wildcards",
        "ProviderPolicyStacks Ec2Create: ec2:RunInstances on *",
        sets("ProviderPolicyStacks", "Ec2Create", Condition=None),
    ),
    Fault(
        "a whole service",
        "wildcards",
        "StagingPolicy Seeded: sqs:* is a whole service",
        adds("StagingPolicy", "sqs:*", {"Fn::Sub": "arn:${AWS::Partition}:sqs:*:*:x"}),
    ),
    Fault(
        "all but what is named",
        "wildcards",
        "allows all but what it names",
        lambda resources: statement(resources, "StagingPolicy", "List").update(
            NotResource=statement(resources, "StagingPolicy", "List")["Resource"]
        ),
    ),
    Fault(
        "an allowance that nothing needs",
        "wildcards",
        "nothing needs cloudformation:ListStacks of LifecyclePolicy on *",
        drops("LifecyclePolicy", "Deleted"),
        stacks=EVERY,
    ),
)
