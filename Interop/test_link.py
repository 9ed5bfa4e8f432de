"""A client in Python on the SDK link, by Documentation/LinkProtocol.md: plain, over TLS, and through nginx with TLS."""

import datetime
import ipaddress
import json
import os
import shutil
import socket
import ssl
import subprocess
import time

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from link import Client
from ports import free_port
from processes import BINARY, Process

BUNDLE = "com.example.link"


class Service:
    """`posthorn serve` with one app, that can be killed and started again."""

    def __init__(self, folder, tls=None):
        """`tls`: a folder with `certificate.pem` and `key.pem`."""
        self.data, self.port, self.running, self.tls = folder / "service", free_port(), None, tls
        created = subprocess.run(
            [BINARY, "app", "create", "--data", self.data, "--name", "Link", "--bundle-id", BUNDLE, "--json"],
            check=True, capture_output=True, text=True,
        )
        app = json.loads(created.stdout)
        self.app_key, self.auth = app["app_key"], (app["app_key"], app["master_secret"])
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"
        self.session = requests.Session()
        # The environment may name authorities for all, which would go before this one.
        self.session.trust_env, self.session.verify = False, str(tls / "certificate.pem") if tls else True
        self.start()

    def start(self):
        tls = ["--cert", self.tls / "certificate.pem", "--key", self.tls / "key.pem"] if self.tls else []
        # Nobody answers there: what goes over links needs no APNs.
        self.running = Process(
            "serve", "--data", self.data, "--port", self.port, "--apns-host", "127.0.0.1",
            "--apns-development-port", 9, "--apns-production-port", 9, "--log-level", "error", "--json", *tls,
        )
        self.place = json.loads(self.running.line())
        assert self.place["url"] == self.url, self.place

    def kill(self):
        self.running.kill()

    def push(self, content, audience="all", **more):
        answer = self.session.post(
            f"{self.url}/v3/push", auth=self.auth, timeout=60,
            json={"platform": "ios", "audience": audience, "message": {"msg_content": content, **more}},
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["msg_id"]

    def get(self, path):
        answer = self.session.get(self.url + path, auth=self.auth, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def state(self, msg_id, client):
        return self.get(f"/posthorn/v1/journeys/{msg_id}/{client.registration_id}")["verdict"]["state"]

    def await_state(self, msg_id, client, state):
        deadline = time.monotonic() + 60
        while (found := self.state(msg_id, client)) != state:
            assert time.monotonic() < deadline, f"waited for '{state}', found '{found}'"
            time.sleep(0.05)


ALONE = pytest.mark.one_node("nodes are behind a proxy of their own, and have no certificate")


@pytest.fixture(params=["plain", pytest.param("tls", marks=ALONE), pytest.param("proxied", marks=ALONE)])
def way(request):
    """How a client comes in."""
    return request.param


@pytest.fixture
def service(tmp_path, way):
    tls = None
    if way == "tls":
        tls = tmp_path / "tls"
        tls.mkdir()
        certificate(tls)
    service = Service(tmp_path, tls)
    yield service
    service.running.stop()


@pytest.fixture
def proxy(service, tmp_path):
    """nginx before the service, with TLS: its URL and the context that believes its certificate."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")
    if nginx is None:
        assert not os.environ.get("CI"), "nginx is missing"
        pytest.skip("nginx is missing")
    folder = tmp_path / "nginx"
    folder.mkdir()
    certificate(folder)
    port = free_port()
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    )
    (folder / "nginx.conf").write_text(f"""
        daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
        events {{ }}
        http {{
            access_log off;
            {temporary}
            server {{
                listen 127.0.0.1:{port} ssl;
                ssl_certificate {folder}/certificate.pem;
                ssl_certificate_key {folder}/key.pem;
                location /link {{
                    proxy_pass http://127.0.0.1:{service.port};
                    proxy_http_version 1.1;
                    proxy_set_header Upgrade $http_upgrade;
                    proxy_set_header Connection "upgrade";
                    proxy_read_timeout 90s;
                    proxy_send_timeout 90s;
                }}
            }}
        }}
    """)
    process = subprocess.Popen([nginx, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"])
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            assert process.poll() is None and time.monotonic() < deadline, "nginx does not listen"
            time.sleep(0.02)
    yield f"wss://127.0.0.1:{port}/link", ssl.create_default_context(cafile=str(folder / "certificate.pem"))
    process.terminate()
    process.wait(60)


def certificate(folder, host="127.0.0.1"):
    """Writes a certificate for an address or a name that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    is_address = host[0].isdigit()
    subject = x509.IPAddress(ipaddress.ip_address(host)) if is_address else x509.DNSName(host)
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([subject]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


@pytest.fixture
def client(request, service, way):
    url, context = service.place["link"], None
    if way == "tls":
        context = ssl.create_default_context(cafile=service.session.verify)
    elif way == "proxied":
        url, context = request.getfixturevalue("proxy")
    client = Client(url, service.app_key, BUNDLE, context)
    client.open()
    yield client
    client.close()


def test_tags_messages_and_counters(service, client):
    assert client.ask("tags-add", tags=["vip"]) == {
        "type": "reply", "number": 1, "code": 0, "tags": ["vip"],
    }
    assert client.ask("tag-check", tag="vip")["bound"] is True
    assert client.ask("tags-add", tags=["a b"])["code"] == 6005
    msg_id = service.push("hello", {"tag": ["vip"]}, title="T", content_type="text", extras={"k": [1]})
    client.await_messages(1)
    [message] = client.messages
    assert str(message["id"]) == msg_id
    assert {key: message[key] for key in ["content", "title", "content-type", "extras"]} == {
        "content": "hello", "title": "T", "content-type": "text", "extras": {"k": [1]},
    }
    assert service.state(msg_id, client) == "stored"
    client.acknowledge()
    service.await_state(msg_id, client, "delivered")
    receipt = {"id": message["id"], "event": "clicked", "time": int(time.time())}
    for _ in range(2):
        assert client.ask("receipts", receipts=[receipt])["code"] == 0
    assert service.state(msg_id, client) == "opened"
    [received] = service.get(f"/v3/received/detail?msg_ids={msg_id}")
    assert (received["jpush_received"], received["ios_msg_received"], received["ios_apns_received"]) == (1, 1, 0)
    [counts] = service.get(f"/v3/messages/detail?msg_ids={msg_id}")
    assert counts["details"]["message"]["click"] == 1
    assert counts["ios"]["msg_target"] == 1


@pytest.mark.parametrize("way", ["plain"], indirect=True)
def test_devices_bring_as_many_new_tags_as_the_setting_says(tmp_path, monkeypatch, way):
    monkeypatch.setenv("POSTHORN_LINK_TAGS", "1500")
    monkeypatch.setenv("POSTHORN_PUSH_TAGS", "1700")
    service = Service(tmp_path)
    codes = []
    for number in range(3):
        client = Client(f"ws://127.0.0.1:{service.port}/link", service.app_key, BUNDLE)
        client.open()
        for start in range(0, 1000, 200):
            reply = client.ask("tags-add", tags=[f"t{number}x{place}" for place in range(start, start + 200)])
            codes.append(reply["code"])
        client.close()
    assert codes == [0] * 7 + [6018] * 8
    assert "link.tags" in reply["message"]
    path = f"{service.url}/v3/devices/{client.registration_id}"

    def add(start, count):
        answer = requests.post(
            path, auth=service.auth, timeout=60, json={"tags": {"add": [f"b{place}" for place in range(start, start + count)]}})
        return answer.status_code, answer.json().get("error", {}).get("code") if answer.content else None

    assert [add(start, 100) for start in (0, 100, 200)] == [(200, None)] * 3
    assert add(300, 1) == (400, 7002)
    assert service.running.stop() == 0


def test_nothing_is_lost_or_doubled_when_link_and_service_end(service, client):
    sent = []

    def push():
        sent.append(f"m{len(sent)}")
        return service.push(sent[-1])

    push()
    client.await_messages(1)
    # The acknowledgement is not on its way yet when the service is killed.
    service.kill()
    client.close()
    service.start()
    client.open()
    push()
    client.await_messages(2)
    client.acknowledge()
    # Accepted while nobody is there, then the service ends without notice.
    client.close()
    for _ in range(3):
        last = push()
    service.kill()
    service.start()
    client.open()
    client.await_messages(5)
    client.acknowledge()
    service.await_state(last, client, "delivered")
    service.kill()
    service.start()
    client.open()
    push()
    client.await_messages(6)
    assert [message["content"] for message in client.messages] == sent
    assert client.ask("tags-get")["tags"] == []


@pytest.mark.one_node("a node keeps acknowledgements for up to a second before it writes them, and the client conceals its position")
def test_what_is_not_acknowledged_comes_again(service, client):
    service.push("again")
    client.await_messages(1)
    first = client.messages[0]
    client.close()
    client.position = 0
    client.open()
    client.await_messages(2)
    assert client.messages[1] == first
    client.acknowledge()
    assert client.ask("push-status")["on"] is True
    client.close()
    client.position = 0
    client.open()
    service.push("new")
    client.await_messages(3)
    assert client.messages[2]["content"] == "new"


def test_who_is_not_known_is_told_so(service, client):
    client.close()
    client.identity = {**client.identity, "secret": "0" * 32}
    with pytest.raises(AssertionError, match="6016"):
        client.open()
    client.app_key = "0" * 24
    with pytest.raises(AssertionError, match="1005"):
        client.open()


def test_stopped_devices_get_nothing(service, client):
    assert client.ask("push-switch", on=False)["on"] is False
    assert client.ask("alias-set", alias="bob")["code"] == 6012
    msg_id = service.push("no")
    assert service.state(msg_id, client) == "suppressed"
    assert client.ask("push-switch", on=True)["on"] is True
    service.push("yes")
    client.await_messages(1)
    assert client.messages[0]["content"] == "yes"


@pytest.mark.one_node("the backup is a copy of SQLite's folder")
def test_a_service_restored_from_a_backup_goes_on_with_its_devices(service, client, tmp_path):
    service.push("kept")
    client.await_messages(1)
    service.kill()
    shutil.copytree(service.data, tmp_path / "backup", ignore=shutil.ignore_patterns("run"))
    service.start()
    client.open()
    for number in range(5):
        last = service.push(f"later {number}")
    client.await_messages(6)
    client.acknowledge()
    service.await_state(last, client, "delivered")
    service.kill()
    shutil.rmtree(service.data)
    shutil.copytree(tmp_path / "backup", service.data)
    service.start()
    service.push("while it is away")
    client.open()
    service.push("while it is there")
    client.await_messages(8)
    assert [message["content"] for message in client.messages[6:]] == ["while it is away", "while it is there"]


@pytest.mark.parametrize("way", ["tls"], indirect=True)
def test_curl_and_the_command_line_come_in_over_tls(service, client):
    authority = service.session.verify
    for more, status in [(["--cacert", authority], 0), ([], 60)]:
        done = subprocess.run(
            ["curl", "-sS", *more, "-u", ":".join(service.auth), f"{service.url}/v3/push/cid?count=1"],
            capture_output=True, text=True,
        )
        assert done.returncode == status, done
        assert status or len(json.loads(done.stdout)["cidlist"]) == 1

    def posthorn(*arguments, **environment):
        return subprocess.run(
            [BINARY, *arguments, "--url", service.url, "--app-key", service.auth[0]],
            capture_output=True, text=True, timeout=60,
            env=os.environ | {"POSTHORN_MASTER_SECRET": service.auth[1]} | environment,
        )

    shown = posthorn("devices", "list", "--ca", authority)
    assert shown.returncode == 0 and client.registration_id in shown.stdout, shown
    msg_id = service.push("m")
    client.await_messages(1)
    client.acknowledge()
    service.await_state(msg_id, client, "delivered")
    told = posthorn("why", msg_id, client.registration_id, POSTHORN_CA=authority)
    assert told.returncode == 0 and "acknowledged" in told.stdout, told
    refused = posthorn("devices", "list")
    assert refused.returncode != 0 and f"{service.url} does not answer" in refused.stderr, refused
    wrong = posthorn("devices", "list", "--ca", str(service.tls / "key.pem"))
    assert wrong.returncode != 0 and "holds no certificate; expected '-----BEGIN CERTIFICATE-----'" in wrong.stderr, wrong


@pytest.mark.parametrize("way", ["tls"], indirect=True)
def test_the_port_with_tls_speaks_nothing_in_the_clear(service):
    with pytest.raises(requests.ConnectionError):
        requests.get(f"http://127.0.0.1:{service.port}/health", timeout=60)
    for protocols in [["h2"], ["h2", "http/1.1"], []]:
        context = ssl.create_default_context(cafile=service.session.verify)
        if protocols:
            context.set_alpn_protocols(protocols)
        with socket.create_connection(("127.0.0.1", service.port), 60) as plain:
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
                assert secure.selected_alpn_protocol() == ("http/1.1" if "http/1.1" in protocols else None)
                secure.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert secure.recv(12) == b"HTTP/1.1 200"
