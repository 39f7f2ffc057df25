"""The entry script's downloads: there before scripts run, checked, and fetched once."""

from __future__ import annotations

import hashlib
import stat

import pytest

from bootstrap_assets.manifest import Download, Manifest
from tests.scripts.node import STACK_ID, Node
from tests.scripts.staging import note, script, staged

pytestmark = pytest.mark.needs("flock", "sha256sum")


class TestDownloads:
    CONTENT = b"a tool"
    TOOL = Download("tool", hashlib.sha256(CONTENT).hexdigest(), "https://example.org/tool")
    READ = script("reads", 'cp "$CLUSTERFORM_DOWNLOADS/tool" "$CLUSTERFORM_ROOT/copy"')

    def test_they_are_there_when_scripts_run(self, node: Node) -> None:
        manifest = self._staged(node, self.CONTENT)

        done = node.enter(manifest)

        assert done.returncode == 0, done.stderr
        assert (node.root / "copy").read_bytes() == self.CONTENT
        assert stat.S_IMODE((node.root / "opt/clusterform/downloads/tool").stat().st_mode) == 0o644

    def test_they_are_fetched_once(self, node: Node) -> None:
        manifest = self._staged(node, self.CONTENT)

        node.enter(manifest)
        node.enter(manifest)

        assert sum("bucket/downloads" in " ".join(call) for call in node.trace()) == 1

    def test_a_damaged_one_is_fetched_again(self, node: Node) -> None:
        manifest = self._staged(node, self.CONTENT)
        node.enter(manifest)
        (node.root / "opt/clusterform/downloads/tool").write_bytes(b"damaged")

        assert node.enter(manifest).returncode == 0
        assert (node.root / "opt/clusterform/downloads/tool").read_bytes() == self.CONTENT

    def test_another_content_is_refused(self, node: Node) -> None:
        manifest = self._staged(node, b"another tool")

        done = node.enter(manifest)

        assert done.returncode == 1
        assert "is not what the manifest declares" in done.stderr
        assert not (node.root / "copy").exists()
        assert not (node.root / "opt/clusterform/downloads/tool").exists()

    @pytest.mark.parametrize("umask", ["0000", "0077"])
    def test_everybody_reads_and_only_root_writes_them_whatever_the_umask(self, node: Node, umask: str) -> None:
        manifest = self._staged(node, self.CONTENT)
        (node.stubs / "real.sh").write_bytes(manifest.entry.content)
        wrapper = node.stubs / "entry.sh"
        wrapper.write_text(f'umask {umask}\nexec bash "{node.stubs}/real.sh" "$@"\n')

        done = node.run(wrapper, "s3://bucket/entry.sh", "us-east-1", "configured", STACK_ID)

        assert done.returncode == 0, done.stderr
        folder = node.root / "opt/clusterform/downloads"
        assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)] == [0o755, 0o755]

    def test_without_any_there_is_no_directory(self, node: Node) -> None:
        node.enter(staged(node, note("a")))

        assert not (node.root / "opt").exists()

    def _staged(self, node: Node, content: bytes) -> Manifest:
        (node.stubs / f"bucket/downloads/tool-{self.TOOL.sha256}").write_bytes(content)
        return staged(node, self.READ, downloads=(self.TOOL,))
