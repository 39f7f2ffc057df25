"""A configuration as a tree whose every value knows where it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from config.findings import KeyPath

Scalar = str | int | float | bool | None


@dataclass(frozen=True)
class Origin:
    """Where a value was written. ``file`` is relative to the project root; ``line`` counts from 1.

    ``line`` is 0 for what has no line: the command line (``-c``) and the models' own defaults (``default``).
    """

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


COMMAND_LINE = Origin("-c")
DEFAULT = Origin("default")


@dataclass(frozen=True, slots=True)
class Node:
    """One value: a scalar, a mapping or a list.

    ``origin`` is the line of the value's key, or of the list item itself. ``text`` is a scalar as it was typed,
    so that a message can show ``25.10`` where the number is 25.1. ``readable`` is false where the source already
    has a finding and ``value`` is only a stand-in: nothing further may be concluded from it.
    """

    value: Scalar | dict[str, Node] | list[Node]
    origin: Origin
    text: str = ""
    readable: bool = True


@dataclass(frozen=True)
class Override:
    """One ``-c clusterform:PATH=VALUE``: the path's parts as typed, list items by name or by number."""

    path: tuple[str, ...]
    value: Node = field(hash=False)


def plain(node: Node) -> Any:
    """The tree without its origins, as the models take it."""
    value = node.value
    if isinstance(value, dict):
        return {key: plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [plain(child) for child in value]
    return value


def from_plain(value: Any, origin: Origin) -> Node:
    """A tree of one origin, for data that came without lines (JSON types only)."""
    if isinstance(value, dict):
        return Node({str(key): from_plain(child, origin) for key, child in value.items()}, origin)
    if isinstance(value, list | tuple):
        return Node([from_plain(child, origin) for child in value], origin)
    return Node(value, origin, "" if value is None else str(value))


def along(tree: Node, path: KeyPath) -> Iterator[Node]:
    """The nodes from the root towards ``path``, as far as they exist."""
    yield tree
    here: Node | None = tree
    for part in path:
        here = _inside(here, part)
        if here is None:
            return
        yield here


def _inside(node: Node, part: str | int) -> Node | None:
    value = node.value
    if isinstance(value, dict) and isinstance(part, str):
        return value.get(part)
    if isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value):
        return value[part]
    return None


def origins(tree: Node, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Origin]]:
    """Every value's path and origin, mappings and lists included, the root left out."""
    value = tree.value
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, child in children:
        here = (*path, part)
        yield here, child.origin
        yield from origins(child, here)
