"""Each mend of a resource type: without it the local AWS lets something pass that AWS refuses."""

from __future__ import annotations

import string
from typing import Any

import pytest
from botocore.exceptions import ClientError
from cryptography.hazmat.primitives import serialization

from tests import local_stacks
from tests.local_stacks import LAMBDA_TRUST, unique

pytestmark = pytest.mark.xdist_group("local-aws")

POLICY = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}


def policy(name: str) -> dict[str, Any]:
    return {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"ManagedPolicyName": name, "PolicyDocument": POLICY}}


def role(**properties: Any) -> dict[str, Any]:
    return {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": LAMBDA_TRUST, **properties}}


def test_a_role_keeps_its_boundary_through_an_update(aws: Any) -> None:
    resources = {"Boundary": policy(unique()), "Role": role(PermissionsBoundary={"Ref": "Boundary"})}
    stack = local_stacks.create(aws("cloudformation"), resources)
    name = stack.physical_id("Role")
    assert aws("iam").get_role(RoleName=name)["Role"]["PermissionsBoundary"]["PermissionsBoundaryArn"] == (
        stack.physical_id("Boundary")
    )
    resources["Role"] = role(PermissionsBoundary={"Ref": "Boundary"}, Description="changed")
    assert stack.update(resources) == "UPDATE_COMPLETE"
    assert "PermissionsBoundary" in aws("iam").get_role(RoleName=name)["Role"]


@pytest.mark.parametrize("key", ["PermissionsBoundary", "ManagedPolicyArns"])
def test_a_role_names_only_policies_that_exist(aws: Any, key: str) -> None:
    missing = "arn:aws:iam::123456789012:policy/nobody-made-this"
    value = [missing] if key == "ManagedPolicyArns" else missing
    stack = local_stacks.create(aws("cloudformation"), {"Role": role(**{key: value})})
    assert stack.wait() == "ROLLBACK_COMPLETE"
    assert missing in stack.reason("Role")


@pytest.mark.parametrize("use", ["attached", "boundary"])
def test_a_policy_in_use_refuses_deletion(aws: Any, use: str) -> None:
    stack = local_stacks.create(aws("cloudformation"), {"Policy": policy(unique())})
    arn, name = stack.physical_id("Policy"), unique("role")
    iam = aws("iam")
    iam.create_role(RoleName=name, AssumeRolePolicyDocument="{}")
    if use == "attached":
        iam.attach_role_policy(RoleName=name, PolicyArn=arn)
    else:
        iam.put_role_permissions_boundary(RoleName=name, PermissionsBoundary=arn)
    assert stack.delete() == "DELETE_FAILED"
    assert name in stack.reason("Policy")
    iam.detach_role_policy(RoleName=name, PolicyArn=arn) if use == "attached" else None
    iam.delete_role(RoleName=name)
    assert stack.delete() == "DELETE_COMPLETE"


def test_a_policy_name_is_taken_once(aws: Any) -> None:
    name = unique()
    local_stacks.create(aws("cloudformation"), {"Policy": policy(name)})
    second = local_stacks.create(aws("cloudformation"), {"Policy": policy(name)})
    assert "already exists" in second.reason("Policy")


def test_a_function_needs_a_role_that_lambda_may_assume(aws: Any) -> None:
    resources = local_stacks.recorder()
    resources["Role"]["Properties"]["AssumeRolePolicyDocument"] = {"Version": "2012-10-17", "Statement": []}
    stack = local_stacks.create(aws("cloudformation"), resources)
    assert "cannot be assumed by Lambda" in stack.reason("Function")


@pytest.mark.parametrize("may", [True, False])
def test_a_function_makes_its_log_group_only_if_its_role_may(aws: Any, may: bool) -> None:
    resources = local_stacks.recorder() | {"Custom": local_stacks.custom("custom")}
    if not may:
        del resources["Role"]["Properties"]["ManagedPolicyArns"]
    stack = local_stacks.create(aws("cloudformation"), resources)
    prefix = f"/aws/lambda/{stack.physical_id('Function')}"
    assert bool(aws("logs").describe_log_groups(logGroupNamePrefix=prefix)["logGroups"]) is may


@pytest.mark.parametrize("left", ["object", "old version"])
def test_a_bucket_with_content_refuses_deletion(aws: Any, left: str) -> None:
    versioned = {"Type": "AWS::S3::Bucket", "Properties": {"VersioningConfiguration": {"Status": "Enabled"}}}
    stack = local_stacks.create(aws("cloudformation"), {"Bucket": versioned})
    bucket, s3 = stack.physical_id("Bucket"), aws("s3")
    s3.put_object(Bucket=bucket, Key="k", Body=b"v")
    if left == "old version":
        s3.delete_object(Bucket=bucket, Key="k")
    assert stack.delete() == "DELETE_FAILED"
    assert "not empty" in stack.reason("Bucket")
    assert s3.list_object_versions(Bucket=bucket)["Versions"]


def test_a_log_group_that_was_kept_is_in_the_way(aws: Any) -> None:
    name = f"/clusterform/{unique()}"
    kept = {"Type": "AWS::Logs::LogGroup", "DeletionPolicy": "Retain", "Properties": {"LogGroupName": name}}
    assert local_stacks.create(aws("cloudformation"), {"Group": kept}).delete() == "DELETE_COMPLETE"
    assert "already exists" in local_stacks.create(aws("cloudformation"), {"Group": kept}).reason("Group")


def test_a_generated_secret_leaves_out_excluded_classes(aws: Any) -> None:
    generate = {"PasswordLength": 400, "ExcludePunctuation": True, "ExcludeUppercase": True}
    secret = {"Type": "AWS::SecretsManager::Secret", "Properties": {"GenerateSecretString": generate}}
    stack = local_stacks.create(aws("cloudformation"), {"Secret": secret})
    value = aws("secretsmanager").get_secret_value(SecretId=stack.physical_id("Secret"))["SecretString"]
    assert len(value) == 400
    assert set(value) <= set(string.ascii_lowercase + string.digits)


def test_a_secrets_name_is_taken_once(aws: Any) -> None:
    secret = {"Type": "AWS::SecretsManager::Secret", "Properties": {"Name": unique(), "SecretString": "first"}}
    first = local_stacks.create(aws("cloudformation"), {"Secret": secret})
    second = local_stacks.create(aws("cloudformation"), {"Secret": secret})
    assert "already exists" in second.reason("Secret")
    value = aws("secretsmanager").get_secret_value(SecretId=first.physical_id("Secret"))
    assert value["SecretString"] == "first"


def test_rules_of_a_security_group_come_and_go_as_resources(aws: Any) -> None:
    group = {"Type": "AWS::EC2::SecurityGroup", "Properties": {"GroupDescription": "test"}}
    rule = {"GroupId": {"Ref": "Group"}, "IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "CidrIp": "10.0.0.0/8"}
    ingress = {"Type": "AWS::EC2::SecurityGroupIngress", "Properties": rule}
    egress = {"Type": "AWS::EC2::SecurityGroupEgress", "Properties": rule}
    resources = {"Group": group, "In": ingress, "Out": egress}
    stack = local_stacks.create(aws("cloudformation"), resources)
    identifier = stack.physical_id("Group")

    def ports(direction: str) -> list[int]:
        described = aws("ec2").describe_security_groups(GroupIds=[identifier])["SecurityGroups"][0]
        return [each["FromPort"] for each in described[direction] if "FromPort" in each]

    assert ports("IpPermissions") == ports("IpPermissionsEgress") == [22]
    assert stack.update({"Group": group}) == "UPDATE_COMPLETE"
    assert ports("IpPermissions") == ports("IpPermissionsEgress") == []


def key_pair(name: str, owner: str = "me") -> dict[str, Any]:
    tags = [{"Key": "owner", "Value": owner}]
    return {"Type": "AWS::EC2::KeyPair", "Properties": {"KeyName": name, "KeyType": "ed25519", "Tags": tags}}


def test_a_key_pair_keeps_its_private_key_in_ssm_until_it_goes(aws: Any) -> None:
    name = unique("key")
    stack = local_stacks.create(aws("cloudformation"), {"Key": key_pair(name)})
    described = aws("ec2").describe_key_pairs(KeyNames=[name])["KeyPairs"][0]
    assert (described["KeyType"], described["Tags"]) == ("ed25519", [{"Key": "owner", "Value": "me"}])
    parameter = {"Name": f"/ec2/keypair/{described['KeyPairId']}", "WithDecryption": True}
    pem = aws("ssm").get_parameter(**parameter)["Parameter"]["Value"]
    assert serialization.load_ssh_private_key(pem.encode(), password=None)
    assert stack.delete() == "DELETE_COMPLETE"
    with pytest.raises(ClientError, match="ParameterNotFound"):
        aws("ssm").get_parameter(**parameter)
    with pytest.raises(ClientError, match="NotFound"):
        aws("ec2").describe_key_pairs(KeyNames=[name])


def test_a_key_pairs_name_is_taken_once(aws: Any) -> None:
    name = unique("key")
    first = local_stacks.create(aws("cloudformation"), {"Key": key_pair(name)})
    second = local_stacks.create(aws("cloudformation"), {"Key": key_pair(name)})
    assert (first.wait(), second.wait()) == ("CREATE_COMPLETE", "ROLLBACK_COMPLETE")
    assert "already exists" in second.reason("Key")
    assert aws("ec2").describe_key_pairs(KeyNames=[name])["KeyPairs"]


def test_a_tag_cannot_change_on_a_key_pair_of_a_fixed_name(aws: Any) -> None:
    name = unique("key")
    stack = local_stacks.create(aws("cloudformation"), {"Key": key_pair(name)})
    before = aws("ec2").describe_key_pairs(KeyNames=[name])["KeyPairs"]
    assert stack.update({"Key": key_pair(name, owner="you")}) == "UPDATE_ROLLBACK_COMPLETE"
    assert aws("ec2").describe_key_pairs(KeyNames=[name])["KeyPairs"] == before


def test_instance_types_have_their_own_size(aws: Any) -> None:
    answer = aws("ec2").describe_instance_types(InstanceTypes=["c8g.xlarge", "p5.48xlarge"])["InstanceTypes"]
    assert {each["InstanceType"]: each["VCpuInfo"]["DefaultVCpus"] for each in answer} == {
        "c8g.xlarge": 4,
        "p5.48xlarge": 192,
    }


def prefix_list(*cidrs: str, size: int = 2) -> dict[str, Any]:
    entries = [{"Cidr": cidr} for cidr in cidrs]
    properties = {"PrefixListName": "ssh", "AddressFamily": "IPv4", "MaxEntries": size, "Entries": entries}
    return {"Type": "AWS::EC2::PrefixList", "Properties": properties}


def test_a_prefix_list_comes_changes_and_goes(aws: Any) -> None:
    stack = local_stacks.create(aws("cloudformation"), {"List": prefix_list("10.0.0.0/8")})
    identifier = stack.physical_id("List")

    def networks() -> list[str]:
        entries = aws("ec2").get_managed_prefix_list_entries(PrefixListId=identifier)["Entries"]
        return [entry["Cidr"] for entry in entries]

    assert networks() == ["10.0.0.0/8"]
    assert stack.update({"List": prefix_list("10.0.0.0/8", "172.16.0.0/12")}) == "UPDATE_COMPLETE"
    assert networks() == ["10.0.0.0/8", "172.16.0.0/12"]
    assert stack.update({"List": prefix_list("10.0.0.0/8", size=5)}) == "UPDATE_ROLLBACK_COMPLETE"
    assert "entries and the size" in stack.reason("List")
    assert stack.delete() == "DELETE_COMPLETE"
    with pytest.raises(ClientError, match="NotFound"):
        aws("ec2").get_managed_prefix_list_entries(PrefixListId=identifier)


def test_a_prefix_list_holds_no_more_than_its_size(aws: Any) -> None:
    stack = local_stacks.create(aws("cloudformation"), {"List": prefix_list("10.0.0.0/8", "11.0.0.0/8", size=1)})
    assert "maximum number of entries" in stack.reason("List")
