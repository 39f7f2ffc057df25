"""A stack's deletion as CloudFormation does it: dependents first, and nothing that a failed one depends on.

ministack 1.5.33 goes on after a failure and deletes what the failed resource still needs: its role, its policies,
its bucket. It deletes serially where AWS does so in parallel, so only the dependency closure is proven here, not
the order between unrelated resources.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ministack.core.concurrency import run_reentrant
from ministack.services.cloudformation import _exports, _stacks, handlers, stacks

from local_aws import custom_resources

STACK = "AWS::CloudFormation::Stack"


async def delete_stack(
    stack_name: str, stack_id: str, retain_resources: Collection[str] = (), force: bool = False
) -> None:
    """Delete a stack's resources; it ends DELETE_COMPLETE, or DELETE_FAILED with what is left.

    ``retain_resources`` are logical ids to leave alone (a second attempt after DELETE_FAILED); ``force`` leaves
    every resource that fails, and what it depends on.
    """
    stack = _stacks.get(stack_name)
    if not stack:
        return
    set_status(stack, "DELETE_IN_PROGRESS")
    failed = await delete_resources(stack, retain_resources)
    if failed and not force:
        set_status(stack, "DELETE_FAILED", f"The following resource(s) failed to delete: [{', '.join(failed)}].")
        return
    for output in stack.get("Outputs", []):
        _exports.pop(output.get("ExportName"), None)
    stack["_resources"].clear()
    set_status(stack, "DELETE_COMPLETE")


async def delete_resources(
    stack: dict[str, Any], retain: Collection[str] = (), keep_retained: bool = True
) -> list[str]:
    """Delete what a stack holds and return the logical ids that failed, sorted; those stay in the stack.

    ``retain`` are logical ids to leave alone; without ``keep_retained`` a DeletionPolicy to retain is ignored.
    """
    custom_resources.adopt_failed_creates(stack)
    resources: dict[str, Any] = stack.setdefault("_resources", {})
    definitions = (stack.get("_template") or {}).get("Resources", {})
    failed: list[str] = []
    for logical_id in _dependents_first(definitions, resources, stack):
        if logical_id in stacks._with_dependencies(failed, definitions, set(resources)):
            continue
        if logical_id in retain or (keep_retained and _retained(logical_id, definitions, resources, stack)):
            _event(stack, resources.pop(logical_id), "DELETE_SKIPPED")
        elif await _delete_resource(stack, resources[logical_id]):
            resources.pop(logical_id)
        else:
            failed.append(logical_id)
    return sorted(failed)


def _dependents_first(definitions: dict[str, Any], resources: dict[str, Any], stack: dict[str, Any]) -> list[str]:
    """The stack's logical ids; what the template no longer declares goes first, since nothing can depend on it."""
    ordered = stacks._topological_sort(definitions, stack.get("_conditions", {})) if definitions else []
    undeclared = [logical_id for logical_id in resources if logical_id not in ordered]
    return undeclared + [logical_id for logical_id in reversed(ordered) if logical_id in resources]


def _retained(logical_id: str, definitions: dict[str, Any], resources: Any, stack: dict[str, Any]) -> bool:
    policy = stacks._resource_policy(
        definitions.get(logical_id),
        "DeletionPolicy",
        resources,
        stack.get("_resolved_params", {}),
        stack.get("_conditions", {}),
        (stack.get("_template") or {}).get("Mappings", {}),
        stack["StackName"],
        stack["StackId"],
    )
    # A resource whose create failed does not exist, whatever its policy says about keeping it.
    return policy in stacks._RETAINING_POLICIES and resources[logical_id]["ResourceStatus"] != "CREATE_FAILED"


async def _delete_resource(stack: dict[str, Any], record: dict[str, Any]) -> bool:
    """Delete one resource; whether it is gone."""
    _event(stack, record, "DELETE_IN_PROGRESS")
    arguments = (
        record["ResourceType"],
        record["PhysicalResourceId"],
        record["Properties"],
        stack["StackName"],
        record["LogicalResourceId"],
    )
    try:
        if stacks._runs_on_worker_thread(record["ResourceType"]):
            await run_reentrant(stacks._delete_resource, *arguments)
        else:
            stacks._delete_resource(*arguments)
    except Exception as failure:
        record |= {"ResourceStatus": "DELETE_FAILED", "ResourceStatusReason": str(failure)}
        _event(stack, record, "DELETE_FAILED", str(failure))
        return False
    _event(stack, record, "DELETE_COMPLETE")
    return True


def _event(stack: dict[str, Any], record: dict[str, Any], status: str, reason: str = "") -> None:
    stacks._add_event(
        stack["StackId"],
        stack["StackName"],
        record["LogicalResourceId"],
        record["ResourceType"],
        status,
        reason,
        record["PhysicalResourceId"],
    )


def set_status(stack: dict[str, Any], status: str, reason: str = "") -> None:
    """Give the stack itself a status, and record the event."""
    stack["StackStatus"], stack["StackStatusReason"] = status, reason
    stacks._add_event(
        stack["StackId"], stack["StackName"], stack["StackName"], STACK, status, reason, stack["StackId"]
    )


def install() -> None:
    """Take the place of ministack's deletion wherever it is called from."""
    stacks._delete_stack_async = delete_stack
    handlers._delete_stack_async = delete_stack
