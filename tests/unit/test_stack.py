"""What the stack of a cluster declares."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bootstrap_assets.renderer import render_manifest
from tests.assembly import ROOT, Assembly, synthesize
from tests.factories import cluster

SPEC = cluster()
OURS = {"Custom::ScriptManifest", "Custom::GoneNotice", "Custom::ClusterNameGuard", "Custom::ClusterOwnershipGate"}


@pytest.fixture(scope="module")
def assembly() -> Assembly:
    return synthesize({"demo": SPEC})


def of_type(assembly: Assembly, type_name: str) -> dict[str, dict[str, Any]]:
    found = {key: item["Properties"] for key, item in assembly.resources().items() if item["Type"] == type_name}
    assert found
    return found


def test_the_cluster_has_no_property_that_the_provider_refuses(assembly: Assembly) -> None:
    assert set(assembly.properties("Cluster")) == {"ServiceToken", "ClusterName", "ClusterConfiguration"}


def test_our_own_custom_resources_do_not_wait_for_an_hour(assembly: Assembly) -> None:
    ours = {item["Type"]: item["Properties"] for item in assembly.resources().values() if item["Type"] in OURS}
    assert set(ours) == OURS
    functions = of_type(assembly, "AWS::Lambda::Function")
    for properties in ours.values():
        function = functions[properties["ServiceToken"]["Fn::GetAtt"][0]]
        # CloudFormation's clock starts first: an answer in the function's last seconds still has to count.
        assert function["Timeout"] + 60 <= properties["ServiceTimeout"] <= 960


def test_each_cluster_is_served_by_the_provider_of_its_own_version() -> None:
    both = synthesize({"old": cluster(parallelcluster_version="3.15.1"), "new": SPEC})
    for name, version in (("old", "3.15.1"), ("new", "3.16.1")):
        provider = both.properties("Provider", name)
        assert provider["TemplateURL"] == {
            "Fn::Sub": "https://${AWS::Region}-aws-parallelcluster.s3.${AWS::Region}.${AWS::URLSuffix}"
            f"/parallelcluster/{version}/templates/custom_resource/cluster.yaml"
        }
        assert provider["Parameters"] == {"CustomLambdaRole": {"Fn::GetAtt": ["ProviderRole", "Arn"]}}
        assert both.properties("ClusterNameGuard", name)["Version"] == version
        token = both.properties("Cluster", name)["ServiceToken"]
        assert token == {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}


def test_every_role_is_under_the_ceiling_and_has_managed_policies_only(assembly: Assembly) -> None:
    for role in of_type(assembly, "AWS::IAM::Role").values():
        assert role["PermissionsBoundary"] == {"Ref": "Ceiling"}
        assert role["Path"] == "/clusterform/demo/"
        assert "Policies" not in role


def test_an_organisations_own_ceiling_takes_ours_place() -> None:
    arn = "arn:aws:iam::123456789012:policy/organisation"
    assembly = synthesize({"demo": cluster(identity={"ceiling": arn})})
    assert {role["PermissionsBoundary"] for role in of_type(assembly, "AWS::IAM::Role").values()} == {arn}


def test_buckets_are_versioned_encrypted_and_closed(assembly: Assembly) -> None:
    buckets = of_type(assembly, "AWS::S3::Bucket")
    assert set(buckets) == {"StagingBucket", "EngineBucket"}
    for bucket in buckets.values():
        assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
        assert bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}


@pytest.mark.parametrize("bucket", ["StagingBucket", "EngineBucket"])
def test_buckets_refuse_requests_without_tls(assembly: Assembly, bucket: str) -> None:
    statement = assembly.properties(f"{bucket}Policy")["PolicyDocument"]["Statement"][0]
    assert statement == {
        "Sid": "TlsOnly",
        "Effect": "Deny",
        "Principal": "*",
        "Action": ["s3:*"],
        "Resource": [{"Fn::GetAtt": [bucket, "Arn"]}, {"Fn::Sub": f"${{{bucket}.Arn}}/*"}],
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }


def test_only_the_deployment_writes_or_deletes_what_nodes_run(assembly: Assembly) -> None:
    statement = assembly.properties("StagingBucketPolicy")["PolicyDocument"]["Statement"][1]
    assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")
    assert statement["Condition"] == {"ArnNotEquals": {"aws:PrincipalArn": {"Fn::GetAtt": ["StagingRole", "Arn"]}}}
    assert statement["Resource"] == [{"Fn::Sub": "${StagingBucket.Arn}/*"}]
    assert {"s3:PutObject", "s3:DeleteObject", "s3:DeleteObjectVersion"} <= set(statement["Action"])


def test_our_functions_cannot_bring_their_log_group_back(assembly: Assembly) -> None:
    assert "logs:CreateLogGroup" not in json.dumps(
        [assembly.properties(f"{name}Policy") for name in ("Staging", "Lifecycle")]
    )
    for name in ("Staging", "Lifecycle"):
        assert assembly.properties(f"{name}Function")["LoggingConfig"] == {"LogGroup": {"Ref": f"{name}Logs"}}
        logs = assembly.properties(f"{name}Logs")
        assert (logs["LogGroupName"], logs["RetentionInDays"]) == (f"/clusterform/demo/{name.lower()}", 30)


SPOT_PATH = "role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot"


def test_the_lifecycle_function_reads_what_it_tells_of_and_speaks_to_one_topic(assembly: Assembly) -> None:
    def here(service: str, resource: str) -> dict[str, str]:
        return {"Fn::Sub": f"arn:${{AWS::Partition}}:{service}:${{AWS::Region}}:${{AWS::AccountId}}:{resource}"}

    own, cluster = {"Ref": "AWS::StackId"}, here("cloudformation", "stack/demo/*")
    inner = ("demo-ComputeFleet*NestedStack*", "demo-LoginNodes*NestedStack*")
    nested = [here("cloudformation", f"stack/{name}/*") for name in ("clusterform-pc-demo-Provider-*", *inner)]
    statements = assembly.properties("LifecyclePolicy")["PolicyDocument"]["Statement"][1:]
    assert [(item["Action"], item["Resource"]) for item in statements] == [
        (["cloudformation:DescribeStacks"], [own, cluster]),
        (["cloudformation:DescribeStackEvents"], [own, cluster, *nested]),
        (["cloudformation:GetTemplate"], own),
        (["cloudformation:ListStacks"], "*"),
        (["dynamodb:GetItem"], here("dynamodb", "table/parallelcluster-demo")),
        (["iam:GetRole"], {"Fn::Sub": f"arn:${{AWS::Partition}}:iam::${{AWS::AccountId}}:{SPOT_PATH}"}),
        (["sns:Publish"], {"Ref": "Topic"}),
    ]


def test_the_key_pair_has_a_fixed_name_and_no_tags(assembly: Assembly) -> None:
    # The name lets one of two simultaneous creations win; a changed tag would replace a live cluster's key.
    assert assembly.properties("KeyPair") == {"KeyName": "demo-key", "KeyType": "ed25519"}


def test_the_database_secret_follows_accounting(assembly: Assembly) -> None:
    assert assembly.properties("DatabaseSecret")["GenerateSecretString"]["PasswordLength"] == 32
    without = synthesize({"demo": cluster(software={"accounting": False})})
    assert "DatabaseSecret" not in without.resources()


def test_each_address_is_subscribed_and_the_owner_where_none_is_given(assembly: Assembly) -> None:
    assert [s["Endpoint"] for s in of_type(assembly, "AWS::SNS::Subscription").values()] == ["hpc@example.org"]
    two = synthesize({"demo": cluster(notifications={"emails": ["a@example.org", "b@example.org"]})})
    assert {s["Endpoint"] for s in of_type(two, "AWS::SNS::Subscription").values()} == {
        "a@example.org",
        "b@example.org",
    }


def test_a_list_that_loses_an_address_keeps_the_other_subscriptions() -> None:
    # Under an id by place the second address would become the first resource, and be lost with the second one.
    def subscriptions(*emails: str) -> dict[str, str]:
        stack = synthesize({"demo": cluster(notifications={"emails": list(emails)})})
        return {key: item["Endpoint"] for key, item in of_type(stack, "AWS::SNS::Subscription").items()}

    assert subscriptions("b@example.org").items() <= subscriptions("a@example.org", "b@example.org").items()


def test_the_stack_has_no_tags_since_they_would_replace_the_key_pair(assembly: Assembly) -> None:
    assert "tags" not in assembly.artifacts["clusterform-pc-demo"]["properties"]


def test_what_can_bear_tags_bears_the_clusters(assembly: Assembly) -> None:
    expected = {"ClusterID": "demo", "ProdLevel": "dev", "clusterform:owner": {"Ref": "AWS::StackId"}}
    for logical_id in (
        "StagingBucket",
        "EngineBucket",
        "Topic",
        "DatabaseSecret",
        "StagingFunction",
        "StagingLogs",
    ):
        tags = {tag["Key"]: tag["Value"] for tag in assembly.properties(logical_id)["Tags"]}
        assert expected.items() <= tags.items(), logical_id


def test_the_clusters_configuration_bears_the_same_tags_and_its_owner(assembly: Assembly) -> None:
    tags = {tag["Key"]: tag["Value"] for tag in assembly.properties("Cluster")["ClusterConfiguration"]["Tags"]}
    ours = {tag["Key"]: tag["Value"] for tag in assembly.properties("Topic")["Tags"]}
    assert ours.items() <= tags.items()


def test_environment_and_protection_come_from_the_file(assembly: Assembly) -> None:
    artifact = assembly.artifacts["clusterform-pc-demo"]
    assert artifact["environment"] == "aws://unknown-account/us-east-1"
    assert artifact["properties"]["terminationProtection"] is False
    prod = synthesize({"demo": cluster(account="123456789012", environment="prod")})
    artifact = prod.artifacts["clusterform-pc-demo"]
    assert artifact["environment"] == "aws://123456789012/us-east-1"
    assert artifact["properties"]["terminationProtection"] is True


def test_the_bootstrap_is_our_own(assembly: Assembly) -> None:
    role = assembly.artifacts["clusterform-pc-demo"]["properties"]["cloudFormationExecutionRoleArn"]
    assert "role/cdk-clform-cfn-exec-role-" in role


def test_a_scripts_key_is_its_contents_sha256(assembly: Assembly) -> None:
    manifest = render_manifest("demo", SPEC, ROOT)
    files = assembly.json("clusterform-pc-demo.assets.json")["files"]
    for script in (manifest.entry, *manifest.scripts):
        asset = files[script.sha256]
        (destination,) = asset["destinations"].values()
        assert destination["objectKey"] == f"{script.sha256}.sh"
        assert (assembly.folder / asset["source"]["path"]).read_bytes() == script.content


def test_the_template_holds_the_manifests_lines(assembly: Assembly) -> None:
    assert assembly.properties("ScriptManifest")["Lines"] == render_manifest("demo", SPEC, ROOT).lines()


@pytest.mark.parametrize(("rollout", "changed"), [("next_boot", 1), ("drain", 3)])
def test_one_byte_of_a_script_changes_one_line_and_under_drain_one_more_a_queue(
    tmp_path: Path, rollout: str, changed: int
) -> None:
    queue = {"instance_types": ["c8g.2xlarge"], "subnets": ["private-a"]}
    spec = cluster(
        hooks={"on_node_configured": [{"script": "after.sh"}]},
        rollout=rollout,
        slurm={"queue_update_strategy": "DRAIN"},
        queues=[{"name": "one"} | queue, {"name": "two"} | queue],
    )
    texts = []
    for byte in "ab":
        (tmp_path / "after.sh").write_text(f"#!/bin/bash\necho {byte}\n")
        template = synthesize({"demo": spec}, tmp_path).template()
        texts.append(json.dumps(template, indent=1).splitlines())
    assert len(texts[0]) == len(texts[1])
    assert sum(old != new for old, new in zip(*texts, strict=True)) == changed


def test_the_functions_code_can_be_read_and_imported_as_lambda_does(assembly: Assembly) -> None:
    code = assembly.properties("StagingFunction")["Code"]
    assert code == assembly.properties("LifecycleFunction")["Code"]
    folder = assembly.folder / f"asset.{code['S3Key'].removesuffix('.zip')}"
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == {".py"}
    assert {path.stat().st_mode & 0o777 for path in folder.rglob("*.py")} == {0o644}
    for name in ("Staging", "Lifecycle"):
        module, _, function = assembly.properties(f"{name}Function")["Handler"].rpartition(".")
        command = f"import {module} as module; assert callable(module.{function})"
        subprocess.run(
            [sys.executable, "-B", "-S", "-c", _with_boto3(command)], cwd=folder, check=True, timeout=60
        )


def _with_boto3(command: str) -> str:
    """The command where boto3, which Lambda brings, can be imported, and nothing of the project."""
    import boto3

    site = str(Path(boto3.__file__).parents[1])
    return f"import sys; sys.path.append({site!r}); {command}; assert 'aws_cdk' not in sys.modules"
