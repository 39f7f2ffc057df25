"""The topic that tells people what became of their cluster."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from aws_cdk import Stack

from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.intrinsics import Value, ref


class Notifications(Part):
    """A topic with its e-mail subscriptions; each address gets a request to confirm first.

    A subscription's logical id follows its address. If it followed the place in the list, a list that loses its
    first address would lose the others as well: SNS answers a second subscription of an address with the first
    one, and CloudFormation then deletes that as the one it replaced.
    """

    def __init__(
        self, scope: Part | Stack, construct_id: str, *, emails: Sequence[str], tags: Sequence[Value]
    ) -> None:
        super().__init__(scope, construct_id)
        topic = declare(self, "Topic", "AWS::SNS::Topic", {"Tags": tags})
        self.topic_arn = ref(topic)
        self.subscriptions: list[str] = []
        for email in sorted(set(emails)):
            logical_id = f"Subscription{hashlib.sha256(email.encode()).hexdigest()[:8]}"
            properties = {"TopicArn": self.topic_arn, "Protocol": "email", "Endpoint": email}
            self.subscriptions.append(declare(self, logical_id, "AWS::SNS::Subscription", properties))
        self.dependencies = [topic, *self.subscriptions]
