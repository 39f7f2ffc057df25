"""What people are told when CloudFormation could not change, or not delete, a stack of ours. Plain data.

No resource of a stack can tell that the stack's own update failed: it is CloudFormation that says so, as an event.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from hpc_constructs.intrinsics import Value, arn

STACKS = "clusterform-"
"""How the names of all our stacks begin."""

FIELDS = {
    "stack": "$.detail.stack-id",
    "status": "$.detail.status-details.status",
    "reason": "$.detail.status-details.status-reason",
    "time": "$.time",
    "region": "$.region",
}
"""What the texts take out of an event."""

EVENTS = (
    "aws cloudformation describe-stack-events --region <region> --stack-name <stack> "
    "--query 'StackEvents[?ends_with(ResourceStatus,`_FAILED`)].[LogicalResourceId,ResourceStatusReason]'"
)


@dataclass(frozen=True)
class Notice:
    """One message: the statuses that lead to it, and its text line by line."""

    statuses: tuple[str, ...]
    headline: str
    advice: tuple[str, ...]


NOTICES = {
    "UpdateUndone": Notice(
        ("UPDATE_ROLLBACK_IN_PROGRESS",),
        "An update has failed, and CloudFormation puts back what there was before.",
        (
            "The stack helps itself. What failed first comes last in this list:",
            EVENTS,
            "Once its status is UPDATE_ROLLBACK_COMPLETE, correct the file and deploy again.",
        ),
    ),
    "UpdateStuck": Notice(
        ("UPDATE_ROLLBACK_FAILED",),
        "An update has failed, and so has putting back what there was before. Somebody has to help.",
        (
            "What failed is in this list; the newest comes first:",
            EVENTS,
            "Remove the reason, then go on:",
            "aws cloudformation continue-update-rollback --region <region> --stack-name <stack>",
        ),
    ),
    "UpdateLeft": Notice(
        ("UPDATE_FAILED",),
        "An update has failed, and was not to be put back: the stack stands in between. Somebody has to help.",
        (
            "What failed is in this list; the newest comes first:",
            EVENTS,
            "Correct the file and deploy again, or go back to what there was:",
            "aws cloudformation rollback-stack --region <region> --stack-name <stack>",
        ),
    ),
    "DeletionFailed": Notice(
        ("DELETE_FAILED",),
        "A deletion has failed. What is left still exists, and may cost money.",
        (
            "What failed is in this list; the newest comes first:",
            EVENTS,
            "Remove the reason, then delete the stack again.",
        ),
    ),
}
"""By the logical id of the rule."""


def pattern(notice: Notice) -> dict[str, Value]:
    """The events that a notice is about.

    An event names a stack by its id alone, and one field takes one condition: our nested stacks are among them.
    """
    return {
        "source": ["aws.cloudformation"],
        "detail-type": ["CloudFormation Stack Status Change"],
        "detail": {
            "stack-id": [{"prefix": arn("cloudformation", f"stack/{STACKS}")}],
            "status-details": {"status": list(notice.statuses)},
        },
    }


def transformer(notice: Notice) -> dict[str, Value]:
    """The message's text. EventBridge wants each line in quotes, and delivers them with the line."""
    lines: Sequence[str] = (
        f"Clusterform: {notice.headline}",
        "Stack: <stack>",
        "Status: <status>, at <time>",
        "Reason: <reason>",
        *notice.advice,
    )
    return {"InputPathsMap": FIELDS, "InputTemplate": "\n".join(json.dumps(line) for line in lines)}
