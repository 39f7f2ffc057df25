"""Reads the files that stand alone, without layers beneath them: storage files and the account's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from pydantic import ValidationError

from config.document import Origin, origins, plain
from config.findings import Finding, KeyPath, Severity
from config.rules.base import FileRule, FileSubject, M
from config.source import read
from config.translate import findings, located


@dataclass(frozen=True)
class LoadedFile(Generic[M]):
    """One valid file. ``name`` is its stem; ``findings`` are warnings: errors never get this far."""

    name: str
    spec: M
    origins: Mapping[KeyPath, Origin]
    findings: tuple[Finding, ...]


def load_file(
    root: Path, file: str, model: type[M], rules: Sequence[FileRule[M]]
) -> tuple[LoadedFile[M] | None, list[Finding]]:
    """``file`` (relative to the project's ``root``) as a ``model``, or None with an error among the findings."""
    name = file.rpartition("/")[2].removesuffix(".yaml")
    source = read(root, file)
    found = list(source.findings)
    if source.root is None:
        if not found:
            found.append(
                Finding(rule="file-empty", message="the file is empty", file=file, hint="write it, or delete it")
            )
        return None, found
    try:
        spec = model.model_validate(plain(source.root))
    except ValidationError as error:
        return None, found + findings(error.errors(include_url=False), source.root, model)
    subject = FileSubject(name, spec)
    found += [located(rule, problem, source.root) for rule in rules for problem in rule.check(subject)]
    if any(finding.severity is Severity.ERROR for finding in found):
        return None, found
    return LoadedFile(name, spec, dict(origins(source.root)), tuple(found)), found
