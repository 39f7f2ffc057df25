"""Every role of the world with the documents that count for it: those of templates, and ParallelCluster's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from tests.iam.engine_roles import EngineRoles
from tests.iam.evaluation import Principal
from tests.privilege.world import Deployed, World

AGENT = "CloudWatchAgentServerPolicy"
"""ParallelCluster attaches it to every node that writes logs."""
NODES = ("head", "login", "compute")
Document = dict[str, Any]


@dataclass(frozen=True)
class Role:
    """A role: the stack that it belongs to, its kind, its boundary's ARN and what is attached to it by ARN.

    ``kind`` is ``manager`` (ours), ``head``, ``login``, ``compute`` or ``cleanup`` (ParallelCluster's), or
    ``reader`` (a role of the organisation's that a policy of ours is attached to: what else it may is not ours).
    ``engine`` holds the documents that ParallelCluster itself writes.
    """

    stack: Deployed
    name: str
    kind: str
    boundary: str | None
    attached: tuple[str, ...]
    engine: tuple[Document, ...]
    known: Mapping[str, Document]

    @property
    def label(self) -> str:
        return f"{self.stack.name} {self.name}"

    @property
    def is_node(self) -> bool:
        return self.kind in NODES

    @property
    def ours(self) -> list[Document]:
        """The attached documents that the world knows; AWS's own and the organisation's are not among them."""
        return [self.known[arn] for arn in self.attached if arn in self.known]

    @cached_property
    def principal(self) -> Principal:
        return Principal([*self.ours, *self.engine], self.limit, self.stack.region)

    @property
    def limit(self) -> Document | None:
        """The boundary's document; None for one that is not of the world."""
        return self.known.get(self.boundary or "")


@cache
def managed_policies(world: World) -> dict[str, Document]:
    """Every managed policy's document by its ARN."""
    return {
        stack.resolver.arn(logical_id): stack.resolver.document(logical_id)
        for stack in world.stacks
        for logical_id in stack.of_type("AWS::IAM::ManagedPolicy")
    }


@cache
def roles(world: World) -> list[Role]:
    """Every role of the world."""
    known = managed_policies(world)
    return [role for stack in world.stacks for role in (*_declared(stack, known), *_made_by_engine(stack, known))]


def _declared(stack: Deployed, known: Mapping[str, Document]) -> Iterator[Role]:
    policies = stack.of_type("AWS::IAM::ManagedPolicy")
    for logical_id, properties in stack.of_type("AWS::IAM::Role").items():
        attached = [*stack.resolver.value(properties.get("ManagedPolicyArns", []))]
        attached += [
            stack.resolver.arn(each)
            for each, policy in policies.items()
            if {"Ref": logical_id} in _roles_of(policy)
        ]
        inline = tuple(stack.resolver.value(each["PolicyDocument"]) for each in properties.get("Policies", []))
        boundary = stack.resolver.value(properties.get("PermissionsBoundary"))
        yield Role(stack, logical_id, "manager", boundary, tuple(attached), inline, known)
    for logical_id, policy in policies.items():
        for name in _roles_of(policy):
            if isinstance(name, str):
                yield Role(stack, name, "reader", None, (stack.resolver.arn(logical_id),), (), known)


def _roles_of(policy: Mapping[str, Any]) -> list[Any]:
    return policy.get("Roles", [])


def _made_by_engine(stack: Deployed, known: Mapping[str, Document]) -> Iterator[Role]:
    if stack.configuration is None:
        return
    resolver = stack.resolver
    bucket = resolver.value(stack.configuration["CustomS3Bucket"])
    engine = EngineRoles(stack.cluster, stack.partition, stack.region, bucket)
    boundary = resolver.value(stack.configuration.get("Iam", {}).get("PermissionsBoundary"))
    for kind, name, node in node_sections(stack.configuration):
        policies = node.get("Iam", {}).get("AdditionalIamPolicies", [])
        attached = [*(resolver.value(each["Policy"]) for each in policies), _agent(stack.partition)]
        yield Role(stack, name, kind, boundary, tuple(attached), (getattr(engine, kind), engine.agent), known)
    yield Role(stack, "cleanup functions", "cleanup", boundary, (), (engine.cleanup,), known)


def node_sections(configuration: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Kind, name and section of each kind of node in a ParallelCluster configuration."""
    yield "head", "head node", configuration["HeadNode"]
    for pool in configuration.get("LoginNodes", {}).get("Pools", []):
        yield "login", f"login pool {pool['Name']}", pool
    for queue in configuration["Scheduling"]["SlurmQueues"]:
        yield "compute", f"queue {queue['Name']}", queue


def _agent(partition: str) -> str:
    return f"arn:{partition}:iam::aws:policy/{AGENT}"
