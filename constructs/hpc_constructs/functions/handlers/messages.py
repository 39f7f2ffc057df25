"""The messages that people get about a cluster: subject and text."""

from __future__ import annotations

from typing import Any

import boto3

from .response import Event

Message = tuple[str, str]
SUBJECT_CHARACTERS = 100
"""Amazon SNS's limit."""


def publish(event: Event, subject: str, text: str) -> None:
    """Send a message to the cluster's topic."""
    boto3.client("sns").publish(
        TopicArn=event["ResourceProperties"]["TopicArn"],
        Subject=subject[:SUBJECT_CHARACTERS],
        Message=f"{text}\n\nStack: {event['StackId']}",
    )


def up(name: str) -> Message:
    """The cluster can be used."""
    return f"Cluster {name} is up", f"The cluster {name} was created and can be used."


def gone(name: str, kept: list[str]) -> Message:
    """The cluster was deleted; ``kept`` names what stays behind, and how to remove it."""
    lines = ["Kept on purpose, and may cost money:", *(f"- {item}" for item in kept)] if kept else []
    return f"Cluster {name} is gone", "\n".join([f"The cluster {name} was deleted.", *lines])


def not_created(name: str, reason: str, left: dict[str, Any] | None) -> Message:
    """The creation failed and was rolled back."""
    text = f"The cluster {name} could not be created. What failed first:\n{reason}"
    return f"Cluster {name} could not be created", text + (f"\n{_still_there(left)}" if left else "")


def left_behind(name: str, left: dict[str, Any]) -> Message:
    """The stack goes, the cluster stays."""
    return f"Cluster {name} was not deleted", f"The stack of cluster {name} is deleted. {_still_there(left)}"


def _still_there(left: dict[str, Any]) -> str:
    return f"A stack of the cluster's name is still there: {left['StackId']} ({left['StackStatus']})."
