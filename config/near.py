"""Spelling suggestions and short lists of what exists."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_SHOWN = 20


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known word that was probably meant, or None. ``cutoff`` is difflib's: 1 is equality."""
    candidates = sorted(set(known))
    if len(word) > 100:  # no name of ours is that long, and comparing is quadratic
        return None
    by_lower = {candidate.lower(): candidate for candidate in candidates}
    lowered = word.lower().replace("-", "_") if "_" in "".join(candidates) else word.lower()
    matches = difflib.get_close_matches(lowered, by_lower, n=1, cutoff=cutoff)
    return by_lower[matches[0]] if matches else None


def listing(names: Iterable[str]) -> str:
    """``a, b, c``, cut after twenty names, or ``none``."""
    names = list(names)
    text = ", ".join(names[:_SHOWN])
    further = len(names) - _SHOWN
    return (f"{text} and {further} more" if further > 0 else text) or "none"
