"""The raw fragment's way into the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

IDENTITIES = ("Name", "Key", "Policy")
"""What tells the items of a list apart: queues, resources, pools and filesystems by Name, tags by Key, managed
policies by Policy. So a fragment adds a tag or a policy and never drops ours."""


def merge(base: Any, fragment: Any) -> Any:
    """``base`` with ``fragment`` laid over it: maps merge, lists of named items too, all else is replaced."""
    if isinstance(base, Mapping) and isinstance(fragment, Mapping):
        return {
            **base,
            **{key: merge(base[key], value) if key in base else value for key, value in fragment.items()},
        }
    if isinstance(base, list) and isinstance(fragment, list):
        for identity in IDENTITIES:
            if all(isinstance(item, Mapping) and identity in item for item in [*base, *fragment]):
                return _by_identity(base, fragment, identity)
    return fragment


def _by_identity(base: list[Any], fragment: list[Any], identity: str) -> list[Any]:
    """Items keep their place, new ones follow. An identity may be an intrinsic function, hence no dict."""
    merged = list(base)
    for item in fragment:
        places = [place for place, known in enumerate(merged) if known[identity] == item[identity]]
        if places:
            merged[places[0]] = merge(merged[places[0]], item)
        else:
            merged.append(item)
    return merged
