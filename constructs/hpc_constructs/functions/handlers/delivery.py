"""Where messages go: to the topic, and to the webhook where there is one. Telling never fails anything else."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config

from .layout import Message

TOPIC = "TOPIC_ARN"
WEBHOOK = "WEBHOOK_SECRET"
"""The function's settings; the second is absent without a webhook."""

SECONDS = 5
"""For each connection, so that a service that does not answer leaves time for the other way."""
CLIENT = Config(connect_timeout=SECONDS, read_timeout=SECONDS, retries={"total_max_attempts": 2})


def send(message: Message) -> None:
    """Tell people by every way there is; what fails is only logged."""
    _attempt("the topic", _publish, message)
    if os.environ.get(WEBHOOK):
        _attempt("the webhook", _post, message)


def _attempt(where: str, way: Callable[[Message], None], message: Message) -> None:
    try:
        way(message)
    except Exception as error:
        # The error's text may hold the webhook's address, which is a secret.
        status = f" {error.code}" if isinstance(error, urllib.error.HTTPError) else ""
        print(f"{where} was not told: {type(error).__name__}{status}")


def _publish(message: Message) -> None:
    subject, text = message
    boto3.client("sns", config=CLIENT).publish(TopicArn=os.environ[TOPIC], Subject=subject, Message=text)


def _post(message: Message) -> None:
    """Post to the address that the secret holds: ``{"text": ...}``, as chat services take it."""
    secrets = boto3.client("secretsmanager", config=CLIENT)
    address = secrets.get_secret_value(SecretId=os.environ[WEBHOOK])["SecretString"].strip()
    if urlsplit(address).scheme != "https":
        raise NotHttps
    body = json.dumps({"text": "\n\n".join(message)}).encode()
    request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/json"})
    urllib.request.build_opener(_Stay).open(request, timeout=SECONDS).close()


class NotHttps(Exception):
    """The secret holds no address that begins with https."""


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: it could lead to an address without encryption, and to anybody."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None
