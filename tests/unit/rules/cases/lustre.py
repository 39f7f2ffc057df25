from tests.unit.rules.case import Case, lustre, storage
from tests.unit.rules.cases.storage import KEY

SIZES = [
    ("SCRATCH_2", 3600, 2400),
    ("SCRATCH_2", 6000, 7200),
    ("SCRATCH_2", 0, 1200),
    ("SCRATCH_1", 4800, 3600),
    ("SCRATCH_1", 1201, 2400),
]


def hydrated(deployment: str = "SCRATCH_2", **hydration: str) -> dict:
    return storage(lustre(deployment_type=deployment, hydration={"import_bucket": "data"} | hydration))


CASES = [
    *(
        Case(
            rule="lustre-size",
            path=("storage", 0, "size_gib"),
            says=f"{bad} GiB: {deployment}",
            bad=storage(lustre(deployment_type=deployment, size_gib=bad)),
            good=storage(lustre(deployment_type=deployment, size_gib=good)),
        )
        for deployment, bad, good in SIZES
    ),
    Case(
        rule="lustre-throughput",
        path=("storage", 0, "throughput_per_tib"),
        says="SCRATCH_2 has no throughput",
        bad=storage(lustre(throughput_per_tib=125)),
        good=storage(lustre()),
    ),
    Case(
        rule="lustre-throughput",
        path=("storage", 0, "throughput_per_tib"),
        says="PERSISTENT_2 needs one of 125, 250, 500, 1000 MB/s per TiB, none is given",
        bad=storage(lustre(deployment_type="PERSISTENT_2")),
        good=storage(lustre(deployment_type="PERSISTENT_2", throughput_per_tib=125)),
    ),
    Case(
        rule="lustre-throughput",
        path=("storage", 0, "throughput_per_tib"),
        says="got 125",
        bad=storage(lustre(deployment_type="PERSISTENT_1", throughput_per_tib=125)),
        good=storage(lustre(deployment_type="PERSISTENT_1", throughput_per_tib=100)),
    ),
    Case(
        rule="lustre-kms",
        path=("storage", 0, "kms_key"),
        says="SCRATCH_2 takes no key of yours",
        bad=storage(lustre(kms_key=KEY)),
        good=storage(lustre(kms_key=KEY, deployment_type="PERSISTENT_2", throughput_per_tib=125)),
    ),
    Case(
        rule="hydration-deployment",
        path=("storage", 0, "hydration"),
        says="PERSISTENT_2 cannot be hydrated",
        bad=hydrated("PERSISTENT_2"),
        good=hydrated("PERSISTENT_1"),
    ),
    Case(
        rule="hydration-buckets",
        path=("storage", 0, "hydration", "export_bucket"),
        says="import_bucket is data, export_bucket is results",
        bad=hydrated(export_bucket="results"),
        good=hydrated(export_bucket="data"),
    ),
    Case(
        rule="hydration-overwrites",
        path=("storage", 0, "hydration"),
        says="overwrites s3://data/import, and export_path export is not used",
        bad=hydrated(),
        good=hydrated(export_bucket="data"),
    ),
    Case(
        rule="hydration-overwrites",
        path=("storage", 0, "hydration", "export_path"),
        says="what is written back overwrites s3://data/in",
        bad=hydrated(export_bucket="data", import_path="in", export_path="in"),
        good=hydrated(export_bucket="data", import_path="in", export_path="out"),
    ),
]
