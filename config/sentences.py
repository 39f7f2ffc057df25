"""One sentence, and where possible a hint, for every kind of error that pydantic reports about our models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic_core import ErrorDetails

from config.document import Node
from config.near import listing, nearest
from config.shape import MAPPING_KEY, Place, choices, keys, members, tag_of
from config.wording import expected, one_of, quoted, shown


@dataclass(frozen=True)
class Case:
    """One reported error, its place, and the nodes from the root towards it, as far as they exist."""

    error: ErrorDetails
    place: Place
    trail: list[Node]

    @property
    def node(self) -> Node:
        """The value at the place, or the mapping where it is absent."""
        return self.trail[-1]

    @property
    def context(self) -> dict[str, Any]:
        """Limits and the like, as pydantic names them."""
        return self.error.get("ctx", {})


def describe(case: Case) -> tuple[str, str]:
    """Message and hint (which may be empty)."""
    if case.place.in_union:
        return f"must be {expected(case.place.annotation)}, got {shown(case.node)}", ""
    make = _SENTENCES.get(case.error["type"])
    if make:
        return make(case)
    message = case.error["msg"].removesuffix(".")
    return f"{message[:1].lower()}{message[1:]}, got {shown(case.node)}", ""


def tag_key(error: ErrorDetails) -> str:
    """The key that tells the members of a union apart."""
    return str(error.get("ctx", {})["discriminator"]).strip("'")


def _missing(case: Case) -> tuple[str, str]:
    return "this required key is missing", f"it takes {expected(case.place.annotation)}"


def _missing_tag(case: Case) -> tuple[str, str]:
    return "this required key is missing", f"it takes {one_of(_tags(case))}"


def _unknown(case: Case) -> tuple[str, str]:
    key = str(case.place.path[-1])
    known = keys(case.place.model)
    around = case.trail[-2].value if len(case.trail) > 1 else None
    taken = around if isinstance(around, dict) else {}
    message = f"unknown key for type {case.place.variant}" if case.place.variant else "unknown key"
    close = nearest(key, [name for name in known if name not in taken]) or nearest(key, known)
    return message, f"did you mean {close!r}?" if close else f"known here: {listing(sorted(known))}"


def _choice(case: Case) -> tuple[str, str]:
    if case.place.path == ("engine",) and case.node.value == "pcs":
        return (
            'must be parallelcluster in this release, got "pcs" (text)',
            "write engine: parallelcluster; PCS comes with a later release",
        )
    return _wrong_choice([str(choice) for choice in choices(case.place.annotation)], case.node)


def _wrong_tag(case: Case) -> tuple[str, str]:
    return _wrong_choice(_tags(case), case.node)


def _tags(case: Case) -> list[str]:
    return [str(tag_of(member, tag_key(case.error))) for member in members(case.place.annotation)]


def _wrong_choice(allowed: list[str], node: Node) -> tuple[str, str]:
    close = nearest(node.value, allowed) if isinstance(node.value, str) else None
    return f"must be {one_of(allowed)}; got {shown(node)}", f"did you mean {close}?" if close else ""


def _type(case: Case) -> tuple[str, str]:
    kind = case.error["type"]
    return f"must be {_KINDS[kind]}, got {shown(case.node)}", _type_hint(kind, case.node)


def _type_hint(kind: str, node: Node) -> str:
    value = node.value
    if kind == "string_type" and isinstance(value, int | float):
        quotes = f'"{node.text}"'
        return (
            f"write it in quotes: {quotes}" if node.origin.line else f"quote it for the shell and YAML: '{quotes}'"
        )
    if not isinstance(value, str):
        return ""
    if kind == "list_type":
        return f"write [{value}]"
    lowered = value.lower()
    if kind == "bool_type" and lowered in _MEANT:
        return f"write {_MEANT[lowered]}, without quotes"
    return f"write {value}, without quotes" if kind == "int_type" and value.isdecimal() else ""


def _bound(words: str, name: str) -> Callable[[Case], tuple[str, str]]:
    return lambda case: (f"must be {words} {case.context[name]}, got {case.node.text}", "")


def _length(words: str, name: str) -> Callable[[Case], tuple[str, str]]:
    def sentence(case: Case) -> tuple[str, str]:
        value = case.node.value
        count = len(value) if isinstance(value, str | list | dict) else 0
        unit = "character" if isinstance(value, str) else "item"
        limit = case.context[name]
        return f"must hold {words} {limit} {unit}{'' if limit == 1 else 's'}, got {count or 'none'}", ""

    return sentence


def _own(case: Case) -> tuple[str, str]:
    """A sentence of our own, raised by the models: about a value, or about a mapping's key."""
    sentence = str(case.context["error"])
    if case.error["loc"] and case.error["loc"][-1] == MAPPING_KEY:
        return f"this key {sentence}, got {quoted(str(case.place.path[-1]))}", ""
    return f"{sentence}, got {shown(case.node)}", ""


_MEANT = {
    **dict.fromkeys(("true", "yes", "on", "1"), "true"),
    **dict.fromkeys(("false", "no", "off", "0"), "false"),
}

_KINDS = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}

_SENTENCES: dict[str, Callable[[Case], tuple[str, str]]] = {
    **dict.fromkeys(_KINDS, _type),
    "missing": _missing,
    "extra_forbidden": _unknown,
    "literal_error": _choice,
    "union_tag_invalid": _wrong_tag,
    "union_tag_not_found": _missing_tag,
    "value_error": _own,
    "greater_than_equal": _bound("at least", "ge"),
    "greater_than": _bound("more than", "gt"),
    "less_than_equal": _bound("at most", "le"),
    "less_than": _bound("less than", "lt"),
    "too_short": _length("at least", "min_length"),
    "string_too_short": _length("at least", "min_length"),
    "too_long": _length("at most", "max_length"),
    "string_too_long": _length("at most", "max_length"),
}
