"""How what only AWS knows travels through ParallelCluster's code without being mistaken for a fact."""

from __future__ import annotations

from typing import Any, NoReturn


class NotChecked(BaseException):
    """A check asked for something that only AWS or the network knows; the message names it.

    No Exception, for ParallelCluster catches those and makes findings of them.
    """


class Unknown:
    """A value that only AWS knows. It may be handed on; whatever looks at it was not checked."""

    def __init__(self, what: str) -> None:
        self._what = what

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotChecked(self._what)

    __hash__ = object.__hash__


_LOOKS = (
    "bool len iter contains getitem getattr call str repr format eq ne lt le gt ge int float index round abs neg "
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod"
)
for _name in _LOOKS.split():
    setattr(Unknown, f"__{_name}__", Unknown._refuse)


class Known(dict[str, Any]):
    """What is known of one resource: anything else of it is unknown, instead of absent."""

    def __missing__(self, key: str) -> Unknown:
        return Unknown(f"{key} of {self['What']}")

    def get(self, key: str, default: Any = None) -> Any:
        """Like the subscript: a default would invent a fact."""
        return self[key]
