"""What every test may use."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

# The library of the CDK starts node: this environment's, whether or not the environment was activated.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

pytest_plugins = ["tests.local_aws_server"]

# As app.py does, and before anything imports aws_cdk, which reads it then.
os.environ.setdefault("CDK_VALIDATION", "false")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*commands): runs these tools of the system (ops/test_tools.py)")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose tools are missing; in CI that is a failure, since nobody reads its skips."""
    wanted = [command for mark in item.iter_markers("needs") for command in mark.args]
    lacking = [command for command in wanted if shutil.which(command) is None]
    if not lacking:
        return
    reason = f"needs {', '.join(lacking)}"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
