"""The stand-in for ParallelCluster's provider: the real rules, and the real provider's manners."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError

from local_aws.provider import answers, cluster_stack
from local_aws.provider.clients import Clients
from local_aws.provider.cluster_stack import ClusterStack
from tests import local_stacks
from tests.local_stacks import LAMBDA_TRUST, Stack, unique

pytestmark = pytest.mark.xdist_group("local-aws")

VERSION = "3.16.1"
URL = (
    "https://us-east-1-aws-parallelcluster.s3.us-east-1.amazonaws.com/parallelcluster/VERSION/templates/"
    "custom_resource/cluster.yaml"
)
ALLOW_ALL = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}


def configuration(name: str) -> dict[str, Any]:
    return {
        "Image": {"Os": "ubuntu2404"},
        "HeadNode": {
            "InstanceType": "c8g.xlarge",
            "Networking": {"SubnetId": "subnet-0aaaaaaaaaaaaaaaa"},
            "Ssh": {"KeyName": {"Ref": "Key"}},
            "Iam": {"AdditionalIamPolicies": [{"Policy": {"Ref": "NodePolicy"}}]},
        },
        "Scheduling": {
            "Scheduler": "slurm",
            "SlurmSettings": {"QueueUpdateStrategy": "DRAIN"},
            "SlurmQueues": [
                {
                    "Name": "cpu",
                    "ComputeResources": [
                        {
                            "Name": "vcpu8",
                            "Instances": [{"InstanceType": "c8g.2xlarge"}],
                            "MinCount": 0,
                            "MaxCount": 4,
                        }
                    ],
                    "Networking": {"SubnetIds": ["subnet-0bbbbbbbbbbbbbbbb"]},
                    "Iam": {"AdditionalIamPolicies": [{"Policy": {"Ref": "NodePolicy"}}]},
                }
            ],
        },
        "Iam": {"PermissionsBoundary": {"Ref": "Boundary"}, "ResourcePrefix": f"/clusterform/{name}/"},
        "CustomS3Bucket": {"Ref": "Bucket"},
        "Tags": [{"Key": "purpose", "Value": "test"}],
    }


@dataclass
class Site:
    """A stack with everything that a cluster needs, and the cluster; the same names for each logical id."""

    name: str
    version: str = VERSION
    properties: dict[str, Any] = field(default_factory=dict)
    configuration: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.configuration = configuration(self.name)

    def resources(self) -> dict[str, Any]:
        policy = {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": ALLOW_ALL}}
        trusted = {"AssumeRolePolicyDocument": LAMBDA_TRUST, "ManagedPolicyArns": [{"Ref": "ProviderPolicy"}]}
        versioned = {"VersioningConfiguration": {"Status": "Enabled"}}
        needed = {
            "Boundary": policy,
            "NodePolicy": policy,
            "ProviderPolicy": policy,
            "Key": {
                "Type": "AWS::EC2::KeyPair",
                "Properties": {"KeyName": f"{self.name}-{uuid_of(self)}", "KeyType": "ed25519"},
            },
            "Bucket": {"Type": "AWS::S3::Bucket", "Properties": versioned},
            "Role": {"Type": "AWS::IAM::Role", "Properties": trusted},
            "Provider": {
                "Type": "AWS::CloudFormation::Stack",
                "Properties": {
                    "TemplateURL": URL.replace("VERSION", self.version),
                    "Parameters": {"CustomLambdaRole": {"Fn::GetAtt": ["Role", "Arn"]}},
                },
            },
        }
        cluster = {
            "Type": "Custom::PclusterCluster",
            "DependsOn": sorted(needed),
            "Properties": {
                "ServiceToken": {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]},
                "ClusterName": self.name,
                "ClusterConfiguration": self.configuration,
                **self.properties,
            },
        }
        return needed | {"Cluster": cluster}

    def queue(self) -> dict[str, Any]:
        return self.configuration["Scheduling"]["SlurmQueues"][0]


def uuid_of(site: Site) -> str:
    """Tells two sites of one cluster name apart, and keeps it over updates."""
    return f"{id(site):x}"


@pytest.fixture(scope="module")
def cloudformation(aws: Any) -> Any:
    return aws("cloudformation")


@pytest.fixture(scope="module")
def site(cloudformation: Any) -> tuple[Site, Stack]:
    """One living cluster, whose refused updates leave it as it is."""
    living = Site(unique("pc"))
    stack = local_stacks.create(cloudformation, living.resources(), Tags=[{"Key": "team", "Value": "hpc"}])
    assert stack.wait() == "CREATE_COMPLETE", stack.events("Cluster")
    return living, stack


def changed(site: Site) -> Site:
    return copy.deepcopy(site)


def updated(site: Site, other: Site) -> dict[str, Any]:
    """``other``'s resources under the key pair of ``site``."""
    resources = other.resources()
    resources["Key"] = site.resources()["Key"]
    return resources


