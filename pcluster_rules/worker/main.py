"""The worker process: one JSON request a line on standard input, one JSON answer a line on standard output."""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import Any


def main() -> None:
    """Serve until standard input ends. An answer holds ``result``, or ``failure`` when a request crashed."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever upstream prints must not mix with the answers
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        answers.write(json.dumps(_answer(json.loads(line))) + "\n")
        answers.flush()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"result": _call(request.pop("call"), request)}
    except BaseException as error:
        return {"failure": f"{type(error).__name__}: {error}"}


def _call(name: str, arguments: dict[str, Any]) -> Any:
    """Imports here, so that a folder of rules that cannot be imported is an answer too."""
    from pcluster_rules.worker import offline, schema, update, validation

    offline.seal()
    calls = {"validate": validation.validate, "update": update.update, "schema_tree": schema.tree}
    return calls[name](**arguments)
