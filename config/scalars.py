"""YAML 1.2's core schema: which plain words are numbers, booleans or nothing, and which are text.

YAML 1.1 (PyYAML's own resolver) reads ``4:20:00`` as 15600 and ``no`` as false; here both are text.
"""

from __future__ import annotations

import math
import re

from config.document import Scalar

# YAML 1.2.2, section 10.3.2.
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")
# No number of ours is longer; converting and printing very long ones is slow or refused by Python.
_LONGEST_NUMBER = 40


def resolve(text: str) -> Scalar:
    """The value of a plain (unquoted) scalar.

    Raises ``ValueError``, with a sentence for people, for numbers that no configuration can hold: infinite,
    not-a-number, or absurdly long.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-+.0123456789":
        return text
    if _NOT_FINITE.match(text):
        raise ValueError("must be a finite number")
    is_whole = bool(_DECIMAL.match(text))
    is_based = not is_whole and bool(_BASED.match(text))
    if not (is_whole or is_based or _FLOAT.match(text)):
        return text
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(f"is a number of {len(text)} characters; {_LONGEST_NUMBER} are the limit")
    if is_whole:
        return int(text)
    if is_based:
        return int(text, 0)
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("must be a finite number")
    return number
