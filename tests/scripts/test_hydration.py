"""Commands between Lustre and S3, run for real with a stub for lfs that keeps each file's state as Lustre does."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bootstrap_assets.manifest import Script
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster, storage_file
from tests.scripts.node import Node

HYDRATION = {"import_bucket": "data", "export_bucket": "data"}
NAMES = ("import-s3-to-lustre.sh", "export-lustre-to-s3.sh", "check-lustre-export-progress.sh")
RELEASED = "(0x0000000d) released exists archived, archive_id:1"
ARCHIVED = "(0x00000009) exists archived, archive_id:1"
DIRTY = "(0x0000000b) exists dirty archived, archive_id:1"
LOST = "(0x00000019) exists archived lost, archive_id:1"
NEW = "(0x00000000)"
# Each file's state is in a file of its own below states, by the file's name with slashes as percent signs.
LFS = """
action=$1
shift
printf '%q ' "$action" "$@" >>"$STUBS/calls"
echo >>"$STUBS/calls"
refused=0
for file in "$@"; do
  state="$STUBS/states/${file//\\//%}"
  case $action in
    hsm_state) echo "$file: $(cat "$state" 2>/dev/null || echo '(0x00000000)')" ;;
    *) if [[ -e $STUBS/refuses && $file == *"$(<"$STUBS/refuses")" ]]; then
         echo "Cannot send HSM request for $file" >&2
         refused=1
       else
         echo '(0x00000009) exists archived, archive_id:1' >"$state"
       fi ;;
  esac
