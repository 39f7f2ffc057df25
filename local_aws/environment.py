"""The process environment of the local AWS: one loopback port, one state folder, nothing of the machine's own."""

from __future__ import annotations

import os
from pathlib import Path

ACCOUNT = "123456789012"
"""The account of a request whose access key id is not itself an account's twelve digits."""

REGION = "us-east-1"
"""The Region of requests that name none."""

FOREIGN_PREFIXES = ("AWS_", "CDK_", "MINISTACK_", "LAMBDA_", "LOCALSTACK_", "DOCKER_")
"""What a caller's shell must not pass on to the server and its Lambda functions: profiles, endpoints, daemons."""


def variables(port: int, state: Path) -> dict[str, str]:
    """What ministack reads at import; every file it writes goes below ``state``."""
    temporary = state / "tmp"
    return {
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_HOST": "127.0.0.1",
        "MINISTACK_ACCOUNT_ID": ACCOUNT,
        "MINISTACK_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": ACCOUNT,
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": str(state / "no-config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(state / "no-credentials"),
        "DOCKER_HOST": f"unix://{state / 'no-docker'}",
        "HOME": str(state),
        "TMPDIR": str(temporary),
        "S3_DATA_DIR": str(state / "s3"),
        "SFTP_ENABLED": "0",
        "IOT_MTLS_ENABLED": "0",
        "LOG_LEVEL": "WARNING",
        # A function pays its import of boto3 once a server, however long a person looks at the screen in between.
        "LAMBDA_WARM_TTL_SECONDS": "86400",
        "PYTHONUNBUFFERED": "1",
    }


def apply(port: int, state: Path) -> None:
    """Make this process's environment that of the local AWS; to be called before ministack is imported."""
    for name in [name for name in os.environ if name.startswith(FOREIGN_PREFIXES)]:
        del os.environ[name]
    settings = variables(port, state)
    Path(settings["TMPDIR"]).mkdir(parents=True, exist_ok=True)
    os.environ.update(settings)
