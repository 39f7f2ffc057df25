"""The reader of ParallelCluster's committed schema."""

import pytest

from config.facts import parallelcluster_schema
from config.facts.parallelcluster_schema import is_intrinsic, load, versions

NEWEST = "3.16.1"

# A fragment, the path of its one problem, a piece of the message, a piece of the hint.
REFUSED = [
    ({"Imagee": {}}, ("Imagee",), "not a key", "did you mean Image?"),
    ({"Scheduling": {"slurmQueues": []}}, ("Scheduling", "slurmQueues"), "not a key", "did you mean SlurmQueues?"),
    ({"Image": {"Colour": "red"}}, ("Image", "Colour"), "not a key", "known here: CustomAmi, Os"),
    ({"Image": []}, ("Image",), "must be a map", "known here"),
    ({"Image": None}, ("Image",), "has no value", "remove the key"),
    ({"Image": {"Os": "ubuntu2404x"}}, ("Image", "Os"), "must be one of alinux2", "did you mean ubuntu2404?"),
    ({"HeadNode": {"InstanceType": 4}}, ("HeadNode", "InstanceType"), "must be a string, got 4", 'quotes: "4"'),
    ({"HeadNode": {"InstanceType": True}}, ("HeadNode", "InstanceType"), "must be a string, got true", ""),
    ({"Tags": {"Key": "a"}}, ("Tags",), "must be a list", "hyphen"),
    ({"Tags": [{"Key": "a", "Valu": "b"}]}, ("Tags", 0, "Valu"), "not a key", "did you mean Value?"),
    (
        {"Monitoring": {"Logs": {"CloudWatch": {"RetentionInDays": 31}}}},
        ("Monitoring", "Logs", "CloudWatch", "RetentionInDays"),
        "must be one of 0, 1, 3, 5, 7, 14, 30",
        "",
    ),
    (
        {"Scheduling": {"SlurmSettings": {"ScaledownIdletime": -2}}},
        ("Scheduling", "SlurmSettings", "ScaledownIdletime"),
        "must be at least -1, got -2",
        "",
    ),
    ({"Monitoring": {"DetailedMonitoring": "yes"}}, ("Monitoring", "DetailedMonitoring"), "true or false", ""),
    ({"HeadNode": {"Dcv": {"Port": "8443x"}}}, ("HeadNode", "Dcv", "Port"), "must be a whole number", ""),
    ({"HeadNode": {"Dcv": {"Port": 1.5}}}, ("HeadNode", "Dcv", "Port"), "must be a whole number, got 1.5", ""),
    ({"Image": {"CustomAmi": "ami-1"}}, ("Image", "CustomAmi"), "must match ParallelCluster's pattern", ""),
    (
        {"Scheduling": {"SlurmSettings": {"CustomSlurmSettings": ["a"]}}},
        ("Scheduling", "SlurmSettings", "CustomSlurmSettings", 0),
        'must be a map of keys and values, got "a"',
        "",
    ),
    (
        {"HeadNode": {"CustomActions": {"OnNodeStart": {"Sequence": [{"Script": "a", "Arg": []}]}}}},
        ("HeadNode", "CustomActions", "OnNodeStart", "Sequence", 0, "Arg"),
        "not a key",
        "did you mean Args?",
    ),
]

ACCEPTED = [
    {},
    {"Monitoring": {"DetailedMonitoring": "true"}},
    {"HeadNode": {"Dcv": {"Port": "8443", "Enabled": True}}},
    {"HeadNode": {"Ssh": {"KeyName": {"Ref": "KeyPair"}}}},
    {"HeadNode": {"CustomActions": {"OnNodeStart": {"Script": {"Fn::Sub": "s3://${B}/e.sh"}, "Args": ["a"]}}}},
    {"HeadNode": {"CustomActions": {"OnNodeStart": {"Sequence": [{"Script": "s3://b/a.sh"}]}}}},
    {"HeadNode": {"Iam": {"AdditionalIamPolicies": [{"Policy": {"Ref": "HeadCompute"}}]}}},
    {"HeadNode": {"Networking": {"ElasticIp": True}}},
    {"Scheduling": {"SlurmSettings": {"CustomSlurmSettings": [{"MaxJobCount": 10}]}}},
    {"Scheduling": {"SlurmQueues": [{"CustomSlurmSettings": {"Anything": [1]}}]}},
    {"Scheduling": {"SlurmQueues": [{"Networking": {"SubnetIds": {"Fn::Split": [",", "a,b"]}}}]}},
]


@pytest.mark.parametrize("version", versions())
@pytest.mark.parametrize(("fragment", "path", "message", "hint"), REFUSED)
def test_refuses(version, fragment, path, message, hint):
    (problem,) = load(version).problems(fragment)
    assert problem.path == path
    assert message in problem.message
    assert hint in problem.hint


@pytest.mark.parametrize("version", versions())
@pytest.mark.parametrize("fragment", ACCEPTED)
def test_accepts(version, fragment):
    assert load(version).problems(fragment) == []


def test_required_keys_count_in_a_complete_document_only():
    assert load(NEWEST).problems({}) == []
    missing = [problem.path for problem in load(NEWEST).problems({"Image": {}}, complete=True)]
    assert missing == [("Image", "Os"), ("HeadNode",), ("Scheduling",)]


def test_versions_differ_where_their_schemas_do():
    fragment = {"DevSettings": {"Timeouts": {"ComputeInstanceInfoTimeout": 60}}}
    assert load("3.16.1").problems(fragment) == []
    assert load("3.15.1").problems(fragment)[0].path == ("DevSettings", "Timeouts", "ComputeInstanceInfoTimeout")


def test_an_unknown_version_is_a_key_error():
    with pytest.raises(KeyError):
        load("../3.16.1")


def test_versions_are_ordered_as_numbers(tmp_path, monkeypatch):
    for version in ("3.9.0", "3.16.1", "3.15.1"):
        (tmp_path / f"{version}.json").touch()
    monkeypatch.setattr(parallelcluster_schema, "FOLDER", tmp_path)
    assert versions.__wrapped__() == ("3.9.0", "3.15.1", "3.16.1")


def test_update_policy_of_a_key():
    tree = load(NEWEST)
    assert tree.update_policy(("HeadNode", "InstanceType")) == "UNSUPPORTED"
    assert tree.update_policy(("Scheduling", "SlurmQueues", 0, "ComputeResources", 1, "MaxCount")) == (
        "RESIZE_UPDATE_STRATEGY_ON_REMOVE"
    )
    assert tree.update_policy(("HeadNode", "Nothing")) is None


@pytest.mark.parametrize("value", [{"Ref": "A"}, {"Fn::GetAtt": ["A", "B"]}])
def test_intrinsics(value):
    assert is_intrinsic(value)


@pytest.mark.parametrize("value", [{"Reference": 1}, {1: 2}, {"Ref": 1, "x": 2}, "Ref", {}])
def test_not_intrinsics(value):
    assert not is_intrinsic(value)
