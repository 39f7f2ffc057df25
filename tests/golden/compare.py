"""Compares what is rendered today with the files under tests/golden, and writes them when UPDATE_GOLDENS=1."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path

UPDATE = os.environ.get("UPDATE_GOLDENS") == "1"
ADVICE = "UPDATE_GOLDENS=1 ./clusterform test tests/golden writes these files anew; review the change in git diff"
LINES_SHOWN = 200


def differences(folder: Path, rendered: Mapping[str, str]) -> str:
    """A unified diff from the files in ``folder`` to ``rendered``; a file that nothing renders is one as well."""
    stored = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    lines: list[str] = []
    for name in sorted({*stored, *rendered}):
        old, new = stored.get(name, ""), rendered.get(name, "")
        here = f"{folder.name}/{name}" if name in stored else "absent"
        now = "today" if name in rendered else "not rendered any more"
        lines += difflib.unified_diff(old.splitlines(), new.splitlines(), here, now, lineterm="")
        if name not in stored or name not in rendered:
            lines.append(f"{name}: {'new' if name not in stored else 'not rendered any more'}")
    return "\n".join(lines[:LINES_SHOWN])


def check(folder: Path, rendered: Mapping[str, str]) -> None:
    """Fail with the differences, or take ``rendered`` for the truth under UPDATE_GOLDENS=1."""
    if UPDATE:
        _write(folder, rendered)
    found = differences(folder, rendered)
    assert not found, f"{found}\n\n{ADVICE}"


def _write(folder: Path, rendered: Mapping[str, str]) -> None:
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        path.unlink()
    for name, text in rendered.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
