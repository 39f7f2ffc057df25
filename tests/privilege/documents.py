"""Every policy document of the world and its statements, resolved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.privilege.roles import roles
from tests.privilege.world import Deployed, World

CARRIERS = {
    "AWS::IAM::ManagedPolicy": "PolicyDocument",
    "AWS::IAM::Role": "AssumeRolePolicyDocument",
    "AWS::S3::BucketPolicy": "PolicyDocument",
    "AWS::SNS::TopicPolicy": "PolicyDocument",
}
"""Resource types with a policy document, and the property that holds it. All that our stacks may use."""
ELSEWHERE = (
    "AWS::IAM::AccessKey",
    "AWS::IAM::Group",
    "AWS::IAM::Policy",
    "AWS::IAM::RolePolicy",
    "AWS::IAM::User",
    "AWS::IAM::UserPolicy",
    "AWS::SecretsManager::ResourcePolicy",
    "AWS::SQS::QueuePolicy",
)
"""Other carriers of permissions: none of ours, and a check that does not read them must not see them come."""


@dataclass(frozen=True)
class Paper:
    """A document and where it stands; ``cap`` tells a boundary, which grants nothing, from a grant."""

    stack: Deployed
    logical_id: str
    type_name: str
    cap: bool
    document: dict[str, Any]

    @property
    def label(self) -> str:
        return f"{self.stack.name} {self.logical_id}"

    @property
    def statements(self) -> list[dict[str, Any]]:
        return self.document["Statement"]

    @property
    def allows(self) -> list[dict[str, Any]]:
        return [each for each in self.statements if each["Effect"] == "Allow"]


@cache
def papers(world: World) -> list[Paper]:
    """Every document of every stack."""
    caps = {role.boundary for role in roles(world)}
    return [paper for stack in world.stacks for paper in _of_stack(stack, caps)]


def policies(world: World) -> list[Paper]:
    """The managed policies alone."""
    return [paper for paper in papers(world) if paper.type_name == "AWS::IAM::ManagedPolicy"]


def grants(world: World) -> list[Paper]:
    """The managed policies that grant something."""
    return [paper for paper in policies(world) if not paper.cap]


def _of_stack(stack: Deployed, caps: set[str | None]) -> Iterator[Paper]:
    for type_name, key in CARRIERS.items():
        for logical_id, properties in stack.of_type(type_name).items():
            managed = type_name == "AWS::IAM::ManagedPolicy"
            cap = managed and stack.resolver.arn(logical_id) in caps
            yield Paper(stack, logical_id, type_name, cap, stack.resolver.value(properties[key]))


def listed(value: Any) -> list[Any]:
    """A policy's element, which may be one thing or a list."""
    return value if isinstance(value, list) else [value]


@cache
def owners(world: World) -> dict[str, tuple[Deployed, str]]:
    """The stack and logical id behind each managed policy's ARN."""
    return {
        stack.resolver.arn(logical_id): (stack, logical_id)
        for stack in world.stacks
        for logical_id in stack.of_type("AWS::IAM::ManagedPolicy")
    }
