"""CloudFormation's intrinsic functions as plain dicts; imports nothing, so that rendering code may use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Value = Any
"""A JSON value in which any string may instead be an intrinsic function (a dict with one key)."""


def ref(logical_id: str) -> dict[str, Value]:
    """A resource's physical id (for a managed policy and a topic: its ARN), or a pseudo parameter."""
    return {"Ref": logical_id}


def get_att(logical_id: str, attribute: str) -> dict[str, Value]:
    """An attribute of a resource; a dotted attribute stays one name."""
    return {"Fn::GetAtt": [logical_id, attribute]}


def import_value(name: str) -> dict[str, Value]:
    """What another stack of the account and Region exports under a name."""
    return {"Fn::ImportValue": name}


def sub(text: str, **values: Value) -> dict[str, Value]:
    """A text with ``${Name}`` replaced: pseudo parameters, logical ids, or the values given."""
    return {"Fn::Sub": [text, values] if values else text}


def arn(service: str, resource: str, *, region: bool = True, account: bool = True) -> dict[str, Value]:
    """An ARN of this partition; ``resource`` may hold ``${...}`` as in :func:`sub`."""
    where = "${AWS::Region}" if region else ""
    whose = "${AWS::AccountId}" if account else ""
    return sub(f"arn:${{AWS::Partition}}:{service}:{where}:{whose}:{resource}")


_PLACEHOLDER = re.compile(r"\$\{([^!}.]+)[^}]*\}")


def references(value: Value) -> set[str]:
    """Logical ids and pseudo parameters that a value refers to, in whatever function they stand."""
    if isinstance(value, (list, tuple)):
        return set().union(*map(references, value))
    if not isinstance(value, Mapping):
        return set()
    match value:
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), *_]}:
            return {name}
        case {"Fn::Sub": str(text)}:
            return set(_PLACEHOLDER.findall(text))
        case {"Fn::Sub": [str(text), dict(values)]}:
            return set(_PLACEHOLDER.findall(text)) - set(values) | references(values)
    return references(list(value.values()))
