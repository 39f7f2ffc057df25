"""What the ParallelCluster document says, section by section."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from config.models.cluster import Cluster
from hpc_constructs.parallelcluster.rendering_merge import merge
from hpc_constructs.parallelcluster.rendering_ssh import prefix_list
from hpc_constructs.parallelcluster.rendering_tags import serial
from tests.factories import cluster
from tests.parallelcluster_cases import FULL, POLICY, STACK_ID, render


def _queue(**changes: Any) -> dict[str, Any]:
    return {
        "name": "cpu",
        "instance_types": ["c6i.2xlarge"],
        "subnets": ["private-a"],
        "capacity": "spot",
    } | changes


def queues(*declared: dict[str, Any]) -> list[dict[str, Any]]:
    return render(cluster(queues=list(declared)))["Scheduling"]["SlurmQueues"]


def storage(**declared: Any) -> dict[str, Any]:
    (found,) = render(cluster(storage=[declared]))["SharedStorage"]
    return found


def test_sections_that_a_small_cluster_does_not_need_are_left_out() -> None:
    document = render(cluster())

    assert list(document) == [
        *("Region", "Image", "HeadNode", "Scheduling", "Monitoring", "Iam", "Imds", "CustomS3Bucket"),
        *("DevSettings", "Tags"),
    ]
    assert list(document["HeadNode"]) == [
        *("InstanceType", "Networking", "Ssh", "LocalStorage", "CustomActions", "Iam", "Imds"),
    ]


def test_two_renderings_are_equal_to_the_order_of_keys() -> None:
    first, second = (repr(render(Cluster.model_validate(copy.deepcopy(FULL)))) for _ in range(2))

    assert first == second


@pytest.mark.parametrize("os", ["ubuntu2204", "ubuntu2404", "rhel9", "alinux2023"])
def test_the_operating_system_reaches_the_image_unchanged(os: str) -> None:
    assert render(cluster(os=os))["Image"] == {"Os": os}


def test_iam_names_the_boundary_and_a_path_of_the_clusters_own() -> None:
    iam = render(cluster())["Iam"]

    assert iam == {
        "PermissionsBoundary": POLICY + "clusterform/demo/boundary",
        "ResourcePrefix": "/clusterform/demo/",
    }


def test_no_node_has_a_role_of_ours_only_policies() -> None:
    document = render(Cluster.model_validate(FULL))

    assert "InstanceRole" not in repr(document)
    assert "S3Access" not in repr(document)


def test_a_policy_that_is_listed_twice_is_attached_once() -> None:
    head = {"instance_type": "c6i.xlarge", "subnet": "public-a", "policies": [POLICY + "deny", POLICY + "more"]}

    policies = render(cluster(head_node=head))["HeadNode"]["Iam"]["AdditionalIamPolicies"]

    assert [item["Policy"] for item in policies] == [POLICY + "head", POLICY + "deny", POLICY + "more"]


def test_unequal_vcpu_counts_become_one_compute_resource_each() -> None:
    (found,) = queues(
        _queue(instance_types=["c6i.2xlarge", "c6i.4xlarge", "c5.2xlarge"], min_nodes=2, max_nodes=6)
    )

    assert [
        (r["Name"], [i["InstanceType"] for i in r["Instances"]], r["MinCount"], r["MaxCount"])
        for r in found["ComputeResources"]
    ] == [("vcpu8", ["c6i.2xlarge", "c5.2xlarge"], 2, 6), ("vcpu16", ["c6i.4xlarge"], 0, 6)]


@pytest.mark.parametrize(("capacity", "expected"), [("spot", "SPOT"), ("ondemand", "ONDEMAND")])
def test_capacity_without_a_spot_price(capacity: str, expected: str) -> None:
    (found,) = queues(_queue(capacity=capacity))

    assert found["CapacityType"] == expected
    assert "SpotPrice" not in repr(found)


def test_multithreading_off_is_said_and_on_is_not() -> None:
    on, off = queues(_queue(), _queue(name="off", multithreading=False))

    assert "DisableSimultaneousMultithreading" not in repr(on)
    assert off["ComputeResources"][0]["DisableSimultaneousMultithreading"] is True


@pytest.mark.parametrize(
    ("declared", "efa", "placement"),
    [
        ({}, None, None),
        ({"placement_group": True}, None, {"Enabled": True}),
        ({"instance_types": ["c6i.32xlarge"], "efa": True}, {"Enabled": True}, {"Enabled": True}),
        (
            {"instance_types": ["p5.48xlarge"], "efa": True},
            {"Enabled": True, "GdrSupport": True},
            {"Enabled": True},
        ),
        (
            {"instance_types": ["p5.48xlarge"], "efa": True, "gpudirect": False},
            {"Enabled": True, "GdrSupport": False},
            {"Enabled": True},
        ),
    ],
)
def test_efa_brings_a_placement_group_and_gpudirect_where_gpus_are(
    declared: dict[str, Any], efa: Any, placement: Any
) -> None:
    (found,) = queues(_queue(**declared))

    assert found["ComputeResources"][0].get("Efa") == efa
    assert found["Networking"].get("PlacementGroup") == placement


def test_the_head_node_has_no_placement_group() -> None:
    assert "PlacementGroup" not in repr(render(Cluster.model_validate(FULL))["HeadNode"])


@pytest.mark.parametrize(
    ("volume", "expected"),
    [
        ({}, {"Size": 250, "VolumeType": "gp3", "Iops": 3000, "Throughput": 125, "Encrypted": True}),
        ({"type": "gp2", "iops": 9, "throughput": 9}, {"Size": 250, "VolumeType": "gp2", "Encrypted": True}),
        ({"type": "st1", "size_gib": 600}, {"Size": 600, "VolumeType": "st1", "Encrypted": True}),
        ({"type": "io1", "iops": 500}, {"Size": 250, "VolumeType": "io1", "Iops": 500, "Encrypted": True}),
        ({"encrypted": False, "type": "gp2"}, {"Size": 250, "VolumeType": "gp2", "Encrypted": False}),
    ],
)
def test_root_volumes_have_iops_and_throughput_only_where_those_exist(
    volume: dict[str, Any], expected: dict[str, Any]
) -> None:
    (found,) = queues(_queue(root_volume=volume))

    assert found["ComputeSettings"]["LocalStorage"]["RootVolume"] == expected


def test_the_head_nodes_root_volume_is_smaller() -> None:
    assert render(cluster())["HeadNode"]["LocalStorage"]["RootVolume"]["Size"] == 100


@pytest.mark.parametrize(("head", "expected"), [("c8g.xlarge", "c8g.xlarge"), ("c6i.xlarge", "c5.xlarge")])
def test_login_nodes_follow_the_head_nodes_architecture(head: str, expected: str) -> None:
    spec = cluster(
        head_node={"instance_type": head, "subnet": "public-a"}, login=[{"name": "login", "subnet": "public-a"}]
    )

    (pool,) = render(spec)["LoginNodes"]["Pools"]

    assert (pool["InstanceType"], pool["Count"]) == (expected, 1)
    assert pool["Iam"]["AdditionalIamPolicies"] == [{"Policy": POLICY + "login"}]
    assert not {"Ssh", "LocalStorage"} & pool.keys()


def test_one_ssh_network_is_written_as_it_is() -> None:
    spec = cluster(ssh={"allowed_cidrs": ["10.1.0.0/16"]})

    assert prefix_list("demo", spec) is None
    assert render(spec)["HeadNode"]["Ssh"] == {"KeyName": "demo-key", "AllowedIps": "10.1.0.0/16"}


def test_several_ssh_networks_become_a_prefix_list() -> None:
    spec = cluster(ssh={"allowed_cidrs": ["10.2.0.0/16", "10.1.0.0/16"]})

    declared = prefix_list("demo", spec)

    assert declared is not None
    assert declared["Entries"] == [{"Cidr": "10.1.0.0/16"}, {"Cidr": "10.2.0.0/16"}]
    assert render(spec, ssh_prefix_list="pl-0abc")["HeadNode"]["Ssh"]["AllowedIps"] == "pl-0abc"
    with pytest.raises(ValueError, match="prefix list"):
        render(spec)


def test_a_remote_desktop_is_never_open_to_the_internet() -> None:
    head = {"instance_type": "c6i.xlarge", "subnet": "public-a", "dcv": {"enabled": True}}

    assert render(cluster(head_node=head))["HeadNode"]["Dcv"] == {
        "Enabled": True,
        "Port": 8443,
        "AllowedIps": "10.0.0.0/16",
    }


def test_every_node_runs_the_entry_script_with_arguments_that_never_change() -> None:
    document = render(Cluster.model_validate(FULL | {"rollout": "next_boot"}))
    pool = document["LoginNodes"]["Pools"][0]
    queue = document["Scheduling"]["SlurmQueues"][0]

    for node, moments in (
        (
            document["HeadNode"],
            {"OnNodeStart": "start", "OnNodeConfigured": "configured", "OnNodeUpdated": "updated"},
        ),
        (pool, {"OnNodeConfigured": "configured"}),
        (queue, {"OnNodeConfigured": "configured"}),
    ):
        assert node["CustomActions"] == {
            moment: {
                "Script": "s3://staging-bucket/entry.sh",
                "Args": ["s3://staging-bucket/entry.sh", "us-east-1", stage, STACK_ID],
            }
            for moment, stage in moments.items()
        }


def test_a_changed_manifest_changes_the_queues_alone_and_under_drain_alone() -> None:
    def rendered(rollout: str, sha256: str) -> dict[str, Any]:
        return render(Cluster.model_validate(FULL | {"rollout": rollout}), manifest_sha256=sha256)

    assert rendered("next_boot", "aa" * 32) == rendered("next_boot", "bb" * 32)

    before, after = rendered("drain", "aa" * 32), rendered("drain", "bb" * 32)
    scheduling = before.pop("Scheduling"), after.pop("Scheduling")
    assert before == after
    for old, new in zip(*(section["SlurmQueues"] for section in scheduling), strict=True):
        assert old["CustomActions"]["OnNodeConfigured"]["Args"][4:] == [old["Name"], "aa" * 32]
        assert new["CustomActions"]["OnNodeConfigured"]["Args"][4:] == [new["Name"], "bb" * 32]


@pytest.mark.parametrize(
    ("declared", "settings"),
    [
        (
            {"type": "ebs"},
            {
                "Size": 250,
                "VolumeType": "gp3",
                "Iops": 3000,
                "Throughput": 125,
                "Encrypted": True,
                "DeletionPolicy": "Retain",
            },
        ),
        ({"type": "ebs", "id": "vol-0abc1234"}, {"VolumeId": "vol-0abc1234"}),
        ({"type": "efs", "id": "fs-0abc1234"}, {"FileSystemId": "fs-0abc1234", "EncryptionInTransit": True}),
        ({"type": "fsx-lustre", "id": "fs-0abc1234567890123"}, {"FileSystemId": "fs-0abc1234567890123"}),
        (
            {"type": "efs", "on_delete": "delete"},
            {
                "PerformanceMode": "generalPurpose",
                "ThroughputMode": "bursting",
                "Encrypted": True,
                "EncryptionInTransit": True,
                "DeletionPolicy": "Delete",
            },
        ),
        (
            {"type": "fsx-lustre"},
            {
                "StorageCapacity": 1200,
                "DeploymentType": "SCRATCH_2",
                "WeeklyMaintenanceStartTime": "4:20:00",
                "DeletionPolicy": "Retain",
            },
        ),
    ],
)
def test_filesystems(declared: dict[str, Any], settings: dict[str, Any]) -> None:
    found = storage(name="data", mount="/data", **declared)
    kind = found["StorageType"]

    assert found == {"Name": "data", "MountDir": "/data", "StorageType": kind, f"{kind}Settings": settings}


def test_hydration_without_an_export_bucket_writes_back_to_where_it_came_from() -> None:
    hydration = {"import_bucket": "genomes", "import_path": "in", "export_path": "ignored"}

    settings = storage(name="fsx", mount="/fsx", type="fsx-lustre", hydration=hydration)["FsxLustreSettings"]

    assert (settings["ImportPath"], settings["ExportPath"]) == ("s3://genomes/in", "s3://genomes/in")
    assert (settings["ImportedFileChunkSize"], settings["AutoImportPolicy"]) == (1024, "NEW_CHANGED")


def test_an_nfs_server_is_no_filesystem_of_parallelclusters_and_its_group_is_on_every_node() -> None:
    nas = {"name": "nas", "mount": "/nfs/nas", "type": "nfs", "server": "nas", "export": "/e"}
    spec = cluster(
        storage=[nas | {"security_group": "sg-0ddd1234"}], login=[{"name": "login", "subnet": "public-a"}]
    )

    document = render(spec)

    assert "SharedStorage" not in document
    for node in (
        document["HeadNode"],
        document["LoginNodes"]["Pools"][0],
        document["Scheduling"]["SlurmQueues"][0],
    ):
        assert node["Networking"]["AdditionalSecurityGroups"] == ["sg-0ddd1234"]


@pytest.mark.parametrize(
    ("filesystems", "seconds"),
    [([], 2100), (["efs"], 2700), (["fsx-lustre"], 3900), (["efs", "fsx-lustre"], 3900)],
)
def test_the_bootstrap_timeout_grows_with_managed_filesystems(filesystems: list[str], seconds: int) -> None:
    spec = cluster(storage=[{"name": kind, "mount": f"/{kind}", "type": kind} for kind in filesystems])

    assert render(spec)["DevSettings"]["Timeouts"] == {"HeadNodeBootstrapTimeout": seconds}


def test_tags_name_the_owner_and_no_date() -> None:
    tags = {tag["Key"]: tag["Value"] for tag in render(cluster(tags={"Team": "blue"}))["Tags"]}

    assert tags == {
        "ClusterID": "demo",
        "ClusterOwner": "compbio-ops",
        "ClusterOwnerEmail": "hpc@example.org",
        "ClusterOwnerDepartment": "hpc",
        "ClusterStackType": "ParallelCluster",
        "ClusterOSType": "ubuntu2404",
        "ClusterScheduler": "slurm",
        "ClusterSerialNumber": "4c5f1e0a-0000-1111-2222-333344445555",
        "ProdLevel": "dev",
        "Team": "blue",
        "clusterform:owner": STACK_ID,
    }


def test_the_serial_number_of_a_stack_that_is_not_deployed_yet() -> None:
    assert serial({"Ref": "AWS::StackId"}) == {"Fn::Select": [2, {"Fn::Split": ["/", {"Ref": "AWS::StackId"}]}]}


def test_intrinsic_functions_pass_through_unchanged() -> None:
    url = {"Fn::Sub": "s3://${StagingBucket}/entry.sh"}

    document = render(
        cluster(), entry_url=url, head_policies=[{"Ref": "HeadCompute"}], key_name={"Ref": "KeyPair"}
    )

    assert document["HeadNode"]["CustomActions"]["OnNodeStart"]["Script"] == url
    assert document["HeadNode"]["Iam"]["AdditionalIamPolicies"] == [{"Policy": {"Ref": "HeadCompute"}}]
    assert document["HeadNode"]["Ssh"]["KeyName"] == {"Ref": "KeyPair"}


def test_the_raw_fragment_is_laid_over_the_document_last() -> None:
    raw = {
        "HeadNode": {"SharedStorageType": "Efs"},
        "Scheduling": {"SlurmQueues": [{"Name": "cpu", "JobExclusiveAllocation": True}]},
        "Tags": [{"Key": "ProdLevel", "Value": "other"}],
    }

    plain, merged = render(cluster()), render(cluster(parallelcluster={"raw": raw}))

    assert merged["HeadNode"] == plain["HeadNode"] | {"SharedStorageType": "Efs"}
    assert merged["Scheduling"]["SlurmQueues"] == [
        plain["Scheduling"]["SlurmQueues"][0] | {"JobExclusiveAllocation": True}
    ]
    assert len(merged["Tags"]) == len(plain["Tags"])
    assert {"Key": "ProdLevel", "Value": "other"} in merged["Tags"]


@pytest.mark.parametrize(
    ("base", "fragment", "expected"),
    [
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"a": {"b": 3, "c": 2}}),
        ([1, 2], [3], [3]),
        ([{"Name": "a", "x": 1}], [{"Name": "b"}], [{"Name": "a", "x": 1}, {"Name": "b"}]),
        (
            [{"Name": "a", "x": 1}, {"Name": "b"}],
            [{"Name": "a", "x": 2}],
            [{"Name": "a", "x": 2}, {"Name": "b"}],
        ),
        ([{"Policy": {"Ref": "Ours"}}], [{"Policy": "arn"}], [{"Policy": {"Ref": "Ours"}}, {"Policy": "arn"}]),
        ([{"InstanceType": "a"}], [{"InstanceType": "b"}], [{"InstanceType": "b"}]),
        ([{"Name": "a"}], [1], [1]),
        ({"a": 1}, [1], [1]),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
    ],
)
def test_merging(base: Any, fragment: Any, expected: Any) -> None:
    before = copy.deepcopy((base, fragment))

    assert merge(base, fragment) == expected
    assert (base, fragment) == before
