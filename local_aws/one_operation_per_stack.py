"""A stack does one thing at a time, and only what its status allows.

ministack 1.5.33 lets a second update, or a deletion, run over an operation in progress. CloudFormation refuses the
update, and a deletion during an update; it accepts the deletion of a stack that is being created, and here it
starts when the create has ended. ministack also makes change sets for stacks that can only be deleted or rolled
back, and makes a stack anew where one stands whose creation was rolled back.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ministack.services.cloudformation import handlers, stacks
from ministack.services.cloudformation.helpers import _error, _p, _xml

ACTIONS: dict[str, Any] = handlers._ACTION_HANDLERS
UPDATES = ("CreateChangeSet", "ExecuteChangeSet", "UpdateStack")
POLL_SECONDS = 0.05
STUCK = ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "UPDATE_ROLLBACK_FAILED", "DELETE_FAILED")
"""The user guide says of each that nothing but a deletion, or a continued rollback, can follow. CloudFormation's
words are known for the first; those for the others are assumed to be alike."""


def _busy(name: str) -> dict[str, Any] | None:
    """The stack of that name or ARN, if an operation on it is in progress."""
    stack = handlers._resolve_stack(name) if name else None
    status = (stack or {}).get("StackStatus", "")
    return stack if status.endswith("_IN_PROGRESS") and status != "REVIEW_IN_PROGRESS" else None


def _refuse_while_busy(action: str) -> None:
    original = ACTIONS[action]

    def guarded(parameters: dict[str, Any]) -> Any:
        if stack := _busy(_p(parameters, "StackName")):
            state = stack["StackStatus"]
            return _error(
                "ValidationError", f"Stack:{stack['StackId']} is in {state} state and can not be updated."
            )
        return original(parameters)

    ACTIONS[action] = guarded


def _refuse_where_stuck(action: str) -> None:
    original = ACTIONS[action]

    def guarded(parameters: dict[str, Any]) -> Any:
        name = _p(parameters, "StackName")
        stack = handlers._resolve_stack(name) if name else None
        if stack is None or stack["StackStatus"] not in STUCK:
            return original(parameters)
        if action == "CreateStack" or _p(parameters, "ChangeSetType") == "CREATE":
            return _error("AlreadyExistsException", f"Stack [{name}] already exists")
        state = stack["StackStatus"]
        return _error("ValidationError", f"Stack:{stack['StackId']} is in {state} state and can not be updated.")

    ACTIONS[action] = guarded


def _delete_in_turn() -> None:
    original = ACTIONS["DeleteStack"]

    def guarded(parameters: dict[str, Any]) -> Any:
        stack = _busy(_p(parameters, "StackName"))
        if stack is None:
            return original(parameters)
        if stack["StackStatus"].startswith("UPDATE"):
            status = stack["StackStatus"]
            return _error(
                "ValidationError", f"Stack [{stack['StackId']}] cannot be deleted while in status {status}"
            )
        if stack["StackStatus"] == "DELETE_IN_PROGRESS":
            return _xml(200, "DeleteStackResponse", "")
        stacks._create_stack_task_in_region(_afterwards(original, parameters, stack), stack)
        return _xml(200, "DeleteStackResponse", "")

    ACTIONS["DeleteStack"] = guarded


async def _afterwards(delete: Any, parameters: dict[str, Any], stack: dict[str, Any]) -> None:
    """Delete once the operation in progress has ended."""
    while stack["StackStatus"].endswith("_IN_PROGRESS"):
        await asyncio.sleep(POLL_SECONDS)
    delete(parameters)


def install() -> None:
    """Put the checks in front of the five operations."""
    for action in UPDATES:
        _refuse_while_busy(action)
    for action in ("CreateStack", "CreateChangeSet", "UpdateStack"):
        _refuse_where_stuck(action)
    _delete_in_turn()
