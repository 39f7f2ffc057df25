"""An account from nothing: its stack without bootstrap, a cluster under its ceiling, news of a failed update.

Unproven here, since no local part can: that AWS sends these events for every status, that the policies suffice,
and how the message looks once a mail program shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from ops.local.credentials import REGION, client, exports, isolated
from ops.local.server import Server
from tests.e2e.project import STACK, Project
from tests.local_inbox import Inbox

pytestmark = [pytest.mark.xdist_group("e2e-account"), pytest.mark.slow]

NUMBER = "210987654321"
"""An account of its own, in which nobody has bootstrapped anything."""
SPOT_ROLE = "AWSServiceRoleForEC2Spot"
CEILING = f"arn:aws:iam::{NUMBER}:policy/clusterform/account/clusterform-ceiling-{REGION}"
DEPLOY = ("deploy", "--require-approval", "never")
FILE = f"""
account: "{NUMBER}"
region: {REGION}
owner: {{name: hpc-platform, email: hpc@example.org}}
spot_role: create
"""


@pytest.fixture(scope="module")
def aws(aws_server: Server) -> Any:
    """``aws("s3")``: a client of the new account."""
    return cache(lambda service: client(exports(aws_server, account=NUMBER), service))


@pytest.fixture(scope="module")
def new(aws_server: Server, aws: Any, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project with an account's file, in an account that has never used Spot."""
    folder = tmp_path_factory.mktemp("account")
    project = Project.copy(folder / "project", isolated(exports(aws_server, account=NUMBER), folder / "home"))
    (project.folder / "config/account.yaml").write_text(FILE, encoding="utf-8")
    aws("iam").delete_service_linked_role(RoleName=SPOT_ROLE)
    return project


@pytest.fixture(scope="module")
def account(new: Project) -> Project:
    """The account's stack, deployed by the stock CLI."""
    done = new.cdk(*DEPLOY, "-c", "scope=account")
    assert done.returncode == 0, done.stdout
    return new


@pytest.fixture(scope="module")
def bootstrapped(account: Project) -> Project:
    done = account.cdk("bootstrap", f"aws://{NUMBER}/{REGION}", "-c", "scope=account")
    assert done.returncode == 0, done.stdout
    return account


def outputs(aws: Any, stack: str) -> dict[str, str]:
    (found,) = aws("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    return {each["OutputKey"]: each["OutputValue"] for each in found["Outputs"]}


def physical_id(aws: Any, stack: str, logical_id: str) -> str:
    found = aws("cloudformation").describe_stack_resource(StackName=stack, LogicalResourceId=logical_id)
    return found["StackResourceDetail"]["PhysicalResourceId"]


def test_the_accounts_stack_deploys_where_nothing_is_bootstrapped(account: Project, aws: Any) -> None:
    stacks = {each["StackName"] for each in aws("cloudformation").describe_stacks()["Stacks"]}
    assert stacks == {"clusterform-account"}
    bucket = f"clusterform-results-{NUMBER}-{REGION}"
    assert outputs(aws, "clusterform-account")["ResultsBucketName"] == bucket
    assert aws("s3").get_bucket_versioning(Bucket=bucket)["Status"] == "Enabled"
    assert aws("iam").get_policy(PolicyArn=CEILING)["Policy"]["PolicyName"] == f"clusterform-ceiling-{REGION}"
    assert aws("iam").get_role(RoleName=SPOT_ROLE)


def test_once_deployed_it_has_no_differences(account: Project) -> None:
    done = account.cdk("diff", "-c", "scope=account", "--fail")
    assert done.returncode == 0, done.stdout


@pytest.fixture
def inbox(account: Project, aws: Any) -> Iterator[Inbox]:
    """What the people get who are told of failures."""
    inbox = Inbox(aws)
    inbox.subscribe(physical_id(aws, "clusterform-account", "FailureTopic"))
    yield inbox
    inbox.close()


def test_a_cluster_lives_under_the_accounts_ceiling_and_its_failed_update_is_told(
    bootstrapped: Project, aws: Any, inbox: Inbox, tmp_path: Path
) -> None:
    under = {"identity.ceiling": "account"}
    done = bootstrapped.cdk(*DEPLOY, "--all", "-a", str(bootstrapped.synth(tmp_path / "first", **under)))
    assert done.returncode == 0, done.stdout
    for logical_id in ("ProviderRole", "StagingRole", "LifecycleRole"):
        role = aws("iam").get_role(RoleName=physical_id(aws, STACK, logical_id))["Role"]
        assert role["PermissionsBoundary"]["PermissionsBoundaryArn"] == CEILING
    assert inbox.is_empty(), "a success is no failure"

    refused = bootstrapped.synth(tmp_path / "refused", **under, **{"head_node.instance_type": "c8g.2xlarge"})
    assert bootstrapped.cdk(*DEPLOY, "--all", "-a", str(refused)).returncode == 1
    lines = inbox.next()["Message"].replace('"', "").splitlines()
    (stack,) = aws("cloudformation").describe_stacks(StackName=STACK)["Stacks"]
    assert lines[0].startswith("Clusterform: An update has failed, and CloudFormation puts back")
    assert lines[1] == f"Stack: {stack['StackId']}"
    assert lines[2].startswith("Status: UPDATE_ROLLBACK_IN_PROGRESS, at 20")
    assert lines[3].startswith("Reason: ") and "Cluster" in lines[3]
    assert any(stack["StackId"] in line and line.startswith("aws cloudformation") for line in lines)
    assert not any("<" in line and ">" in line for line in lines), "a field that the event does not have"

    done = bootstrapped.cdk("destroy", "--all", "--force", "-a", str(refused))
    assert done.returncode == 0, done.stdout


def test_a_cluster_with_spot_queues_is_refused_before_anything_where_spots_role_is_missing(
    bootstrapped: Project, aws: Any, tmp_path: Path
) -> None:
    aws("iam").delete_service_linked_role(RoleName=SPOT_ROLE)
    try:
        done = bootstrapped.cdk(*DEPLOY, "--all", "-a", str(bootstrapped.synth(tmp_path / "out")))
        assert done.returncode == 1
        assert "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com" in done.stdout
        with pytest.raises(ClientError, match="does not exist"):
            aws("cloudformation").describe_stacks(StackName="demo")
    finally:
        aws("iam").create_service_linked_role(AWSServiceName="spot.amazonaws.com")
    assert bootstrapped.cdk("destroy", "--all", "--force", "-a", str(tmp_path / "out")).returncode == 0
