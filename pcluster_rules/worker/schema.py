"""ParallelCluster's marshmallow schema as a plain tree, for checks that must not need ParallelCluster itself."""

# pyright: reportMissingImports=false
from __future__ import annotations

from typing import Any

from pcluster.schemas.cluster_schema import ClusterSchema

# Marshmallow's field classes by name; the first match along the class's ancestors counts.
SCALARS = {
    "String": "string",
    "Integer": "integer",
    "Float": "number",
    "Boolean": "boolean",
    "Dict": "object",
    "Raw": "any",
}


def tree(version: str) -> dict[str, Any]:
    """The whole cluster configuration: nodes with ``type``, ``keys`` or ``items``, limits and update policy.

    A ``map`` refuses unknown keys (marshmallow's RAISE, which every section uses), an ``object`` takes any.
    ``required`` holds within a complete document only.
    """
    return {
        "version": version,
        "source": f"pcluster.schemas.cluster_schema.ClusterSchema of aws-parallelcluster {version}",
        "root": _section(ClusterSchema(cluster_name="any")),
    }


def _section(schema: Any) -> dict[str, Any]:
    if schema.unknown != "raise":
        raise ValueError(f"section {type(schema).__name__} takes unknown keys, which the tree cannot say")
    keys = {field.data_key: _node(field) for field in schema.fields.values()}
    return {"type": "map", "keys": dict(sorted(keys.items()))}


def _node(field: Any) -> dict[str, Any]:
    node = _shape(field) | _limits(field)
    if field.required:
        node["required"] = True
    if policy := field.metadata.get("update_policy"):
        node["update_policy"] = policy.name
    if update_key := field.metadata.get("update_key"):
        node["update_key"] = update_key
    return node


def _shape(field: Any) -> dict[str, Any]:
    kinds = [cls.__name__ for cls in type(field).__mro__]
    if "OneOrManyCustomActionField" in kinds:
        return _custom_action(field)
    if "Nested" in kinds:
        section = _section(field.schema)
        return {"type": "list", "items": section} if field.many else section
    if "List" in kinds:
        return {"type": "list", "items": _node(field.inner)}
    return {"type": next(SCALARS[kind] for kind in kinds if kind in SCALARS)}


def _custom_action(field: Any) -> dict[str, Any]:
    """One script, or a sequence of them: ParallelCluster decides by the key that is there."""
    script = _section(field.schema)
    alternatives = {
        key: {k: v for k, v in node.items() if k != "required"} for key, node in script["keys"].items()
    }
    sequence = {"type": "list", "items": script, "update_policy": field.metadata["update_policy"].name}
    return {"type": "map", "keys": alternatives | {"Sequence": sequence}}


def _limits(field: Any) -> dict[str, Any]:
    """What the field's validators say, where they are declarative; functions are left to ParallelCluster."""
    limits: dict[str, Any] = {}
    for validator in _flat(field.validators):
        match type(validator).__name__:
            case "OneOf":
                limits["enum"] = sorted(validator.choices)
            case "Regexp":
                limits["pattern"] = validator.regex.pattern
            case "Range":
                limits |= _bounds("minimum", validator.min, validator.min_inclusive)
                limits |= _bounds("maximum", validator.max, validator.max_inclusive)
            case "Length":
                limits |= _bounds("shortest", validator.min if validator.equal is None else validator.equal, True)
                limits |= _bounds("longest", validator.max if validator.equal is None else validator.equal, True)
    return limits


def _bounds(name: str, value: Any, inclusive: bool) -> dict[str, Any]:
    return {} if value is None else {name if inclusive else f"{name}_excluded": value}


def _flat(validators: Any) -> list[Any]:
    flat: list[Any] = []
    for validator in validators:
        inner = getattr(validator, "validators", None)
        flat.extend(_flat(inner) if inner is not None else [validator])
    return flat
