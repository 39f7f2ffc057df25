"""Checks documents and fragments of ParallelCluster's own configuration against its committed schema, offline.

The trees in ``config/facts/parallelcluster/`` are generated from each supported version's own schema. Keys, types,
enumerations and declarative limits are checked here; ``clusterform validate`` runs ParallelCluster's own code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from config.findings import KeyPath
from config.near import listing, nearest

FOLDER = Path(__file__).parent / "parallelcluster"


@dataclass(frozen=True)
class SchemaProblem:
    """One thing that ParallelCluster would refuse; ``path`` is relative to the checked document."""

    path: KeyPath
    message: str
    hint: str = ""


@cache
def versions() -> tuple[str, ...]:
    """Every supported ParallelCluster version, oldest first."""
    return tuple(sorted((file.stem for file in FOLDER.glob("*.json")), key=_numbers))


@cache
def load(version: str) -> SchemaTree:
    """The schema of one version; raises KeyError for one that is not in :func:`versions`."""
    if version not in versions():
        raise KeyError(version)
    return SchemaTree(json.loads((FOLDER / f"{version}.json").read_text(encoding="utf-8")))


class SchemaTree:
    """One version's schema."""

    def __init__(self, tree: Mapping[str, Any]) -> None:
        self.version: str = tree["version"]
        self._root: Mapping[str, Any] = tree["root"]

    def problems(self, document: Any, *, complete: bool = False) -> list[SchemaProblem]:
        """Everything wrong with a document of ParallelCluster's.

        A fragment may leave out required keys; ``complete`` misses them. A CloudFormation intrinsic function
        passes wherever a scalar may stand, and in place of a whole list of strings.
        """
        return list(_check(self._root, document, (), complete))

    def update_policy(self, path: KeyPath) -> str | None:
        """ParallelCluster's name for what a change of this key takes, None for a path that it does not know."""
        return self.node(path).get("update_policy")

    def node(self, path: KeyPath) -> Mapping[str, Any]:
        """What the schema says of one key (``type``, ``pattern``, ...); empty for a path that it does not know."""
        node = self._root
        for part in path:
            node = node.get("items", {}) if isinstance(part, int) else node.get("keys", {}).get(part, {})
        return node


def is_intrinsic(value: Any) -> bool:
    """Whether a value is a CloudFormation intrinsic function (``Ref`` or ``Fn::...``), known only later."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return False
    (name,) = value
    return name == "Ref" or str(name).startswith("Fn::")


def _check(node: Mapping[str, Any], value: Any, path: KeyPath, complete: bool) -> Iterator[SchemaProblem]:
    if value is None:
        yield SchemaProblem(path, "has no value", "give it one or remove the key")
        return
    match node["type"]:
        case "map":
            yield from _check_map(node, value, path, complete)
        case "list":
            yield from _check_list(node, value, path, complete)
        case "object" if not isinstance(value, Mapping):
            yield SchemaProblem(path, f"must be a map of keys and values, got {_shown(value)}")
        case "string" | "integer" | "number" | "boolean":
            yield from _check_scalar(node, value, path)


def _check_map(node: Mapping[str, Any], value: Any, path: KeyPath, complete: bool) -> Iterator[SchemaProblem]:
    keys = node["keys"]
    if not isinstance(value, Mapping):
        yield SchemaProblem(path, f"must be a map of keys and values, got {_shown(value)}", _known(keys))
        return
    for key, inner in value.items():
        if key in keys:
            yield from _check(keys[key], inner, (*path, key), complete)
        else:
            yield SchemaProblem(
                (*path, str(key)), "is not a key that ParallelCluster knows here", _near(key, keys)
            )
    if complete:
        for key in sorted(keys.keys() - value.keys()):
            if keys[key].get("required"):
                yield SchemaProblem((*path, key), "is required by ParallelCluster and missing")


def _check_list(node: Mapping[str, Any], value: Any, path: KeyPath, complete: bool) -> Iterator[SchemaProblem]:
    if is_intrinsic(value) and node["items"]["type"] == "string":
        return
    if not isinstance(value, list):
        yield SchemaProblem(path, f"must be a list, got {_shown(value)}", "put a hyphen before each item")
        return
    yield from _limit(node, len(value), path, "items", "shortest", "longest")
    for index, item in enumerate(value):
        yield from _check(node["items"], item, (*path, index), complete)


def _check_scalar(node: Mapping[str, Any], value: Any, path: KeyPath) -> Iterator[SchemaProblem]:
    if is_intrinsic(value):
        return
    if not _has_type(node["type"], value):
        yield SchemaProblem(path, f"must be {_TYPES[node['type']]}, got {_shown(value)}", _type_hint(node, value))
        return
    if "enum" in node:
        allowed = node["enum"]
        given = int(value) if node["type"] == "integer" else value
        if given not in allowed:
            listed = ", ".join(str(choice) for choice in allowed)
            yield SchemaProblem(path, f"must be one of {listed}; got {_shown(value)}", _near(value, allowed))
    if "pattern" in node and not re.match(node["pattern"], value):
        yield SchemaProblem(path, f"must match ParallelCluster's pattern {node['pattern']}, got {_shown(value)}")
    if node["type"] in ("integer", "number"):
        yield from _limit(node, float(value), path, "", "minimum", "maximum")
    elif node["type"] == "string":
        yield from _limit(node, len(value), path, "characters", "shortest", "longest")


def _limit(
    node: Mapping[str, Any], number: float, path: KeyPath, unit: str, lowest: str, highest: str
) -> Iterator[SchemaProblem]:
    got = f"{number:g} {unit}".strip()
    if number < node.get(lowest, number):
        yield SchemaProblem(path, f"must be at least {node[lowest]} {unit}".strip() + f", got {got}")
    if number > node.get(highest, number):
        yield SchemaProblem(path, f"must be at most {node[highest]} {unit}".strip() + f", got {got}")
    above = node.get(f"{lowest}_excluded")
    if above is not None and number <= above:
        yield SchemaProblem(path, f"must be more than {above}, got {got}")


_TYPES = {"string": "a string", "integer": "a whole number", "number": "a number", "boolean": "true or false"}


def _has_type(kind: str, value: Any) -> bool:
    """As ParallelCluster reads: numbers and booleans may come as strings, for CloudFormation sends them so."""
    if kind == "boolean":
        return isinstance(value, bool) or value in ("true", "false")
    if kind == "string" or isinstance(value, bool):
        return isinstance(value, str) and kind == "string"
    pattern = r"-?\d+" if kind == "integer" else r"-?\d+(\.\d+)?"
    return isinstance(value, int | float | str) and bool(re.fullmatch(pattern, str(value)))


def _type_hint(node: Mapping[str, Any], value: Any) -> str:
    scalar = isinstance(value, int | float) and not isinstance(value, bool)
    return f'put it in quotes: "{value}"' if node["type"] == "string" and scalar else ""


def _near(value: object, allowed: Mapping[str, Any] | list[Any]) -> str:
    """``did you mean ...?`` for the closest of the allowed words, else which keys there are."""
    word = nearest(str(value), [choice for choice in allowed if isinstance(choice, str)])
    if word:
        return f"did you mean {word}?"
    return _known(allowed) if isinstance(allowed, Mapping) else ""


def _known(keys: Mapping[str, Any]) -> str:
    return f"known here: {listing(sorted(keys))}" if keys else "no key is known here"


def _shown(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
