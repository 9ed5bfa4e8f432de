"""PosthornClient, the client for apps on real phones, in a process of its own: over HTTPS to a running service, with faults between
them, and killed between any two steps.
"""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import threading
import time

import confidential
import pytest
import requests
from courier import Device
from ports import free_port
from processes import BINARY, Process, start_gateway
from test_link import certificate

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRODUCTS = pathlib.Path(os.environ.get("POSTHORN_PRODUCTS") or ROOT / ".build/debug")
BUNDLE = "com.example.client"
# Foundation on Linux trusts the authorities in this file and no others.
AUTHORITIES = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")


def trusting(bundle):
    """Words that run a command with other authorities than the system's: in a mount namespace of its own."""
    script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    for unshare in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
        words = [*unshare, "sh", "-c", script, "sh", bundle, AUTHORITIES]
        if shutil.which("unshare") and not subprocess.run([*words, "true"], capture_output=True).returncode:
            return words
    assert not os.environ.get("CI"), "mount namespaces are needed, to trust the service's certificate"
    pytest.skip("there are no mount namespaces, to trust the service's certificate")


class Service:
    """`posthorn serve` over HTTPS with one app, which can be stopped and started again at its port."""

    def __init__(self, folder, tls, bundle=BUNDLE):
        self.data, self.tls, self.port = folder / "service", tls, free_port()
        self.gateway, self.box = start_gateway(folder / "gateway")
        created = subprocess.run(
            [BINARY, "app", "create", "--data", self.data, "--name", "Client", "--bundle-id", bundle, "--json"],
            check=True, capture_output=True, text=True,
        )
        app = json.loads(created.stdout)
        self.app_key, self.auth = app["app_key"], (app["app_key"], app["master_secret"])
        subprocess.run(
            [BINARY, "credential", "add", self.app_key, "--data", self.data, "--p8", self.box["keyFile"], "--key-id", self.box["keyID"],
             "--team-id", self.box["teamID"]],
            check=True, capture_output=True,
        )
        self.session = requests.Session()
        self.session.trust_env, self.session.verify = False, str(tls / "certificate.pem")
        self.start()

    def start(self):
        self.running = Process(
            "serve", "--data", self.data, "--port", self.port, "--apns-host", self.box["host"], "--apns-ca", self.box["ca"],
            "--apns-production-port", self.box["productionPort"], "--apns-development-port", self.box["developmentPort"],
            "--cert", self.tls / "certificate.pem", "--key", self.tls / "key.pem", "--log-level", "error", "--json",
        )
        self.url = json.loads(self.running.line())["url"]
        assert self.url == f"https://127.0.0.1:{self.port}"

    def push(self, **members):
        answer = self.session.post(
            f"{self.url}/v3/push", auth=self.auth, timeout=60,
            json={"platform": "ios", "audience": "all", "options": {"apns_production": True}, **members},
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["msg_id"]

    def device(self, registration_id):
        """The tags, alias and so on of a device, as the backend sees them; none if there is no such device."""
        answer = self.session.get(f"{self.url}/v3/devices/{registration_id}", auth=self.auth, timeout=60)
        return answer.json() if answer.status_code == 200 else None

    def whole_device(self, registration_id):
        """Everything that the service knows about a device."""
        url = f"{self.url}/posthorn/v1/devices/{registration_id}"
        return self.session.get(url, auth=self.auth, timeout=60).json()

    def await_state(self, msg_id, registration_id, state):
        deadline = time.monotonic() + 60
        while True:
            answer = self.session.get(
                f"{self.url}/posthorn/v1/journeys/{msg_id}/{registration_id}", auth=self.auth, timeout=60
            ).json()
            if answer["verdict"]["state"] == state:
                return answer
            assert time.monotonic() < deadline, f"waited for '{state}', found {answer['verdict']}"
            time.sleep(0.05)


class Faults:
    """A proxy with TLS before the service: each request meets the next fault, and none if there is no other.

    libcurl repeats a request by itself if a connection that was used before ends without an answer; that one meets the next fault.
    """

    def __init__(self, service):
        self.next, self.seen = [], []
        faults = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self):
                with contextlib.suppress(OSError, ssl.SSLError):
                    super().handle_one_request()
                    return
                self.close_connection = True

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                fault = faults.next.pop(0) if faults.next else None
                faults.seen.append((time.monotonic(), fault, self.command, self.path))
                if fault == "reset":
                    self.close_connection = True
                    return
                if isinstance(fault, float):
                    time.sleep(fault)
                if isinstance(fault, tuple):
                    return self.answer(*fault)
                context = ssl.create_default_context(cafile=service.session.verify)
                there = http.client.HTTPSConnection("127.0.0.1", service.port, timeout=60, context=context)
                kept = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
                there.request(self.command, self.path, body or None, kept)
                answer = there.getresponse()
                content = answer.read()
                there.close()
                if fault == "lost":
                    # The service has carried the call out, and the client does not hear of it.
                    self.close_connection = True
                    return
                self.answer(answer.status, content, {"Retry-After": answer.headers["Retry-After"]})

            def answer(self, status, content, headers={}):
                self.send_response(status)
                for name, value in headers.items():
                    if value is not None:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = pass_on

            def log_message(self, *words):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                # The client is gone, or hangs up on a slow answer.
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(service.tls / "certificate.pem", service.tls / "key.pem")
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class App:
    """The program that uses the client, with what it keeps."""

    def __init__(self, service, folder, trust, url=None, program=PRODUCTS / "ClientProgram", **settings):
        self.folder, self.trust, self.program = folder, trust, program
        self.settings = {
            "service": url or service.url, "appKey": service.app_key, "bundleID": BUNDLE, "folder": str(folder), **settings,
        }
        self.process = None

    def launch(self, **settings):
        words = [*self.trust, self.program, json.dumps(self.settings | settings)]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        return self

    def say(self, do, **members):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps({"do": do, **members}) + "\n")

    def hear(self, *events):
        """The next event with one of these names; None if the process has ended before."""
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == "registered":
                confidential.remember(event["secret"], "the secret of a device")
            if event["event"] in events:
                return event
        return None

    def ask(self, do, event="answer", **members):
        self.say(do, **members)
        return self.hear(event)

    def end(self):
        """Ends it as the system ends an app; returns its status."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        status = self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def stored(self, part="state"):
        return json.loads((self.folder / f"{part}.json").read_text())


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("client")
    tls = folder / "tls"
    tls.mkdir()
    certificate(tls)
    service = Service(folder, tls)
    yield service
    service.running.stop()
    service.gateway.stop()


@pytest.fixture(scope="module")
def trust(service):
    return trusting(service.tls / "certificate.pem")


@pytest.fixture
def app(service, trust, tmp_path):
    app = App(service, tmp_path / "app", trust)
    yield app
    if app.process and app.process.poll() is None:
        app.end()


@pytest.fixture
def phone(service):
    """A device at the gateway, for its token."""
    with Device(service.box["courier"], f"client {time.monotonic_ns()}", BUNDLE) as device:
        yield device


def test_a_device_registers_and_is_addressed(service, app, phone):
    app.launch().say("start")
    registered = app.hear("registered")
    app.say("token", token=phone.token)
    assert app.ask("addTags", tags=["vip", "北京"]) == {"event": "answer", "code": 0, "tags": ["vip", "北京"]}
    assert app.ask("addTags", tags=["a b"])["code"] == 6005
    assert app.ask("checkTag", tag="vip")["bound"] is True
    assert app.ask("setAlias", alias="bob")["code"] == 0
    assert app.ask("getAlias")["alias"] == "bob"
    assert app.ask("setMobile", mobile="+86-13012345678")["code"] == 0
    assert app.ask("setBadge", badge=4)["code"] == 0
    assert app.ask("setBadge", badge=-1)["code"] == 6017
    assert app.ask("getPush")["on"] is True
    device = service.device(registered["id"])
    assert sorted(device["tags"]) == ["vip", "北京"]
    assert (device["alias"], device["mobile"]) == ("bob", "+86-13012345678")
    service.push(audience={"tag": ["vip"]}, notification={"ios": {"alert": "hello", "badge": "+1"}})
    pushed = phone.push()
    assert pushed["payload"]["aps"] == {"alert": "hello", "badge": 5, "sound": "default"} or pushed["payload"]["aps"]["badge"] == 5
    assert app.end() == 0
    # The next process is the same device, and sends what is new only.
    app.launch().say("start")
    assert app.hear("registered") == registered
    assert app.ask("getTags")["tags"] == ["vip", "北京"]


def test_receipts_of_app_and_extension_are_in_the_report(service, app, phone):
    app.launch().say("start")
    registered = app.hear("registered")
    app.say("token", token=phone.token)
    assert app.ask("flush", "flushed")["sent"] is True
    push = {"audience": {"registration_id": [registered["id"]]}, "notification": {"ios": {"alert": "hi", "mutable-content": True}}}
    first, second = service.push(**push), service.push(**push)
    for _ in range(2):
        phone.push()
    # The extension sends at once; what it cannot send, the app does.
    assert app.ask("extension", "reported", kind="received", id=first)["sent"] is True
    app.end()
    app.launch(service=f"https://127.0.0.1:{free_port()}")
    assert app.ask("extension", "reported", kind="received", id=second)["sent"] is False
    app.end()
    assert [file.name for file in app.folder.iterdir() if file.name.startswith("receipt-")] == [f"receipt-{second}-received.json"]
    app.launch(clockOffset=-3.2e8).say("start")
    app.say("report", kind="opened", id=first)
    app.say("report", kind="opened", id=first)
    assert app.ask("flush", "flushed")["sent"] is True
    app.end()
    # The clock has jumped ten years forward since the last start, and the receipts count all the same.
    app.launch(clockOffset=3.2e8).say("start")
    app.say("report", kind="opened", id=second)
    assert app.ask("flush", "flushed")["sent"] is True
    for message in first, second:
        service.await_state(message, registered["id"], "opened")
        detail = service.session.get(
            f"{service.url}/v3/received/detail", params={"msg_ids": message}, auth=service.auth, timeout=60
        ).json()
        assert detail[0]["ios_apns_received"] == 1, detail
    assert not list(app.folder.glob("receipt-*"))


def test_custom_messages_come_once_and_in_order(service, app):
    app.launch().say("start")
    to = {"audience": {"registration_id": [app.hear("registered")["id"]]}}
    for number in range(3):
        service.push(**to, message={"msg_content": f"m{number}", "extras": {"n": number}})
    app.say("fetch")
    heard = [app.hear("message") for _ in range(3)]
    assert [(event["content"], event["extras"]) for event in heard] == [(f"m{n}", {"n": n}) for n in range(3)]
    assert app.ask("flush", "flushed")["sent"] is True
    app.end()
    last = service.push(**to, message={"msg_content": "m3"})
    app.launch().say("start")
    assert app.hear("message")["content"] == "m3"
    assert app.ask("flush", "flushed")["sent"] is True
    service.await_state(last, to["audience"]["registration_id"][0], "delivered")


def test_unregistering_deletes_the_device(service, app):
    app.launch().say("start")
    first = app.hear("registered")["id"]
    assert app.ask("addTags", tags=["gone"])["code"] == 0
    app.ask("unregister", "unregistered")
    assert not (service.device(first) or {}).get("tags")
    app.say("start")
    assert app.hear("registered")["id"] != first
    assert app.ask("getTags")["tags"] == []


def test_a_refused_app_is_told_why(service, app):
    app.launch(appKey="0" * 24).say("start")
    assert app.hear("refused")["code"] == 1005
    assert app.ask("setAlias", alias="bob")["code"] == 1005
    app.end()
    app.launch(bundleID="com.example.other").say("start")
    assert app.hear("refused")["code"] == 1009
    app.end()
    # A build that the service accepts.
    app.launch().say("start")
    assert app.hear("registered")["id"]


def test_a_device_that_the_service_has_forgotten_registers_again(service, app):
    app.launch().say("start")
    first = app.hear("registered")
    assert app.ask("setAlias", alias="bob")["code"] == 0
    service.session.delete(f"{service.url}/v3/devices/{first['id']}", auth=service.auth, timeout=60)
    app.say("unregister")
    app.hear("unregistered")
    state = app.stored()
    app.end()
    # A secret that another process of the same installation has replaced: the store of a backup.
    app.launch().say("start")
    second = app.hear("registered")
    app.end()
    state = app.stored()
    state["registration"]["secret"] = "0" * 32
    (app.folder / "state.json").write_text(json.dumps(state))
    app.launch().say("start")
    app.hear("registered")
    again = app.hear("registered")
    assert again["id"] == second["id"] and again["secret"] != second["secret"]
    assert app.ask("setAlias", alias="eve")["code"] == 0


def test_faults_delay_calls_and_lose_none(service, trust, tmp_path):
    faults = Faults(service)
    html, too_often = (200, b"<html>Welcome to the hotel", {}), (429, b"", {"Retry-After": "1"})
    faults.next = [
        "reset", (500, b"", {}), (503, b'{"error":{"code":1030,"message":"later"}}', {}), html, too_often, "lost", 5.0,
    ]
    app = App(service, tmp_path / "app", trust, faults.url, timeout=3.0).launch()
    app.say("addTags", tags=["early"])
    app.say("start")
    registered = app.hear("registered")
    assert app.hear("answer")["code"] == 0
    app.say("token", token="00" * 32)
    for fault in ["lost", (502, b"", {}), "reset", html]:
        faults.next = [fault]
        assert app.ask("addTags", tags=[f"t{len(faults.seen)}"])["code"] == 0
    assert app.ask("flush", "flushed")["sent"] is True
    assert app.end() == 0
    [(order, *_), (after, *_)] = next(pair for pair in zip(faults.seen, faults.seen[1:]) if pair[0][1] == too_often)
    assert after - order >= 1, "Retry-After is obeyed"
    tags = service.device(registered["id"])["tags"]
    assert "early" in tags and len(tags) == 5


def test_without_a_network_calls_wait_for_a_later_process(service, trust, tmp_path):
    app = App(service, tmp_path / "app", trust, patience=0.3, longestWait=60).launch()
    app.say("start")
    registered = app.hear("registered")
    service.running.kill()
    try:
        app.say("setAlias", alias="first")
        assert app.hear("answer")["code"] == 6002, "The caller does not wait longer than it wants to."
        # An alias that is on its way is not superseded: after each failure it waits twice as long until it is sent again.
        for _ in range(3):
            assert "is repeated" in app.hear("log")["line"]
        assert app.ask("setAlias", alias="late")["code"] == 6002
        assert app.end() == 0
        assert len(app.stored("queue")["queue"]) == 1, "The second alias supersedes the first."
    finally:
        # For the tests that follow: their apps would wait for it.
        service.start()
    app.launch().say("start")
    assert app.ask("flush", "flushed")["sent"] is True
    assert service.device(registered["id"])["alias"] == "late"
    assert app.end() == 0


def test_a_service_with_an_unknown_authority_gets_nothing(service, tmp_path):
    app = App(service, tmp_path / "app", []).launch()
    app.say("start")
    assert "cannot be reached" in app.hear("log")["line"]
    assert app.end() == 0


def test_the_environment_is_that_of_the_embedded_profile(service, trust, tmp_path):
    """A profile as Posthorn's own authority signs it, beside the program, as in an app's bundle."""
    data, bundle = tmp_path / "developer", tmp_path / "Client.app"
    bundle.mkdir()
    shutil.copy(PRODUCTS / "ClientProgram", bundle)
    subprocess.run([BINARY, "appid", "create", BUNDLE, "--data", data], check=True, capture_output=True)
    for environment in ["development", "production"]:
        subprocess.run(
            [BINARY, "profile", "create", "--app-id", BUNDLE, "--environment", environment, "--device", "UDID-1",
             "--data", data, "--out", bundle / "embedded.mobileprovision"],
            check=True, capture_output=True,
        )
        app = App(service, tmp_path / environment, trust, program=bundle / "ClientProgram").launch()
        app.say("start")
        app.hear("registered")
        assert app.end() == 0
        assert app.stored()["known"]["environment"] == environment


@pytest.mark.release("kills many processes")
def test_killed_before_any_step_it_ends_in_the_same_state(service, trust, tmp_path):
    """Every write of the store, every request and every answer, until a life has fewer steps than that."""

    def live(app, **settings):
        """The life of an app, up to its death or to the end of its calls; whether it has died."""
        app.launch(**settings)
        app.say("addTags", tags=["a", "b"])
        app.say("setAlias", alias="tom" + app.folder.name)
        app.say("start")
        app.say("token", token="00" * 32)
        app.say("setTags", tags=["c"])
        flushed = app.ask("flush", "flushed")
        assert flushed is None or flushed["sent"] is True
        return flushed is None

    for step in range(1, 60):
        app = App(service, tmp_path / str(step), trust)
        if died := live(app, diesAt=step):
            assert app.process.wait(60) == -9
            assert not live(app)
        state = app.stored()
        device = service.device(state["registration"]["id"])
        assert device["tags"] == ["c"] and device["alias"] == f"tom{step}", f"step {step}: {device}"
        assert app.stored("queue")["queue"] == [] and state["known"]["token"] == "00" * 32
        if not died:
            app.end()
            break
        # Nobody else has the token, or comes to the limit of devices.
        assert app.ask("unregister", "unregistered")
        assert app.end() == 0
    assert 15 < step < 60
