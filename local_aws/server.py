"""The server: ministack's application with our routes in front, on one loopback port, until told to stop."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config
from ministack import app as ministack
from ministack.core import lambda_runtime
from ministack.core.concurrency import run_reentrant

from local_aws import faults, mends, request_faults
from local_aws.provider import events
from local_aws.rules import EngineRules

PREFIX = "/_local_aws/"
GRACE_SECONDS = 1.0
"""How long open connections may take to finish when the server is told to stop."""

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def run(port: int, state: Path) -> None:
    """Serve until SIGINT or SIGTERM, then end every function's process and this one.

    ``state`` is the folder of its files; tests put faults there.
    """
    mends.install()
    faults.watch(state)
    asyncio.run(_serve(port, EngineRules()))


async def _serve(port: int, rules: EngineRules) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    config = Config()
    config.bind = [f"127.0.0.1:{port}"]
    config.loglevel = "WARNING"
    config.graceful_timeout = config.shutdown_timeout = GRACE_SECONDS
    await serve(_application(rules), config, shutdown_trigger=stop.wait)  # pyright: ignore[reportArgumentType]
    rules.close()
    lambda_runtime.reset()
    # Here and now: the loop would wait for custom resources that nobody answers any more, for up to an hour.
    os._exit(0)


def _application(rules: EngineRules) -> Any:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"].startswith(PREFIX):
            await _answer(scope["path"].removeprefix(PREFIX), receive, send, rules)
        elif scope["type"] == "http" and faults.pending():
            body, again = await request_faults.read(receive)
            if not await request_faults.interrupted(scope, body, send):
                await ministack.app(scope, again, send)
        else:
            await ministack.app(scope, receive, send)

    return application


async def _answer(path: str, receive: Any, send: Any, rules: EngineRules) -> None:
    """Our own routes: who is here, and the questions of the provider's functions."""
    kind, _, version = path.partition("/")
    if kind == "status":
        document = {"pid": os.getpid()}
    elif kind == "provider":
        question = await _body(receive)
        document = await run_reentrant(events.cluster_event, version, question, rules)
    elif kind == "cleanup":
        document = await run_reentrant(events.cleanup_event, await _body(receive))
    else:
        await _send(send, 404, {"message": f"no such route: {path}"})
        return
    await _send(send, 200, document)


async def _body(receive: Any) -> Any:
    content, more = b"", True
    while more:
        message = await receive()
        content += message.get("body", b"")
        more = message.get("more_body", False)
    return json.loads(content)


async def _send(send: Any, status: int, document: Any) -> None:
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(document).encode()})
