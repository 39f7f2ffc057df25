from tests.unit.rules.case import Case, ebs, head, queues, storage

SIZES = [
    ("gp2", 0, 1),
    ("gp3", 16385, 16384),
    ("io1", 3, 4),
    ("io1", 16385, 16384),
    ("io2", 65537, 65536),
    ("st1", 499, 500),
]
IOPS = [
    ("gp3", 2999, 3000),
    ("gp3", 16001, 16000),
    ("io1", 99, 100),
    ("io1", 64001, 64000),
    ("io2", 256001, 256000),
]
RATIOS = [("gp3", 8, 4001, 4000), ("io1", 10, 501, 500), ("io2", 4, 4001, 4000)]


def volume(kind: str, size: int, **changes: int) -> dict:
    return storage(ebs(volume_type=kind, size_gib=size, **changes))


def root(**changes: object) -> dict:
    return head(root_volume=changes)


def queue_root(**changes: object) -> dict:
    return queues(root_volume=changes)


CASES = [
    *(
        Case(
            rule="volume-size",
            path=("storage", 0, "size_gib"),
            says=f"{bad} GiB: {kind}",
            bad=volume(kind, bad),
            good=volume(kind, good),
        )
        for kind, bad, good in SIZES
    ),
    Case(
        rule="volume-size",
        path=("head_node", "root_volume", "size_gib"),
        says="20000 GiB: gp3",
        bad=root(size_gib=20000),
        good=root(size_gib=16384),
    ),
    Case(
        rule="volume-size",
        path=("queues", 0, "root_volume", "size_gib"),
        says="20000 GiB: gp2",
        bad=queue_root(size_gib=20000, type="gp2"),
        good=queue_root(size_gib=16384, type="gp2"),
    ),
    Case(
        rule="root-volume-minimum",
        path=("head_node", "root_volume", "size_gib"),
        says="44 GiB is too small",
        bad=root(size_gib=44),
        good=root(size_gib=45),
    ),
    Case(
        rule="root-volume-minimum",
        path=("queues", 0, "root_volume", "size_gib"),
        says="44 GiB is too small",
        bad=queue_root(size_gib=44),
        good=queues(root_volume={"size_gib": 44}, custom_ami="ami-0abc1234"),
    ),
    Case(
        rule="root-volume-type",
        path=("queues", 0, "root_volume", "type"),
        says="cannot boot from st1",
        bad=queue_root(type="st1", size_gib=500),
        good=queue_root(type="gp2", size_gib=500),
    ),
    *(
        Case(
            rule="volume-iops",
            path=("storage", 0, "iops"),
            says=f"{bad} IOPS: {kind}",
            bad=volume(kind, 10000, iops=bad),
            good=volume(kind, 10000, iops=good),
        )
        for kind, bad, good in IOPS
    ),
    Case(
        rule="volume-iops",
        path=("storage", 0, "iops"),
        says="gp2 volumes have no iops",
        bad=volume("gp2", 100, iops=3000),
        good=volume("gp2", 100),
    ),
    *(
        Case(
            rule="volume-iops-ratio",
            path=("storage", 0, "iops"),
            says=f"{bad} IOPS on {size} GiB",
            bad=volume(kind, size, iops=bad),
            good=volume(kind, size, iops=good),
        )
        for kind, size, bad, good in RATIOS
    ),
    Case(  # gp3's own 3000 IOPS need 6 GiB
        rule="volume-iops-ratio",
        path=("storage", 0, "size_gib"),
        says="3000 IOPS on 5 GiB",
        bad=volume("gp3", 5),
        good=volume("gp3", 6),
    ),
    Case(  # of a root volume without a size, the default of its node counts
        rule="volume-iops-ratio",
        path=("head_node", "root_volume", "iops"),
        says="5001 IOPS on 100 GiB: io1",
        bad=root(type="io1", iops=5001),
        good=root(type="io1", iops=5000),
    ),
    Case(
        rule="volume-iops-ratio",
        path=("queues", 0, "root_volume", "iops"),
        says="12501 IOPS on 250 GiB: io1",
        bad=queue_root(type="io1", iops=12501),
        good=queue_root(type="io1", iops=12500),
    ),
    Case(
        rule="volume-throughput",
        path=("storage", 0, "throughput"),
        says="124 MB/s",
        bad=volume("gp3", 100, throughput=124),
        good=volume("gp3", 100, throughput=125),
    ),
    Case(
        rule="volume-throughput",
        path=("storage", 0, "throughput"),
        says="1001 MB/s",
        bad=volume("gp3", 100, iops=8000, throughput=1001),
        good=volume("gp3", 100, iops=8000, throughput=1000),
    ),
    Case(
        rule="volume-throughput",
        path=("head_node", "root_volume", "throughput"),
        says="io2 volumes have no throughput",
        bad=root(type="io2", throughput=250),
        good=root(type="io2"),
    ),
    Case(
        rule="volume-throughput-ratio",
        path=("storage", 0, "throughput"),
        says="751 MB/s need 3004 IOPS, and the volume has 3000",
        bad=volume("gp3", 100, throughput=751),
        good=volume("gp3", 100, throughput=750),
    ),
]
