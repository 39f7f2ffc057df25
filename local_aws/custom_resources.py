"""What CloudFormation does around a custom resource and ministack 1.5.33 does not.

- A resource whose Create failed is sent a Delete, with the physical id that the failed answer gave. This is how a
  create onto a taken name gets the other cluster deleted: ParallelCluster's provider deletes by name. One that
  never answered is sent one, too; which physical id it then names is not proven.
- The reason of a failure reads as CloudFormation words it.
"""

from __future__ import annotations

import uuid
from typing import Any

from ministack.core.responses import now_iso
from ministack.services.cloudformation import custom_resource

UNANSWERED = (
    "CloudFormation did not receive a response from your Custom Resource. Please check your logs for requestId"
    " [{}]. If you are using the Python cfn-response module, you may need to update your Lambda function code so"
    " that CloudFormation can attach the updated version."
)

_failed: dict[tuple[str, str], dict[str, Any]] = {}
"""Records of resources whose Create failed, by stack id and logical id, until their Delete is due."""

_answers: dict[tuple[str, str], str] = {}
"""The physical id in the last answer, by stack id and logical id."""


def adopt_failed_creates(stack: dict[str, Any]) -> list[str]:
    """Give the stack the records of its failed creates, so that a rollback or deletion sends them a Delete.

    Returns their logical ids; a second call returns none.
    """
    adopted = [logical_id for owner, logical_id in _failed if owner == stack["StackId"]]
    for logical_id in adopted:
        stack.setdefault("_resources", {})[logical_id] = _failed.pop((stack["StackId"], logical_id))
    return adopted


def _deliver(original: Any, token: str, response: dict[str, Any]) -> bool:
    if physical_id := response.get("PhysicalResourceId"):
        _answers[(response.get("StackId", ""), response.get("LogicalResourceId", ""))] = physical_id
    return original(token, response)


def _invoke(
    original: Any,
    request_type: str,
    logical_id: str,
    properties: dict[str, Any],
    stack_name: str,
    stack_id: str,
    resource_type: str,
    **previous: Any,
) -> Any:
    key = (stack_id, logical_id)
    _answers.pop(key, None)
    try:
        return original(request_type, logical_id, properties, stack_name, stack_id, resource_type, **previous)
    except Exception as failure:
        if request_type == "Create":
            _failed[key] = _record(logical_id, resource_type, properties, _answers.get(key) or logical_id)
        if isinstance(failure, TimeoutError):
            raise TimeoutError(UNANSWERED.format(uuid.uuid4())) from failure
        if isinstance(failure, RuntimeError):
            raise RuntimeError(
                f"Received response status [FAILED] from custom resource. Message returned: {failure}"
            ) from failure
        raise


def _record(logical_id: str, resource_type: str, properties: dict[str, Any], physical_id: str) -> dict[str, Any]:
    """The stack's record of a resource, as ministack keeps it."""
    return {
        "LogicalResourceId": logical_id,
        "PhysicalResourceId": physical_id,
        "ResourceType": resource_type,
        "ResourceStatus": "CREATE_FAILED",
        "Properties": dict(properties),
        "Attributes": {},
        "Timestamp": now_iso(),
    }


def install() -> None:
    """Wrap the invocation and the answer."""
    deliver, invoke = custom_resource.deliver_response, custom_resource.invoke_custom_resource
    custom_resource.deliver_response = lambda *a: _deliver(deliver, *a)
    custom_resource.invoke_custom_resource = lambda *a, **k: _invoke(invoke, *a, **k)
