"""One private local AWS a test process, for every test that needs one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from ops.local import credentials
from ops.local import server as local_server
from ops.local.server import Server
from tests.faults import Faults


@pytest.fixture(scope="session")
def aws_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running local AWS."""
    pytest.importorskip("ministack", reason="the local AWS's packages are not installed")
    server = local_server.start(tmp_path_factory.mktemp("local-aws") / "state")
    yield server
    local_server.stop(server)


@pytest.fixture(scope="session")
def faults(aws_server: Server) -> Faults:
    """``with faults(resource="Cluster", action="Create", effect="fail"): ...``."""
    return Faults(aws_server.state)


@pytest.fixture(scope="session")
def aws(aws_server: Server) -> Any:
    """``aws("s3")``: a boto3 client of the local AWS."""
    return cache(lambda service: client(aws_server, service))


@pytest.fixture(scope="session")
def cloudformation(aws: Any) -> Any:
    """CloudFormation's client."""
    return aws("cloudformation")


def client(server: Server, service: str) -> Any:
    """A boto3 client of a local AWS."""
    return credentials.client(credentials.exports(server), service)
