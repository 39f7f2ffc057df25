"""What our functions see of Lambda and CloudFormation: a request, a context, and the address to answer to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

STACK_ID = (
    "arn:aws:cloudformation:us-east-1:123456789012:stack/clusterform-pc-demo/11111111-2222-3333-4444-555555555555"
)


class Context:
    """Lambda's context, with the seconds that are left."""

    def __init__(self, seconds: float = 60) -> None:
        self.seconds = seconds

    def get_remaining_time_in_millis(self) -> int:
        return int(self.seconds * 1000)


class Callback:
    """The address CloudFormation waits at. ``refusals`` is how many requests get an error before one is taken."""

    def __init__(self) -> None:
        self.url = ""
        self.refusals = 0
        self.answers: list[dict[str, Any]] = []
        self.content_types: list[str | None] = []

    @property
    def only(self) -> dict[str, Any]:
        """The one answer."""
        (answer,) = self.answers
        return answer

    def event(self, kind: str, request: str = "Create", **changes: Any) -> dict[str, Any]:
        """A request for a resource of ours; ``changes`` are its top-level keys."""
        event = {
            "RequestType": request,
            "ResponseURL": self.url,
            "StackId": STACK_ID,
            "RequestId": "request-1",
            "ResourceType": f"Custom::{kind}",
            "LogicalResourceId": kind,
            "ResourceProperties": {},
        }
        return event | changes


@contextmanager
def listen() -> Iterator[Callback]:
    """A callback address on the loopback interface."""
    callback = Callback()

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if callback.refusals:
                callback.refusals -= 1
                self.send_response(503)
            else:
                callback.answers.append(json.loads(body))
                callback.content_types.append(self.headers.get("Content-Type"))
                self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the test's output is its own."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    callback.url = f"http://127.0.0.1:{server.server_port}/answer?signature=secret"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield callback
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
