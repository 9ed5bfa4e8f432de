"""Packaging/proxies: nginx and Caddy in front of a service, with TLS, as their files say. Debian has no Traefik: its file is only read."""

import contextlib
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import time

import confidential
import link
import pytest
import requests
import yaml
from peers import need, wait_for
from ports import free_port
from processes import Process, start_gateway
from registration import Device
from test_cli import run
from test_link import certificate

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Packaging/proxies"
NAME, BUNDLE, PASSWORD = "push.example.com", "com.example.pushlab", "correct horse battery staple"
# Each file tells the service in its first lines what it has to know.
SETTINGS = {"POSTHORN_HTTP_HOST_NAMES": NAME, "POSTHORN_HTTP_PROXIES": "127.0.0.1"}
pytestmark = pytest.mark.one_node("the files are for one service; compose.nodes.yaml has nginx for several")


def changed(text, *changes):
    """The text with each of the words replaced, which it has to have."""
    for words, others in changes:
        assert words in text, words
        text = text.replace(words, others)
    return text


def nginx(folder, port, service):
    site = changed(
        (FOLDER / "nginx.conf").read_text(), ("127.0.0.1:8080", f"127.0.0.1:{service}"), ("listen 443", f"listen 127.0.0.1:{port}"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", f"{folder}/certificate.pem"),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", f"{folder}/key.pem"),
    )
    kinds = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{ }}\nhttp {{\naccess_log off;\n{kinds}{site}}}\n"
    )
    return [need("nginx"), "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]


def caddy(folder, port, service):
    site = changed(
        (FOLDER / "Caddyfile").read_text(), ("127.0.0.1:8080", f"127.0.0.1:{service}"),
        (f"\n{NAME} {{\n", f"\n{NAME}:{port} {{\n\tbind 127.0.0.1\n\ttls {folder}/certificate.pem {folder}/key.pem\n"),
    )
    options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(options + site)
    return [need("caddy"), "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"]


class Road:
    """A gateway, a service that pushes to it, and a proxy in front: `url` and `link` are the proxy's, `auth` an app's."""

    def __init__(self, folder, proxy):
        self.data, self.proxy = folder / "data", proxy
        self.gateway, self.box = start_gateway(folder / "gateway", "--control-port", 0)
        self.service = Process(
            "serve", "--data", self.data, "--port", 0, "--apns-host", self.box["host"], "--apns-ca", self.box["ca"],
            "--apns-production-port", self.box["productionPort"], "--apns-development-port", self.box["developmentPort"],
            "--log-level", "critical", "--json", env=os.environ | SETTINGS | {"POSTHORN_HTTP_FAILED_LOGINS": "5"},
        )
        service_port = int(json.loads(self.service.line())["url"].rpartition(":")[2])
        flags = ["--p8", self.box["keyFile"], "--key-id", self.box["keyID"], "--team-id", self.box["teamID"], "--data", self.data]
        app = json.loads(run("app", "create", "--name", "A", "--bundle-id", BUNDLE, *flags, "--json"))
        self.app_key, self.auth = app["app_key"], (app["app_key"], app["master_secret"])
        certificate(folder, NAME)
        port = free_port()
        self.url, self.link = f"https://{NAME}:{port}", f"wss://{NAME}:{port}/link"
        self.trusted = ssl.create_default_context(cafile=folder / "certificate.pem")
        # The tickets of TLS 1.3 come after the handshake. websockets 17 reads once the socket has something to read; where that is a ticket,
        # it waits for data, and closing the socket does not end that wait.
        self.trusted.maximum_version = ssl.TLSVersion.TLSv1_2
        self.session = requests.Session()
        # The environment may name authorities and proxies for all, which would go before these.
        self.session.trust_env, self.session.verify = False, str(folder / "certificate.pem")
        with (folder / "proxy.log").open("w") as log:
            environment = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PATH": "/usr/bin:/bin"}
            self.running = subprocess.Popen(proxy(folder, port, service_port), stdout=log, stderr=log, env=environment)
        try:
            wait_for(port, self.running)
        except AssertionError as error:
            raise AssertionError((folder / "proxy.log").read_text()) from error

    def call(self, method, path, **options):
        return self.session.request(method, self.url + path, **{"auth": self.auth, "timeout": 60} | options)

    def end(self):
        self.running.terminate()
        self.running.wait(60)
        return [self.service.stop(), self.gateway.stop()]


@pytest.fixture(params=[nginx, caddy])
def road(request, tmp_path, monkeypatch):
    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *more, **named: resolve("127.0.0.1" if host == NAME else host, *more, **named))
    road = Road(tmp_path, request.param)
    yield road
    assert road.end() == [0, 0]


