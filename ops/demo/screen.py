"""How the demo looks: numbered steps, the command of each, what it does meanwhile, and what came of it.

On a terminal one line shows what is going on and disappears; elsewhere a line now and then says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

WIDEST = 100
"""Columns; longer lines are hard to read."""

INDENT = 5
HEARTBEAT_SECONDS = 5.0


class Activity:
    """What is going on right now, and for how long."""

    def __init__(self, width: int) -> None:
        self.text = ""
        self._width = width
        self._started = time.monotonic()
        self._spinner = Spinner("dots", style="cyan")

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._started

    def line(self) -> str:
        """One line that fits: the seconds and the text."""
        return f"{self.seconds:4.0f} s  {self.text}"[: self._width]

    def __rich__(self) -> RenderableType:
        self._spinner.update(text=Text(self.line(), style="dim", no_wrap=True, overflow="ellipsis"))
        return Padding(self._spinner, (0, 0, 0, INDENT - 2))


class Screen:
    """Prints to one console; ``steps`` is how many steps there will be."""

    def __init__(self, console: Console, steps: int) -> None:
        console.width = min(console.width, WIDEST)
        self.console = console
        self._steps = steps
        self._step = 0
        fancy = (console.encoding or "").lower().startswith("utf")
        self._tick, self._cross = ("✓", "✗") if fancy else ("ok", "!!")

    def step(self, title: str, command: str = "") -> None:
        """Begin the next step; ``command`` is what a user would type."""
        self._step += 1
        self.console.print()
        self.console.print(Text(f"{self._step}/{self._steps}  {title}", style="bold"))
        if command:
            self.say(Text(f"$ {command}", style="cyan"))

    def say(self, what: RenderableType) -> None:
        """Print something below the step's title."""
        self.console.print(Padding(what, (0, 0, 0, INDENT)), highlight=False)

    @contextmanager
    def activity(self) -> Iterator[Activity]:
        """Show what is going on while the block runs; the block sets the text."""
        activity = Activity(self.console.width - INDENT - 2)
        if self.console.is_terminal:
            with Live(activity, console=self.console, transient=True, refresh_per_second=8):
                yield activity
            return
        over = threading.Event()
        beat = threading.Thread(target=self._beat, args=(activity, over), daemon=True)
        beat.start()
        try:
            yield activity
        finally:
            over.set()
            beat.join()

    def _beat(self, activity: Activity, over: threading.Event) -> None:
        while not over.wait(HEARTBEAT_SECONDS):
            self.say(Text(f"... {activity.line().strip()}"))

    def done(self, text: str, seconds: float | None = None) -> None:
        """Say that the step has succeeded."""
        took = f"  ({seconds:.1f} s)" if seconds is not None else ""
        self.say(Text.assemble((f"{self._tick} ", "green"), text, (took, "dim")))

    def failed(self, text: str) -> None:
        """Say that the step has failed."""
        self.say(Text.assemble((f"{self._cross} ", "bold red"), text))

    def table(self, rows: Sequence[tuple[str, str]]) -> None:
        """Two columns, the first as wide as it must be."""
        table = Table.grid(padding=(0, 2))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        self.say(table)

    def panel(self, title: str, lines: Sequence[RenderableType]) -> None:
        """A frame around the last words."""
        self.console.print()
        frame = Panel(Group(*lines), title=title, title_align="left", border_style="green", padding=(1, 2))
        self.console.print(frame, highlight=False)
