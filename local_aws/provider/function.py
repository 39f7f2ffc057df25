"""The code of the provider's Lambda functions: hand the event to the local AWS, put its answer to CloudFormation.

It travels as text inside the template, so it imports nothing of ours, and nothing heavy.
"""

import json
import os
import urllib.request


def _call(method: str, url: str, document: object, content_type: str) -> bytes:
    request = urllib.request.Request(
        url, json.dumps(document).encode(), {"Content-Type": content_type}, method=method
    )
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def handler(event: dict, context: object) -> None:
    """Answer one CloudFormation event."""
    credentials = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION")
    question = {
        "event": event,
        "bucket": os.environ["PROVIDER_BUCKET"],
        "role": os.environ["PROVIDER_ROLE"],
        "log_group": getattr(context, "log_group_name", ""),
        "credentials": {name: os.environ.get(name, "") for name in credentials},
    }
    url = os.environ["AWS_ENDPOINT_URL"] + os.environ["PROVIDER_PATH"]
    answer = json.loads(_call("POST", url, question, "application/json"))
    _call("PUT", event["ResponseURL"], answer, "")
