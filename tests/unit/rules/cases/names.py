from tests.unit.rules.case import Case, ebs, pool, queue, queues, storage

TOPIC = "arn:aws:sns:us-east-1:123456789012:hpc"
DOWNLOAD = {"name": "tool", "url": "https://example.org/tool.tgz", "sha256": "0" * 64}

CASES = [
    Case(rule="cluster-name", path=(), says="3-27 characters", name="ab", good_name="abc"),
    Case(rule="cluster-name", path=(), says="3-27 characters", name="a" * 28, good_name="a" * 27),
    Case(rule="cluster-name", path=(), says='"Demo"', name="Demo"),
    Case(rule="cluster-name", path=(), says='"2demo"', name="2demo", good_name="demo2"),
    Case(rule="cluster-name", path=(), says='"demo-"', name="demo-", good_name="de-mo"),
    Case(rule="cluster-name", path=(), says='"de--mo"', name="de--mo"),
    Case(rule="cluster-name", path=(), says='"account" is reserved', name="account", good_name="accounts"),
    Case(rule="cluster-name", path=(), says="reserved", name="clusterform-x", good_name="clusterformx"),
    Case(
        rule="unique-names",
        path=("queues", 1, "name"),
        says="already the name of queues[0]",
        bad=queues(queue(), queue()),
        good=queues(queue(), queue(name="other")),
    ),
    Case(
        rule="unique-names",
        path=("login", 1, "name"),
        says="already the name of login[0]",
        bad={"login": [pool(), pool()]},
        good={"login": [pool(), pool(name="other")]},
    ),
    Case(
        rule="unique-names",
        path=("storage", 1, "name"),
        says="already the name of storage[0]",
        bad=storage(ebs(), ebs(mount="/other")),
        good=storage(ebs(), ebs(mount="/other", name="other")),
    ),
    Case(
        rule="unique-names",
        path=("downloads", 1, "name"),
        says="already the name of downloads[0]",
        bad={"downloads": [DOWNLOAD, DOWNLOAD]},
        good={"downloads": [DOWNLOAD, DOWNLOAD | {"name": "other"}]},
    ),
    Case(
        rule="name-length",
        path=("queues", 0, "name"),
        says="26 characters, at most 25",
        bad=queues(name="q" * 26),
        good=queues(name="q" * 25),
    ),
    Case(
        rule="name-length",
        path=("login", 0, "name"),
        says="26 characters, at most 25",
        bad={"login": [pool(name="l" * 26)]},
        good={"login": [pool(name="l" * 25)]},
    ),
    Case(
        rule="name-length",
        path=("storage", 0, "name"),
        says="31 characters, at most 30",
        bad=storage(ebs(name="s" * 31)),
        good=storage(ebs(name="s" * 30)),
    ),
    Case(
        rule="hidden-name-collision",
        path=("login", 1, "name"),
        says='one name to ParallelCluster: "ab"',
        bad={"login": [pool(name="a-b"), pool(name="ab")]},
        good={"login": [pool(name="a-b"), pool(name="ab2")]},
    ),
    Case(
        rule="hidden-name-collision",
        path=("login", 0, "name"),
        says='a launch template of queue "cpu"',
        bad={"login": [pool(name="cpu-vcpu8")]},
        good={"login": [pool(name="cpu-vcpu16")]},
    ),
    Case(
        rule="unique-emails",
        path=("notifications", "emails", 1),
        says="listed already",
        bad={"notifications": {"emails": ["a@example.org", "a@example.org"]}},
        good={"notifications": {"emails": ["a@example.org", "b@example.org"]}},
    ),
    Case(
        rule="topic-or-emails",
        path=("notifications", "emails"),
        says="which we subscribe nobody to",
        bad={"notifications": {"topic_arn": TOPIC, "emails": ["a@example.org"]}},
        good={"notifications": {"topic_arn": TOPIC}},
    ),
]
