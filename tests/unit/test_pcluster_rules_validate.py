"""ParallelCluster's schema and offline validators, as they answer through the worker."""

import socket
import threading
from collections.abc import Iterator

import pytest

from config.facts.ec2_form import as_ec2
from config.facts.instance_types import load
from pcluster_rules.install import versions
from pcluster_rules.worker_client import Rules
from tests.unit.pcluster_documents import DOCUMENT, LUSTRE, OTHER_ZONE, PRIVATE, PUBLIC, REMOVED, changed, strings

QUEUE = "Scheduling__SlurmQueues__0__"
RESOURCE = f"{QUEUE}ComputeResources__0__"
TYPES = ("c8g.large", "c8g.xlarge", "c8g.2xlarge", "c8g.4xlarge", "c7g.2xlarge", "c5.2xlarge", "hpc7g.4xlarge")
FACTS = {
    "region": "us-east-1",
    "instance_types": {name: as_ec2(load()[name]) for name in TYPES},
    "subnets": {
        PUBLIC: {"AvailabilityZone": "us-east-1a", "VpcId": "vpc-0abc"},
        PRIVATE: {"AvailabilityZone": "us-east-1a", "VpcId": "vpc-0abc"},
        OTHER_ZONE: {"AvailabilityZone": "us-east-1b", "VpcId": "vpc-0abc"},
    },
}

LARGER = {"InstanceType": "c8g.4xlarge"}

# What is changed, the rule that speaks, the place it names, a piece of what it says.
REFUSED = [
    ({"Image__Os": "centos7"}, "ConfigSchemaValidator", "Image.Os", "Must be one of"),
    ({"Image__Colour": "red"}, "ConfigSchemaValidator", "Image.Colour", "Unknown field"),
    ({"HeadNode": REMOVED}, "ConfigSchemaValidator", "HeadNode", "Missing data"),
    (
        {f"{RESOURCE}MinCount": -1},
        "ConfigSchemaValidator",
        "Scheduling.SlurmQueues[0].ComputeResources[0].MinCount",
        "greater than or equal to 0",
    ),
    (
        {"SharedStorage__2": changed(LUSTRE, FsxLustreSettings__StorageCapacity=3600)},
        "FsxStorageCapacityValidator",
        "SharedStorage[2]",
        "increments of 2,400 GB",
    ),
    (
        {f"{RESOURCE}Instances__1": LARGER},
        "InstancesCPUValidator",
        "",
        "must have the same number of vCPUs",
    ),
    (
        {f"{RESOURCE}Instances__0__InstanceType": "c5.2xlarge"},
        "InstanceArchitectureCompatibilityValidator",
        "",
        "architecture",
    ),
    (
        {f"{QUEUE}Networking__SubnetIds": [PRIVATE, OTHER_ZONE], "SharedStorage__2": LUSTRE},
        "ManagedFsxMultiAzValidator",
        "",
        "FSx",
    ),
    (
        {f"{QUEUE}Networking__SubnetIds": [PRIVATE, PUBLIC]},
        "QueueSubnetsValidator",
        "Scheduling.SlurmQueues[0]",
        "Availability Zone",
    ),
    (
        {f"{RESOURCE}Efa": {"Enabled": True}, f"{QUEUE}Networking__PlacementGroup": {"Enabled": True}},
        "InstancesEFAValidator",
        "",
        "do not support EFA",
    ),
    ({f"{RESOURCE}Instances__0__InstanceType": "c8g.nosuch"}, "", "", "unknown instance types: c8g.nosuch"),
    (
        {f"{RESOURCE}Instances__0__InstanceType": "hpc7g.4xlarge"},
        "CapacityTypeValidator",
        "Scheduling.SlurmQueues[0]",
        "Usage type 'spot' not supported",
    ),
]


@pytest.fixture(scope="module", params=versions())
def rules(request: pytest.FixtureRequest) -> Iterator[Rules]:
    with Rules(request.param) as started:
        yield started


def test_a_sound_document_gets_no_error(rules: Rules):
    messages = rules.validate("demo", DOCUMENT, FACTS)
    assert [message for message in messages if message.level == "error"] == []


@pytest.mark.parametrize(("changes", "rule", "path", "text"), REFUSED)
def test_refuses(rules: Rules, changes, rule, path, text):
    messages = rules.validate("demo", changed(DOCUMENT, **changes), FACTS)
    found = [m for m in messages if m.level == "error" and (m.rule, m.path) == (rule, path)]
    assert [m for m in found if text in m.message], messages


def test_errors_come_first(rules: Rules):
    messages = rules.validate("demo", changed(DOCUMENT, **REFUSED[5][0]), FACTS)
    levels = [message.level for message in messages]
    assert levels == sorted(levels, key=("error", "warning", "info").index)
    assert levels[0] == "error"


def test_names_what_it_could_not_check(rules: Rules):
    messages = rules.validate("demo", DOCUMENT, FACTS)
    unchecked = {(m.rule, m.level) for m in messages if m.kind == "not_checked"}
    assert unchecked == {
        (rule, "info")
        for rule in (
            "UrlValidator",
            "AdditionalIamPolicyValidator",
            "IamPolicyValidator",
            "InstanceTypeBaseAMICompatibleValidator",
            "HeadNodeLaunchTemplateValidator",
            "ComputeResourceLaunchTemplateValidator",
            "RootVolumeSizeValidator",
            "KeyPairValidator",
            "SubnetsValidator",
        )
    }
    (key,) = (m.message for m in messages if m.rule == "KeyPairValidator")
    assert key == "KeyPairValidator needs AWS (ec2 describe_key_pairs)"


