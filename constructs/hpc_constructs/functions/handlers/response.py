"""Answering CloudFormation: exactly once and always: without an answer a deployment hangs until its timeout."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable
from typing import Any

Event = dict[str, Any]
"""A custom resource's request as CloudFormation sends it; every scalar in its properties is a string."""

MARGIN_SECONDS = 5.0
"""The answer goes out this long before Lambda would stop the function."""

REASON_CHARACTERS = 900
"""An answer may hold 4096 bytes in all."""

ATTEMPTS = 4


def answer(
    event: Event, context: Any, physical_id: str, action: Callable[[], None], *, never_fail: bool = False
) -> None:
    """Run ``action`` and answer: SUCCESS, or FAILED with the exception's text as the reason.

    ``physical_id`` has to be the same in every request of one resource: another one would make CloudFormation
    delete the former. With ``never_fail`` the answer is SUCCESS whatever happens, and the reason is only logged.
    """
    reply = _Reply(event, physical_id, never_fail)
    seconds = context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS
    deadline = threading.Timer(max(seconds, 0), reply.send, ["it took longer than the function may run"])
    deadline.daemon = True
    deadline.start()
    print(f"{event['RequestType']} {event['LogicalResourceId']}")
    try:
        action()
    except Exception as error:
        reply.send(str(error) or repr(error))
    else:
        reply.send("")
    finally:
        deadline.cancel()


class _Reply:
    """One request's answer; only the first call of :meth:`send` sends."""

    def __init__(self, event: Event, physical_id: str, never_fail: bool) -> None:
        self._event = event
        self._physical_id = physical_id
        self._never_fail = never_fail
        self._lock = threading.Lock()
        self._sent = False

    def send(self, problem: str) -> None:
        """Answer; an empty ``problem`` means success."""
        with self._lock:
            if self._sent:
                return
            self._sent = True
        if problem:
            print(f"problem: {problem}")
        status = "FAILED" if problem and not self._never_fail else "SUCCESS"
        _put(
            self._event["ResponseURL"],
            {
                "Status": status,
                "Reason": problem[:REASON_CHARACTERS] or "done",
                "PhysicalResourceId": self._physical_id,
                "StackId": self._event["StackId"],
                "RequestId": self._event["RequestId"],
                "LogicalResourceId": self._event["LogicalResourceId"],
            },
        )


def _put(url: str, body: dict[str, str]) -> None:
    """Put the answer where CloudFormation waits for it; the address is a secret and never logged."""
    request = urllib.request.Request(
        url, data=json.dumps(body).encode(), method="PUT", headers={"Content-Type": ""}
    )
    for attempt in range(1, ATTEMPTS + 1):
        try:
            urllib.request.urlopen(request, timeout=10).close()
            return
        except OSError as error:
            print(f"attempt {attempt} to answer failed: {type(error).__name__}")
            if attempt == ATTEMPTS:
                raise
            time.sleep(attempt / 2)
