"""A Lambda function needs a role that exists and that Lambda may assume; ministack 1.5.33 takes any text."""

from __future__ import annotations

from typing import Any

from ministack.services import iam

from local_aws import resource_handlers

PRINCIPAL = "lambda.amazonaws.com"


def _create(original: Any, logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    arn = properties.get("Role", "")
    role = iam._roles.get(arn.rpartition("/")[2])
    if role is None or role["Arn"] != arn or PRINCIPAL not in str(role["AssumeRolePolicyDocument"]):
        raise ValueError(f"The role defined for the function cannot be assumed by Lambda: {arn} (Service: Lambda)")
    return original(logical_id, properties, stack_name)


def install() -> None:
    """Put the check around the type's create."""
    resource_handlers.around("AWS::Lambda::Function", "create", _create)
