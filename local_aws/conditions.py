"""Conditions evaluate the functions inside their comparisons.

ministack 1.5.33 compares an unevaluated ``Fn::Join`` as text, which makes conditions of the CDK's own bootstrap
template true that are false: its deployment role then gets an empty policy instead of the default one.
"""

from __future__ import annotations

from typing import Any

from ministack.services.cloudformation import changesets, engine, handlers, stacks

EVALUATED = {"Fn::Join", "Fn::Sub", "Fn::Split", "Fn::FindInMap"}


def _plain(value: Any, parameters: dict[str, Any], mappings: dict[str, Any]) -> Any:
    """The expression with the functions evaluated that need no condition."""
    if isinstance(value, list):
        return [_plain(item, parameters, mappings) for item in value]
    if not isinstance(value, dict):
        return value
    if EVALUATED & value.keys() or str(value.get("Ref")).startswith("AWS::"):
        return engine._resolve_refs(value, {}, parameters, {}, mappings, "", "")
    return {key: _plain(item, parameters, mappings) for key, item in value.items()}


def install() -> None:
    """Evaluate first, then let ministack combine."""
    original = engine._evaluate_conditions

    def evaluate(template: dict[str, Any], parameters: dict[str, Any]) -> dict[str, bool]:
        plain = _plain(template.get("Conditions") or {}, parameters, template.get("Mappings") or {})
        return original(template | {"Conditions": plain}, parameters)

    modules: list[Any] = [engine, stacks, handlers, changesets]
    for module in modules:
        module._evaluate_conditions = evaluate
