"""How ParallelCluster's provider says no: its API's documents as JSON, cut to what CloudFormation keeps."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pcluster_rules.results import Change

REASON_LIMIT, REASON_KEPT = 256, 240
"""A longer reason keeps its last 240 characters (crhelper in aws-parallelcluster 3.16.1)."""

MESSAGES_LIMIT = 2048
"""Characters of ``validationMessages`` that the provider returns."""

SEVERITIES = ("INFO", "WARNING", "ERROR")


@dataclass(frozen=True)
class Finding:
    """What one validator says; ``level`` is one of SEVERITIES, ``kind`` the validator's name."""

    level: str
    kind: str
    message: str


class Refused(Exception):
    """ParallelCluster refuses the operation; the text is what CloudFormation is told."""


def bad_request(message: str) -> Refused:
    """A refusal by ParallelCluster's API without details."""
    return Refused(json.dumps({"message": f"Bad Request: {message}"}))


def invalid_configuration(findings: Iterable[Finding]) -> Refused:
    """A configuration that the schema or a validator refuses; the gravest comes last, where it survives."""
    ordered = sorted(findings, key=lambda finding: SEVERITIES.index(finding.level))
    listed = [_listed(finding) for finding in ordered]
    return Refused(
        json.dumps({"configuration_validation_errors": listed, "message": "Invalid cluster configuration."})
    )


def update_failure(refused: Iterable[Change]) -> Refused:
    """An update that one of ParallelCluster's policies refuses."""
    listed = [
        {
            "parameter": change.path,
            "requested_value": "-" if change.new is None else str(change.new),
            "message": ". ".join(filter(None, (change.reason, change.action))) or "Error during update",
            "current_value": "-" if change.old is None else str(change.old),
        }
        for change in refused
    ]
    return Refused(json.dumps({"message": "Update failure", "update_validation_errors": listed}))


def _listed(finding: Finding) -> dict[str, str]:
    return {"level": finding.level, "type": finding.kind, "message": finding.message}


def reason(text: str) -> str:
    """A failure's reason, as short as CloudFormation gets it."""
    return text if len(text) <= REASON_LIMIT else "ERROR: (truncated) " + text[-REASON_KEPT:]


def validation_messages(warnings: Iterable[Finding]) -> str:
    """The ``validationMessages`` attribute: what validators said without refusing."""
    text = json.dumps([_listed(warning) for warning in warnings])
    return text if len(text) <= MESSAGES_LIMIT else "TRUNCATED:" + text[:MESSAGES_LIMIT]


def flatten(document: Any, prefix: str = "") -> dict[str, str]:
    """A nested document as attributes with dotted names, like ``headNode.privateIpAddress``."""
    pairs = enumerate(document) if isinstance(document, list) else document.items()
    flat: dict[str, str] = {}
    for key, value in pairs:
        if isinstance(value, dict | list):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat
