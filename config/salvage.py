"""Keeps the rules useful over a file that the models refuse, so that one run names everything that is wrong.

What is wrong is taken out where the rest is still a valid cluster. What the rules find near it is doubtful, since
a default now stands where something else was meant, and is not shown.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from config.findings import KeyPath
from config.models.cluster import Cluster
from config.shape import MAPPING_KEY, locate


@dataclass(frozen=True)
class Remains:
    """What is left of a cluster, and the places about which nothing may be said."""

    spec: Cluster
    doubtful: tuple[KeyPath, ...]


def without(data: dict[str, Any], errors: Sequence[ErrorDetails]) -> Remains | None:
    """The cluster without the keys in error, or None where it cannot do without them."""
    data = copy.deepcopy(data)
    doubtful = set()
    for error in errors:
        path = locate(Cluster, error["loc"]).path
        while path and isinstance(path[-1], int):
            path = path[:-1]  # a list without one of its items is another list: take all of it out
        # A key that the models refuse may be what other places refer to (a subnet's name).
        if error["type"] == "missing" or error["loc"][-1:] == (MAPPING_KEY,) or not path:
            return None
        _remove(data, path)
        doubtful.add(path[:-1] or path)
    try:
        return Remains(Cluster.model_validate(data), tuple(sorted(doubtful, key=str)))
    except ValidationError:
        return None


def _remove(data: Any, path: KeyPath) -> None:
    for part in path[:-1]:
        if isinstance(data, dict):
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
    if isinstance(data, dict):
        data.pop(path[-1], None)
