"""The topic that tells people what became of their cluster."""

from __future__ import annotations

from collections.abc import Sequence

from constructs import Construct

from hpc_constructs.cloudformation import declare
from hpc_constructs.intrinsics import Value, ref


class Notifications(Construct):
    """A topic with its e-mail subscriptions; each address gets a request to confirm first."""

    def __init__(
        self, scope: Construct, construct_id: str, *, emails: Sequence[str], tags: Sequence[Value]
    ) -> None:
        super().__init__(scope, construct_id)
        topic = declare(self, "Topic", "AWS::SNS::Topic", {"Tags": tags})
        self.topic_arn = ref(topic)
        self.subscriptions: list[str] = []
        for index, email in enumerate(emails):
            properties = {"TopicArn": self.topic_arn, "Protocol": "email", "Endpoint": email}
            self.subscriptions.append(declare(self, f"Subscription{index}", "AWS::SNS::Subscription", properties))
        self.dependencies = [topic, *self.subscriptions]
