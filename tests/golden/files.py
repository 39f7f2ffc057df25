"""How syrupy keeps the goldens: one file a text, under the name a reviewer looks for, in ``snapshots/``."""

from __future__ import annotations

from pathlib import Path

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

FOLDER = "snapshots"


class GoldenFiles(SingleFileSnapshotExtension):
    """``text == golden(name="demo/inventory.yaml")`` is the file of that name in ``snapshots/``, beside the test.

    Whatever else is in that folder, and only there, is unused: it fails the run, and ``--snapshot-update`` deletes
    it. So only one test module of a folder can have goldens.
    """

    _write_mode = WriteMode.TEXT
    file_extension = ""

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """The folder, however deep the files in it lie."""
        return str(Path(test_location.filepath).parent / FOLDER)

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """The given name is the file's."""
        return str(index)

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        """What syrupy calls the one snapshot of a file that it finds."""
        return Path(str(index)).name

    def is_snapshot_location(self, *, location: str) -> bool:
        """Every file, whatever it ends in."""
        return True
