"""A local AWS, bootstrapped once by the stock CDK CLI, and a copy of the project to deploy from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ops.local.credentials import ACCOUNT, REGION, exports, isolated
from ops.local.server import Server
from tests.e2e.project import Project


@pytest.fixture(scope="session")
def project(aws_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project in a local AWS that the CDK has bootstrapped."""
    folder = tmp_path_factory.mktemp("e2e")
    copied = Project.copy(folder / "project", isolated(exports(aws_server), folder / "home"))
    if shutil.which("cdk", path=copied.environment["PATH"]) is None:
        pytest.skip("needs the CDK CLI, which ./clusterform brings")
    done = copied.cdk("bootstrap", f"aws://{ACCOUNT}/{REGION}", "-c", "cluster=demo")
    assert done.returncode == 0, done.stdout
    return copied


@pytest.fixture(scope="session")
def assembly(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo cluster as it stands in its file."""
    return project.synth(tmp_path_factory.mktemp("assembly") / "out")
