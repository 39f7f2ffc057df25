"""Walks the models' types, so that an error's place and a key's neighbours are known without any file.

Pydantic reports a place as a path that also holds the names of union members; ``locate`` takes those out again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from config.findings import KeyPath
from config.models.base import Pattern

MAPPING_KEY = "[key]"
"""What pydantic appends to the place of a mapping's invalid key."""


@dataclass(frozen=True)
class Place:
    """Where an error stands: the key path, the type expected there, and the model around it.

    ``variant`` is the discriminator's value where the path leads through a union that has one (``efs``).
    ``in_union`` tells that the error is one of several, one a member of a union that has none.
    """

    path: KeyPath
    annotation: Any
    model: type[BaseModel] | None
    variant: str = ""
    in_union: bool = False


def bare(annotation: Any) -> Any:
    """The type without ``Annotated`` and without ``| None``."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if is_union(annotation):
        members = [member for member in get_args(annotation) if member is not NoneType]
        if len(members) == 1:
            return bare(members[0])
    return annotation


def is_union(annotation: Any) -> bool:
    """Whether several types are allowed."""
    return get_origin(annotation) in (Union, UnionType)


def is_model(annotation: Any) -> bool:
    """Whether the type is one of our models."""
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """A model's fields by the keys that files have for them (``from`` is no name in Python)."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def field_type(field: FieldInfo) -> Any:
    """A field's type with everything that pydantic took apart."""
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


def members(annotation: Any) -> tuple[Any, ...]:
    """The types allowed at a place, None left out."""
    annotation = bare(annotation)
    if is_union(annotation):
        return tuple(member for member in get_args(annotation) if member is not NoneType)
    return (annotation,)


def choices(annotation: Any) -> tuple[Any, ...]:
    """The values of every ``Literal`` at a place."""
    return tuple(
        value
        for member in members(annotation)
        if get_origin(bare(member)) is Literal
        for value in get_args(bare(member))
    )


def sentences(annotation: Any) -> list[str]:
    """The sentences of every pattern at a place."""
    found = [item.sentence for item in _metadata(annotation) if isinstance(item, Pattern)]
    inner = annotation
    while get_origin(inner) is Annotated:
        inner = get_args(inner)[0]
    if is_union(inner):
        found += [sentence for member in get_args(inner) for sentence in sentences(member)]
    return found


def _metadata(annotation: Any) -> Iterable[Any]:
    while get_origin(annotation) is Annotated:
        yield from annotation.__metadata__
        annotation = get_args(annotation)[0]


def child(annotation: Any, part: str | int) -> Any:
    """The type one step further in, or None where nothing is known about it."""
    annotation = bare(annotation)
    if is_model(annotation):
        field = fields(annotation).get(str(part))
        return field_type(field) if field else None
    if is_union(annotation):
        found = (child(member, part) for member in members(annotation))
        return next((inner for inner in found if inner is not None), None)
    arguments = get_args(annotation)
    return arguments[-1] if get_origin(annotation) in (list, dict) and arguments else None


def keys(annotation: Any) -> list[str]:
    """The keys a mapping at this place may hold; empty where it may hold any."""
    return [key for member in members(annotation) if is_model(bare(member)) for key in fields(bare(member))]


def tag_of(model: Any, tag_key: str) -> Any:
    """The value by which one model of a discriminated union is recognised."""
    field = fields(bare(model)).get(tag_key) if is_model(bare(model)) else None
    values = choices(field_type(field)) if field else ()
    return values[0] if len(values) == 1 else None


def locate(model: type[BaseModel], loc: Iterable[str | int]) -> Place:
    """The place that pydantic's ``loc`` means."""
    path: list[str | int] = []
    here: Any = model
    around: type[BaseModel] | None = None
    variant = ""
    for part in loc:
        here = bare(here)
        if part == MAPPING_KEY:
            return Place(tuple(path), _key_type(here), None, variant)
        if is_union(here):
            tagged = [member for member in members(here) if part in _tags(member)]
            if not tagged:
                return Place(tuple(path), here, around, variant, in_union=True)
            here, variant = tagged[0], str(part)
            continue
        around = here if is_model(here) else None
        path.append(part)
        here = child(here, part) if here is not None else None
    return Place(tuple(path), here, around, variant)


def _tags(member: Any) -> list[Any]:
    return [tag for key in keys(member) if (tag := tag_of(member, key)) is not None]


def _key_type(mapping: Any) -> Any:
    arguments = get_args(mapping)
    return arguments[0] if arguments else None
