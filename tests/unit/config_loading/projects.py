"""Small projects on disk for the loader, and short ways to load them."""

from __future__ import annotations

from pathlib import Path

from config.findings import ConfigError, Finding, dotted
from config.loader import LoadedCluster, load_clusters
from config.selection import select

# Short enough to count lines in the tests; the line numbers there refer to this text.
CLUSTER = """\
parallelcluster_version: 3.16.1
region: us-east-1
owner: {name: compbio, email: hpc@example.org}
network:
  vpc_id: vpc-0123456789abcdef0
  subnets:
    private-a: {id: subnet-0123456789abcdef0, zone: us-east-1a}
ssh:
  allowed_cidrs: [10.0.0.0/16]
head_node:
  instance_type: c8g.xlarge
  subnet: private-a
queues:
  - name: cpu
    instance_types: [c8g.2xlarge]
    subnets: [private-a]
"""


def project(root: Path, **files: str | bytes) -> Path:
    """Write ``clusters__demo="..."`` as config/clusters/demo.yaml, ``defaults=`` as config/defaults.yaml."""
    for name, content in files.items():
        path = root / "config" / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (root / "config" / "clusters").mkdir(parents=True, exist_ok=True)
    return root


def load(root: Path, **context: object) -> list[LoadedCluster]:
    """Load what the context selects."""
    return load_clusters(root, select(context, root))


def load_one(root: Path, context: dict[str, object] | None = None) -> LoadedCluster:
    """Load the cluster ``demo``."""
    (cluster,) = load_clusters(root, select({"cluster": "demo", **(context or {})}, root))
    return cluster


def refused(root: Path, context: dict[str, object] | None = None) -> list[Finding]:
    """The findings of a project that must be refused."""
    try:
        load_clusters(root, select(context or {}, root))
    except ConfigError as error:
        return error.findings
    raise AssertionError("this project was accepted")


def demo(root: Path, text: str | bytes, **files: str | bytes) -> list[Finding]:
    """The findings about one cluster file that must be refused."""
    return refused(project(root, clusters__demo=text, **files))


def with_line(number: int, line: str, text: str = CLUSTER) -> str:
    """The text with one line (counted from 1) replaced."""
    lines = text.splitlines()
    lines[number - 1] = line
    return "\n".join(lines) + "\n"


def brief(findings: list[Finding]) -> list[tuple[str, str, int]]:
    """What tests compare: rule, dotted path, line."""
    return [(finding.rule, dotted(finding.path), finding.line) for finding in findings]
