"""Findings as people read them: grouped by file, sorted by line, each with what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from config.document import COMMAND_LINE
from config.findings import Finding, Severity, dotted


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Sorted by file and line; what several clusters found in one shared place stands once."""
    return sorted(dict.fromkeys(findings), key=lambda one: (one.file, one.line, dotted(one.path), one.message))


def render(findings: Sequence[Finding]) -> str:
    """The text for a terminal, without a line end after its last line."""
    blocks = [
        "\n".join([f"{_title(file)}: {_count(group)}", *(_lines(finding) for finding in group)])
        for file, group in ((file, list(some)) for file, some in groupby(in_order(findings), lambda one: one.file))
    ]
    return "\n".join(blocks)


def _title(file: str) -> str:
    return "command line (-c)" if file == COMMAND_LINE.file else file


def _count(findings: Sequence[Finding]) -> str:
    warnings = sum(finding.severity is Severity.WARNING for finding in findings)
    problems = len(findings) - warnings
    counts = ((problems, "problem"), (warnings, "warning"))
    return ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count)


def _lines(finding: Finding) -> str:
    line = f"line {finding.line}" if finding.line else ""
    warning = "warning" if finding.severity is Severity.WARNING else ""
    place = ": ".join(part for part in (line, dotted(finding.path), warning) if part)
    text = f"{place}: {finding.message}" if place else finding.message
    hint = f"\n    -> {finding.hint}" if finding.hint else ""
    return f"  {text} [{finding.rule}]{hint}"


def as_data(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """The findings for machines, in order: rule, severity, file, line, path (dotted), message, hint."""
    return [
        {
            "rule": finding.rule,
            "severity": finding.severity.value,
            "file": finding.file,
            "line": finding.line,
            "path": dotted(finding.path),
            "message": finding.message,
            "hint": finding.hint,
        }
        for finding in in_order(findings)
    ]
