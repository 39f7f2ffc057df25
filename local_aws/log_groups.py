"""A log group that exists already fails the create of another of its name.

ministack 1.5.33 replaces it and loses its streams: a group kept on purpose by a deleted stack would never be
missed, and the next deployment under the same name would fail in AWS alone.
"""

from __future__ import annotations

from typing import Any

from ministack.services import cloudwatch_logs

from local_aws import resource_handlers


def _create(original: Any, logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    name = properties.get("LogGroupName")
    if name and name in cloudwatch_logs._log_groups:
        raise ValueError(f"Resource of type 'AWS::Logs::LogGroup' with identifier '{name}' already exists.")
    return original(logical_id, properties, stack_name)


def install() -> None:
    """Put the check around the type's create."""
    resource_handlers.around("AWS::Logs::LogGroup", "create", _create)
