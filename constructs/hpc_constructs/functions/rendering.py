"""What every function of ours may do, as plain data."""

from __future__ import annotations

from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.intrinsics import get_att


def log_statement(log_group: str) -> Statement:
    """Writing into its log group, by its logical id. It may not create one: Lambda would bring it back."""
    return allow("Logs", "logs:CreateLogStream PutLogEvents", get_att(log_group, "Arn"))
