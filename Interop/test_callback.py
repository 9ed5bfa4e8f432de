"""`callback` of a push: a service and a gateway as processes, and a receiver in Python that verifies what it is told."""

import hashlib
import hmac
import http.server
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import time

import confidential
import courier
import link
import pytest
import requests
from processes import BINARY, start_gateway, start_service

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Examples/EventReceiver"))

import receiver as receiver_example  # noqa: E402

TOPIC = "com.example.app"


class Receiver:
    """Keeps each request, and answers as it is told."""

    def __init__(self):
        self.calls, self.statuses = queue.Queue(), []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                receiver.calls.put((status, self.headers, body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}/hook?key=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def call(self, timeout=60):
        return self.calls.get(timeout=timeout)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


class Road:
    def __init__(self, folder, *networks, settings={}):
        self.gateway, box = start_gateway(folder / "gateway")
        self.data = data = folder / "service"
        made = subprocess.run(
            [BINARY, "app", "create", "--data", data, "--name", "A", "--bundle-id", TOPIC, "--json"], check=True,
            capture_output=True, text=True,
        )
        self.app = json.loads(made.stdout)
        confidential.remember(self.app["master_secret"], "a master secret")
        subprocess.run(
            [BINARY, "credential", "add", self.app["app_key"], "--data", data, "--p8", box["keyFile"], "--key-id",
             box["keyID"], "--team-id", box["teamID"]], check=True, capture_output=True,
        )
        config = folder / "posthorn.json"
        config.write_text(json.dumps(settings | {"retention": {"events": 1}, "callback": settings.get("callback", {}) | {"networks": networks}}))
        self.service, self.url = start_service(data, box, "--apns-events", box["events"], "--config", config)
        self.courier = box["courier"]

    @property
    def auth(self):
        return self.app["app_key"], self.app["master_secret"]

    def push(self, **members):
        answer = requests.post(
            f"{self.url}/v3/push", auth=self.auth, timeout=60,
            json={"platform": "ios", "audience": "all", "notification": {"alert": "hi"}} | members,
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["msg_id"]

    def record(self, msg_id):
        answer = requests.get(f"{self.url}/posthorn/v1/messages/{msg_id}", auth=self.auth, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()["callback"]

    def stop(self):
        self.service.stop()
        self.gateway.stop()


@pytest.fixture(scope="module")
def road(tmp_path_factory):
    road = Road(tmp_path_factory.mktemp("road"), "127.0.0.0/8", "::1")
    yield road
    road.stop()


@pytest.fixture
def device(road):
    """A device behind the gateway, and its app's registration id."""
    app = link.Client(road.url.replace("http", "ws", 1) + "/link", road.auth[0], TOPIC)
    app.open()
    with courier.Device(road.courier, app.installation, TOPIC) as phone:
        for kind, token in [("token", phone.token), ("voip-token", phone.voip_token())]:
            assert app.ask(kind, token=token, environment="production")["code"] == 0
        yield phone, app.registration_id
    app.close()


def verified(road, fields, body):
    """What was posted, once its signature is right: as a receiver would check it."""
    key = hashlib.sha256(road.auth[1].encode()).digest()
    signed = fields["X-Posthorn-Timestamp"].encode() + b"." + body
    assert fields["X-Posthorn-Signature"] == "v1=" + hmac.new(key, signed, hashlib.sha256).hexdigest()
    assert fields["Content-Type"] == "application/json"
    return json.loads(body)


def test_what_becomes_of_a_push_is_told_and_signed(road, device, receiver):
    phone, name = device
    msg_id = road.push(
        audience={"registration_id": [name]}, callback={"url": receiver.url, "params": {"order": 7}, "type": 9}
    )
    phone.push()
    told = []
    while len(told) < 2:
        status, fields, body = receiver.call()
        content = verified(road, fields, body)
        assert (content["app_key"], content["msg_id"], content["params"]) == (road.auth[0], msg_id, {"order": 7})
        told += content["events"]
    assert sorted(event["type"] for event in told) == [1, 8]
    assert {(event["registration_id"], event["part"]) for event in told} == {(name, "notification")}
    state = await_record(road, msg_id, lambda state: state["delivered"] == 2)
    assert state == {"url": receiver.url, "delivered": 2, "waiting": 0, "lost": 0, "problem": None}


def test_one_stream_has_the_events_of_all_pushes(road, device):
    phone, name = device
    msg_id = road.push(audience={"registration_id": [name]})
    phone.push()
    events = []
    deadline = time.monotonic() + 60
    while not {"accepted", "sent", "received"} <= {event["type"] for event in events if event["msg_id"] == msg_id}:
        assert time.monotonic() < deadline, events
        events = [event for page in receiver_example.pages(road.url, *road.auth) for event in page["events"]]
        time.sleep(0.1)
    own = [event for event in events if event["msg_id"] == msg_id]
    assert [event["registration_id"] for event in own] == [None, name, name]
    assert {event["part"] for event in own[1:]} == {"notification"}
    assert len({event["id"] for event in events}) == len(events)
    # It goes on where it was.
    last = int(events[-1]["id"].partition(".")[0])
    assert not [page for page in receiver_example.pages(road.url, *road.auth, after=last) if page["next"] <= last]


def test_the_example_of_a_receiver_goes_on_where_it_was_stopped(road, device, tmp_path):
    def received(*steps):
        """Returns the first event of each step's push; a step without a push is any event."""
        key, secret = road.auth
        app = {"POSTHORN_URL": road.url, "POSTHORN_APP_KEY": key, "POSTHORN_MASTER_SECRET": secret}
        command = [sys.executable, receiver_example.__file__, tmp_path / "position"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | app) as process:
            try:
                for step in steps:
                    msg_id = step() if step else None
                    lines = (json.loads(line) for line in process.stdout)
                    yield next(event for event in lines if not msg_id or event["msg_id"] == msg_id)
            finally:
                process.terminate()

    def push():
        return road.push(audience={"registration_id": [device[1]]})

    # The position of a page is written before the next one is read.
    first, _ = received(push, push)
    push()
    again, = received(None)
    assert float(again["id"]) > float(first["id"])


def test_a_failed_delivery_is_repeated(road, device, receiver):
    _, name = device
    receiver.statuses = [500]
    msg_id = road.push(audience={"registration_id": [name]}, callback={"url": receiver.url, "type": 8})
    calls = [receiver.call(), receiver.call()]
    assert [status for status, _, _ in calls] == [500, 200]
    assert verified(road, *calls[0][1:]) == verified(road, *calls[1][1:])
    state = await_record(road, msg_id, lambda state: state["delivered"] == 1)
    assert (state["lost"], state["problem"]) == (0, "It answered 500.")


def test_a_call_from_the_command_line_is_told_as_one(road, device, receiver):
    phone, name = device
    done = subprocess.run(
        [BINARY, "push", "--voip", '{"caller":"Ana"}', "--callback", receiver.url, "--registration-id", name,
         "--environment", "production"],
        capture_output=True, text=True, timeout=60,
        env=os.environ | {
            "POSTHORN_URL": road.url, "POSTHORN_APP_KEY": road.auth[0], "POSTHORN_MASTER_SECRET": road.auth[1],
        },
    )
    assert done.returncode == 0, done
    frame = phone.push()
    assert (frame["push-type"], frame["payload"]) == ("voip", {"caller": "Ana"})
    told = []
    while len(told) < 2:
        told += verified(road, *receiver.call()[1:])["events"]
    assert sorted((event["type"], event["part"]) for event in told) == [(1, "voip"), (8, "voip")]


def test_a_redirect_is_not_followed(road, device, receiver):
    _, name = device
    receiver.statuses = [302]
    msg_id = road.push(audience={"registration_id": [name]}, callback={"url": receiver.url, "type": 8})
    assert receiver.call()[0] == 302
    await_record(road, msg_id, lambda state: state["problem"] and "redirect" in state["problem"])


def test_many_events_come_over_few_connections(road, device):
    """A receiver that keeps its connections is told of hundreds of pushes over a few of them."""
    _, name = device
    connections, told, done = set(), [], threading.Event()
    lock, under_way, most = threading.Lock(), [0], [0]

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self):
            with lock:
                under_way[0] += 1
                most[0] = max(most[0], under_way[0])
            content = verified(road, self.headers, self.rfile.read(int(self.headers["Content-Length"])))
            connections.add(self.client_address)
            with lock:
                under_way[0] -= 1
            told.extend((content["msg_id"], event["type"]) for event in content["events"])
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()
            if len(told) == 200:
                done.set()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    callback = {"url": f"http://127.0.0.1:{server.server_port}/hook", "type": 8}
    begin = time.monotonic()
    pushes = [road.push(audience={"registration_id": [name]}, callback=callback) for _ in range(200)]
    assert done.wait(120), len(told)
    seconds = time.monotonic() - begin
    assert sorted(told) == sorted((msg_id, 8) for msg_id in pushes)
    # Each node has up to four at a time. One that is idle for four seconds is closed, and another one takes its place later.
    share = 4 * int(os.environ.get("POSTHORN_NODES", 1))
    assert most[0] <= share, most
    assert len(connections) <= max(len(pushes) / 8, share * (1 + seconds / 4)), connections
    server.shutdown()
    server.server_close()


def test_nothing_of_the_machine_is_called_unless_the_operator_allows_it(tmp_path, receiver):
    road = Road(tmp_path)
    app = link.Client(road.url.replace("http", "ws", 1) + "/link", road.auth[0], TOPIC)
    app.open()
    with courier.Device(road.courier, app.installation, TOPIC) as phone:
        assert app.ask("token", token=phone.token, environment="production")["code"] == 0
        msg_id = road.push(callback={"url": receiver.url, "type": 8})
        state = await_record(road, msg_id, lambda state: state["lost"] == 1)
    assert "not a public address" in state["problem"] and receiver.calls.empty()
    app.close()
    road.stop()


def await_record(road, msg_id, holds, seconds=60):
    deadline = time.monotonic() + seconds
    while not holds(state := road.record(msg_id)):
        assert time.monotonic() < deadline, f"waited in vain for the record of the callback: {state}"
        time.sleep(0.05)
    return state
