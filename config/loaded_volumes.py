"""Volumes of storage files among several clusters: only one head node at a time can attach one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from config.document import Origin
from config.findings import Finding, KeyPath
from config.loader import LoadedCluster
from config.models.storage import Imported
from config.selection import CLUSTERS
from config.wording import quoted


def taken_volumes(clusters: Iterable[LoadedCluster]) -> Iterator[Finding]:
    """Each volume that a cluster before mounts too; clusters that are not selected are not looked at."""
    first: dict[tuple[str, str], str] = {}
    for cluster in clusters:
        for index, each in enumerate(cluster.spec.storage):
            if not isinstance(each, Imported) or each.stored.type != "ebs":
                continue
            other = first.setdefault((each.from_, each.stored.name), cluster.name)
            if other != cluster.name:
                path: KeyPath = ("storage", index, "from")
                origin = cluster.origins.get(path, Origin(f"{CLUSTERS}/{cluster.name}.yaml"))
                yield Finding(
                    rule="volume-taken",
                    message=f"volume {quoted(each.stored.name)} of {quoted(each.from_)} is mounted by cluster "
                    f"{quoted(other)}, and only one head node can attach it",
                    path=path,
                    file=origin.file,
                    line=origin.line,
                    hint="take EFS or FSx for Lustre for what clusters share, or a volume for each",
                )
