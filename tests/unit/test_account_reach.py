"""A cluster that the account's ceiling does not let do its work is refused at synthesis, with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from config.project import load
from config.selection import select
from hpc_constructs.account.rendering_reach import LISTS, NOWHERE, reach_findings
from hpc_constructs.identity.rendering_provider_features import configured_statements
from hpc_constructs.rendering_findings import consequences
from tests import accounts
from tests.factories import MINIMAL, cluster
from tests.iam import examples
from tests.parallelcluster_cases import FULL

UNDER = {"identity": {"ceiling": "account"}}
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:directory-AbCdEf"
TOPIC = "arn:aws:sns:us-east-1:123456789012:hpc"
KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
DIRECTORY = {
    "domain_name": "corp.example.org",
    "address": ["ldaps://corp.example.org"],
    "read_only_user": "cn=reader,dc=corp,dc=example,dc=org",
    "password_secret": SECRET,
}
LUSTRE = {"name": "fsx", "mount": "/fsx", "type": "fsx-lustre", "hydration": {"import_bucket": "genomes"}}
RAW = "parallelcluster"


def raw(**fragment: Any) -> dict[str, Any]:
    return {RAW: {"raw": fragment}}


def munge(arn: str) -> dict[str, Any]:
    return raw(Scheduling={"SlurmSettings": {"MungeKeySecretArn": arn}})


LISTED = [
    ({"directory": DIRECTORY}, ("directory",), "secrets", SECRET),
    ({"notifications": {"webhook_secret": SECRET}}, ("notifications", "webhook_secret"), "secrets", SECRET),
    ({"notifications": {"topic_arn": TOPIC}}, ("notifications", "topic_arn"), "topics", TOPIC),
    (
        {"storage": [{"name": "efs", "mount": "/efs", "type": "efs", "kms_key": KEY}]},
        ("storage",),
        "kms_keys",
        KEY,
    ),
    ({"storage": [LUSTRE]}, ("storage",), "buckets", "genomes"),
]


@pytest.mark.parametrize(
    ("changes", "path", "key", "value"), LISTED, ids=[f"{row[2]} {row[1][-1]}" for row in LISTED]
)
def test_what_the_file_does_not_list_is_named_once_with_the_list(
    changes: dict[str, Any], path: tuple[str, ...], key: str, value: str
) -> None:
    (finding,) = reach_findings(cluster(**UNDER, **changes), accounts.account())
    assert (finding.path, finding.rule) == (path, "account-ceiling")
    assert finding.message == f"the account's ceiling does not let pass {value}"
    assert f"ceiling.{key} in config/account.yaml" in finding.hint
    listing = accounts.account(ceiling={key: [value]})
    assert reach_findings(cluster(**UNDER, **changes), listing) == []
    assert reach_findings(cluster(**UNDER, **changes), None) == [], "nobody has written the file here"
    assert reach_findings(cluster(**changes), accounts.account()) == [], "its own ceiling lets it pass"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (raw(Scheduling={"SlurmSettings": {"Dns": {"HostedZoneId": "Z012345678ABCDEFGHIJK"}}}), "a hosted zone"),
        (raw(Iam={"Roles": {"LambdaFunctionsRole": "arn:aws:iam::123456789012:role/x"}}), "roles of your own"),
        (raw(HeadNode={"CustomActions": {"OnNodeStart": {"Script": "s3://tools/x.sh"}}}), "scripts in S3"),
        (
            raw(DirectoryService={"PasswordSecretArn": "arn:aws:ssm:us-east-1:123456789012:parameter/x"}),
            "parameters",
        ),
    ],
)
@pytest.mark.parametrize("account", [None, accounts.account()])
def test_what_no_list_lets_pass_takes_an_organisations_boundary(
    changes: dict[str, Any], says: str, account: Any
) -> None:
    (finding,) = reach_findings(cluster(**UNDER, **changes), account)
    assert finding.path == ("parallelcluster", "raw")
    assert says in finding.message
    assert "identity.ceiling" in finding.hint
    own = {"identity": {"ceiling": "arn:aws:iam::123456789012:policy/organisation"}}
    assert reach_findings(cluster(**own, **changes), account) == []


@pytest.mark.parametrize("changes", [{"region": "eu-west-1"}, {"account": "210987654321"}])
def test_a_file_about_another_place_is_said(changes: dict[str, Any]) -> None:
    (finding,) = reach_findings(cluster(**UNDER, **changes), accounts.account())
    assert finding.path == ("identity", "ceiling")
    assert "config/account.yaml is about 123456789012, us-east-1" in finding.message


def test_every_statement_of_a_clusters_own_has_a_place() -> None:
    specs = [examples.much("aws"), cluster(**{**FULL, "extends": None}), cluster(**munge(SECRET))]
    sids = {str(statement["Sid"]) for spec in specs for statement in configured_statements(spec)}
    assert sids <= {*LISTS, *NOWHERE}
    assert {"Keys", "FsxBuckets", "Secrets", "MungeKey"} <= sids


def test_it_is_found_whichever_stack_is_selected(tmp_path: Path) -> None:
    document = {**MINIMAL, **UNDER, "notifications": {"topic_arn": TOPIC}}
    for name, content in (("clusters/demo.yaml", document), ("account.yaml", accounts.MINIMAL)):
        file = tmp_path / "config" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
    for context in ({"cluster": "demo"}, {}):
        (finding,) = consequences(load(tmp_path, select(context, tmp_path)))
        assert finding.file == "config/clusters/demo.yaml"
        assert finding.line is not None


def test_the_role_that_reads_the_key_has_to_be_listed_for_cloudformation() -> None:
    spec = cluster(ssh={"allowed_cidrs": ["10.0.0.0/16"], "key_reader": "SshKeyReaders"}, **UNDER)

    (finding,) = reach_findings(spec, accounts.account())

    assert finding.path == ("ssh", "key_reader")
    assert "SshKeyReaders" in finding.message
    assert "execution.key_readers" in finding.hint
    assert reach_findings(spec, accounts.account(execution={"key_readers": ["SshKeyReaders"]})) == []
