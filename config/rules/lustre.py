"""FSx for Lustre: sizes, throughput, and what is loaded from S3."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import export_target
from config.findings import Severity
from config.models.storage_file import StorageFile
from config.rules.base import FileSubject, FilesystemRule, Problem, Subject
from config.rules.parts import new_lustre

# MB/s per TiB of SSD storage, as ParallelCluster 3.16.1 takes them.
THROUGHPUT = {"PERSISTENT_1": (50, 100, 200), "PERSISTENT_2": (125, 250, 500, 1000)}


class LustreSize(FilesystemRule):
    """1200 GiB or multiples of 2400; SCRATCH_1: 1200, 2400 or multiples of 3600 (FSx)."""

    name = "lustre-size"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare with the sizes of the deployment type."""
        for place, lustre in new_lustre(subject.spec):
            step, small = (3600, (1200, 2400)) if lustre.deployment_type == "SCRATCH_1" else (2400, (1200,))
            size = lustre.size_gib
            if size in small or (size > 0 and size % step == 0):
                continue
            larger = min([s for s in small if s > size] + [max(size // step + 1, 1) * step])
            sizes = f"{' or '.join(map(str, small))} or a multiple of {step}"
            yield Problem(
                (*place, "size_gib"),
                f"{size} GiB: {lustre.deployment_type} has {sizes}",
                f"write {larger}",
            )


class LustreThroughput(FilesystemRule):
    """PERSISTENT types need ``throughput_per_tib``, from their own list; SCRATCH types have none."""

    name = "lustre-throughput"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare with the deployment type."""
        for place, lustre in new_lustre(subject.spec):
            path, given = (*place, "throughput_per_tib"), lustre.throughput_per_tib
            allowed = THROUGHPUT.get(lustre.deployment_type)
            if allowed is None:
                if given is not None:
                    message = f"{lustre.deployment_type} has no throughput to set"
                    yield Problem(path, message, "remove it, or take a PERSISTENT deployment_type")
            elif given not in allowed:
                got = "none is given" if given is None else f"got {given}"
                choices = ", ".join(map(str, allowed))
                yield Problem(path, f"{lustre.deployment_type} needs one of {choices} MB/s per TiB, {got}")


class LustreKms(FilesystemRule):
    """Only PERSISTENT types take a key of yours; SCRATCH types are encrypted with FSx's own."""

    name = "lustre-kms"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look for a key on SCRATCH types."""
        for place, lustre in new_lustre(subject.spec):
            if lustre.kms_key is not None and lustre.deployment_type not in THROUGHPUT:
                message = f"{lustre.deployment_type} takes no key of yours: FSx encrypts it with its own"
                yield Problem((*place, "kms_key"), message, "remove it, or take a PERSISTENT deployment_type")


class HydrationDeployment(FilesystemRule):
    """PERSISTENT_2 is not loaded from S3 this way (FSx)."""

    name = "hydration-deployment"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look for hydration on PERSISTENT_2."""
        for place, lustre in new_lustre(subject.spec):
            if lustre.hydration is not None and lustre.deployment_type == "PERSISTENT_2":
                hint = "take SCRATCH_2 or PERSISTENT_1"
                yield Problem((*place, "hydration"), "PERSISTENT_2 cannot be hydrated", hint)


class HydrationBuckets(FilesystemRule):
    """FSx writes back to the bucket that it loads from."""

    name = "hydration-buckets"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare the two."""
        for place, lustre in new_lustre(subject.spec):
            hydration = lustre.hydration
            if hydration and hydration.export_bucket not in (None, hydration.import_bucket):
                yield Problem(
                    (*place, "hydration", "export_bucket"),
                    f"FSx writes back to the bucket it loads from: import_bucket is {hydration.import_bucket}, "
                    f"export_bucket is {hydration.export_bucket}",
                    f"write export_bucket: {hydration.import_bucket} and choose an export_path",
                )


class HydrationOverwrites(FilesystemRule):
    """Writing back to where the data came from overwrites it; without ``export_bucket`` that is what happens."""

    name = "hydration-overwrites"
    severity = Severity.WARNING

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare where data is loaded from and written to."""
        for place, lustre in new_lustre(subject.spec):
            hydration = lustre.hydration
            if hydration is None:
                continue
            source, target = f"s3://{hydration.import_bucket}/{hydration.import_path}", export_target(lustre)
            path = (*place, "hydration")
            if hydration.export_bucket is None:
                yield Problem(
                    path,
                    f"no export_bucket: what is written back overwrites {source}, "
                    f"and export_path {hydration.export_path} is not used",
                    f"write export_bucket: {hydration.import_bucket}",
                )
            elif target == (hydration.import_bucket, hydration.import_path):
                message = f"what is written back overwrites {source}"
                yield Problem((*path, "export_path"), message, "choose another export_path")
