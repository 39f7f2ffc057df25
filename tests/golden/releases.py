"""What earlier releases gave ParallelCluster: upgrading Clusterform must not change a deployed cluster unasked.

``python -m tests.golden.releases`` freezes the examples and their documents under the project's version, once a
release; the folder is never written again. A change that has to be made names ``VERSION/EXAMPLE`` in CHANGELOG.md,
where its effect on deployed clusters stands.
"""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from bootstrap_assets.renderer import render_manifest
from config.facts.instance_types import load
from config.loader import load_clusters
from config.selection import select
from hpc_constructs.intrinsics import ref, sub
from hpc_constructs.parallelcluster.rendering import References, cluster_configuration
from tests.golden.artifacts import dump
from tests.projects import EDITED, ROOT

RELEASES = Path(__file__).parent / "releases"
DOCUMENTS = "documents"
HASH = re.compile(r"\b[0-9a-f]{64}\b")
"""The manifest's hash, under rollout: drain. Scripts may change: their rollout is what the user asked for."""


def documents(root: Path, names: Sequence[str] = ()) -> dict[str, str]:
    """The ParallelCluster document of each cluster under ``root``, or of those of some names, by name."""
    context = {"cluster": list(names)} if names else {}
    return {
        cluster.name: HASH.sub(
            "HASH",
            dump(
                cluster_configuration(
                    cluster.name,
                    cluster.spec,
                    load(),
                    _references(render_manifest(cluster.name, cluster.spec, root).sha256),
                )
            ),
        )
        for cluster in load_clusters(root, select(context, root))
    }


def changelog() -> str:
    """The changelog, empty while there is none."""
    path = ROOT / "CHANGELOG.md"
    return path.read_text() if path.exists() else ""


def freeze(root: Path, folder: Path) -> None:
    """Copy what people edit under ``root`` to ``folder``, and write the documents beside it."""
    (folder / "config").mkdir(parents=True)
    for name in EDITED:
        path = root / "config" / name
        if path.is_dir():
            shutil.copytree(path, folder / "config" / name)
        elif path.exists():
            shutil.copy(path, folder / "config" / name)
    (folder / DOCUMENTS).mkdir()
    for name, text in documents(root).items():
        (folder / DOCUMENTS / f"{name}.yaml").write_text(text)


def _references(manifest_sha256: str) -> References:
    """References by the stack's logical ids; policies are not the document's matter, one each stands for them."""
    return References(
        permissions_boundary=ref("Boundary"),
        key_name=ref("KeyPair"),
        engine_bucket=ref("EngineBucket"),
        entry_url=sub("s3://${StagingBucket}/entry.sh"),
        head_policies=[ref("Head")],
        compute_policies=[ref("Compute")],
        login_policies=[ref("Login")],
        owner=ref("AWS::StackId"),
        manifest_sha256=manifest_sha256,
        ssh_prefix_list=ref("SshPrefixList"),
    )


def main() -> None:
    """Freeze the project's version."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    folder = RELEASES / version
    if folder.exists():
        sys.exit(f"{version} is frozen already; a release's documents are never written again")
    freeze(ROOT, folder)


if __name__ == "__main__":
    main()
