"""Turns what pydantic reports into findings with the file and line that people have to change."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from config.document import Node, along
from config.findings import Finding, KeyPath
from config.rules.base import Check, Problem
from config.sentences import Case, describe, tag_key
from config.shape import Place, locate

LIMIT = 200
"""Findings of one cluster that are worth reading; the rest is counted."""

MISSING_KEY = "missing-key"
_RULES = {
    "missing": MISSING_KEY,
    "union_tag_not_found": MISSING_KEY,
    "extra_forbidden": "unknown-key",
    "model_attributes_type": "value-type",
}


def findings(errors: Sequence[ErrorDetails], tree: Node, model: type[BaseModel]) -> list[Finding]:
    """One finding a place and problem, where its value, or the mapping around it, was written.

    ``tree`` is what was validated against ``model``. Places that the source already reported are left out.
    """
    found: dict[tuple[KeyPath, str], Finding] = {}
    for error in errors[:LIMIT]:
        place = _place(error, model)
        trail = list(along(tree, place.path))
        if all(node.readable for node in trail):
            finding = _finding(Case(error, place, trail))
            found.setdefault((finding.path, finding.message), finding)
    if len(errors) > LIMIT:
        message = f"{len(errors) - LIMIT} further problems are not shown"
        further = Finding(rule="too-many", message=message, file=tree.origin.file, hint="correct these first")
        found[(), message] = further
    return list(found.values())


def located(rule: Check, problem: Problem, tree: Node) -> Finding:
    """A rule's problem with the line of its value, or of the mapping that would hold it."""
    trail = list(along(tree, problem.path))
    origin = trail[-1].origin
    return Finding(
        rule=rule.name,
        message=problem.message,
        path=problem.path,
        file=origin.file,
        line=origin.line if len(trail) > 1 else 0,
        hint=problem.hint,
        severity=rule.severity,
    )


def _place(error: ErrorDetails, model: type[BaseModel]) -> Place:
    place = locate(model, error["loc"])
    if error["type"] in ("union_tag_not_found", "union_tag_invalid"):
        return Place((*place.path, tag_key(error)), place.annotation, place.model)
    return place


def _finding(case: Case) -> Finding:
    kind = case.error["type"]
    rule = _RULES.get(kind, "value-type" if kind.endswith(("_type", "_from_float")) else "value")
    message, hint = describe(case)
    origin, path = case.node.origin, case.place.path
    # A key that is absent from the top level has no line; one absent further in has its mapping's.
    line = 0 if rule == MISSING_KEY and len(path) == 1 else origin.line
    return Finding(rule=rule, message=message, path=path, file=origin.file, line=line, hint=hint)