def test_the_clusters_own_stack_carries_roles_boundary_policies_and_tags(
    aws: Any, site: tuple[Site, Stack], cloudformation: Any
) -> None:
    living, stack = site
    inner = cloudformation.describe_stacks(StackName=living.name)["Stacks"][0]
    assert [(tag["Key"], tag["Value"]) for tag in inner["Tags"]] == [
        ("team", "hpc"),
        ("purpose", "test"),
        ("parallelcluster:custom_resource", "cluster"),
        ("parallelcluster:cluster-name", living.name),
        ("parallelcluster:version", VERSION),
    ]
    roles = aws("iam").list_roles(PathPrefix=f"/clusterform/{living.name}/")["Roles"]
    assert len(roles) == 2
    for role in roles:
        full = aws("iam").get_role(RoleName=role["RoleName"])["Role"]
        assert full["PermissionsBoundary"]["PermissionsBoundaryArn"] == stack.physical_id("Boundary")
        attached = aws("iam").list_attached_role_policies(RoleName=role["RoleName"])["AttachedPolicies"]
        assert [policy["PolicyArn"] for policy in attached] == [stack.physical_id("NodePolicy")]


def test_what_cloudformation_hands_over_is_all_strings_and_loads_all_the_same(
    aws: Any, site: tuple[Site, Stack]
) -> None:
    living, stack = site
    prefix = f"{stack.describe()['StackName']}-provider"
    bucket = next(name for each in aws("s3").list_buckets()["Buckets"] if prefix in (name := each["Name"]))
    event = json.loads(aws("s3").get_object(Bucket=bucket, Key=f"{living.name}/event.json")["Body"].read())
    handed = event["ResourceProperties"]["ClusterConfiguration"]
    assert handed["Scheduling"]["SlurmQueues"][0]["ComputeResources"][0]["MaxCount"] == "4"


def test_an_update_within_the_rules_reaches_the_cluster(cloudformation: Any) -> None:
    living = Site(unique("pc"))
    stack = local_stacks.create(cloudformation, living.resources())
    other = changed(living)
    other.queue()["ComputeResources"][0]["MaxCount"] = 9
    resources = updated(living, other)
    assert stack.update(resources) == "UPDATE_COMPLETE", stack.events("Cluster")
    inner = cloudformation.describe_stacks(StackName=living.name)["Stacks"][0]
    assert inner["StackStatus"] == "UPDATE_COMPLETE"
    assert stack.delete() == "DELETE_COMPLETE"
    with pytest.raises(ClientError, match="does not exist"):
        cloudformation.describe_stacks(StackName=living.name)


def refused(site: tuple[Site, Stack], other: Site) -> str:
    """Update to ``other``, which must roll back cleanly; the reason."""
    living, stack = site
    assert stack.update(updated(living, other)) == "UPDATE_ROLLBACK_COMPLETE"
    return stack.reason("Cluster")


def test_an_update_that_parallelcluster_refuses_fails_with_its_words_and_rolls_back(
    site: tuple[Site, Stack],
) -> None:
    other = changed(site[0])
    other.configuration["HeadNode"]["InstanceType"] = "c8g.2xlarge"
    reason = refused(site, other)
    assert "please consider creating a new cluster instead of updating the existing one" in reason
    assert '"current_value": "c8g.xlarge"' in reason


def test_a_smaller_queue_is_refused_while_the_fleet_runs(site: tuple[Site, Stack]) -> None:
    other = changed(site[0])
    other.queue()["ComputeResources"][0]["MaxCount"] = 3
    assert "stop" in refused(site, other).lower()


def test_rollback_on_failure_breaks_every_update(site: tuple[Site, Stack]) -> None:
    other = changed(site[0])
    other.properties["RollbackOnFailure"] = True
    assert "<update-cluster> got unexpected arguments: {'rollback_on_failure'}" in refused(site, other)


def test_an_unknown_property_fails_the_update(site: tuple[Site, Stack]) -> None:
    other = changed(site[0])
    other.properties["ServiceTimeout"] = 60
    assert "unexpected arguments: {'service_timeout'}" in refused(site, other)


def test_a_rename_is_refused(site: tuple[Site, Stack]) -> None:
    other = changed(site[0])
    other.properties["ClusterName"] = site[0].name + "-2"
    assert "Cannot update the ClusterName" in refused(site, other)


def test_another_version_cannot_update_the_cluster(site: tuple[Site, Stack]) -> None:
    other = changed(site[0])
    other.version = "3.15.1"
    other.queue()["ComputeResources"][0]["MaxCount"] = 9
    assert "only with the same ParallelCluster version (3.16.1)" in refused(site, other)


