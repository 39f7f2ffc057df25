"""What the construct declares and exposes."""

from __future__ import annotations

from typing import Any

from tests.factories import cluster
from tests.iam import examples
from tests.iam.templates import synthesize

PINNED = {
    "Boundary": "boundary",
    "Ceiling": "ceiling",
    "HeadCompute": "head-compute",
    "HeadStorage": "head-storage",
    "HeadIdentity": "head-identity",
    "ComputeBase": "compute-base",
    "NodeDeny": "node-deny",
    "ProviderPolicyStacks": "provider-stacks",
    "ProviderPolicyIam": "provider-iam",
    "ProviderPolicyFeatures": "provider-features",
    "KeyReader": "key-reader",
}
"""Logical ids and names of managed policies: a change replaces a live cluster's policy, whose name is taken."""


def managed_policies(template: dict[str, Any]) -> dict[str, Any]:
    resources = template["Resources"]
    return {name: it for name, it in resources.items() if it["Type"] == "AWS::IAM::ManagedPolicy"}


def refs(*logical_ids: str) -> list[dict[str, str]]:
    return [{"Ref": logical_id} for logical_id in logical_ids]


def test_logical_ids_and_names_stay() -> None:
    template, _ = synthesize("demo", examples.much("aws"))
    found = {
        logical_id: it["Properties"]["ManagedPolicyName"]["Fn::Sub"]
        for logical_id, it in managed_policies(template).items()
    }
    assert found == {
        logical_id: f"clusterform-demo-{purpose}-${{AWS::Region}}" for logical_id, purpose in PINNED.items()
    }
    assert template["Resources"]["ProviderRole"]["Type"] == "AWS::IAM::Role"


def test_a_policy_that_would_be_empty_is_not_made() -> None:
    template, identity = synthesize("demo", cluster(software={"accounting": False}))
    assert set(managed_policies(template)) == set(PINNED) - {
        "HeadCompute",
        "HeadStorage",
        "HeadIdentity",
        "KeyReader",
    }
    assert identity.head_policies == refs("ComputeBase", "NodeDeny")


def test_each_kind_of_node_gets_its_policies_in_order() -> None:
    _, identity = synthesize("demo", examples.much("aws"))
    assert identity.head_policies == refs("HeadCompute", "HeadStorage", "HeadIdentity", "ComputeBase", "NodeDeny")
    assert identity.compute_policies == refs("ComputeBase", "NodeDeny")
    assert identity.login_policies == refs("ComputeBase", "NodeDeny")


def test_the_providers_role_is_under_the_ceiling() -> None:
    template, identity = synthesize("demo", cluster())
    role = template["Resources"]["ProviderRole"]["Properties"]
    assert role["PermissionsBoundary"] == {"Ref": "Ceiling"} == identity.ceiling
    assert role["Path"] == "/clusterform/demo/"
    assert role["ManagedPolicyArns"] == refs("ProviderPolicyStacks", "ProviderPolicyIam", "ProviderPolicyFeatures")
    (statement,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "lambda.amazonaws.com"}
    assert "RoleName" not in role and "Policies" not in role


def test_an_organisations_own_ceiling_takes_the_place_of_ours() -> None:
    given = "arn:aws:iam::123456789012:policy/organisation"
    template, identity = synthesize("demo", cluster(identity={"ceiling": given}))
    assert "Ceiling" not in template["Resources"]
    assert template["Resources"]["ProviderRole"]["Properties"]["PermissionsBoundary"] == given == identity.ceiling


def test_only_one_named_role_may_read_the_private_key() -> None:
    template, _ = synthesize("demo", cluster(ssh={"allowed_cidrs": ["10.0.0.0/16"], "key_reader": "hpc-admins"}))
    reader = template["Resources"]["KeyReader"]["Properties"]
    assert reader["Roles"] == ["hpc-admins"]
    (statement,) = reader["PolicyDocument"]["Statement"]
    assert statement["Action"] == ["ssm:GetParameter"]
    parameter = (
        "arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter/ec2/keypair/${KeyPair.KeyPairId}"
    )
    assert statement["Resource"] == {"Fn::Sub": parameter}


def test_without_a_reader_nobody_may() -> None:
    template, _ = synthesize("demo", cluster())
    assert "KeyReader" not in template["Resources"]
    allowed = [
        action
        for policy in managed_policies(template).values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Allow" and "keypair" in str(statement["Resource"])
        for action in statement["Action"]
    ]
    assert allowed == []


def test_everything_declared_outlives_the_cluster() -> None:
    template, identity = synthesize("demo", examples.much("aws"))
    foreign = {"StagingBucket", "EngineBucket", "KeyPair", "DatabaseSecret"}
    declared = {name for name, it in template["Resources"].items() if it["Type"].startswith("AWS::IAM::")}
    assert set(identity.dependencies) == declared
    assert not declared & foreign
    assert identity.boundary == "Boundary" and identity.provider_role == "ProviderRole"
