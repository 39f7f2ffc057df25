"""The template of the hosted provider, a stand-in at the address and with the interface of the real one."""

from __future__ import annotations

from pathlib import Path

from pcluster_rules.install import versions

HERE = Path(__file__).parent
INDENT = " " * 10
"""The function's code stands at this depth of the template."""


def hosted(version: str) -> str | None:
    """The provider's template for one ParallelCluster version, or None for one whose rules we lack."""
    if version not in versions():
        return None
    code = (HERE / "function.py").read_text(encoding="utf-8")
    indented = "\n".join(INDENT + line if line else "" for line in code.splitlines()).lstrip()
    text = (HERE / "cluster.yaml").read_text(encoding="utf-8")
    return text.replace("@VERSION@", version).replace("@FUNCTION@", indented)
