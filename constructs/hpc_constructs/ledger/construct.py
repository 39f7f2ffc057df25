"""The output that says what outlives a stack."""

from __future__ import annotations

from collections.abc import Iterable

from aws_cdk import CfnOutput, Stack, Token

from hpc_constructs.ledger.rendering import Entry, summary


def declare_kept(stack: Stack, entries: Iterable[Entry]) -> None:
    """Declare the output ``Kept`` of a stack; it refers to every resource of the stack that is retained."""
    value = summary(entries)
    CfnOutput(stack, "Kept", value=value if isinstance(value, str) else Token.as_string(value))
