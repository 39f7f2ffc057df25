"""``AWS::CloudFormation::Stack`` with the semantics of any other stack.

ministack 1.5.33 has a second, shorter implementation for nested stacks: it ignores DeletionPolicy, swallows what
fails to delete, does not roll back, and loses the attributes of resources that an update leaves unchanged.
"""

from __future__ import annotations

import asyncio
import copy
import uuid
from typing import Any

from ministack.core.responses import get_account_id, get_region, now_iso
from ministack.services.cloudformation import _stack_events, _stacks, engine, helpers, provisioners, stacks

from local_aws import deletion_order, resource_handlers

KEPT = (
    "_resources",
    "_template",
    "_template_body",
    "_resolved_params",
    "_conditions",
    "Parameters",
    "Tags",
    "Outputs",
)
"""What an update that fails goes back to."""


def _create(logical_id: str, properties: dict[str, Any], parent: str) -> Any:
    name = f"{parent}-{logical_id}-{uuid.uuid4().hex[:12].upper()}"
    stack_id = f"arn:aws:cloudformation:{get_region()}:{get_account_id()}:stack/{name}/{uuid.uuid4()}"
    parent_id = provisioners._cr_stack_id(parent)
    child = {"StackName": name, "StackId": stack_id, "_region": get_region()}
    child |= {"CreationTime": now_iso(), "LastUpdatedTime": now_iso()}
    child |= {
        "RootId": parent_id,
        "ParentId": parent_id,
        "_resources": {},
        "Outputs": [],
        "DisableRollback": False,
    }
    child |= _requested(properties)
    _stacks[name], _stack_events[stack_id] = child, []
    deletion_order.set_status(child, "CREATE_IN_PROGRESS")
    asyncio.run(_deploy(child))
    if child["StackStatus"] != "CREATE_COMPLETE":
        reason = _first_failure(child)
        asyncio.run(deletion_order.delete_stack(name, stack_id))
        raise ValueError(f"Embedded stack {stack_id} was not successfully created: {reason}")
    return stack_id, _outputs(child)


def _update(physical_id: str, old: dict[str, Any], new: dict[str, Any], parent: str) -> Any:
    child = _stacks[provisioners._nested_stack_lookup_name(physical_id)]
    previous = {key: copy.deepcopy(child.get(key)) for key in KEPT}
    child |= _requested(new) | {"LastUpdatedTime": now_iso()}
    deletion_order.set_status(child, "UPDATE_IN_PROGRESS")
    asyncio.run(_deploy(child, previous))
    if child["StackStatus"] != "UPDATE_COMPLETE":
        raise ValueError(f"Embedded stack {physical_id} was not successfully updated: {_first_failure(child)}")
    return physical_id, _outputs(child)


def _delete(physical_id: str, properties: dict[str, Any]) -> None:
    child = _stacks.get(provisioners._nested_stack_lookup_name(physical_id))
    if child is None or child["StackStatus"] == "DELETE_COMPLETE":
        return
    asyncio.run(deletion_order.delete_stack(child["StackName"], child["StackId"]))
    if child["StackStatus"] != "DELETE_COMPLETE":
        raise ValueError(
            f"Embedded stack {physical_id} was not successfully deleted: {child['StackStatusReason']}"
        )


def _requested(properties: dict[str, Any]) -> dict[str, Any]:
    """The part of a stack's record that follows from the parent's properties."""
    body, error = helpers._resolve_template({"TemplateURL": [properties["TemplateURL"]]})
    if error is not None or not body:
        raise ValueError(f"S3 error: Access Denied. The template at {properties['TemplateURL']} cannot be read")
    template = engine._parse_template(body)
    given = [{"Key": key, "Value": str(value)} for key, value in (properties.get("Parameters") or {}).items()]
    parameters = engine._resolve_parameters(template, given)
    return {
        "_template": template,
        "_template_body": body,
        "_resolved_params": parameters,
        "_conditions": engine._evaluate_conditions(template, parameters),
        "Description": template.get("Description", ""),
        "Parameters": [
            {"ParameterKey": key, "ParameterValue": value["Value"], "NoEcho": value["NoEcho"]}
            for key, value in parameters.items()
        ],
        "Tags": [
            {"Key": key, "Value": value}
            for key, value in provisioners._tag_map(properties.get("Tags")).items()
            if not key.startswith("aws:")
        ],
    }


async def _deploy(child: dict[str, Any], previous: dict[str, Any] | None = None) -> None:
    await stacks._deploy_stack_async(
        child["StackName"],
        child["StackId"],
        child["_template"],
        child["_resolved_params"],
        False,
        child["Tags"],
        is_update=previous is not None,
        previous_stack=previous,
    )


def _first_failure(child: dict[str, Any]) -> str:
    """The first resource that failed, and why."""
    for event in _stack_events[child["StackId"]]:
        if event["ResourceStatus"].endswith("_FAILED") and event["ResourceType"] != deletion_order.STACK:
            return f"{event['LogicalResourceId']}: {event['ResourceStatusReason']}"
    return child["StackStatusReason"]


def _outputs(child: dict[str, Any]) -> dict[str, str]:
    return {f"Outputs.{output['OutputKey']}": output["OutputValue"] for output in child["Outputs"]}


def install() -> None:
    """Take the place of ministack's handlers."""
    resource_handlers.register(deletion_order.STACK, create=_create, update=_update, delete=_delete)
