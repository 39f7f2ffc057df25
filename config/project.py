"""Loads all that a selection is about: clusters, storage files and the account's file, every error at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from config.findings import ConfigError, Finding, Severity
from config.loaded_volumes import taken_volumes
from config.loader import LoadedCluster, load_clusters
from config.models.account import Account
from config.models.storage_file import StorageFile
from config.report import in_order
from config.rules.account_file import ACCOUNT_RULES
from config.rules.storage_files import STORAGE_RULES
from config.selection import ACCOUNT, STORAGE, Selection
from config.standalone import LoadedFile, load_file


@dataclass(frozen=True)
class Project:
    """What was selected, valid as a whole.

    ``prepared`` is the account's file, selected or not, as far as it is valid: what clusters may rely on.
    """

    clusters: tuple[LoadedCluster, ...]
    storage: tuple[LoadedFile[StorageFile], ...] = ()
    account: LoadedFile[Account] | None = None
    prepared: LoadedFile[Account] | None = None

    @property
    def findings(self) -> list[Finding]:
        """The warnings of all files."""
        files = [*self.clusters, *self.storage, *([self.account] if self.account else [])]
        return [finding for file in files for finding in file.findings]


def load(root: Path, selection: Selection) -> Project:
    """Load what is selected; ``root`` is the project's root. Raises ``ConfigError`` with all that is wrong."""
    found: list[Finding] = []
    clusters: list[LoadedCluster] = []
    try:
        clusters = load_clusters(root, selection)
    except ConfigError as error:
        found += error.findings
    found += list(taken_volumes(clusters))
    storage = [load_file(root, f"{STORAGE}/{name}.yaml", StorageFile, STORAGE_RULES) for name in selection.storage]
    exists = (root / ACCOUNT).is_file()
    prepared, of_account = load_file(root, ACCOUNT, Account, ACCOUNT_RULES) if exists else (None, [])
    for _, findings in (*storage, *([(prepared, of_account)] if selection.account else [])):
        found += findings
    if any(finding.severity is Severity.ERROR for finding in found):
        raise ConfigError(in_order(found))
    files = tuple(file for file, _ in storage if file)
    return Project(tuple(clusters), files, prepared if selection.account else None, prepared)
