"""Roles that AWS's services need once an account, by their real names, from templates as well.

ministack 1.5.33 has the API alone, and calls the role of EC2 Spot otherwise than AWS does. The local AWS is an
account that has used Spot before, as most have: until somebody deletes it, the role is there.
"""

from __future__ import annotations

from typing import Any

from ministack.core.responses import get_account_id
from ministack.services import iam

from local_aws import resource_handlers

TYPE = "AWS::IAM::ServiceLinkedRole"
SPOT, SPOT_ROLE = "spot.amazonaws.com", "AWSServiceRoleForEC2Spot"

_known_accounts: set[str] = set()


def _take_up() -> None:
    """Give an account that is new here its role."""
    account = get_account_id()
    if account not in _known_accounts:
        _known_accounts.add(account)
        iam._create_service_linked_role({"AWSServiceName": SPOT})
        _rename()


def _rename() -> None:
    """Call the role of Spot, just made, as AWS does."""
    role = iam._roles.pop("AWSServiceRoleForSpot")
    arn = f"arn:aws:iam::{get_account_id()}:role{role['Path']}{SPOT_ROLE}"
    iam._roles[SPOT_ROLE] = {**role, "RoleName": SPOT_ROLE, "Arn": arn}


def _create(logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    _take_up()
    if properties["AWSServiceName"] != SPOT:
        raise ValueError(f"the local AWS has no service-linked role of {properties['AWSServiceName']}")
    if SPOT_ROLE in iam._roles:
        raise ValueError(f"Service role name {SPOT_ROLE} has been taken in this account")
    iam._create_service_linked_role({"AWSServiceName": SPOT})
    _rename()
    return SPOT_ROLE, {"RoleName": SPOT_ROLE}


def _delete(physical_id: str, properties: dict[str, Any]) -> None:
    iam._roles.pop(physical_id, None)


def _after_taking_up(original: Any) -> Any:
    def handler(parameters: dict[str, Any]) -> Any:
        _take_up()
        return original(parameters)

    return handler


def _create_by_api(original: Any) -> Any:
    def handler(parameters: dict[str, Any]) -> Any:
        _take_up()
        if iam._p(parameters, "AWSServiceName") != SPOT:
            return original(parameters)
        if SPOT_ROLE in iam._roles:
            message = (
                f"Service role name {SPOT_ROLE} has been taken in this account, please try a different suffix."
            )
            return iam._error(400, "InvalidInput", message, ns="iam")
        original(parameters)
        _rename()
        role = f"<Role>{iam._role_xml(SPOT_ROLE)}</Role>"
        result = f"<CreateServiceLinkedRoleResult>{role}</CreateServiceLinkedRoleResult>"
        return iam._xml(200, "CreateServiceLinkedRoleResponse", result, ns="iam")

    return handler


def install() -> None:
    """Add the type, and the role of Spot wherever roles are asked for."""
    resource_handlers.register(TYPE, create=_create, delete=_delete)
    for action in ("GetRole", "ListRoles", "DeleteServiceLinkedRole"):
        iam._IAM_HANDLERS[action] = _after_taking_up(iam._IAM_HANDLERS[action])
    iam._IAM_HANDLERS["CreateServiceLinkedRole"] = _create_by_api(iam._create_service_linked_role)
