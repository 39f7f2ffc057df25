"""Requests that are refused or held on demand: the faults that stand in front of every service."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qs

from local_aws import faults

EFFECTS = ("refuse", "hold")


async def interrupted(scope: dict[str, Any], body: bytes, send: Any) -> bool:
    """Whether a fault was due at a request; it is answered then, and goes no further."""
    call = parse_qs(body.decode(errors="replace")).get("Action", [""])[0] if scope["path"] == "/" else ""
    fault = faults.take(EFFECTS, request=scope["method"], path=scope["path"], call=call)
    if fault is None:
        return False
    if fault.effect == "hold":
        fault.reach()
        while fault.held:
            await asyncio.sleep(faults.POLL_SECONDS)
    await _refuse(send, fault.message, scope["path"] == "/")
    return True


async def _refuse(send: Any, message: str, query_protocol: bool) -> None:
    """A denial, as S3 words it or as CloudFormation does."""
    error = f"<Error><Code>AccessDenied</Code><Message>{message}</Message></Error>"
    document = f"<ErrorResponse>{error}</ErrorResponse>" if query_protocol else error
    headers = [(b"content-type", b"text/xml")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": document.encode()})


async def read(receive: Any) -> tuple[bytes, Any]:
    """A request's body, and what gives it once more."""
    messages = []
    while not messages or messages[-1].get("more_body"):
        messages.append(await receive())
    body = b"".join(message.get("body", b"") for message in messages)
    left = iter(messages)

    async def again() -> Any:
        message = next(left, None)
        return message if message is not None else await receive()

    return body, again
