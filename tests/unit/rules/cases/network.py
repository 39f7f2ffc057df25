from tests.unit.rules.case import Case, head, lustre, pool, queue, queues, storage, subnets

TWO_ZONES = ["private-a", "private-b"]
EFA = {"instance_types": ["hpc7g.16xlarge"], "capacity": "ondemand", "efa": True}


def cidrs(*networks: str) -> dict:
    return {"ssh": {"allowed_cidrs": list(networks)}}


def dcv(*networks: str) -> dict:
    return head(dcv={"enabled": True, "allowed_cidrs": list(networks)})


CASES = [
    Case(
        rule="zone-in-region",
        path=("network", "subnets", "far", "zone"),
        says="eu-west-1a is not in Region us-east-1",
        bad=subnets(far={"id": "subnet-0ddd1234", "zone": "eu-west-1a"}),
        good=subnets(far={"id": "subnet-0ddd1234", "zone": "us-east-1f"}),
    ),
    Case(
        rule="unique-subnet-ids",
        path=("network", "subnets", "twin", "id"),
        says='already the id of "public-a"',
        bad=subnets(twin={"id": "subnet-0aaa1234", "zone": "us-east-1a"}),
        good=subnets(twin={"id": "subnet-0ddd1234", "zone": "us-east-1a"}),
    ),
    Case(rule="known-subnets", path=("head_node", "subnet"), says='"public"', bad=head(subnet="public")),
    Case(
        rule="known-subnets",
        path=("queues", 0, "subnets", 0),
        says='"private-c" is not a key of network.subnets',
        bad=queues(subnets=["private-c"]),
        good=queues(subnets=["private-b"]),
    ),
    Case(
        rule="known-subnets",
        path=("login", 0, "subnet"),
        says='"private-c"',
        bad={"login": [pool(subnet="private-c")]},
        good={"login": [pool(subnet="private-b")]},
    ),
    Case(
        rule="queue-subnets",
        path=("queues", 0, "subnets", 1),
        says="listed already",
        bad=queues(subnets=["private-a", "private-a"]),
        good=queues(subnets=TWO_ZONES),
    ),
    Case(
        rule="queue-subnets",
        path=("queues", 0, "subnets", 1),
        says='"private-a" and "public-a" are both in us-east-1a',
        bad=queues(subnets=["public-a", "private-a"]),
        good=queues(subnets=["public-a", "private-b"]),
    ),
    Case(
        rule="efa-one-zone",
        path=("queues", 0, "subnets"),
        says="us-east-1a and us-east-1b",
        bad=queues(**EFA, subnets=TWO_ZONES),
        good=queues(**EFA),
    ),
    Case(
        rule="placement-group-one-zone",
        path=("queues", 0, "subnets"),
        says="has a placement group and subnets in us-east-1a and us-east-1b",
        bad=queues(placement_group=True, subnets=TWO_ZONES),
        good=queues(placement_group=True),
    ),
    Case(
        rule="lustre-one-subnet",
        path=("storage", 0),
        says="private-a, private-b",
        bad=storage(lustre()) | queues(subnets=TWO_ZONES),
        good=storage(lustre(id="fs-" + "0" * 17)) | queues(subnets=TWO_ZONES),
    ),
    Case(  # not only within one queue
        rule="lustre-one-subnet",
        path=("storage", 0),
        says="private-a, private-b",
        bad=storage(lustre()) | queues(queue(), queue(name="b", subnets=["private-b"])),
        good=storage(lustre()) | queues(queue(), queue(name="b")),
    ),
    Case(
        rule="allowed-networks",
        path=("ssh", "allowed_cidrs", 0),
        says='"10.0.0.1/16" is not a network',
        bad=cidrs("10.0.0.1/16"),
        good=cidrs("10.0.0.1/32"),
    ),
    Case(rule="allowed-networks", path=("ssh", "allowed_cidrs", 0), says='"10.0.0.0"', bad=cidrs("10.0.0.0")),
    Case(rule="allowed-networks", path=("ssh", "allowed_cidrs", 0), says='"::/0"', bad=cidrs("::/0")),
    Case(rule="allowed-networks", path=("ssh", "allowed_cidrs", 0), says='"office"', bad=cidrs("office")),
    Case(
        rule="allowed-networks",
        path=("ssh", "allowed_cidrs", 0),
        says="255.255.0.0",
        bad=cidrs("10.0.0.0/255.255.0.0"),
    ),
    Case(
        rule="allowed-networks",
        path=("head_node", "dcv", "allowed_cidrs", 0),
        says='"10.0.0.1/8" is not a network',
        bad=dcv("10.0.0.1/8"),
        good=dcv("10.0.0.0/8"),
    ),
    Case(
        rule="open-to-the-world",
        path=("ssh", "allowed_cidrs"),
        says="0.0.0.0/0 admits the whole internet",
        bad=cidrs("10.0.0.0/8", "0.0.0.0/0"),
        good=cidrs("10.0.0.0/8"),
    ),
    Case(
        rule="open-to-the-world",
        path=("ssh", "allowed_cidrs"),
        says="admits the whole internet",
        bad=cidrs("0.0.0.0/1", "128.0.0.0/1"),
        good=cidrs("128.0.0.0/1"),
    ),
    Case(
        rule="open-to-the-world",
        path=("head_node", "dcv", "allowed_cidrs"),
        says="admits the whole internet",
        bad=dcv("0.0.0.0/0"),
        good=dcv("10.0.0.0/8"),
    ),
    Case(
        rule="broad-networks",
        path=("ssh", "allowed_cidrs", 0),
        says="33,554,432 addresses",
        bad=cidrs("10.0.0.0/7"),
        good=cidrs("10.0.0.0/8"),
    ),
    Case(
        rule="network-count",
        path=("ssh", "allowed_cidrs"),
        says="21 networks, at most 20",
        bad=cidrs(*(f"10.0.{n}.0/24" for n in range(21))),
        good=cidrs(*(f"10.0.{n}.0/24" for n in range(20))),
    ),
    Case(
        rule="network-count",
        path=("head_node", "dcv", "allowed_cidrs"),
        says="the remote desktop admits one network, and 2 are given",
        bad=dcv() | cidrs("10.0.0.0/16", "10.2.0.0/16"),
        good=dcv("10.0.0.0/16") | cidrs("10.0.0.0/16", "10.2.0.0/16"),
    ),
]
