"""A failed create is rolled back in the order of a deletion, and what cannot be deleted stays in the stack.

ministack 1.5.33 deletes on after a failure and forgets the failed resource, so that deleting a ROLLBACK_FAILED
stack would leave it behind; it also leaves out custom resources whose own Create failed. And it takes the empty
list of resources to skip, which the CDK CLI sends, for a resource without a name.
"""

from __future__ import annotations

from typing import Any

from ministack.services.cloudformation import handlers, stacks

from local_aws import custom_resources, deletion_order

SKIP = "ResourcesToSkip"


async def _roll_back(
    original: Any, stack_name: str, stack_id: str, stack: dict[str, Any], operation: dict[str, Any], *rest: Any
) -> None:
    if operation.get("is_update"):
        created = custom_resources.adopt_failed_creates(stack)
        operation["created"] = [*operation.get("created", []), *created]
        await original(stack_name, stack_id, stack, operation, *rest)
        return
    stack.pop("_failed_operation", None)
    stack["_template"] = operation["template"]
    culprit = operation.get("failed_logical_id")
    reason = f"The following resource(s) failed to create: [{culprit}]. " if culprit else ""
    deletion_order.set_status(stack, "ROLLBACK_IN_PROGRESS", reason + "Rollback requested by user.")
    keep = not operation.get("retain_except_on_create")
    failed = await deletion_order.delete_resources(stack, keep_retained=keep)
    if failed:
        reason = f"The following resource(s) failed to delete: [{', '.join(failed)}]."
        deletion_order.set_status(stack, "ROLLBACK_FAILED", reason)
    else:
        deletion_order.set_status(stack, "ROLLBACK_COMPLETE")


def _continue(original: Any, parameters: dict[str, Any]) -> Any:
    return original({key: value for key, value in parameters.items() if key != SKIP or any(value)})


def install() -> None:
    """Take the place of ministack's rollback for creates, and complete it for updates."""
    original = stacks._roll_back_operation

    async def roll_back(*arguments: Any, **keywords: Any) -> None:
        await _roll_back(original, *arguments, **keywords)

    actions: dict[str, Any] = handlers._ACTION_HANDLERS
    continued = actions["ContinueUpdateRollback"]
    actions["ContinueUpdateRollback"] = lambda parameters: _continue(continued, parameters)
    stacks._roll_back_operation = handlers._roll_back_operation = roll_back
