"""How values and expectations are put to people, in YAML's words rather than Python's."""

from __future__ import annotations

import json
from typing import Any, get_origin

from config.document import Node
from config.shape import bare, choices, is_model, members, sentences

_SHOWN = 60
_TYPE_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def shown(node: Node) -> str:
    """A value as it was written, with its kind: ``"4" (text)``, ``25.10 (a number)``."""
    value = node.value
    if value is None:
        return "nothing (an empty value)"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return f"{node.text.lower()} (a boolean)"
    if isinstance(value, str):
        return f"{quoted(value)} (text)"
    return f"{node.text} (a number)"


def quoted(text: str) -> str:
    """A text in double quotes, cut where it is long."""
    return json.dumps(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...", ensure_ascii=False)


def one_of(values: list[str]) -> str:
    """``dev``, or ``one of dev, test``."""
    return f"one of {', '.join(values)}" if len(values) > 1 else "".join(values)


def expected(annotation: Any) -> str:
    """What a place takes, to follow "must be": ``a whole number``, ``one of dev, test, stage, prod``."""
    parts = [part for part in (_expected_member(member) for member in members(annotation)) if part]
    said = [_clause(sentence) for sentence in sentences(annotation)]
    if said:
        parts = [part for part in parts if part != "text"] + said
    return " or ".join(dict.fromkeys(parts)) or "another value"


def _clause(sentence: str) -> str:
    return sentence.removeprefix("must be ") if sentence.startswith("must be ") else f"text that {sentence}"


def _expected_member(member: Any) -> str:
    inner = bare(member)
    if allowed := choices(member):
        return one_of([str(value) for value in allowed])
    if is_model(inner) or get_origin(inner) is dict:
        return "a mapping"
    if get_origin(inner) is list:
        return "a list"
    return _TYPE_NAMES.get(inner, "")
