"""What a cluster's document takes from the stack around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_constructs.intrinsics import Value


@dataclass(frozen=True, kw_only=True)
class References:
    """Every value is a text or an intrinsic function; the document does not care which.

    ``entry_url`` is the entry script's ``s3://`` address: everything a node fetches lies beside it. ``owner`` is
    the stack's id, ``manifest_sha256`` and ``job_sha256`` come from :class:`bootstrap_assets.manifest.Manifest`.
    ``ssh_prefix_list`` is needed where :func:`~hpc_constructs.parallelcluster.rendering_ssh.prefix_list` declares
    one.
    """

    permissions_boundary: Value
    key_name: Value
    engine_bucket: Value
    entry_url: Value
    head_policies: Sequence[Value]
    compute_policies: Sequence[Value]
    login_policies: Sequence[Value]
    owner: Value
    manifest_sha256: str
    job_sha256: str | None = None
    ssh_prefix_list: Value | None = None
