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
    return f"Cluster {name} is gone", f"The cluster {name} was deleted.{_list('Kept on purpose, and may', kept)}"


def not_created(name: str, reason: str, left: dict[str, Any] | None, kept: list[str]) -> Message:
    """The creation failed and was rolled back; as far as it came, it leaves what a deletion leaves."""
    text = f"The cluster {name} could not be created. What failed first:\n{reason}"
    if left:
        text += f"\n{_still_there(left)}"
    return f"Cluster {name} could not be created", text + _list("As far as it came into being, kept and may", kept)


def left_behind(name: str, left: dict[str, Any]) -> Message:
    """The stack goes, the cluster stays."""
    return f"Cluster {name} was not deleted", f"The stack of cluster {name} is deleted. {_still_there(left)}"


def _list(what: str, items: list[str]) -> str:
    return "".join([f"\n{what} cost money:", *(f"\n- {item}" for item in items)]) if items else ""


def _still_there(left: dict[str, Any]) -> str:
    return f"A stack of the cluster's name is still there: {left['StackId']} ({left['StackStatus']})."
