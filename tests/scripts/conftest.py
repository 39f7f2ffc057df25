"""A fresh node for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scripts.node import Node


@pytest.fixture
def node(tmp_path: Path) -> Node:
    """A node without any configuration of ParallelCluster's yet."""
    return Node(root=tmp_path / "root", stubs=tmp_path / "stubs")