done
exit "$refused"
"""


def _steps(*storage: dict[str, Any]) -> list[Script]:
    manifest = render_manifest("demo", cluster(storage=list(storage)), Path())
    return [script for script in manifest.scripts if script.name == "install-hydration-helpers"]


def _lustre(mount: Path | str, **changes: Any) -> dict[str, Any]:
    return {"name": "fsx", "mount": str(mount), "type": "fsx-lustre", "hydration": HYDRATION} | changes


@pytest.fixture
def head(node: Node) -> Node:
    """A head node with the commands, and an empty filesystem in ``fsx`` below its root."""
    (node.stubs / "states").mkdir()
    node.stub("lfs", LFS)
    (node.root / "fsx").mkdir()
    (script,) = _steps(_lustre(node.root / "fsx"))
    file = node.stubs / "install_helpers.sh"
    file.write_bytes(script.content)
    for _ in range(2):
        done = node.run(file)
        assert done.returncode == 0, done.stderr
    return node


def _file(node: Node, name: str, state: str) -> str:
    path = node.root / "fsx" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    (node.stubs / "states" / str(path).replace("/", "%")).write_text(state)
    return str(path)


def _run(node: Node, name: str, *args: str) -> subprocess.CompletedProcess[str]:
    return node.run(node.root / "opt/clusterform/bin" / name, *args)


def _asked(node: Node, action: str) -> set[str]:
    """The files that Lustre was asked to move."""
    calls = (node.stubs / "calls").read_text().splitlines() if (node.stubs / "calls").exists() else []
    words = [subprocess.check_output(["bash", "-c", f"printf '%s\\n' {call}"], text=True) for call in calls]
    return {file for lines in words if lines.startswith(action) for file in lines.splitlines()[1:]}


def test_the_commands_are_roots_and_everybody_may_run_them(head: Node) -> None:
    folder = head.root / "opt/clusterform/bin"

    assert {file.name for file in folder.iterdir()} == set(NAMES)
    for name in NAMES:
        found = (folder / name).stat()
        assert (stat.S_IMODE(found.st_mode), found.st_uid) == (0o755, 0)
    assert not (head.stubs / "calls").exists(), "nothing runs by itself"


@pytest.mark.parametrize(
    "storage",
    [{"hydration": None}, {"type": "efs", "hydration": None}, {"id": "fs-" + "0" * 17, "hydration": None}],
)
def test_only_a_lustre_that_loads_from_s3_has_them(storage: dict[str, Any]) -> None:
    entry = {key: value for key, value in (_lustre("/fsx") | storage).items() if value is not None}

    assert _steps(entry) == []


def test_a_lustre_of_a_storage_file_has_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    lake = storage_file({"name": "lake", "type": "fsx-lustre", "subnet": "private-a", "hydration": HYDRATION})
    monkeypatch.setitem(cluster.__globals__["STORAGE_FILES"], "lake", lake)

    (script,) = _steps({"name": "lake", "mount": "/lake", "from": "lake"})

    assert b"MOUNTS=(/lake)" in script.content
    assert script.nodes == ("head",)


def test_import_asks_for_what_is_in_s3_alone(head: Node) -> None:
    wanted = {
        _file(head, name, RELEASED) for name in ("a", "deep/with space", "it's: (0x1) odd, archived", "-dash")
    }
    _file(head, "here", ARCHIVED)

    done = _run(head, NAMES[0])

    assert (done.returncode, done.stderr) == (0, "")
    assert _asked(head, "hsm_restore") == wanted
    assert done.stdout.startswith("4 of 5 files asked for;")


def test_a_second_run_goes_on_where_the_first_ended(head: Node) -> None:
    first, second = _file(head, "first", RELEASED), _file(head, "second one", RELEASED)
    (head.stubs / "refuses").write_text("second one")

    broken = _run(head, NAMES[0])
    (head.stubs / "refuses").unlink()
    (head.stubs / "calls").unlink()
    again = _run(head, NAMES[0])

    assert broken.returncode == 2
    assert "Cannot send HSM request" in broken.stderr and "Run it again for the rest" in broken.stderr
    assert again.returncode == 0
    assert _asked(head, "hsm_restore") == {second}, first


def test_export_asks_for_what_s3_does_not_have_as_it_is_now(head: Node) -> None:
    wanted = {_file(head, "new file", NEW), _file(head, "changed", DIRTY), _file(head, "lost in s3", LOST)}
    _file(head, "same", ARCHIVED)
    _file(head, "in s3", RELEASED)

    assert _run(head, NAMES[2]).returncode == 1
    assert _run(head, NAMES[1]).returncode == 0
    assert _asked(head, "hsm_archive") == wanted
    done = _run(head, NAMES[2])
    assert (done.returncode, done.stdout) == (0, "5 of 5 files are in S3 as they are now, 0 are not\n")


def test_a_path_limits_what_is_asked_for(head: Node) -> None:
    wanted = _file(head, "results/of today/a", NEW)
    _file(head, "other", NEW)

    assert _run(head, NAMES[1], str(head.root / "fsx/results")).returncode == 0

    assert _asked(head, "hsm_archive") == {wanted}


@pytest.mark.parametrize(("name", "state"), [(NAMES[0], RELEASED), (NAMES[1], NEW)])
def test_a_dry_run_names_the_files_and_asks_for_none(head: Node, name: str, state: str) -> None:
    files = {_file(head, each, state) for each in ("a b", "c")}

    done = _run(head, name, "--dry-run")

    assert set(done.stdout.splitlines()) == files
    assert done.stderr == "2 of 2 files would be asked for\n"
    assert _asked(head, "hsm_restore") | _asked(head, "hsm_archive") == set()


def test_hundreds_of_files_are_asked_for_in_few_calls(head: Node) -> None:
    wanted = {_file(head, f"{number}", NEW) for number in range(250)}

    assert _run(head, NAMES[1]).returncode == 0

    assert _asked(head, "hsm_archive") == wanted
    assert len((head.stubs / "calls").read_text().splitlines()) == 6


def test_a_name_with_a_line_break_is_told_and_left_out(head: Node) -> None:
    wanted = _file(head, "plain", NEW)
    (head.root / "fsx/two\nlines").touch()

    done = _run(head, NAMES[1])

    assert done.returncode == 0
    assert "1 files are left out, since their names hold a line break" in done.stderr
    assert _asked(head, "hsm_archive") == {wanted}


def test_an_empty_filesystem_is_fine(head: Node) -> None:
    for name, status in zip(NAMES, (0, 0, 0), strict=True):
        assert _run(head, name).returncode == status
    assert _asked(head, "hsm_archive") == set()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["/"], "/ is not on "),
        (["/nowhere/at/all"], "/nowhere/at/all is not there"),
        (["--force"], "unknown option --force; see --help"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_argument_is_named(head: Node, name: str, args: list[str], says: str) -> None:
    done = _run(head, name, *args)

    assert done.returncode == 2
    assert done.stderr.startswith(f"{name}: {says}")


@pytest.mark.parametrize("name", NAMES)
def test_a_lustre_that_does_not_answer_is_no_success(head: Node, name: str) -> None:
    _file(head, "a", NEW)
    head.stub("lfs", 'echo "lfs: cannot connect" >&2\nexit 5\n')

    done = _run(head, name)

    assert done.returncode == 2
    assert "lfs: cannot connect" in done.stderr and "could not be read" in done.stderr


@pytest.mark.parametrize("name", NAMES[:2])
def test_only_root_may_move_data(head: Node, name: str) -> None:
    _file(head, "a", NEW)
    text = (head.root / "opt/clusterform/bin" / name).read_text().replace("${EUID:-$(id -u)}", "1000")
    (head.stubs / "as-user.sh").write_text(text)

    done = head.run(head.stubs / "as-user.sh")

    assert done.returncode == 2
    assert "run it with sudo" in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_help_is_what_stands_at_the_top(head: Node, name: str) -> None:
    done = _run(head, name, "--help")

    assert done.returncode == 0
    assert name in done.stdout.splitlines()[0] and "Exit status: 0" in done.stdout
    assert "set -euo" not in done.stdout
