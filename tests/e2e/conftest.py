"""A local AWS, bootstrapped once by the stock CDK CLI, and a copy of the project to deploy from."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ops.local.credentials import ACCOUNT, REGION, exports, isolated
from ops.local.server import Server
from tests.e2e.failures import Site
from tests.e2e.project import Project
from tests.e2e.stacks import left_over


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


@pytest.fixture(scope="session")
def site(project: Project, assembly: Path, aws: Any) -> Site:
    """What failures happen to."""
    return Site(project, aws, assembly)


@pytest.fixture
def nothing_left(site: Site) -> Iterator[None]:
    """Once the test's stack is deleted, the account holds what it held before, and what the ledger names."""
    before = set(left_over(site.aws, site.assembly))
    yield
    site.remove()
    assert not site.has_cluster()
    assert sorted(set(left_over(site.aws, site.assembly)) - before) == []
