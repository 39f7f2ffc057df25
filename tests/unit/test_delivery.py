"""Messages reach topic and webhook, each whether or not the other does, and no log ever shows the address."""

from __future__ import annotations

import datetime
import ipaddress
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hpc_constructs.functions.handlers import delivery
from tests.unit import fake_cloud
from tests.unit.fake_cloud import TOPIC, Cloud

SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:webhook-AbCdEf"
MESSAGE = ("Cluster demo is up", "It can be used.\n")
TOKEN = "T0KEN"


class Hook:
    """A webhook on the loopback interface; ``status`` is what it answers, ``silent`` that it never does."""

    def __init__(self) -> None:
        self.address = ""
        self.status = 200
        self.headers: dict[str, str] = {}
        self.silent = False
        self.released = threading.Event()
        self.posted: list[tuple[str, str, dict[str, Any]]] = []


@contextmanager
def listen(certificate: Path | None) -> Iterator[Hook]:
    hook = Hook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            hook.posted.append((self.path, self.headers["Content-Type"], body))
            if hook.silent:
                hook.released.wait()
                return
            self.send_response(hook.status)
            for key, value in hook.headers.items():
                self.send_header(key, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the test's output is its own."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    hook.address = f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}/{TOKEN}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield hook
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and certificate of 127.0.0.1, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("certificate") / "loopback.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    fake = fake_cloud.install(monkeypatch)
    monkeypatch.setenv("WEBHOOK_SECRET", SECRET)
    return fake


@pytest.fixture
def hook(cloud: Cloud, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    """A webhook whose certificate is trusted, and whose address is in the secret."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with listen(certificate) as listening:
        cloud.secrets[SECRET] = listening.address
        yield listening


def test_the_topic_gets_subject_and_text(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEBHOOK_SECRET")
    delivery.send(MESSAGE)
    assert cloud.published == [{"TopicArn": TOPIC, "Subject": MESSAGE[0], "Message": MESSAGE[1]}]
    assert cloud.asked == ["Publish"]


def test_the_webhook_gets_the_same_as_one_text_over_https(cloud: Cloud, hook: Hook) -> None:
    delivery.send(MESSAGE)
    assert hook.posted == [(f"/{TOKEN}", "application/json", {"text": "Cluster demo is up\n\nIt can be used.\n"})]
    assert len(cloud.published) == 1


def test_an_address_that_ends_in_a_line_break_is_one_all_the_same(cloud: Cloud, hook: Hook) -> None:
    cloud.secrets[SECRET] += "\n"
    delivery.send(MESSAGE)
    assert len(hook.posted) == 1


def test_the_webhook_is_told_when_the_topic_cannot_be(cloud: Cloud, hook: Hook) -> None:
    cloud.broken.add("Publish")
    delivery.send(MESSAGE)
    assert len(hook.posted) == 1


def check_failed_quietly(cloud: Cloud, capsys: pytest.CaptureFixture[str], expected: str) -> None:
    """Nothing was raised, the topic was told, and the log says what happened without the address."""
    delivery.send(MESSAGE)
    assert len(cloud.published) == 1
    written = capsys.readouterr()
    assert written.out == f"the webhook was not told: {expected}\n"
    assert TOKEN not in written.out + written.err


@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_webhook_that_refuses_fails_nothing(
    cloud: Cloud, hook: Hook, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    hook.status = status
    check_failed_quietly(cloud, capsys, f"HTTPError {status}")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_redirection_is_not_followed(
    cloud: Cloud, hook: Hook, capsys: pytest.CaptureFixture[str], scheme: str
) -> None:
    hook.status = 302
    hook.headers["Location"] = f"{scheme}{hook.address.removeprefix('https')}/elsewhere"
    check_failed_quietly(cloud, capsys, "HTTPError 302")
    assert [path for path, *_ in hook.posted] == [f"/{TOKEN}"]


def test_a_certificate_that_nobody_vouches_for_is_refused(
    cloud: Cloud, hook: Hook, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    check_failed_quietly(cloud, capsys, "URLError")
    assert hook.posted == []


def test_an_address_without_encryption_is_never_called(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    with listen(None) as plain:
        cloud.secrets[SECRET] = plain.address
        check_failed_quietly(cloud, capsys, "NotHttps")
        assert plain.posted == []


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (f"file:///etc/passwd?{TOKEN}", "NotHttps"),
        (f"hooks.example.org/{TOKEN}", "NotHttps"),
        ("", "NotHttps"),
        (f"https://127.0.0.1:1/{TOKEN}", "URLError"),
        (f"https:///{TOKEN}", "URLError"),
        (f"https://exa mple/{TOKEN}", "InvalidURL"),
    ],
)
def test_an_address_that_is_none_fails_nothing(
    cloud: Cloud, capsys: pytest.CaptureFixture[str], address: str, expected: str
) -> None:
    cloud.secrets[SECRET] = address
    check_failed_quietly(cloud, capsys, expected)


def test_a_secret_that_cannot_be_read_fails_nothing(cloud: Cloud, capsys: pytest.CaptureFixture[str]) -> None:
    cloud.broken.add("GetSecretValue")
    check_failed_quietly(cloud, capsys, "ClientError")


def test_a_webhook_that_never_answers_is_given_up(
    cloud: Cloud, hook: Hook, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "SECONDS", 0.2)
    hook.silent = True
    try:
        check_failed_quietly(cloud, capsys, "TimeoutError")
    finally:
        hook.released.set()
