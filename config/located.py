"""Where a finding stands that follows from a whole configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from config.document import Origin
from config.findings import Finding, KeyPath


def located(finding: Finding, origins: Mapping[KeyPath, Origin], file: str) -> Finding:
    """The finding where its value stands, or the nearest value around it that a file gives; else in ``file``."""
    for length in range(len(finding.path), 0, -1):
        origin = origins.get(finding.path[:length])
        if origin is not None:
            return replace(finding, file=origin.file, line=origin.line)
    return replace(finding, file=file)