def failed_create(cloudformation: Any, broken: Site) -> str:
    stack = local_stacks.create(cloudformation, broken.resources())
    assert stack.wait() == "ROLLBACK_COMPLETE"
    return stack.reason("Cluster")


def test_a_wrong_configuration_fails_with_the_schemas_words(cloudformation: Any) -> None:
    broken = Site(unique("pc"))
    broken.configuration["Bogus"] = 1
    reason = failed_create(cloudformation, broken)
    assert "Bogus: Unknown field." in reason
    assert "Invalid cluster configuration." in reason


def test_validators_see_ec2s_facts(cloudformation: Any) -> None:
    broken = Site(unique("pc"))
    instances = broken.queue()["ComputeResources"][0]["Instances"]
    instances.append({"InstanceType": "c8g.4xlarge"})
    assert "same number of vCPUs" in failed_create(cloudformation, broken)


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ({"HeadNode": {"Ssh": {"KeyName": "nobodys"}}}, "nobodys"),
        ({"Iam": {"PermissionsBoundary": "arn:aws:iam::123456789012:policy/nobodys"}}, "IamPolicyValidator"),
        ({"CustomS3Bucket": "nobodys-bucket"}, "S3BucketValidator"),
    ],
    ids=["key", "boundary", "bucket"],
)
def test_what_the_configuration_names_must_exist(cloudformation: Any, missing: dict[str, Any], words: str) -> None:
    broken = Site(unique("pc"))
    for section, value in missing.items():
        if isinstance(value, dict):
            broken.configuration[section] |= value
        else:
            broken.configuration[section] = value
    assert words in failed_create(cloudformation, broken)


def test_a_head_node_without_its_script_fails_the_cluster(cloudformation: Any) -> None:
    broken = Site(unique("pc"))
    script = {"Fn::Sub": "s3://${Bucket}/absent.sh"}
    broken.configuration["HeadNode"]["CustomActions"] = {"OnNodeStart": {"Script": script}}
    assert "OnNodeStartDownloadFailure" in failed_create(cloudformation, broken)


def test_a_taken_name_gets_the_other_cluster_deleted(cloudformation: Any) -> None:
    """The disaster that the name guard prevents: a failed create is rolled back by name."""
    first = Site(unique("pc"))
    assert local_stacks.create(cloudformation, first.resources()).wait() == "CREATE_COMPLETE"
    assert f"Cluster {first.name} already exists." in failed_create(cloudformation, Site(first.name))
    with pytest.raises(ClientError, match="does not exist"):
        cloudformation.describe_stacks(StackName=first.name)


def test_another_logical_id_deletes_the_living_cluster(cloudformation: Any) -> None:
    """The other disaster: under a new logical id the create fails, and its Delete takes the cluster."""
    living = Site(unique("pc"))
    stack = local_stacks.create(cloudformation, living.resources())
    resources = living.resources()
    resources["Moved"] = resources.pop("Cluster")
    assert stack.update(resources) == "UPDATE_ROLLBACK_COMPLETE"
    with pytest.raises(ClientError, match="does not exist"):
        cloudformation.describe_stacks(StackName=living.name)


def test_a_retained_cluster_outlives_its_stack(cloudformation: Any) -> None:
    kept = Site(unique("pc"), properties={"DeletionPolicy": "Retain"})
    stack = local_stacks.create(cloudformation, kept.resources())
    # What the living cluster uses refuses deletion, and so stays.
    assert stack.delete() == "DELETE_FAILED"
    assert cloudformation.describe_stacks(StackName=kept.name)["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"


def test_a_long_reason_keeps_its_end() -> None:
    assert answers.reason("x" * 300 + "end") == "ERROR: (truncated) " + "x" * 237 + "end"
    assert answers.reason("short") == "short"


def test_attributes_have_dotted_names() -> None:
    assert answers.flatten({"headNode": {"state": "running"}, "loginNodes": [{"healthyNodes": 1}]}) == {
        "headNode.state": "running",
        "loginNodes.0.healthyNodes": "1",
    }


def test_a_stack_whose_deletion_has_yet_to_start_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = iter(["CREATE_IN_PROGRESS", "ROLLBACK_COMPLETE", "DELETE_IN_PROGRESS", None])

    def find(name: str, aws: Clients) -> ClusterStack | None:
        status = next(seen)
        return ClusterStack({"StackStatus": status}) if status else None

    monkeypatch.setattr(cluster_stack, "find", find)
    monkeypatch.setattr(cluster_stack, "POLL_SECONDS", 0)
    assert cluster_stack.wait_for_deletion("demo", cast(Clients, None)) is None
