"""Failures on demand, for tests: each fault is a JSON file in the folder ``faults`` of the server's state.

Whoever can write there owns the server already; over the network no fault can be asked for. A file is removed when
its fault comes about. One that holds something is the test's to remove, which lets go of what it holds; meanwhile
a file beside it, with ``.reached`` for ``.json``, tells that something is held.

- ``{"resource": "Cluster", "action": "Create", "effect": ...}``: a resource of a stack, by its logical id.
  ``stack`` names the stack where the id alone is not enough. ``effect`` is ``refuse`` (it fails before anything is
  done) or, for custom resources, ``fail`` (the function does its work, and says that it failed), ``silent`` (its
  answer never comes, and CloudFormation waits ``seconds`` for it), ``hold`` or ``hold-after`` (it waits before or
  after its work).
- ``{"head_node": "demo", "effect": ...}``: the head node of a new cluster signals a failure (``refuse``), or
  nothing in the ``seconds`` that its stack waits for it (``silent``).
- ``{"request": "PUT", "path": "/some-bucket/", "effect": ...}``: a request to AWS is refused, or held and then
  never carried out (``hold``). ``call`` is the action of a CloudFormation request.

``message`` is what a failure says.
"""

from __future__ import annotations

import contextvars
import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ministack.services.cloudformation import custom_resource, provisioners, stacks

logger = logging.getLogger("local_aws.faults")

FOLDER = "faults"
POLL_SECONDS = 0.02
OF_FUNCTIONS = ("refuse", "fail", "silent", "hold", "hold-after")

_state: list[Path] = []
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Fault:
    """One fault that has come about."""

    file: Path
    effect: str
    message: str
    seconds: float

    @property
    def held(self) -> bool:
        """Whether the test has not let go of it yet."""
        return self.file.exists()

    def reach(self) -> None:
        """Tell the test that something is held."""
        self.file.with_suffix(".reached").touch()

    def hold(self) -> None:
        """Wait until the test lets go; for worker threads alone."""
        self.reach()
        while self.held:
            time.sleep(POLL_SECONDS)


def watch(state: Path) -> None:
    """Look for faults in a server's state folder from now on."""
    _state[:] = [state / FOLDER]


def pending() -> bool:
    """Whether there is any fault at all."""
    return bool(_files())


def _files() -> list[Path]:
    return sorted(_state[0].glob("*.json")) if _state else []


def take(effects: tuple[str, ...], **event: str) -> Fault | None:
    """The fault that is due at an event, if its effect is one of ``effects``.

    It is due when everything in its file that tells where is the event's; ``path`` may be a part of the event's.
    """
    with _one_at_a_time:
        for file in _files():
            wanted = json.loads(file.read_text(encoding="utf-8"))
            fault = Fault(
                file, wanted.pop("effect"), wanted.pop("message", "injected"), wanted.pop("seconds", 0.0)
            )
            if fault.effect in effects and _is_due(wanted, event):
                if not fault.effect.startswith("hold"):
                    file.unlink()
                return fault
    return None


def _is_due(wanted: Mapping[str, str], event: Mapping[str, str]) -> bool:
    return all(
        name in event and (value in event[name] if name == "path" else value == event[name])
        for name, value in wanted.items()
    ) and bool(wanted.keys() & {"resource", "head_node", "request"})


def _refusing(original: Callable[..., Any], action: str, stack: int, logical_id: int) -> Callable[..., Any]:
    """Around one of ministack's actions on resources; the numbers tell where its arguments name the resource."""

    def act(kind: str, *arguments: Any) -> Any:
        unchanged = action == "Update" and arguments[1] == arguments[2]
        if not unchanged and not kind.startswith("Custom::"):
            where = {"stack": arguments[stack], "resource": arguments[logical_id]}
            if fault := take(("refuse",), action=action, **where):
                raise ValueError(fault.message)
        return original(kind, *arguments)

    return act


def _invoke(
    original: Callable[..., Any],
    action: str,
    logical_id: str,
    properties: Any,
    stack: str,
    *rest: Any,
    **former: Any,
) -> Any:
    """Around the call of a custom resource's function, which ministack makes on a worker thread."""

    def invoke() -> Any:
        return original(action, logical_id, properties, stack, *rest, **former)

    fault = take(OF_FUNCTIONS, resource=logical_id, action=action, stack=stack)
    if fault is None:
        return invoke()
    if fault.effect == "refuse":
        raise RuntimeError(fault.message)
    if fault.effect == "silent":
        return _unanswered(invoke, fault.seconds)
    if fault.effect == "hold":
        fault.hold()
    answer = invoke()
    if fault.effect == "fail":
        raise RuntimeError(fault.message)
    if fault.effect == "hold-after":
        fault.hold()
    return answer


def _unanswered(invoke: Callable[[], Any], seconds: float) -> Any:
    """Let the function work on, and give up waiting for it."""
    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(_quietly, invoke), daemon=True).start()
    time.sleep(seconds)
    raise TimeoutError(f"no answer within {seconds:g} seconds")


def _quietly(invoke: Callable[[], Any]) -> None:
    try:
        invoke()
    except Exception as error:
        logger.warning("the function that nobody waits for failed: %s", error)


def install() -> None:
    """Look for faults at every resource; before the mends that reword what a custom resource answers."""
    stacks._provision_resource = _refusing(stacks._provision_resource, "Create", stack=2, logical_id=0)
    update = _refusing(stacks._update_resource, "Update", stack=3, logical_id=4)
    stacks._update_resource = provisioners._update_resource = update
    stacks._delete_resource = _refusing(stacks._delete_resource, "Delete", stack=2, logical_id=3)
    invoke = custom_resource.invoke_custom_resource
    custom_resource.invoke_custom_resource = lambda *a, **k: _invoke(invoke, *a, **k)
