"""Clusters before ParallelCluster's own rules: what is asked, what is told."""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from config.facts.parallelcluster_schema import is_intrinsic, load, versions
from config.models.cluster import Cluster
from ops.commands import validate as command
from ops.stand_ins import references, without_intrinsics
from ops.validate import Checked, facts, realistic_document, validate
from pcluster_rules.results import Message
from tests.factories import cluster

TREE = load("3.16.1")


@dataclass
class Loaded:
    """What this command uses of a loaded cluster."""

    name: str
    spec: Cluster


def checked(*clusters: Loaded) -> list[Checked]:
    return list(validate(clusters))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("version", versions())
def test_the_minimal_cluster_is_accepted(version):
    (result,) = checked(Loaded("demo", cluster(parallelcluster_version=version)))
    assert (result.name, result.version, result.refused) == ("demo", version, False)
    assert [m for m in result.messages if m.level == "warning"] == []


def test_a_raw_fragment_meets_the_real_rules():
    lustre = {
        "Name": "scratch",
        "MountDir": "/scratch",
        "StorageType": "FsxLustre",
        "FsxLustreSettings": {"StorageCapacity": 3600, "DeploymentType": "SCRATCH_2"},
    }
    (result,) = checked(Loaded("demo", cluster(parallelcluster={"raw": {"SharedStorage": [lustre]}})))
    assert result.refused
    assert [m.rule for m in result.messages if m.level == "error"] == ["FsxStorageCapacityValidator"]


def test_each_cluster_meets_its_own_version():
    raw = {"raw": {"DevSettings": {"Timeouts": {"ComputeInstanceInfoTimeout": 60}}}}
    new, old = checked(
        Loaded("new", cluster(parallelcluster=raw)),
        Loaded("old", cluster(parallelcluster=raw, parallelcluster_version="3.15.1")),
    )
    assert (new.refused, old.refused) == (False, True)


def test_facts_cover_what_a_raw_fragment_names():
    raw = {"raw": {"HeadNode": {"InstanceType": "c8g.4xlarge"}}}
    spec = cluster(parallelcluster=raw)
    known = facts(spec, realistic_document("demo", spec))
    assert sorted(known["instance_types"]) == ["c8g.2xlarge", "c8g.4xlarge"]
    zones = {subnet["AvailabilityZone"] for subnet in known["subnets"].values()}
    assert zones == {"us-east-1a", "us-east-1b"}


def test_stand_ins_are_no_intrinsics_and_fit_the_schema():
    spec = cluster()
    values = vars(references("demo", spec)).values()
    assert not any(is_intrinsic(value) for value in values)
    assert TREE.problems(realistic_document("demo", spec), complete=True) == []


@pytest.mark.parametrize(
    "path",
    [
        "Region",
        "Image.CustomAmi",
        "Image.Os",
        "HeadNode.Networking.SubnetId",
        "HeadNode.Networking.SecurityGroups",
        "HeadNode.Iam.InstanceRole",
        "HeadNode.Iam.InstanceProfile",
        "HeadNode.Dcv.Port",
        "HeadNode.Dcv.Enabled",
        "HeadNode.Ssh.AllowedIps",
        "HeadNode.CustomActions.OnNodeStart.Script",
        "Iam.PermissionsBoundary",
        "DirectoryService.PasswordSecretArn",
        "Scheduling.SlurmSettings.Database.PasswordSecretArn",
    ],
)
def test_an_intrinsic_of_a_fragment_gets_a_value_of_the_right_form(path):
    document: Any = {"Ref": "Parameter"}
    for key in reversed(path.split(".")):
        document = {key: document}
    resolved = without_intrinsics(document, TREE)
    assert "Parameter" not in str(resolved)
    assert TREE.problems(resolved) == []


MESSAGES = (
    Message("error", "validator", "too small", "SharedStorage[0]", "FsxStorageCapacityValidator"),
    Message("info", "validator", "will be deleted", "", ""),
    Message("info", "not_checked", "KeyPairValidator needs AWS (ec2 describe_key_pairs)", "", "KeyPairValidator"),
    Message("info", "not_checked", "further checks of this section need the network", "Iam"),
)


def test_the_text_for_people():
    assert command.text(Checked("demo", "3.16.1", MESSAGES)).splitlines() == [
        "demo: refused by the rules of ParallelCluster 3.16.1",
        "  error: SharedStorage[0]: too small [FsxStorageCapacityValidator]",
        "  info: will be deleted",
        "  not checked, since it needs",
        "    AWS (ec2 describe_key_pairs): KeyPairValidator",
        "    the network: further checks of this section",
    ]


@pytest.fixture
def loaded(monkeypatch):
    """Replaces the loader, so that no file is needed; gives what it was asked for."""
    asked: dict[str, Any] = {}

    def select(context: dict[str, object], root: Path) -> dict[str, object]:
        asked.update(context)
        return context

    modules = {
        "config.selection": SimpleNamespace(select=select),
        "config.loader": SimpleNamespace(load_clusters=lambda root, selection: []),
        "config.report": SimpleNamespace(render=str),
    }
    for name, module in modules.items():
        monkeypatch.setitem(command.sys.modules, name, module)
    return asked


@pytest.mark.parametrize(("messages", "status"), [(MESSAGES, 1), (MESSAGES[1:], 0)])
def test_the_exit_status(loaded, monkeypatch, messages, status):
    monkeypatch.setattr("ops.validate.validate", lambda _: iter([Checked("demo", "3.16.1", messages)]))
    with pytest.raises(typer.Exit) as end:
        command.validate(["demo"])
    assert end.value.exit_code == status
    assert loaded == {"cluster": "demo"}


def test_context_is_passed_on_and_several_names_are_one_selector(loaded):
    with pytest.raises(typer.Exit):
        command.validate(["a", "b"], ["clusterform:queues.cpu.max_nodes=4"])
    assert loaded == {"cluster": "a,b", "clusterform:queues.cpu.max_nodes": "4"}


@pytest.mark.parametrize(("names", "pairs"), [(["a"], ["cluster=b"]), ([], ["cluster"])])
def test_a_contradictory_command_line_is_a_usage_error(names, pairs):
    with pytest.raises(typer.BadParameter):
        command._context(names, pairs)


def test_rules_that_cannot_be_installed_are_one_line_and_status_4(loaded, monkeypatch, capsys):
    from pcluster_rules.errors import RulesError

    def fail(_: Any) -> Any:
        raise RulesError("pip says no")

    monkeypatch.setattr("ops.validate.validate", fail)
    with pytest.raises(typer.Exit) as end:
        command.validate()
    assert end.value.exit_code == 4
    assert capsys.readouterr().err == "clusterform: pip says no\n"
