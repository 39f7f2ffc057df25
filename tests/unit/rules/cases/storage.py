from tests.unit.rules.case import Case, ebs, efs, head, imported, lustre, nfs, queues, storage

KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
RESERVED = ["/etc", "/opt/slurm", "/opt/parallelcluster", "/var", "/tmp", "/mnt", "/NONE", "/local_scratch"]
BELOW = [("/etc/x", "/etc"), ("/opt/parallelcluster/shared/x", "/opt/parallelcluster"), ("/nfs/x", "/nfs")]


def mounted(*mounts: str) -> dict:
    return storage(*(ebs(name=f"s{index}", mount=mount) for index, mount in enumerate(mounts)))


def volumes(count: int) -> dict:
    return mounted(*(f"/s{index}" for index in range(count)))


CASES = [
    Case(
        rule="mount-spelling",
        path=("storage", 0, "mount"),
        says="/data/../x is not in its shortest form",
        bad=mounted("/data/../x"),
        good=mounted("/x"),
    ),
    *(
        Case(
            rule="mount-reserved",
            path=("storage", 0, "mount"),
            says=f"{mount} is reserved",
            bad=mounted(mount),
            good=mounted("/home"),
        )
        for mount in RESERVED
    ),
    *(
        Case(
            rule="mount-reserved",
            path=("storage", 0, "mount"),
            says=f"{mount} is reserved like all of {tree}",
            bad=mounted(mount),
            good=mounted("/opt/apps"),
        )
        for mount, tree in BELOW
    ),
    Case(  # the system's directories stay reserved however they are spelt
        rule="mount-reserved",
        path=("storage", 0, "mount"),
        says="/data/../etc is reserved",
        bad=mounted("/data/../etc"),
        good=storage(nfs()),
    ),
    Case(
        rule="mount-overlap",
        path=("storage", 1, "mount"),
        says='/data is already where "s0" is mounted',
        bad=mounted("/data", "/data"),
        good=mounted("/data", "/data2"),
    ),
    Case(
        rule="mount-overlap",
        path=("storage", 1, "mount"),
        says='/data/x and /data (of "s0") lie within each other',
        bad=mounted("/data", "/data/x"),
        good=mounted("/data/y", "/data/x"),
    ),
    Case(
        rule="mount-overlap",
        path=("storage", 1, "mount"),
        says='/data and /data/x (of "s0") lie within each other',
        bad=mounted("/data/x", "/data"),
    ),
    Case(
        rule="nfs-mount",
        path=("storage", 0, "mount"),
        says="/data is not below /nfs",
        bad=storage(nfs(mount="/data")),
        good=storage(nfs(mount="/nfs/data")),
    ),
    Case(
        rule="scratch-mount",
        path=("storage", 0, "mount"),
        says="/scratch is where c8gd.xlarge mount disks",
        bad=mounted("/scratch") | queues(instance_types=["c8gd.xlarge"]),
        good=mounted("/scratch"),
    ),
    Case(
        rule="storage-count",
        path=("storage", 1),
        says="at most 1 are possible (new efs)",
        bad=storage(efs(), efs(name="b", mount="/b")),
        good=storage(efs(), efs(name="b", mount="/b", id="fs-0abc1234")),
    ),
    Case(
        rule="storage-count",
        path=("storage", 1),
        says="at most 1 are possible (new fsx-lustre)",
        bad=storage(lustre(), lustre(name="b", mount="/b")),
        good=storage(lustre(), lustre(name="b", mount="/b", id="fs-" + "0" * 17)),
    ),
    Case(
        rule="storage-count",
        path=("storage", 5),
        says="at most 5 are possible (ebs)",
        bad=volumes(6),
        good=volumes(5),
    ),
    Case(
        rule="storage-count",
        path=("storage", 20),
        says="at most 20 are possible (existing efs)",
        bad=storage(*(efs(name=f"e{n}", mount=f"/e{n}", id=f"fs-0abc12{n:02}") for n in range(21))),
        good=storage(*(efs(name=f"e{n}", mount=f"/e{n}", id=f"fs-0abc12{n:02}") for n in range(20))),
    ),
    Case(
        rule="unique-storage-ids",
        path=("storage", 1, "id"),
        says='already mounted as "efs"',
        bad=storage(efs(id="fs-0abc1234"), efs(id="fs-0abc1234", name="b", mount="/b")),
        good=storage(efs(id="fs-0abc1234"), efs(id="fs-0abc1235", name="b", mount="/b")),
    ),
    Case(
        rule="existing-storage",
        path=("storage", 0, "size_gib"),
        says="size_gib means nothing beside id: vol-0abc1234",
        bad=storage(ebs(id="vol-0abc1234", size_gib=100)),
        good=storage(ebs(id="vol-0abc1234")),
    ),
    Case(
        rule="existing-storage",
        path=("storage", 0, "on_delete"),
        says="never changed or deleted",
        bad=storage(efs(id="fs-0abc1234", on_delete="delete")),
        good=storage(efs(id="fs-0abc1234", encryption_in_transit=True)),
    ),
    Case(
        rule="existing-storage",
        path=("storage", 0, "hydration"),
        says="hydration means nothing beside id",
        bad=storage(lustre(id="fs-" + "0" * 17, hydration={"import_bucket": "data"})),
        good=storage(lustre(id="fs-" + "0" * 17)),
    ),
    Case(
        rule="kms-needs-encryption",
        path=("storage", 0, "encrypted"),
        says="there is a key and encrypted: false",
        bad=storage(ebs(kms_key=KEY, encrypted=False)),
        good=storage(ebs(kms_key=KEY)),
    ),
    Case(
        rule="efs-throughput",
        path=("storage", 0, "throughput_mode"),
        says="provisioned, without an amount",
        bad=storage(efs(throughput_mode="provisioned")),
        good=storage(efs(throughput_mode="provisioned", provisioned_throughput=100)),
    ),
    Case(
        rule="efs-throughput",
        path=("storage", 0, "provisioned_throughput"),
        says="100 MiB/s need throughput_mode: provisioned",
        bad=storage(efs(provisioned_throughput=100)),
        good=storage(efs()),
    ),
    Case(
        rule="deleted-in-prod",
        path=("storage", 0, "on_delete"),
        says="a prod filesystem that is deleted with all its data",
        bad=storage(efs(on_delete="delete")) | {"environment": "prod"},
        good=storage(efs(on_delete="delete", acknowledge_data_loss=True)) | {"environment": "prod"},
    ),
    Case(
        rule="deleted-in-prod",
        path=("storage", 0, "on_delete"),
        says="by on_delete: delete",
        bad=storage(efs(on_delete="delete", managed_by="stack")) | {"environment": "prod"},
        good=storage(efs(on_delete="delete")) | {"environment": "stage"},
    ),
    Case(
        rule="admitted-with-id",
        path=("storage", 0, "security_group"),
        says='"efs" is made with a group of its own; sg-0abc1234 is another',
        bad=storage(efs(security_group="sg-0abc1234")),
        good=storage(efs(security_group="sg-0abc1234", id="fs-0abc1234")),
    ),
    Case(
        rule="unique-storage-ids",
        path=("storage", 1, "from"),
        says='shared-home, filesystem home is already mounted as "one"',
        bad=storage(imported(name="one"), imported(name="two", mount="/two", filesystem="home")),
        good=storage(imported(name="one"), imported("many", name="two", mount="/two", filesystem="home")),
    ),
    Case(
        rule="known-filesystem",
        path=("storage", 0, "filesystem"),
        says='"many" has several filesystems, and none is chosen',
        bad=storage(imported("many")),
        good=storage(imported("many", filesystem="fast")),
    ),
    Case(
        rule="known-filesystem",
        path=("storage", 0, "filesystem"),
        says='"hone" is no filesystem of "shared-home"',
        bad=storage(imported(filesystem="hone")),
        good=storage(imported(filesystem="home")),
    ),
    *(
        Case(
            rule="storage-place",
            path=("storage", 0, "from"),
            says=says,
            bad=storage(imported(name)) | {"account": "123456789012"},
            good=storage(imported()) | {"account": "123456789012"},
        )
        for name, says in (
            ("other-region", '"other-region" has region: us-west-2, the cluster us-east-1'),
            ("other-account", '"other-account" has account: 210987654321, the cluster 123456789012'),
            ("other-vpc", '"other-vpc" has network.vpc_id: vpc-0fff1234, the cluster vpc-0abc1234'),
        )
    ),
    Case(
        rule="storage-zones",
        path=("storage", 0, "from"),
        says='volume "disk" is in us-east-1b, the head node in us-east-1a',
        bad=storage(imported("far-disk")),
        good=storage(imported("many", filesystem="disk")),
    ),
    Case(
        rule="storage-zones",
        path=("storage", 0, "from"),
        says='"one-zone" has no subnet in us-east-1b, where nodes are',
        bad=storage(imported("one-zone")) | queues(subnets=["private-a", "private-b"]),
        good=storage(imported()) | queues(subnets=["private-a", "private-b"]),
    ),
    Case(
        rule="home-in-prod",
        path=("storage",),
        says="/home of a prod cluster is on the head node's root volume",
        bad=storage(efs()) | {"environment": "prod"},
        good=head(home_on_root_volume=True) | {"environment": "prod"},
    ),
    Case(
        rule="home-in-prod",
        path=("storage", 0),
        says='/home of a prod cluster is on "efs", which is made for this cluster alone',
        bad=storage(efs(mount="/home")) | {"environment": "prod"},
        good=storage(imported()) | {"environment": "prod"},
    ),
    Case(
        rule="home-in-prod",
        path=("storage", 0),
        says='on "efs"',
        bad=storage(efs(mount="/home", managed_by="stack")) | {"environment": "prod"},
        good=storage(efs(mount="/home", id="fs-0abc1234")) | {"environment": "prod"},
    ),
    Case(
        rule="bootstrap-timeout",
        path=("head_node", "bootstrap_timeout"),
        says="43201 seconds",
        bad=head(bootstrap_timeout=43201),
        good=head(bootstrap_timeout=43200),
    ),
    Case(
        rule="bootstrap-timeout",
        path=("head_node", "bootstrap_timeout"),
        says="0 seconds",
        bad=head(bootstrap_timeout=0),
        good=head(bootstrap_timeout=1),
    ),
    Case(  # the default with a new Lustre filesystem
        rule="creation-time",
        path=("head_node", "bootstrap_timeout"),
        says='may take 3900 s, and creating "fsx" about 600 s, but CloudFormation waits 3600 s',
        bad=storage(lustre()),
        good=storage(lustre(managed_by="stack")),
    ),
    Case(
        rule="creation-time",
        path=("head_node", "bootstrap_timeout"),
        says="may take 3601 s, but CloudFormation waits 3600 s",
        bad=head(bootstrap_timeout=3601),
        good=head(bootstrap_timeout=3600),
    ),
    Case(
        rule="creation-time",
        path=("head_node", "bootstrap_timeout"),
        says='creating "efs" about 180 s',
        bad=storage(efs()) | head(bootstrap_timeout=3421),
        good=storage(efs()),
    ),
]
