"""The committed files that are generated from the models and rules, and whether they are up to date."""

from __future__ import annotations

from pathlib import Path

from config import json_schema, reference
from config.rules import reference as rules


def files() -> dict[str, str]:
    """Each generated file's path under the project's root, with the content it should have."""
    return {
        "config/schema/cluster.schema.json": json_schema.text(json_schema.cluster_schema()),
        "config/schema/profile.schema.json": json_schema.text(json_schema.profile_schema()),
        "config/schema/account.schema.json": json_schema.text(json_schema.account_schema()),
        "config/schema/storage.schema.json": json_schema.text(json_schema.storage_schema()),
        "docs/configuration.md": reference.markdown(),
        "docs/rules.md": rules.markdown(rules.ALL),
        "docs/account-file.md": reference.account_markdown(),
        "docs/storage-file.md": reference.storage_markdown(),
    }


def outdated(root: Path) -> list[str]:
    """The files whose committed content differs from what the models and rules say."""
    return [file for file, content in files().items() if _committed(root / file) != content]


def write(root: Path) -> None:
    """Write every generated file under ``root``."""
    for file, content in files().items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())


def _committed(path: Path) -> str:
    return path.read_bytes().decode(errors="replace") if path.is_file() else ""
