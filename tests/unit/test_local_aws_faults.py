"""Each kind of fault does what it says, once, and nothing else does."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests import local_stacks
from tests.faults import Faults
from tests.local_stacks import CAPABILITIES, Stack, custom, recorded, recorder, template, unique

pytestmark = pytest.mark.xdist_group("local-aws")

TOPIC = {"Type": "AWS::SNS::Topic"}


def started(client: Any, resources: dict[str, Any]) -> Stack:
    answer = client.create_stack(StackName=unique(), TemplateBody=template(resources), Capabilities=CAPABILITIES)
    return Stack(client, answer["StackId"])


def test_a_resource_is_refused_once(cloudformation: Any, faults: Faults) -> None:
    with faults(resource="Topic", action="Create", effect="refuse", message="no more topics"):
        stack = local_stacks.create(cloudformation, {"Topic": TOPIC})
    assert stack.wait() == "ROLLBACK_COMPLETE"
    assert stack.reason("Topic") == "no more topics"
    assert local_stacks.create(cloudformation, {"Topic": TOPIC}).wait() == "CREATE_COMPLETE"


def test_a_fault_of_another_stack_is_not_met(cloudformation: Any, faults: Faults) -> None:
    with (
        pytest.raises(AssertionError, match="nothing met the fault"),
        faults(resource="Topic", action="Create", effect="refuse", stack="another"),
    ):
        assert local_stacks.create(cloudformation, {"Topic": TOPIC}).wait() == "CREATE_COMPLETE"


def test_an_update_and_a_deletion_are_refused(cloudformation: Any, faults: Faults) -> None:
    stack = local_stacks.create(cloudformation, {"Topic": TOPIC})
    changed = {"Topic": TOPIC | {"Properties": {"DisplayName": "other"}}}
    with faults(resource="Topic", action="Update", effect="refuse"):
        assert stack.update(changed) == "UPDATE_ROLLBACK_COMPLETE"
    with faults(resource="Topic", action="Delete", effect="refuse"):
        assert stack.delete() == "DELETE_FAILED"
    assert stack.delete() == "DELETE_COMPLETE"


def test_a_function_fails_after_its_work(aws: Any, cloudformation: Any, faults: Faults) -> None:
    stack = local_stacks.create(cloudformation, recorder())
    with faults(resource="Custom", action="Create", effect="fail", message="too late"):
        assert stack.update(recorder() | {"Custom": custom("c")}) == "UPDATE_ROLLBACK_COMPLETE"
    assert "Message returned: too late" in stack.reason("Custom")
    assert [event["RequestType"] for event in recorded(aws("logs"), stack)] == ["Create", "Delete"]


def test_an_answer_that_never_comes_fails_as_cloudformation_words_it(
    aws: Any, cloudformation: Any, faults: Faults
) -> None:
    """On AWS after ServiceTimeout, or an hour; a Delete follows, as after any failed create."""
    stack = local_stacks.create(cloudformation, recorder())
    with faults(resource="Custom", action="Create", effect="silent", seconds=1):
        assert stack.update(recorder() | {"Custom": custom("c")}) == "UPDATE_ROLLBACK_COMPLETE"
    told = (
        "CloudFormation did not receive a response from your Custom Resource. Please check your logs for requestId"
    )
    assert stack.reason("Custom").startswith(told)
    assert [event["RequestType"] for event in recorded(aws("logs"), stack)] == ["Create", "Delete"]


@pytest.mark.parametrize(("effect", "worked"), [("hold", []), ("hold-after", ["Create"])])
def test_a_custom_resource_waits_until_it_is_let_go(
    aws: Any, cloudformation: Any, faults: Faults, effect: str, worked: list[str]
) -> None:
    stack = local_stacks.create(cloudformation, recorder())
    with faults(resource="Custom", action="Create", effect=effect) as fault:
        cloudformation.update_stack(
            StackName=stack.id,
            TemplateBody=template(recorder() | {"Custom": custom("c")}),
            Capabilities=CAPABILITIES,
        )
        fault.wait()
        assert [event["RequestType"] for event in recorded(aws("logs"), stack)] == worked
        assert stack.describe()["StackStatus"] == "UPDATE_IN_PROGRESS"
    assert stack.wait() == "UPDATE_COMPLETE"


def test_a_request_is_refused(aws: Any, faults: Faults) -> None:
    bucket = unique("bucket")
    aws("s3").create_bucket(Bucket=bucket)
    with (
        faults(request="PUT", path=f"/{bucket}/", effect="refuse", message="not today"),
        pytest.raises(ClientError, match="not today"),
    ):
        aws("s3").put_object(Bucket=bucket, Key="key", Body=b"x")
    aws("s3").put_object(Bucket=bucket, Key="key", Body=b"x")
    assert aws("s3").get_object(Bucket=bucket, Key="key")["Body"].read() == b"x"


def test_a_held_request_is_never_carried_out(cloudformation: Any, faults: Faults) -> None:
    name = unique()
    refusals = []

    def create() -> None:
        try:
            cloudformation.create_stack(StackName=name, TemplateBody=json.dumps({"Resources": {"Topic": TOPIC}}))
        except ClientError as error:
            refusals.append(error.response["Error"]["Code"])

    with faults(request="POST", path="/", call="CreateStack", effect="hold") as fault:
        asking = threading.Thread(target=create)
        asking.start()
        fault.wait()
        assert cloudformation.describe_stacks(), "other requests go on"
    asking.join()
    assert refusals == ["AccessDenied"]
    with pytest.raises(ClientError, match="does not exist"):
        cloudformation.describe_stacks(StackName=name)
