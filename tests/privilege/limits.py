"""The deny policy is on every node, and nothing is longer or more than IAM takes, at resolved lengths."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hpc_constructs.identity.rendering_sizes import ATTACHMENT_LIMIT, POLICY_LIMIT
from tests.privilege.documents import Paper, papers
from tests.privilege.roles import Role, roles
from tests.privilege.world import World

SIZES = {
    "AWS::IAM::ManagedPolicy": POLICY_LIMIT,
    "AWS::IAM::Role": 2048,
    "AWS::S3::BucketPolicy": 20 * 1024,
    "AWS::SNS::TopicPolicy": 30 * 1024,
}
"""Characters of a document by what carries it: quotas of IAM, S3 and SNS as they are without asking for more."""
NAMES = {"ManagedPolicyName": 128, "RoleName": 64}


def problems(world: World) -> list[str]:
    """What IAM would refuse, and nodes without the deny policy."""
    found = [text for paper in papers(world) for text in _too_long(paper)]
    names = [
        stack.resolver.value(properties["ManagedPolicyName"])
        for stack in world.stacks
        for properties in stack.of_type("AWS::IAM::ManagedPolicy").values()
    ]
    found += [f"two policies are called {name}" for name in sorted(set(names)) if names.count(name) > 1]
    return [*found, *(text for role in roles(world) for text in _of_role(role))]


def _too_long(paper: Paper) -> Iterator[str]:
    size = len(json.dumps(paper.document, separators=(",", ":")))
    if size > SIZES[paper.type_name]:
        yield f"{paper.label}: {size} characters, {SIZES[paper.type_name]} are taken"
    properties = paper.stack.resources[paper.logical_id]["Properties"]
    for key, limit in NAMES.items():
        name = paper.stack.resolver.value(properties.get(key, ""))
        if len(name) > limit:
            yield f"{paper.label}: {key} has {len(name)} characters, {limit} are taken"


def _of_role(role: Role) -> Iterator[str]:
    if len(role.attached) > ATTACHMENT_LIMIT:
        yield f"{role.label}: {len(role.attached)} policies attached, {ATTACHMENT_LIMIT} are taken"
    if len(set(role.attached)) < len(role.attached):
        yield f"{role.label}: a policy attached twice"
    if role.is_node and not any(_denies(document) for document in role.ours):
        yield f"{role.label}: without the deny policy"


def _denies(document: dict[str, object]) -> bool:
    statements = document["Statement"]
    return isinstance(statements, list) and all(each["Effect"] == "Deny" for each in statements)
