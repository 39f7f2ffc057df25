"""An update says nothing about a resource that it does not change.

ministack 1.5.33 records UPDATE events for every resource of the stack, so that no test can see what was touched.
"""

from __future__ import annotations

from typing import Any

from ministack.services.cloudformation import _stack_events, _stacks, provisioners, stacks

_quiet: set[tuple[str, str]] = set()
"""Stack id and logical id of the unchanged resources whose completion is still to be recorded."""


def _update(
    original: Any,
    resource_type: str,
    physical_id: str,
    old: dict[str, Any],
    new: dict[str, Any],
    stack_name: str,
    logical_id: str | None = None,
    old_attributes: dict[str, Any] | None = None,
) -> Any:
    if old == new and logical_id and (stack := _stacks.get(stack_name)):
        _forget_start(stack["StackId"], logical_id)
    return original(resource_type, physical_id, old, new, stack_name, logical_id, old_attributes)


def _forget_start(stack_id: str, logical_id: str) -> None:
    """Take back the UPDATE_IN_PROGRESS that was recorded before the properties were compared."""
    events = _stack_events.get(stack_id) or []
    last = next((event for event in reversed(events) if event["LogicalResourceId"] == logical_id), None)
    if last is not None and last["ResourceStatus"] == "UPDATE_IN_PROGRESS":
        events.remove(last)
        _quiet.add((stack_id, logical_id))


def _add_event(
    original: Any,
    stack_id: str,
    stack_name: str,
    logical_id: str,
    resource_type: str,
    status: str,
    *rest: Any,
    **more: Any,
) -> None:
    key = (stack_id, logical_id)
    if key in _quiet:
        _quiet.discard(key)
        if status == "UPDATE_COMPLETE":
            return
    original(stack_id, stack_name, logical_id, resource_type, status, *rest, **more)


def install() -> None:
    """Wrap the comparison and the recording of events."""
    update, add_event = provisioners._update_resource, stacks._add_event
    provisioners._update_resource = stacks._update_resource = lambda *a, **k: _update(update, *a, **k)
    stacks._add_event = lambda *a, **k: _add_event(add_event, *a, **k)
