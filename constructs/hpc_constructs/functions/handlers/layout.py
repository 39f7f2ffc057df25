"""How a message is laid out: plain text for an e-mail, with short lines and commands that can be copied."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

WIDTH = 72
"""Columns that every mail program shows without breaking a line."""
SUBJECT_CHARACTERS = 99
"""Amazon SNS takes less than a hundred."""

Message = tuple[str, str]
"""Subject and text."""


def message(subject: str, *parts: str) -> Message:
    """A message of paragraphs and sections; empty ones are left out."""
    return subject[:SUBJECT_CHARACTERS], "\n\n".join(part for part in parts if part) + "\n"


def paragraph(text: str) -> str:
    """Running text; a word that is longer than a line, such as an ARN, stays whole."""
    return textwrap.fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


def section(title: str, items: Iterable[str]) -> str:
    """A title above its items; nothing where there are none."""
    listed = [f"- {item}".replace("\n", "\n  ") for item in items]
    return "\n".join([title, *listed]) if listed else ""


def command(text: str) -> str:
    """A shell command on as few lines as it fits, broken before options and filters by a backslash."""
    lines: list[str] = []
    for part in re.split(" (?=--|Name=)", text):
        if lines and len(lines[-1]) + len(part) < WIDTH - 8:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return textwrap.indent(" \\\n  ".join(lines), "  ")
