"""A queue that gets what a topic, or a rule, of the local AWS sends."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.local_stacks import unique

SECONDS = 20


class Inbox:
    """A queue of its own; ``arn`` is where to send to."""

    def __init__(self, aws: Any) -> None:
        self._aws = aws
        self.url = aws("sqs").create_queue(QueueName=unique("inbox"))["QueueUrl"]
        attributes = aws("sqs").get_queue_attributes(QueueUrl=self.url, AttributeNames=["QueueArn"])["Attributes"]
        self.arn = attributes["QueueArn"]
        statement = {"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": self.arn}
        policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
        aws("sqs").set_queue_attributes(QueueUrl=self.url, Attributes={"Policy": policy})

    def subscribe(self, topic_arn: str) -> None:
        """Get what the topic sends from now on."""
        self._aws("sns").subscribe(TopicArn=topic_arn, Protocol="sqs", Endpoint=self.arn)

    def next(self) -> dict[str, Any]:
        """The next message, which may take a while; from a topic it has ``Subject`` and ``Message``."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for received in (
                self._aws("sqs").receive_message(QueueUrl=self.url, WaitTimeSeconds=1).get("Messages", [])
            ):
                self._aws("sqs").delete_message(QueueUrl=self.url, ReceiptHandle=received["ReceiptHandle"])
                return json.loads(received["Body"])
        raise AssertionError(f"nothing came within {SECONDS} seconds")

    def is_empty(self) -> bool:
        """Whether nothing has come that was not taken."""
        return not self._aws("sqs").receive_message(QueueUrl=self.url).get("Messages")

    def close(self) -> None:
        """Delete the queue."""
        self._aws("sqs").delete_queue(QueueUrl=self.url)
