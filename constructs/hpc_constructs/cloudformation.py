"""CloudFormation's own vocabulary as plain data, and the one call that declares a resource.

Intrinsics are dicts, not CDK tokens, a resource takes its properties as one dict, and every resource stands in the
stack itself: a call into the CDK's own process costs a quarter of a millisecond, and a further cluster is mostly
such calls (tests/benchmarks). Rendering can be tested without aws_cdk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aws_cdk import CfnResource, Stack
from constructs import Construct

from hpc_constructs.intrinsics import Value, references


class Part(Construct):
    """A concern of a stack: it declares resources, and says by their logical ids which of them others need."""

    def __init__(self, scope: Part | Stack, construct_id: str) -> None:
        super().__init__(scope, construct_id)
        self.stack: Stack = scope if isinstance(scope, Stack) else scope.stack


_ON_DELETION = {"Retain": "RetainExceptOnCreate", "Snapshot": "Snapshot"}


def declare(
    scope: Part | Stack,
    logical_id: str,
    type_name: str,
    properties: Mapping[str, Value],
    *,
    depends_on: Iterable[str] = (),
    retain: bool = False,
    policy: str = "Delete",
) -> str:
    """Declare one resource and return its logical id.

    The resource's place is the stack, whatever part declares it: there the CDK takes the given id as the logical
    id, so that moving a resource from one part to another does not replace it. ``depends_on`` holds logical ids;
    those that the properties refer to need not stand in the template twice, and do not. ``retain`` keeps the
    resource on deletion and replacement, whatever happens. ``policy`` is what becomes of something with data:
    ``Retain`` lets it go where its creation is rolled back, as it holds nothing yet. Whoever sets either owes
    the ledger a line.
    """
    stack = scope if isinstance(scope, Stack) else scope.stack
    resource = CfnResource(stack, logical_id, type=type_name, properties=dict(properties))
    overrides: dict[str, Any] = {}
    before = set(depends_on)
    if before and (depends := sorted(before - references(properties))):
        overrides["DependsOn"] = depends
    if retain:
        overrides |= {"DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain"}
    elif policy != "Delete":
        overrides |= {"DeletionPolicy": _ON_DELETION[policy], "UpdateReplacePolicy": policy}
    for key, value in overrides.items():
        resource.add_override(key, value)
    return logical_id