def test_the_rest_api_and_what_the_service_knows_of_its_callers(road):
    body = {"platform": "ios", "audience": "all", "message": {"msg_content": "hello"}}
    accepted = road.call("POST", "/v3/push", json=body)
    assert (accepted.status_code, accepted.json()["error"]["code"]) == (400, 1011), accepted.text
    assert accepted.headers["X-Request-Id"]
    # Whoever fails to log in cannot hide behind other addresses: the proxy says who calls.
    statuses = [
        road.call("GET", "/v3/push/cid", auth=(road.app_key, "wrong"), headers={"X-Forwarded-For": f"203.0.113.{number}"}).status_code
        for number in range(8)
    ]
    assert statuses == [401] * 5 + [429] * 3
    other = road.session.get(road.url + "/health", headers={"Host": "other.example.com"}, timeout=60)
    # nginx has one site, which takes any name: then the service refuses it. Caddy answers for its name alone.
    assert other.status_code == (421 if road.proxy is nginx else 200) and (road.proxy is nginx or other.text == "")


def test_devices_on_the_link(road):
    # Connections that the proxy keeps for others.
    for _ in range(4):
        assert road.call("GET", "/v3/push/cid").status_code == 200
    clients = [link.Client(road.link, road.app_key, BUNDLE, road.trusted) for _ in range(4)]
    with contextlib.ExitStack() as stack:
        for client in clients:
            client.open()
            stack.callback(client.close)
            assert road.call("GET", "/v3/push/cid").status_code == 200
        pushed = road.call("POST", "/v3/push", json={"platform": "ios", "audience": "all", "message": {"msg_content": "hello"}})
        assert pushed.status_code == 200, pushed.text
        for client in clients:
            client.await_messages(1)
            assert client.messages[0]["content"] == "hello"


def test_a_device_over_https_waits_for_an_answer(road):
    wanted = {"topic": BUNDLE, "environment": "production", "count": 1}
    [token] = requests.post(f"{road.box['control']}/tokens", json=wanted, timeout=60).json()["tokens"]
    device = Device(road.url, road.app_key, BUNDLE, road.session)
    device.register(token=token)
    began = time.monotonic()
    found = device.call("GET", "/diagnosis", wait=3)
    took = time.monotonic() - began
    assert found.status_code == 200 and found.json()["cause"] == "not_reported", found.text
    assert took >= 3


def test_the_portal_with_its_events(road, tmp_path):
    (tmp_path / "password").write_text(PASSWORD + "\n")
    confidential.remember(PASSWORD, "the password of a user")
    run("user", "create", "ana", "--role", "admin", "--password-file", tmp_path / "password", "--data", road.data)
    signed_in = road.call("POST", "/portal/sign-in", data={"name": "ana", "password": PASSWORD}, auth=None, allow_redirects=False)
    assert signed_in.status_code == 303, signed_in.text[:400]
    # The service believes the proxy that the browser came over HTTPS.
    assert "Secure" in signed_in.headers["Set-Cookie"]
    page = road.call("GET", "/portal", auth=None)
    assert page.status_code == 200 and "max-age" in page.headers["Strict-Transport-Security"]
    client = link.Client(road.link, road.app_key, BUNDLE, road.trusted)
    client.open()
    pushed = road.call("POST", "/v3/push", json={"platform": "ios", "audience": "all", "message": {"msg_content": "hello"}}).json()
    path = f"/portal/apps/{road.app_key}/messages/{pushed['msg_id']}/live"
    with road.call("GET", path, auth=None, stream=True, timeout=60) as events:
        assert events.status_code == 200, events.text
        lines = events.iter_lines(chunk_size=1, decode_unicode=True)
        # The stream stays open after its first event.
        assert "event: state" in lines
    client.close()


def upload(road, size):
    # Long lines, as each takes the service some time.
    return road.call("POST", "/v3/files/alias", files={"filename": ("a.txt", (b"a" * 39 + b"\n") * (size // 40))}, timeout=300)


def test_files_as_large_as_the_service_takes_them(road):
    taken = upload(road, 10 << 20)
    assert taken.status_code == 200 and taken.json()["file_id"], taken.text
    # Caddy leaves the refusal to the service. nginx may refuse a body while it is still being sent.
    if road.proxy is caddy:
        refused = upload(road, 12 << 20)
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, 1003), refused.text
    else:
        with contextlib.suppress(requests.ConnectionError):
            assert upload(road, 12 << 20).status_code == 413


def test_the_file_for_traefik_has_a_router_and_a_service_for_the_api_and_for_links():
    """Read only: no Traefik takes it here."""
    http = yaml.safe_load((FOLDER / "traefik.yaml").read_text())["http"]
    assert set(http) == {"routers", "services", "serversTransports"}
    assert {router["service"] for router in http["routers"].values()} == set(http["services"])
    balancers = {name: service["loadBalancer"] for name, service in http["services"].items()}
    assert [server["url"] for balancer in balancers.values() for server in balancer["servers"]] == ["http://127.0.0.1:8080"] * 2
    assert http["serversTransports"][balancers["posthorn-link"]["serversTransport"]] == {"maxIdleConnsPerHost": -1}


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile", "traefik.yaml"])
def test_each_file_says_what_the_service_needs_to_know(name):
    head = re.sub(r"\n# ", " ", (FOLDER / name).read_text().split("\n\n")[0])
    assert all(f"{variable}={value}" in head for variable, value in SETTINGS.items()), head
