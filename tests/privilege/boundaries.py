"""Every role stands under a boundary that is ours, or the organisation's where a file names one."""

from __future__ import annotations

from collections.abc import Iterator

from hpc_constructs.identity.rendering_scope import BOUNDARY_ID
from tests.privilege.documents import ELSEWHERE, owners
from tests.privilege.roles import Role, roles
from tests.privilege.world import Deployed, World

PROVIDER_PARAMETERS = {"CustomLambdaRole"}
"""All that the provider's template is told: with this one it makes no role for its function."""
CEILINGS = ("Ceiling", "BackupCeiling")


def problems(world: World) -> list[str]:
    """Roles without their boundary, and whatever would be a permission beside roles."""
    found = [f"{role.label}: {text}" for role in roles(world) if (text := _missing(role, world))]
    for stack in world.stacks:
        found += [f"{stack.name} {text}" for text in _beside_roles(stack, world)]
    return found


def _missing(role: Role, world: World) -> str | None:
    if role.kind == "reader":
        return None
    if role.boundary is None:
        return "has no permissions boundary"
    stack, logical_id = owners(world).get(role.boundary, (None, ""))
    if role.kind != "manager":
        ours = stack is role.stack and logical_id == BOUNDARY_ID
        return None if ours else f"has another boundary than the cluster's: {role.boundary}"
    given = getattr(role.stack.loaded.spec, "identity").ceiling  # noqa: B009 -- clusters and storage files have it
    if given == role.boundary:
        return None
    ours = stack is not None and logical_id in CEILINGS and stack.kind in (role.stack.kind, "account")
    own = ours and (stack is role.stack or given == "account")
    return None if own else f"has a boundary that is no ceiling of its own: {role.boundary}"


def _beside_roles(stack: Deployed, world: World) -> Iterator[str]:
    for logical_id, resource in stack.resources.items():
        if resource["Type"] in ELSEWHERE:
            yield f"{logical_id}: {resource['Type']} is a permission that no check reads"
    for logical_id, properties in stack.of_type("AWS::IAM::Role").items():
        if properties.get("Policies"):
            yield f"{logical_id}: inline policies, which no version of IAM keeps"
    bounded = {stack.resolver.arn(each) for each in stack.of_type("AWS::IAM::Role")}
    for logical_id, properties in stack.of_type("AWS::CloudFormation::Stack").items():
        given = properties.get("Parameters", {})
        if set(given) != PROVIDER_PARAMETERS:
            yield f"{logical_id}: parameters {sorted(given)} instead of {sorted(PROVIDER_PARAMETERS)}"
        for name in PROVIDER_PARAMETERS & set(given):
            if stack.resolver.value(given[name]) not in bounded:
                yield f"{logical_id}: {name} is no role of this stack"
