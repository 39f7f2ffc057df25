"""``AWS::EC2::PrefixList``; ministack 1.5.33 has the API alone."""

from __future__ import annotations

import uuid
from typing import Any

from ministack.core.responses import get_account_id, get_region
from ministack.services import ec2
from ministack.services.cloudformation import provisioners

from local_aws import resource_handlers

TYPE = "AWS::EC2::PrefixList"


def _entries(properties: dict[str, Any]) -> list[dict[str, str]]:
    entries, size = properties.get("Entries") or [], int(properties.get("MaxEntries") or 0)
    if len(entries) > size:
        raise ValueError(f"You've reached the maximum number of entries for the prefix list: {size}")
    return [{"Cidr": entry["Cidr"], "Description": entry.get("Description", "")} for entry in entries]


def _attributes(prefix_list: dict[str, Any]) -> dict[str, Any]:
    return {
        "Arn": prefix_list["PrefixListArn"],
        "OwnerId": prefix_list["OwnerId"],
        "PrefixListId": prefix_list["PrefixListId"],
        "Version": prefix_list["Version"],
    }


def _create(logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    identifier = f"pl-{uuid.uuid4().hex[:17]}"
    ec2._prefix_lists[identifier] = {
        "PrefixListId": identifier,
        "PrefixListName": properties["PrefixListName"],
        "PrefixListArn": f"arn:aws:ec2:{get_region()}:{get_account_id()}:prefix-list/{identifier}",
        "OwnerId": get_account_id(),
        "State": "create-complete",
        "AddressFamily": properties["AddressFamily"],
        "MaxEntries": int(properties.get("MaxEntries") or 0),
        "Version": 1,
        "Entries": _entries(properties),
    }
    ec2._tags[identifier] = properties.get("Tags") or []
    return identifier, _attributes(ec2._prefix_lists[identifier])


def _update(physical_id: str, old: dict[str, Any], new: dict[str, Any], stack_name: str) -> Any:
    sized, listed = old.get("MaxEntries") != new.get("MaxEntries"), old.get("Entries") != new.get("Entries")
    if sized and listed:
        raise ValueError("You can't modify the entries and the size of a prefix list at the same time.")
    prefix_list = ec2._prefix_lists[physical_id]
    prefix_list |= {
        "PrefixListName": new["PrefixListName"],
        "MaxEntries": int(new.get("MaxEntries") or 0),
        "Entries": _entries(new),
        "Version": prefix_list["Version"] + listed,
        "State": "modify-complete",
    }
    ec2._tags[physical_id] = new.get("Tags") or []
    return physical_id, _attributes(prefix_list)


def _delete(physical_id: str, properties: dict[str, Any]) -> None:
    ec2._prefix_lists.pop(physical_id, None)
    ec2._tags.pop(physical_id, None)


def install() -> None:
    """Add the type; its address family is create-only."""
    resource_handlers.register(TYPE, create=_create, update=_update, delete=_delete)
    provisioners._REPLACING_PROPERTIES[TYPE] = ("AddressFamily",)