LOOKUPS = [
    (
        {
            "SharedStorage__2": {
                "Name": "fsx",
                "MountDir": "/fsx",
                "StorageType": "FsxLustre",
                "FsxLustreSettings": {"FileSystemId": "fs-0123456789abcdef0"},
            }
        },
        {"ExistingFsxNetworkingValidator", "UnmanagedFsxMultiAzValidator"},
    ),
    (
        {
            "SharedStorage__2": {
                "Name": "zfs",
                "MountDir": "/zfs",
                "StorageType": "FsxOpenZfs",
                "FsxOpenZfsSettings": {"VolumeId": "fsvol-0123456789abcdef0"},
            }
        },
        {"ExistingFsxNetworkingValidator", "UnmanagedFsxMultiAzValidator"},
    ),
    (
        {f"{RESOURCE}CapacityReservationTarget": {"CapacityReservationId": "cr-0123456789abcdef0"}},
        {"CapacityReservationValidator", "CapacityReservationSizeValidator"},
    ),
    (
        {f"{QUEUE}Iam": {"InstanceProfile": "arn:aws:iam::123456789012:instance-profile/x"}},
        {"InstanceProfileValidator"},
    ),
    ({f"{QUEUE}ComputeSettings__LocalStorage__RootVolume": {"Iops": 3000}}, {"EbsVolumeIopsValidator"}),
    ({"Image__CustomAmi": "ami-0123456789abcdef0"}, {"CustomAmiTagValidator", "AmiOsCompatibleValidator"}),
]


@pytest.mark.parametrize(("changes", "rules_added"), LOOKUPS)
def test_what_needs_aws_hinders_no_other_check(rules: Rules, changes, rules_added):
    document = changed(DOCUMENT, **changes)
    messages = rules.validate("demo", document, FACTS)
    assert [m for m in messages if m.level == "error"] == []
    assert rules_added <= {m.rule for m in messages if m.kind == "not_checked"}
    unequal = changed(document, **{"Scheduling__SlurmQueues__1__ComputeResources__0__Instances__1": LARGER})
    assert "InstancesCPUValidator" in {
        m.rule for m in rules.validate("demo", unequal, FACTS) if m.level == "error"
    }


def test_without_facts_less_is_checked_and_it_says_so(rules: Rules):
    messages = rules.validate("demo", changed(DOCUMENT, **REFUSED[5][0]))
    assert [m for m in messages if m.level == "error"] == []
    assert any(m.kind == "not_checked" and "the facts of the instance types" in m.message for m in messages)


def test_facts_of_one_request_do_not_reach_the_next(rules: Rules):
    rules.validate("demo", DOCUMENT, FACTS)
    other = FACTS | {"instance_types": {"c8g.xlarge": FACTS["instance_types"]["c8g.xlarge"]}}
    assert any("unknown instance types" in m.message for m in rules.validate("demo", DOCUMENT, other))


def test_a_region_that_joined_after_the_release_is_not_refused(rules: Rules):
    messages = rules.validate("demo", DOCUMENT, FACTS | {"region": "xx-new-1"})
    assert [(m.rule, m.kind) for m in messages if "Region" in m.message] == [("RegionValidator", "not_checked")]


def test_strings_for_scalars_are_fine(rules: Rules):
    messages = rules.validate("demo", strings(DOCUMENT), FACTS)
    assert [message for message in messages if message.level == "error"] == []


def test_a_document_that_crashes_the_schema_is_a_message(rules: Rules):
    (message,) = rules.validate("demo", changed(DOCUMENT, HeadNode__CustomActions__OnNodeStart=3), FACTS)
    assert (message.level, message.kind) == ("error", "crash")
    assert "Traceback" not in message.message


def test_the_same_answer_every_time(rules: Rules):
    broken = changed(DOCUMENT, **REFUSED[7][0])
    first = rules.validate("demo", broken, FACTS)
    with Rules(rules.version) as other:
        assert other.validate("demo", broken, FACTS) == first


def test_no_packet_leaves(rules: Rules):
    """A script on a loopback web server: ParallelCluster would fetch it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        connected = threading.Event()

        def accept() -> None:
            try:
                server.accept()
                connected.set()
            except OSError:
                return

        threading.Thread(target=accept, daemon=True).start()
        script = {"Script": f"http://127.0.0.1:{server.getsockname()[1]}/a.sh"}
        messages = rules.validate("demo", changed(DOCUMENT, HeadNode__CustomActions__OnNodeStart=script), FACTS)
        script = {"Script": f"https://127.0.0.1:{server.getsockname()[1]}/a.sh"}
        messages += rules.validate("demo", changed(DOCUMENT, HeadNode__CustomActions__OnNodeStart=script), FACTS)
        assert not connected.wait(0.2)
    assert any(m.message == "UrlValidator needs the network" for m in messages)
