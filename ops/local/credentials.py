"""The environment in which the AWS tools, boto3 and the CDK CLI talk to a local AWS, and to nothing else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ops.local.server import Server

REGION = "us-east-1"
ACCOUNT = "123456789012"
"""Nobody's account; the local AWS takes an access key id of twelve digits for the account's number."""

JSII_CACHE = "JSII_RUNTIME_PACKAGE_CACHE_ROOT"

FOREIGN = ("AWS_", "CDK_")
"""A profile, a role or an endpoint of the user's own must not mix with the local ones."""


def exports(server: Server, region: str = REGION, account: str = ACCOUNT) -> dict[str, str]:
    """What a shell needs to have set."""
    return {
        "AWS_ENDPOINT_URL": server.endpoint,
        "AWS_ACCESS_KEY_ID": account,
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def client(settings: Mapping[str, str], service: str) -> Any:
    """A boto3 client for :func:`exports`' settings, whatever the environment says."""
    import boto3

    return boto3.client(  # pyright: ignore[reportCallIssue]
        service,  # pyright: ignore[reportArgumentType]
        endpoint_url=settings["AWS_ENDPOINT_URL"],
        region_name=settings["AWS_REGION"],
        aws_access_key_id=settings["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=settings["AWS_SECRET_ACCESS_KEY"],
    )


def isolated(settings: Mapping[str, str], home: Path) -> dict[str, str]:
    """A whole environment for a child process: ours without the user's own AWS and CDK settings.

    :func:`exports`' ``settings`` and ``home`` as home folder take their place, so that nothing of the user's is
    read or written. Only jsii's cache of unpacked packages stays where it is: filling another takes seconds.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    kept.setdefault(JSII_CACHE, str(Path.home() / ".cache" / "aws" / "jsii" / "package-cache"))
    home.mkdir(parents=True, exist_ok=True)
    # The CDK CLI takes its home folder from the user database, not from HOME.
    own = {"HOME": str(home), "CDK_HOME": str(home / ".cdk"), "CDK_DISABLE_CLI_TELEMETRY": "1", "CI": "true"}
    return kept | dict(settings) | own
