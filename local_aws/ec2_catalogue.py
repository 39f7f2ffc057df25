"""EC2's catalogue of instance types, from moto's recorded answers, in process.

ministack 1.5.33 says that every instance type has eight vCPUs.
"""

from __future__ import annotations

import asyncio
import re
import threading
from functools import cache
from typing import Any

from ministack import app

FROM_MOTO = {"DescribeInstanceTypes", "DescribeInstanceTypeOfferings", "DescribeSpotPriceHistory"}

_one_at_a_time = threading.Lock()


@cache
def _client() -> Any:
    """moto's EC2, called without a socket; imported at first use because that takes a second."""
    from moto.moto_server.werkzeug_app import create_backend_app
    from werkzeug.test import Client

    return Client(create_backend_app("ec2"))


def _ask(body: bytes, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    kept = {name: headers.get(name.lower(), "") for name in ("Authorization", "Content-Type")}
    with _one_at_a_time:
        answer = _client().post("/", data=body, headers=kept)
    return answer.status_code, {"Content-Type": "text/xml"}, answer.get_data()


def install() -> None:
    """Answer the catalogue's actions from moto, everything else as before."""
    services: dict[str, Any] = app.SERVICE_HANDLERS
    original = services["ec2"]

    async def handle(method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, Any]) -> Any:
        action = re.search(rb"(?:^|&)Action=(\w+)", body or b"")
        if action and action[1].decode() in FROM_MOTO:
            return await asyncio.to_thread(_ask, body, headers)
        return await original(method, path, headers, body, query)

    services["ec2"] = handle
