"""Merges layers of configuration: the later layer's word counts, and every value keeps its origin.

Maps merge. Lists replace, except lists whose items all bear a name: those merge item by item.
"""

from __future__ import annotations

from typing import Any, get_origin

from config.document import COMMAND_LINE, Node, Override
from config.findings import Finding
from config.near import listing, nearest
from config.shape import bare, child, members

# Ours say ``name``; ParallelCluster's own, inside a raw fragment, say ``Name``.
_NAME_KEYS = ("name", "Name")


def merge(base: Node, over: Node) -> Node:
    """``over`` on top of ``base``; neither is changed."""
    if isinstance(base.value, dict) and isinstance(over.value, dict):
        return _merge_maps(base.value, over.value, over)
    if isinstance(base.value, list) and isinstance(over.value, list):
        return _merge_lists(base.value, over.value, over)
    return over


def _merge_maps(base: dict[str, Node], over: dict[str, Node], last: Node) -> Node:
    merged = dict(base)
    for key, value in over.items():
        merged[key] = merge(base[key], value) if key in base else value
    return Node(merged, last.origin, readable=last.readable)


def _merge_lists(base: list[Node], over: list[Node], last: Node) -> Node:
    named = [name_of(item) for item in (*base, *over)]
    if not base or not over or None in named:
        return last
    left = list(over)
    merged = []
    for item in base:
        match = next((other for other in left if name_of(other) == name_of(item)), None)
        if match is None:
            merged.append(item)
            continue
        left = [other for other in left if other is not match]
        merged.append(match if _changes_kind(item, match) else merge(item, match))
    return Node([*merged, *left], last.origin, readable=last.readable)


def name_of(item: Node) -> str | None:
    """The name by which an item of a list is known, or None."""
    if isinstance(item.value, dict):
        for key in _NAME_KEYS:
            if key in item.value and isinstance(name := item.value[key].value, str):
                return name
    return None


def _changes_kind(base: Node, over: Node) -> bool:
    """Another ``type`` (EFS instead of Lustre) has other keys: the old item's would only be in the way."""
    old, new = base.value, over.value
    if not isinstance(old, dict) or not isinstance(new, dict) or not {"type", "from"} & new.keys():
        return False
    kinds = [item["type"].value if "type" in item else "from" if "from" in item else None for item in (old, new)]
    return None not in kinds and kinds[0] != kinds[1]


def apply(tree: Node, override: Override, model: Any) -> Node:
    """The tree with one ``-c`` override applied. Raises ``OverrideError`` where the path leads nowhere.

    ``model`` is the model of the whole tree: it tells a list that is not there yet from a mapping.
    """
    return _put(tree, override.path, 0, override.value, model)


class OverrideError(Exception):
    """An override's path cannot be followed."""

    def __init__(self, path: tuple[str, ...], message: str, hint: str = "") -> None:
        super().__init__(message)
        self.finding = Finding(rule="override-path", message=message, path=path, file=COMMAND_LINE.file, hint=hint)


def _put(node: Node | None, path: tuple[str, ...], depth: int, value: Node, annotation: Any) -> Node:
    if depth == len(path):
        return merge(node, value) if node else value
    part = path[depth]
    if node is None or node.value is None:
        node = Node([] if _is_list(annotation) else {}, COMMAND_LINE)
    inner = child(annotation, part)
    if isinstance(node.value, dict):
        changed = _put(node.value.get(part), path, depth + 1, value, inner)
        return Node({**node.value, part: changed}, node.origin)
    if isinstance(node.value, list):
        index = _index(node.value, path, depth)
        changed = _put(node.value[index], path, depth + 1, value, inner)
        return Node([*node.value[:index], changed, *node.value[index + 1 :]], node.origin)
    raise OverrideError(path[: depth + 1], f"leads into the value {node.text}, which has no keys")


def _index(items: list[Node], path: tuple[str, ...], depth: int) -> int:
    """The place of the item that ``path[depth]`` names or counts (from 0)."""
    part = path[depth]
    names = [name_of(item) for item in items]
    if part in names:
        return names.index(part)
    if part.isdecimal() and int(part) < len(items):
        return int(part)
    known = [name for name in names if name]
    close = nearest(part, known)
    hint = f"did you mean {close!r}?" if close else f"its items: {listing(known or map(str, range(len(items))))}"
    raise OverrideError(path[:depth], f"has no item {part!r}", hint)


def _is_list(annotation: Any) -> bool:
    return any(get_origin(bare(member)) is list for member in members(annotation))
