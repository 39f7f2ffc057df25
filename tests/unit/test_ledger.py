"""Nothing outlives its stack without an entry of the ledger: checked on every template of every example."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config.project import load
from config.selection import select
from config.standalone import LoadedFile
from hpc_constructs.intrinsics import sub
from hpc_constructs.ledger.rendering import Entry, Loss, summary
from stacks.application import synthesize
from tests.accounts import account
from tests.assembly import CONTEXT, ROOT, references

KEEPS = {"Retain", "RetainExceptOnCreate", "Snapshot"}
ENTRY = Entry(
    what="EFS filesystem ${Home} (home)",
    reason="users' data",
    cost="stored data",
    removal=("aws efs delete-file-system --file-system-id ${Home}",),
)


def unlisted(template: dict[str, Any]) -> set[str]:
    """Logical ids of what a template retains without naming it in its output ``Kept``.

    A bucket's policy is part of the bucket and goes when that goes.
    """
    named = references(template.get("Outputs", {}).get("Kept"))
    retained = {
        name: resource
        for name, resource in template["Resources"].items()
        if {resource.get("DeletionPolicy"), resource.get("UpdateReplacePolicy")} & KEEPS
    }
    parts = {
        name
        for name, resource in retained.items()
        if resource["Type"] == "AWS::S3::BucketPolicy" and references(resource["Properties"]["Bucket"]) <= named
    }
    return retained.keys() - named - parts


def unlisted_of_engine(template: dict[str, Any]) -> set[str]:
    """What ParallelCluster is told to retain without an entry of the notice."""
    resources = template["Resources"].values()
    for cluster in (each for each in resources if each["Type"] == "Custom::PclusterCluster"):
        (notice,) = [each for each in resources if each["Type"] == "Custom::GoneNotice"]
        kept = {entry["What"].rpartition(" ")[2] for entry in notice["Properties"]["Kept"]}
        configuration = cluster["Properties"]["ClusterConfiguration"]
        retained = {
            storage["Name"]
            for storage in configuration.get("SharedStorage", [])
            if storage[f"{storage['StorageType']}Settings"].get("DeletionPolicy") in KEEPS
        }
        if configuration["Monitoring"]["Logs"]["CloudWatch"]["DeletionPolicy"] in KEEPS:
            name = cluster["Properties"]["ClusterName"]
            retained |= {f"/aws/parallelcluster/{name}-20...", "/aws/lambda/pcluster-cfn-..."}
        return retained - kept
    return set()


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Every template of the repository's own files, and an account's with everything that it may keep."""
    outdir = tmp_path_factory.mktemp("all")
    shared = LoadedFile("account", account(spot_role="create"), {}, ())
    synthesize(replace(load(ROOT, select({}, ROOT)), account=shared), CONTEXT, ROOT, outdir)
    return {path.name: json.loads(path.read_text()) for path in Path(outdir).glob("*.template.json")}


def test_every_resource_that_a_template_retains_is_in_the_ledger(templates: dict[str, dict[str, Any]]) -> None:
    assert {"clusterform-account.template.json", "clusterform-pc-demo.template.json"} <= templates.keys()
    assert unlisted(templates["clusterform-account.template.json"] | {"Outputs": {}}), "it keeps its bucket"
    assert {name: unlisted(template) for name, template in templates.items() if unlisted(template)} == {}


def test_everything_that_the_engine_retains_is_in_the_ledger(templates: dict[str, dict[str, Any]]) -> None:
    found = {name: unlisted_of_engine(template) for name, template in templates.items()}
    assert {name: left for name, left in found.items() if left} == {}


@pytest.mark.parametrize("policy", ["DeletionPolicy", "UpdateReplacePolicy"])
@pytest.mark.parametrize("value", sorted(KEEPS))
def test_a_retained_resource_without_an_entry_is_found(policy: str, value: str) -> None:
    resources = {"Home": {"Type": "AWS::EFS::FileSystem", policy: value}}
    assert unlisted({"Resources": resources}) == {"Home"}
    assert unlisted({"Resources": resources, "Outputs": {"Kept": {"Value": summary([ENTRY])}}}) == set()


def test_a_filesystem_of_the_engines_without_an_entry_is_found(templates: dict[str, dict[str, Any]]) -> None:
    template = json.loads(json.dumps(templates["clusterform-pc-demo.template.json"]))
    storage = {"Name": "forgotten", "StorageType": "Efs", "EfsSettings": {"DeletionPolicy": "Retain"}}
    template["Resources"]["Cluster"]["Properties"]["ClusterConfiguration"].setdefault("SharedStorage", []).append(
        storage
    )
    assert unlisted_of_engine(template) == {"forgotten"}


def test_no_log_group_of_a_function_outlives_its_stack(templates: dict[str, dict[str, Any]]) -> None:
    functions = 0
    for template in templates.values():
        for resource in template["Resources"].values():
            if resource["Type"] != "AWS::Lambda::Function":
                continue
            functions += 1
            group = template["Resources"][resource["Properties"]["LoggingConfig"]["LogGroup"]["Ref"]]
            assert group["Type"] == "AWS::Logs::LogGroup"
            assert not {"DeletionPolicy", "UpdateReplacePolicy"} & set(group)
            assert group["Properties"]["RetentionInDays"]
            assert group["Properties"]["LogGroupName"].startswith("/clusterform/")
    assert functions > 3


def test_an_entry_tells_the_ids_of_what_it_is_about() -> None:
    document = ENTRY.document()
    assert document["What"] == sub("EFS filesystem ${Home} (home)")
    assert document["Removal"] == [sub("aws efs delete-file-system --file-system-id ${Home}")]
    assert document["Reason"] == "users' data"


def test_an_entry_without_a_reference_stays_plain_text() -> None:
    assert Loss(what="a", instead="b").document() == {"What": "a", "Instead": "b"}


def test_the_output_names_every_thing_and_says_when_there_is_none() -> None:
    other = Entry(what="log group x", reason="", cost="", removal=())
    assert summary([other, ENTRY]) == sub("log group x; EFS filesystem ${Home} (home)")
    assert summary([]) == "nothing"
