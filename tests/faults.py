"""Faults for the local AWS, as local_aws/faults.py describes them: asked for by a file in its state folder."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 30


@dataclass(frozen=True)
class Fault:
    """One fault; ``let_go`` ends what it holds."""

    file: Path

    @property
    def came_about(self) -> bool:
        return not self.file.exists() or self.file.with_suffix(".reached").exists()

    def wait(self) -> None:
        """Until something is held."""
        deadline = time.monotonic() + SECONDS
        while not self.came_about:
            assert time.monotonic() < deadline, f"nothing met the fault {self.file.name}"
            time.sleep(0.02)

    def let_go(self) -> None:
        self.file.unlink(missing_ok=True)


class Faults:
    """The faults of one server."""

    def __init__(self, state: Path) -> None:
        self._folder = state / "faults"
        self._folder.mkdir(exist_ok=True)

    @contextmanager
    def __call__(self, **what: Any) -> Iterator[Fault]:
        """A fault for as long as the context lasts, in which it must come about, or the test proves nothing.

        Of several that are due, the first that was asked for comes about.
        """
        fault = Fault(self._folder / f"{time.monotonic_ns():020}.json")
        written = fault.file.with_suffix(".new")
        written.write_text(json.dumps(what), encoding="utf-8")
        written.rename(fault.file)
        try:
            yield fault
            assert fault.came_about, f"nothing met the fault {what}"
        finally:
            fault.let_go()
            fault.file.with_suffix(".reached").unlink(missing_ok=True)
