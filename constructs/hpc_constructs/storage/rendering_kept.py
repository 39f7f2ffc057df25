"""What filesystems leave behind, or take with them, when their stack ends. Plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from config.models.filesystems import EbsSettings, EfsSettings, LustreSettings
from hpc_constructs.ledger.rendering import EFS_COST, LUSTRE_COST, SNAPSHOT_COST, VOLUME_COST, Entry, Loss
from hpc_constructs.storage.rendering import LUSTRE_PORTS, Made, groups_kept, on_network
from hpc_constructs.storage.rendering_names import CLIENTS_ID, SERVERS_ID

WORDS = {"ebs": "EBS volume", "efs": "EFS filesystem", "fsx-lustre": "FSx for Lustre filesystem"}


def storage_kept(made: Sequence[Made], region: str) -> list[Entry]:
    """An entry for each filesystem that stays, its mount targets with it, and one for the security groups."""
    entries = [entry for each in made for entry in _entry(each, f"--region {region}")]
    if groups_kept(made):
        entries.append(_groups(made, f"--region {region}"))
    return entries


def storage_lost(made: Sequence[Made]) -> list[Loss]:
    """What is deleted with its stack."""
    return [
        Loss(
            what=f"{WORDS[each.settings.type]} ${{{each.logical_id}}} ({each.name})",
            instead="to keep it, set its on_delete to retain before the stack is deleted",
        )
        for each in made
        if each.settings.on_delete == "delete"
    ]


def _entry(made: Made, where: str) -> Iterator[Entry]:
    settings, found = made.settings, f"${{{made.logical_id}}}"
    if settings.on_delete == "delete":
        return
    what = f"{WORDS[settings.type]} {found} ({made.name})"
    reason = f"holds data, and its on_delete is {settings.on_delete}"
    match settings:
        case EbsSettings(on_delete="snapshot"):
            what, cost = f"snapshot of {what}", SNAPSHOT_COST
            removal = [
                f"aws ec2 describe-snapshots {where} --filters Name=volume-id,Values={found}",
                f"aws ec2 delete-snapshot {where} --snapshot-id ID",
            ]
        case EbsSettings():
            cost, removal = VOLUME_COST, [f"aws ec2 delete-volume {where} --volume-id {found}"]
        case EfsSettings():
            targets = [f"${{{target}}}" for target in made.targets]
            what, cost = f"{what} with mount targets {', '.join(targets)}", EFS_COST
            removal = [f"aws efs delete-mount-target {where} --mount-target-id {target}" for target in targets]
            removal.append(f"aws efs delete-file-system {where} --file-system-id {found}")
        case LustreSettings():
            cost, removal = LUSTRE_COST, [f"aws fsx delete-file-system {where} --file-system-id {found}"]
    yield Entry(what=what, reason=reason, cost=cost, removal=tuple(removal))


def _groups(made: Sequence[Made], where: str) -> Entry:
    lustre = any(isinstance(each.settings, LustreSettings) for each in on_network(made))
    rules = [
        f"${{{logical_id}{low}}}"
        for low, _ in (LUSTRE_PORTS if lustre else ())
        for logical_id in (f"{CLIENTS_ID}From", f"{SERVERS_ID}Ingress", f"{SERVERS_ID}Egress")
    ]
    servers, clients = f"${{{SERVERS_ID}.GroupId}}", f"${{{CLIENTS_ID}.GroupId}}"
    return Entry(
        what=f"security groups {servers} and {clients}" + (f" with rules {', '.join(rules)}" if rules else ""),
        reason="filesystems that stay use them",
        cost="nothing",
        removal=(
            f"aws ec2 revoke-security-group-ingress {where} --group-id {clients} --security-group-rule-ids RULES",
            f"aws ec2 delete-security-group {where} --group-id {servers}",
            f"aws ec2 delete-security-group {where} --group-id {clients}",
        ),
    )
