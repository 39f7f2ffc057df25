"""The page docs/permissions.md, from the data that the policies themselves are made of.

``python -m hpc_constructs.identity.rendering_reference > docs/permissions.md`` renews it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hpc_constructs.identity.rendering_allowances import ON_EVERYTHING, SERVICE_WIDE, Allowance
from hpc_constructs.identity.rendering_nodes import NODE_POLICIES
from hpc_constructs.identity.rendering_provider import PROVIDER_POLICIES
from hpc_constructs.identity.rendering_reach import SHARED
from hpc_constructs.identity.rendering_sizes import ATTACHMENT_LIMIT, POLICY_LIMIT

INTRODUCTION = f"""# Permissions of a cluster

<!-- Generated: python -m hpc_constructs.identity.rendering_reference > docs/permissions.md -->

Every policy below is a managed policy under the path `/clusterform/NAME/`, named
`clusterform-NAME-...-REGION`. It holds what the cluster's configuration uses and nothing else, and one that
would be empty is not made. IAM takes {POLICY_LIMIT} characters a policy and {ATTACHMENT_LIMIT} managed
policies a role; what would exceed them is reported before anything is deployed, with the parts of the
configuration that make it so long. [Permissions by role](permissions-by-role.md) shows every statement.
"""

LIMITS = (
    (
        "Boundary",
        "every role that ParallelCluster makes",
        "Caps what head, login and compute nodes and the cleanup functions may ever do: no change of IAM, only "
        "this cluster's names. `Iam.PermissionsBoundary` carries it to the roles.",
    ),
    (
        "Ceiling",
        "the provider's role and those of our functions",
        "Caps what may ever be done to manage the cluster. Not made where `identity.ceiling` is "
        "`account` (see [the account's permissions](account-permissions.md)) or an ARN.",
    ),
)

ACCESS = """
## What nodes may reach beyond the cluster

`access.secrets`, `access.kms_keys` and `access.buckets` are for every node. The directory's and the
database's secrets are the head node's alone. Whatever a raw ParallelCluster fragment names (secrets, keys,
scripts in S3, `S3Access`, volumes, a remote desktop, IAM authorization of EFS, functions in a VPC, reserved
capacity) is read from the fragment. One list of all this feeds the nodes' policies and the boundary alike.

`policies` of the head node, of a login pool or of a queue are attached as they are, but the boundary caps
them: what they allow beyond the list has no effect. Name it under `access` instead.

The boundary is coarser than the nodes' policies in three places, so that it fits: a bucket may be listed
below any prefix, every object of the staging bucket may be read, and EC2 may be helped to any key that a
node's policy names.

The private SSH key exists once, in the parameter `/ec2/keypair/ID` of Systems Manager. It is encrypted with
AWS's own key, which everybody in the account may use through Systems Manager: the reader needs no
permission on a key.
"""

UNSCOPED = """## What clusters cannot be kept apart by

Names, paths and tags keep the roles of one cluster from what is another's, also where one name begins with the
other: `demo`, `demo-a`, `demo2`. A test asks for every action of every role on everything that another cluster
consists of. What is left has no narrower form:
"""

EVERYTHING = """
## What is allowed on `*`

All of it, in the policies of clusters, storage files and the account. A test finds what is not in this list, and
what in this list nothing needs. Boundary and ceilings cap, and grant nothing.
"""

WHOLE = """
No action is `*`. These stand for a whole service:
"""

PROOF = """
## What is proven, and what is not

Tests decide thousands of requests with an evaluator of IAM's rules, in the partitions aws, aws-cn and
aws-us-gov: what ParallelCluster's own roles do passes the boundary, each grant is allowed and its neighbour
denied, ways out of a cluster are closed, the provider's role neither deletes a stack without this stack's tag
nor makes a role without the boundary.

Every example, a cluster and a storage file that use everything, and the account's stack are also judged
together, as if one account held them: each role has its boundary, no node can change IAM, roles pass to EC2 and
Lambda alone, each right on a bucket has its line in a file, each secret has its one reader, the deny policy is
on every kind of node. Actions, condition keys and kinds of resources are checked against AWS's published list,
and the provider's against the calls in the code of each ParallelCluster version. Each of these checks has to
find faults that are put into the templates.

Never run on AWS: that the actions suffice there, and that CloudFormation tags everything at its creation,
as its resource schemas say.

Known: the provider attaches only policies that the configuration names. If an update drops one of yours and then
fails inside the cluster's own stack, that stack cannot attach it again and ends in `UPDATE_ROLLBACK_FAILED`.
`aws cloudformation continue-update-rollback` on it ends that, once this stack's own rollback has brought the
provider's policies back.
"""


def permissions_page() -> str:
    """The whole page."""
    nodes = [(policy.logical_id, _nodes(policy.nodes), policy.what_for) for policy in NODE_POLICIES]
    provider = [(name, "the provider's role", what_for) for name, (_, what_for) in PROVIDER_POLICIES.items()]
    reader = ("KeyReader", "the role `ssh.key_reader`", "Reading the private SSH key, and nothing else.")
    parts = (
        INTRODUCTION,
        table(("Policy", "Whose", "What for"), [*LIMITS, *nodes, *provider, reader]),
        ACCESS,
        UNSCOPED,
        table(("What", "Why"), [(row.what, row.why) for row in SHARED]),
        EVERYTHING,
        table(("Policy", "Actions", "Only where the request has", "Why"), map(_allowed, ON_EVERYTHING)),
        WHOLE,
        table(("Policy", "Actions", "Only where the request has", "Why"), map(_allowed, SERVICE_WIDE)),
        PROOF,
    )
    return "\n".join(parts).rstrip() + "\n"


def _allowed(row: Allowance) -> tuple[str, str, str, str]:
    actions = " ".join(f"`{name}`" for name in row.names)
    return ", ".join(row.policies), actions, f"`{row.limit}`" if row.limit else "", row.why


def _nodes(kinds: Sequence[str]) -> str:
    return "every node" if len(kinds) > 1 else f"the {kinds[0]} node"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    print(permissions_page(), end="")
