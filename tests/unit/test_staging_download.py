"""A download over real TLS from a loopback server: exactly the declared content, or a refusal."""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hpc_constructs.functions.handlers import download

CONTENT = b"tool" * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def certificate(folder: Path) -> Path:
    """A certificate for 127.0.0.1, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(address, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    path = folder / "server.pem"
    path.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + built.public_bytes(pem)
    )
    return path


class Handler(BaseHTTPRequestHandler):
    """``/tool`` is the file; ``/moved`` leads to it, ``/leaves`` leads to an address without encryption."""

    def do_GET(self) -> None:
        host = self.headers["Host"]
        targets = {"/moved": f"https://{host}/tool", "/leaves": f"http://{host}/tool"}
        if target := targets.get(self.path):
            self.send_response(302)
            self.send_header("Location", target)
            self.end_headers()
            return
        self.send_response(200 if self.path == "/tool" else 404)
        self.end_headers()
        if self.path == "/tool":
            self.wfile.write(CONTENT)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the test's output is its own."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = certificate(tmp_path_factory.mktemp("tls"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(path))
        for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            patch.delenv(name, raising=False)
        yield f"https://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("path", ["/tool", "/moved"])
def test_the_declared_content_is_returned_from_its_start(base: str, path: str) -> None:
    with download.fetch(base + path, SHA256) as file:
        assert file.read() == CONTENT


def refusal(url: str, sha256: str = SHA256) -> str:
    with pytest.raises(ValueError) as caught, download.fetch(url, sha256):
        pass
    return str(caught.value)


def test_other_content_is_refused_with_both_hashes(base: str) -> None:
    assert refusal(base + "/tool", "0" * 64) == f"{base}/tool has SHA-256 {SHA256}, declared is {'0' * 64}"


def test_a_file_beyond_the_limit_is_refused(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "LIMIT_BYTES", 100)
    assert refusal(base + "/tool") == f"{base}/tool is larger than 100 bytes"


def test_a_missing_file_is_named(base: str) -> None:
    assert refusal(base + "/nothing").startswith(f"{base}/nothing could not be downloaded: HTTP Error 404")


def test_a_redirection_out_of_https_is_refused(base: str) -> None:
    assert "is not an https address" in refusal(base + "/leaves")


@pytest.mark.parametrize("url", ["http://example.org/x", "file:///etc/passwd", "ftp://example.org/x"])
def test_only_https_is_ever_opened(url: str) -> None:
    assert refusal(url) == f"{url} is not an https address"
