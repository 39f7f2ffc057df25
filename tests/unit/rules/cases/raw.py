from config.findings import KeyPath
from tests.unit.rules.case import Case

# One place of each thing that we write ourselves, with a value that ParallelCluster would take.
OWNED: list[tuple[KeyPath, object, str]] = [
    (("Region",), "us-east-1", "Region"),
    (("Image", "Os"), "rhel9", "Image.Os"),
    (("Image", "CustomAmi"), "ami-0abc1234", "Image.CustomAmi"),
    (("HeadNode", "InstanceType"), "c8g.large", "HeadNode.InstanceType"),
    (("HeadNode", "Networking", "SubnetId"), "subnet-0abc1234", "HeadNode.Networking.SubnetId"),
    (("HeadNode", "Networking", "ElasticIp"), True, "HeadNode.Networking.ElasticIp"),
    (("HeadNode", "Networking", "AdditionalSecurityGroups"), ["sg-0abc1234"], "AdditionalSecurityGroups"),
    (("HeadNode", "Ssh"), {"KeyName": "mine"}, "HeadNode.Ssh"),
    (("HeadNode", "Dcv"), {"Enabled": True}, "HeadNode.Dcv"),
    (("HeadNode", "LocalStorage", "RootVolume", "Encrypted"), False, "RootVolume.Encrypted"),
    (("HeadNode", "CustomActions"), {"OnNodeStart": {"Script": "s3://x/y"}}, "HeadNode.CustomActions"),
    (("HeadNode", "Iam", "InstanceRole"), "arn:aws:iam::123456789012:role/x", "HeadNode.Iam.InstanceRole"),
    (
        ("HeadNode", "Iam", "InstanceProfile"),
        "arn:aws:iam::123456789012:instance-profile/x",
        "HeadNode.Iam.InstanceProfile",
    ),
    (("LoginNodes", "Pools", 0, "Ssh"), {"AllowedIps": "10.0.0.0/16"}, "LoginNodes.Pools[].Ssh"),
    (
        ("LoginNodes", "Pools", 0, "CustomActions"),
        {"OnNodeStart": {"Script": "s3://x/y"}},
        "Pools[].CustomActions",
    ),
    (("LoginNodes", "Pools", 0, "Iam", "InstanceRole"), "arn:aws:iam::123456789012:role/x", "Pools[].Iam"),
    (
        ("LoginNodes", "Pools", 0, "Iam", "InstanceProfile"),
        "arn:aws:iam::123456789012:instance-profile/x",
        "Pools[].Iam.InstanceProfile",
    ),
    (
        ("Scheduling", "SlurmQueues", 0, "CustomActions"),
        {"OnNodeStart": {"Script": "s3://x/y"}},
        "SlurmQueues[].CustomActions",
    ),
    (
        ("Scheduling", "SlurmQueues", 0, "Iam", "InstanceRole"),
        "arn:aws:iam::123456789012:role/x",
        "SlurmQueues[].Iam.InstanceRole",
    ),
    (
        ("Scheduling", "SlurmQueues", 0, "Iam", "InstanceProfile"),
        "arn:aws:iam::123456789012:instance-profile/x",
        "SlurmQueues[].Iam.InstanceProfile",
    ),
    (
        ("Scheduling", "SlurmQueues", 0, "ComputeSettings", "LocalStorage", "RootVolume", "Encrypted"),
        False,
        "SlurmQueues[].ComputeSettings",
    ),
    (("Scheduling", "SlurmSettings", "ScaledownIdletime"), 5, "ScaledownIdletime"),
    (("Scheduling", "SlurmSettings", "QueueUpdateStrategy"), "DRAIN", "QueueUpdateStrategy"),
    (("Scheduling", "SlurmSettings", "CustomSlurmSettings"), [{"MaxJobCount": 60}], "CustomSlurmSettings"),
    (("Monitoring", "Logs", "CloudWatch", "RetentionInDays"), 30, "RetentionInDays"),
    (("DevSettings", "Timeouts", "HeadNodeBootstrapTimeout"), 9, "HeadNodeBootstrapTimeout"),
    (("Tags",), [{"Key": "a", "Value": "b"}], "Tags"),
    (("Iam", "PermissionsBoundary"), "arn:aws:iam::123456789012:policy/x", "Iam.PermissionsBoundary"),
    (("Iam", "ResourcePrefix"), "/x/", "Iam.ResourcePrefix"),
    (("Iam", "Roles"), {"LambdaFunctionsRole": "arn:aws:iam::123456789012:role/x"}, "Iam.Roles"),
    (("CustomS3Bucket",), "my-bucket", "CustomS3Bucket"),
]
FINE = {"Scheduling": {"SlurmSettings": {"EnableMemoryBasedScheduling": True}}}


# Keys that a queue's tags must not have, with one that they may.
TAKEN = [
    ("clusterform:owner", "begin with clusterform: are reserved"),
    ("Clusterform:Other", "begin with clusterform: are reserved"),
    ("parallelcluster:cluster-name", "begin with parallelcluster: are reserved"),
    ("aws:mine", "begin with aws: are reserved"),
    ("ClusterID", "is a tag of ours"),
]
QUEUE: KeyPath = ("Scheduling", "SlurmQueues", 0)
RESOURCE: KeyPath = (*QUEUE, "ComputeResources", 0)


def raw(fragment: object) -> dict:
    return {"parallelcluster": {"raw": fragment}}


def at(path: KeyPath, value: object) -> dict:
    """A fragment that holds one value."""
    nested = value
    for part in reversed(path):
        nested = [{"Name": "x"} | nested] if isinstance(part, int) and isinstance(nested, dict) else {part: nested}
    assert isinstance(nested, dict)
    return raw(nested)


CASES = [
    Case(
        rule="raw-schema",
        path=("parallelcluster", "raw", "Scheduling", "SlurmSettings", "EnableMemoryScheduling"),
        says="is not a key that ParallelCluster knows here",
        bad=raw({"Scheduling": {"SlurmSettings": {"EnableMemoryScheduling": True}}}),
        good=raw(FINE),
    ),
    Case(
        rule="raw-schema",
        path=("parallelcluster", "raw", "Scheduling", "SlurmSettings", "EnableMemoryBasedScheduling"),
        says="must be true or false",
        bad=raw({"Scheduling": {"SlurmSettings": {"EnableMemoryBasedScheduling": "yes"}}}),
        good=raw(FINE),
    ),
    Case(
        rule="raw-schema",
        path=("parallelcluster", "raw", "Scheduling", "ScalingStrategy"),
        says="must be one of",
        bad=raw({"Scheduling": {"ScalingStrategy": "lazy"}}),
        good=raw({"Scheduling": {"ScalingStrategy": "best-effort"}}),
    ),
    *(
        Case(
            rule="raw-owned",
            path=("parallelcluster", "raw", *path),
            says=says,
            bad=at(path, value),
            good=raw(FINE),
        )
        for path, value, says in OWNED
    ),
    *(
        Case(
            rule="raw-tags",
            path=("parallelcluster", "raw", *path, "Tags", 1, "Key"),
            says=says,
            bad=at((*path, "Tags"), [{"Key": "mine", "Value": "1"}, {"Key": key, "Value": "1"}]),
            good=at((*path, "Tags"), [{"Key": "mine", "Value": "1"}, {"Key": "clusterforms", "Value": "1"}]),
        )
        for path in (QUEUE, RESOURCE)
        for key, says in TAKEN
    ),
]
