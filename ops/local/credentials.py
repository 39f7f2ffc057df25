"""The environment in which the AWS tools, boto3 and the CDK CLI talk to a local AWS, and to nothing else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ops.local.server import Server

REGION = "us-east-1"
ACCOUNT = "123456789012"
"""Nobody's account; the local AWS takes an access key id of twelve digits for the account's number."""

FOREIGN = ("AWS_", "CDK_")
"""A profile, a role or an endpoint of the user's own must not mix with the local ones."""


def exports(server: Server) -> dict[str, str]:
    """What a shell needs to have set."""
    return {
        "AWS_ENDPOINT_URL": server.endpoint,
        "AWS_ACCESS_KEY_ID": ACCOUNT,
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def isolated(server: Server, home: Path, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """A whole environment for a child process: ``base`` (default: ours) without the user's own AWS and CDK
    settings, with ``home`` as home folder, so that nothing of the user's is read or written."""
    source = os.environ if base is None else base
    kept = {name: value for name, value in source.items() if not name.startswith(FOREIGN)}
    home.mkdir(parents=True, exist_ok=True)
    return kept | exports(server) | {"HOME": str(home), "CDK_DISABLE_CLI_TELEMETRY": "1", "CI": "true"}
