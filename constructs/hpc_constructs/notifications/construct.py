"""Where messages about a cluster go, and what rings the bell while it lives."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from aws_cdk import Stack

from config.derived import notification_emails
from config.models.cluster import Cluster
from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.intrinsics import Value, get_att, ref
from hpc_constructs.notifications.rendering_alarms import rule
from hpc_constructs.rendering_accepted import Accepted

ACCEPTED = (
    Accepted(
        "AwsSolutions-SNS3",
        ("Topic",),
        "one function publishes, by AWS's SDK, which speaks TLS; messages hold no secret",
    ),
)


class Notifications(Part):
    """A topic with its e-mail subscriptions, or the organisation's own topic, and the webhook where there is one.

    Each address gets a request to confirm first. The organisation's topic has its own subscriptions.

    A subscription's logical id follows its address. If it followed the place in the list, a list that loses its
    first address would lose the others as well: SNS answers a second subscription of an address with the first
    one, and CloudFormation then deletes that as the one it replaced.
    """

    def __init__(self, scope: Part | Stack, construct_id: str, *, spec: Cluster, tags: Sequence[Value]) -> None:
        super().__init__(scope, construct_id)
        self.webhook_secret = spec.notifications.webhook_secret
        self.topic_arn: Value = spec.notifications.topic_arn
        self.subscriptions: list[str] = []
        self.dependencies: list[str] = []
        if self.topic_arn is None:
            self._topic(notification_emails(spec), tags)

    def _topic(self, emails: Sequence[str], tags: Sequence[Value]) -> None:
        topic = declare(self, "Topic", "AWS::SNS::Topic", {"Tags": tags})
        self.topic_arn = ref(topic)
        for email in sorted(set(emails)):
            logical_id = f"Subscription{hashlib.sha256(email.encode()).hexdigest()[:8]}"
            properties = {"TopicArn": self.topic_arn, "Protocol": "email", "Endpoint": email}
            self.subscriptions.append(declare(self, logical_id, "AWS::SNS::Subscription", properties))
        self.dependencies = [topic, *self.subscriptions]


class Alarms(Part):
    """Calls the lifecycle function, by its logical id, when an alarm of the cluster's changes, and regularly.

    Everything goes by names, so that it stands before the cluster, and outlives it: an alarm that rings while the
    cluster is deleted calls a function that is still there.
    """

    def __init__(self, scope: Part | Stack, construct_id: str, *, name: str, function: str) -> None:
        super().__init__(scope, construct_id)
        target = get_att(function, "Arn")
        alarms = declare(self, "Alarms", "AWS::Events::Rule", rule(name, target))
        permission = declare(
            self,
            "AlarmsPermission",
            "AWS::Lambda::Permission",
            {
                "Action": "lambda:InvokeFunction",
                "FunctionName": target,
                "Principal": "events.amazonaws.com",
                "SourceArn": get_att(alarms, "Arn"),
            },
        )
        self.dependencies = [alarms, permission]
