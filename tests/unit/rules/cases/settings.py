from tests.factories import MINIMAL
from tests.unit.rules.case import Case

DRAIN = {"rollout": "drain"}


def slurm(*settings: dict) -> dict:
    return {"slurm": {"custom_settings": list(settings)}}


def owner(**changes: str) -> dict:
    return {"owner": MINIMAL["owner"] | changes}


def many_tags(count: int) -> dict:
    return {"tags": {f"k{number}": "v" for number in range(count)}}


CASES = [
    Case(
        rule="slurm-settings",
        path=("slurm", "custom_settings", 0, "SuspendTime"),
        says="SuspendTime is ParallelCluster's own to set",
        bad=slurm({"SuspendTime": 60}),
        good=slurm({"MaxJobCount": 60}),
    ),
    Case(
        rule="slurm-settings",
        path=("slurm", "custom_settings", 0, "accountingstoragehost"),
        says="set by the cluster's accounting",
        bad=slurm({"accountingstoragehost": "db"}),
        good=slurm({"accountingstoragehost": "db"}) | {"software": {"accounting": False}},
    ),
    Case(
        rule="slurm-settings",
        path=("slurm", "custom_settings", 0),
        says="2 settings in one item",
        bad=slurm({"MaxJobCount": 60, "SuspendTime": 60}),
        good=slurm({"NodeName": "extra[1-2]", "CPUs": 4}),
    ),
    Case(
        rule="slurm-settings",
        path=("slurm", "custom_settings", 0),
        says="an empty item",
        bad=slurm({}),
    ),
    Case(
        rule="slurm-node-names",
        path=("slurm", "custom_settings", 0, "NodeName"),
        says='"x-dy-y-1"',
        bad=slurm({"NodeName": "x-dy-y-1", "CPUs": 4}),
        good=slurm({"NodeName": "x-y-1", "CPUs": 4}),
    ),
    Case(
        rule="drain-strategy",
        path=("slurm", "queue_update_strategy"),
        says="not COMPUTE_FLEET_STOP",
        bad=DRAIN,
        good=DRAIN | {"slurm": {"queue_update_strategy": "DRAIN"}},
    ),
    Case(
        rule="tag-keys",
        path=("tags", "aws:x"),
        says="begin with aws: are reserved",
        bad={"tags": {"aws:x": "y"}},
        good={"tags": {"aws-x": "y"}},
    ),
    Case(
        rule="tag-keys",
        path=("tags", "parallelcluster:x"),
        says="reserved",
        bad={"tags": {"parallelcluster:x": "y"}},
    ),
    Case(rule="tag-keys", path=("tags", "clusterform:x"), says="reserved", bad={"tags": {"clusterform:x": "y"}}),
    Case(
        rule="tag-keys",
        path=("tags", "ClusterOwner"),
        says="a tag of ours",
        bad={"tags": {"ClusterOwner": "me"}},
        good={"tags": {"CostOwner": "me"}},
    ),
    Case(
        rule="tag-keys",
        path=("tags", "k" * 129),
        says="1 to 128 characters, this one 129",
        bad={"tags": {"k" * 129: "v"}},
        good={"tags": {"k" * 128: "v"}},
    ),
    Case(
        rule="tag-text",
        path=("tags", "k"),
        says="at most 256 characters, this one 257",
        bad={"tags": {"k": "v" * 257}},
        good={"tags": {"k": "v" * 256}},
    ),
    Case(
        rule="tag-text",
        path=("tags", "k"),
        says='"a;b" holds characters',
        bad={"tags": {"k": "a;b"}},
        good={"tags": {"k": "a b+c-d=e._:/@ü"}},
    ),
    Case(
        rule="tag-text",
        path=("owner", "department"),
        says='"R&D" holds characters',
        bad=owner(department="R&D"),
        good=owner(department="Research and Development"),
    ),
    Case(
        rule="tag-text",
        path=("owner", "project"),
        says='"a*" holds characters',
        bad=owner(project="a*"),
        good=owner(project="a"),
    ),
    Case(
        rule="tag-count",
        path=("tags",),
        says="29 tags and 11 of ours: at most 39",
        bad=many_tags(29),
        good=many_tags(28),
    ),
    Case(
        rule="parallelcluster-version",
        path=("parallelcluster_version",),
        says='"3.16" is not supported, only 3.16.1, 3.15.1',
        bad={"parallelcluster_version": "3.16"},
        good={"parallelcluster_version": "3.15.1"},
    ),
    Case(
        rule="supported-region",
        path=("region",),
        says="us-east-9",
        bad={"region": "us-east-9"},
        good={"region": "us-east-2"},
    ),
    Case(
        rule="log-retention",
        path=("logs", "retention_days"),
        says="31 days: CloudWatch knows 1, 3, 5",
        bad={"logs": {"retention_days": 31}},
        good={"logs": {"retention_days": 60}},
    ),
]
