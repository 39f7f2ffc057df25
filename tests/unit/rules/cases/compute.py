from tests.unit.rules.case import Case, head, pool, queue, queues

SIZES = [
    "medium",
    "large",
    "xlarge",
    "2xlarge",
    "4xlarge",
    "8xlarge",
    "12xlarge",
    "16xlarge",
    "24xlarge",
    "48xlarge",
]
TEN_CLASSES = [f"c8g.{size}" for size in SIZES[:10]]


def many(count: int) -> dict:
    return queues(*(queue(name=f"q{n}", instance_types=TEN_CLASSES, max_nodes=1) for n in range(count)))


CASES = [
    Case(
        rule="known-instance-types",
        path=("queues", 0, "instance_types", 1),
        says='unknown instance type "c8g.3xlarge"',
        bad=queues(instance_types=["c8g.2xlarge", "c8g.3xlarge"]),
        good=queues(instance_types=["c8g.2xlarge", "c8g.4xlarge"]),
    ),
    Case(
        rule="known-instance-types",
        path=("head_node", "instance_type"),
        says='"c99.large"',
        bad=head(instance_type="c99.large"),
    ),
    Case(
        rule="known-instance-types",
        path=("login", 0, "instance_type"),
        says='"c99.large"',
        bad={"login": [pool(instance_type="c99.large")]},
        good={"login": [pool()]},
    ),
    Case(
        rule="one-architecture",
        path=("queues", 0, "instance_types", 0),
        says="c8g.xlarge=arm64, g5.xlarge=x86_64",
        bad=queues(instance_types=["g5.xlarge"]),
        good=queues(instance_types=["g5g.xlarge"]),
    ),
    Case(
        rule="one-architecture",
        path=("login", 0, "instance_type"),
        says="c5.xlarge=x86_64",
        bad={"login": [pool(instance_type="c5.xlarge")]},
        good={"login": [pool()]},
    ),
    Case(
        rule="queue-types-distinct",
        path=("queues", 0, "instance_types", 1),
        says="c8g.2xlarge is listed already",
        bad=queues(instance_types=["c8g.2xlarge", "c8g.2xlarge"]),
    ),
    Case(
        rule="node-counts",
        path=("queues", 0, "min_nodes"),
        says="min_nodes is 3, more than max_nodes, which is 2",
        bad=queues(min_nodes=3, max_nodes=2),
        good=queues(min_nodes=2, max_nodes=2),
    ),
    Case(
        rule="compute-resources",
        path=("queues",),
        says="60 compute resources, at most 50",
        bad=many(6) | head(instance_type="c8g.8xlarge"),
        good=many(5) | head(instance_type="c8g.8xlarge"),
    ),
    Case(  # two classes of 100 nodes each need 8.6 GiB
        rule="head-node-memory",
        path=("head_node", "instance_type"),
        says="200 nodes at most need 8.6 GiB",
        bad=queues(instance_types=["c8g.2xlarge", "c8g.4xlarge"], max_nodes=100),
        good=queues(instance_types=["c8g.2xlarge", "c7g.2xlarge"], max_nodes=100),
    ),
    Case(
        rule="small-memory",
        path=("queues", 0, "instance_types", 0),
        says="t4g.micro has 1024 MiB",
        bad=queues(instance_types=["t4g.micro"]),
        good=queues(instance_types=["t4g.micro"]) | {"os": "alinux2023"},
    ),
    Case(
        rule="instance-os",
        path=("queues", 0, "instance_types", 0),
        says="does not run under rhel9",
        bad=queues(instance_types=["p6e-gb200.36xlarge"], capacity="ondemand") | {"os": "rhel9"},
        good=queues(instance_types=["p6e-gb200.36xlarge"], capacity="ondemand"),
    ),
    Case(
        rule="spot-offered",
        path=("queues", 0, "capacity"),
        says="EC2 never offers hpc7g.16xlarge as Spot",
        bad=queues(instance_types=["hpc7g.16xlarge"]),
        good=queues(instance_types=["hpc7g.16xlarge"], capacity="ondemand"),
    ),
    Case(
        rule="placement-offered",
        path=("queues", 0, "instance_types"),
        says="takes no t4g.large",
        bad=queues(instance_types=["t4g.large"], placement_group=True),
        good=queues(instance_types=["t4g.large"]),
    ),
]
