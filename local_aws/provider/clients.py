"""AWS clients of the stand-in: the local AWS itself, with the Lambda function's own credentials."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Clients:
    """What the stand-in talks to."""

    region: str
    cloudformation: Any
    s3: Any
    iam: Any
    ec2: Any


def clients(credentials: Mapping[str, str]) -> Clients:
    """Clients for the credentials that the function found in its environment."""
    names = ("AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
    return _clients(*(credentials.get(name, "") for name in names))


@cache
def _clients(region: str, key: str, secret: str, token: str) -> Clients:
    import boto3
    from botocore.config import Config

    def client(service: str) -> Any:
        return boto3.client(
            service,
            region_name=region,
            endpoint_url=os.environ["AWS_ENDPOINT_URL"],
            aws_access_key_id=key,
            aws_secret_access_key=secret,
            aws_session_token=token or None,
            config=Config(retries={"total_max_attempts": 1}),
        )

    return Clients(region, client("cloudformation"), client("s3"), client("iam"), client("ec2"))
