"""The expanded view of a cluster: every value after all layers, and where each one was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from config.document import DEFAULT, Origin
from config.findings import KeyPath, dotted
from config.loader import LoadedCluster
from config.report import as_data

# A comment column that leaves room for an origin within 80 columns, and for a long one within 120.
_WIDEST = 48
_LINE = 72

# Text that no YAML reader, of 1.1 or 1.2, takes for anything but text.
_PLAIN = re.compile(r"[A-Za-z0-9_./][\w./@+=-]*(?:[: ][\w./@+=-]+)*")
_DOUBTFUL = re.compile(r"[-+\d.:_]+|0[ox].*|[-+.\d]+e[-+\d]+|y|n|yes|no|on|off|true|false|null", re.IGNORECASE)


@dataclass(frozen=True)
class _Row:
    text: str
    origin: Origin


def text(cluster: LoadedCluster) -> str:
    """YAML that could be read again, a value a line, its origin as an aligned comment."""
    rows = list(_mapping(cluster.spec.model_dump(), (), "", cluster.origins))
    column = max(len(row.text) for row in rows if len(row.text) <= _WIDEST) + 2
    head = f"# {cluster.name}, all layers merged. Behind each value: where it was written.\n"
    return head + "".join(f"{row.text:<{column - 2}}  # {row.origin}\n" for row in rows)


def data(cluster: LoadedCluster) -> dict[str, Any]:
    """The same for machines.

    ``configuration`` is the whole configuration; ``origins`` maps the dotted path of each value that a layer gave
    to ``{"file", "line"}`` (file ``-c`` and line 0 for the command line), and what is absent there is a default;
    ``warnings`` are findings as in ``config.report``.
    """
    return {
        "cluster": cluster.name,
        "configuration": cluster.spec.model_dump(),
        "origins": {
            dotted(path): {"file": origin.file, "line": origin.line} for path, origin in cluster.origins.items()
        },
        "warnings": as_data(cluster.findings),
    }


def _mapping(
    entries: Mapping[str, Any], path: KeyPath, indent: str, origins: Mapping[KeyPath, Origin]
) -> Iterator[_Row]:
    for key, value in entries.items():
        yield from _entry(f"{indent}{_scalar(key)}:", value, (*path, key), indent, origins)


def _entry(head: str, value: Any, path: KeyPath, indent: str, origins: Mapping[KeyPath, Origin]) -> Iterator[_Row]:
    """``head`` is what stands before the value: ``key:`` or ``-``."""
    origin = origins.get(path, DEFAULT)
    is_nested = isinstance(value, dict | list) and value
    if not is_nested or (isinstance(value, list) and _fits(head, value)):
        yield _Row(f"{head} {_flow(value)}", origin)
        return
    yield _Row(head, origin)
    if isinstance(value, dict):
        yield from _mapping(value, path, f"{indent}  ", origins)
        return
    for index, item in enumerate(value):
        yield from _item(item, (*path, index), f"{indent}  ", origins)


def _item(item: Any, path: KeyPath, indent: str, origins: Mapping[KeyPath, Origin]) -> Iterator[_Row]:
    if not isinstance(item, dict) or not item:
        yield _Row(f"{indent}- {_flow(item)}", origins.get(path, DEFAULT))
        return
    for number, row in enumerate(_mapping(item, path, f"{indent}  ", origins)):
        yield _Row(f"{indent}- {row.text[len(indent) + 2 :]}", row.origin) if number == 0 else row


def _fits(head: str, items: list[Any]) -> bool:
    is_simple = not any(isinstance(item, dict | list) for item in items)
    return is_simple and len(head) + len(_flow(items)) < _LINE


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(child)}" for key, child in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(child) for child in value) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    is_plain = isinstance(value, str) and _PLAIN.fullmatch(value) and not _DOUBTFUL.fullmatch(value)
    return value if is_plain else json.dumps(value, ensure_ascii=False)
