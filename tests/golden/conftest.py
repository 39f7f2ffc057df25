"""The fixture of the goldens."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.golden.files import GoldenFiles


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """The files in ``snapshots/``; --snapshot-update writes them anew."""
    return snapshot.use_extension(GoldenFiles)
