"""Scripts of the user's own, and files that scripts need from the internet."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from config.models.base import Model, Pattern, ResourceName, Sha256

NodeType = Literal["head", "login", "compute"]
Argument = Annotated[str, Pattern(r"[^\t\n\r\x00]*", "must not hold a tab or a line break")]


ScriptPath = Annotated[
    str,
    Pattern(
        r"[A-Za-z0-9._/-]+", "must be a path of letters, digits and . _ - /, without spaces or shell characters"
    ),
]


class Hook(Model):
    """A script of the repository that runs verbatim after ours, if ours passed."""

    script: ScriptPath = Field(description="Path inside the repository, e.g. site/after.sh")
    args: list[Argument] = Field(
        default_factory=list, description="Never a secret: arguments show in the template"
    )
    nodes: list[NodeType] = Field(
        default_factory=lambda: ["head", "login", "compute"], min_length=1, description="On which nodes it runs"
    )
    seconds: int = Field(default=60, ge=0, description="How long it takes as a rule, for the budget of a start")


class JobHook(Model):
    """A script of the repository that Slurm runs as root around each job, on every node of the job."""

    script: ScriptPath = Field(description="Path inside the repository, e.g. site/clean.sh")


class Hooks(Model):
    """Hooks by the moment at which they run."""

    on_node_start: list[Hook] = Field(
        default_factory=list, description="Before the node is configured; write nodes: [head]"
    )
    on_node_configured: list[Hook] = Field(default_factory=list, description="After the node is configured")
    on_node_updated: list[Hook] = Field(
        default_factory=list, description="When the cluster is updated; write nodes: [head]"
    )
    job_prolog: list[JobHook] = Field(
        default_factory=list,
        max_length=50,
        description="Before a job's first step on a node; a failure drains the node and requeues the job",
    )
    job_epilog: list[JobHook] = Field(
        default_factory=list,
        max_length=50,
        description="After a job, on each of its nodes; a failure drains the node",
    )


class Download(Model):
    """A file from the internet, checked and staged in the bucket at deploy, so that nodes need no internet."""

    name: ResourceName = Field(description="How scripts ask for it")
    url: Annotated[str, Pattern(r"https://[^\s]+", "must be an https address")] = Field(
        description="Where it is fetched from at deploy"
    )
    sha256: Sha256 = Field(description="Its checksum; another content fails the deploy")
