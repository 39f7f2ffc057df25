"""The one place that touches ministack's table of resource types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ministack.services.cloudformation import provisioners

Handler = Callable[..., Any]


def register(type_name: str, *, create: Handler, delete: Handler, update: Handler | None = None) -> None:
    """Add a resource type, or replace it.

    ``create(logical_id, properties, stack_name)`` and ``update(physical_id, old, new, stack_name)`` return
    physical id and attributes; ``delete(physical_id, properties)`` nothing. What they raise fails the resource.
    """
    handlers: dict[str, Handler] = {"create": create, "delete": delete}
    if update is not None:
        handlers["update"] = update
    provisioners._RESOURCE_HANDLERS[type_name] = handlers


def around(type_name: str, action: str, wrapper: Callable[..., Any]) -> None:
    """Put ``wrapper(original, *arguments)`` around one action of a type."""
    handlers = provisioners._RESOURCE_HANDLERS[type_name]
    original = handlers[action]

    def wrapped(*arguments: Any, **keywords: Any) -> Any:
        return wrapper(original, *arguments, **keywords)

    handlers[action] = wrapped
