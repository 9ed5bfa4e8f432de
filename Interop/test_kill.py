"""`kill -9` of the service right after a 200, with gateway and device in other processes: a push arrives, and is taken back, once."""

import json
import os
import subprocess
import time

import pytest
import requests
from ports import free_port
from postgres import Server, wait_until
from processes import BINARY, Process

PUSHES = 5


@pytest.fixture
def store(request):
    """The options for a store: the folder's own, unless a test asks for PostgreSQL."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield []
        return
    server = Server()
    try:
        yield ["--store", server.url(server.create())]
    finally:
        server.close()


@pytest.fixture
def road(tmp_path, store):
    """Gateway, app, service and device, each a process of its own."""
    running = []

    def start(*arguments):
        running.append(Process(*arguments))
        return running[-1]

    gateway = start(
        "gateway", "--data", tmp_path / "gateway", "--development-port", 0, "--production-port", 0,
        "--courier-port", 0, "--json",
    )
    box = json.loads(gateway.line())
    data = tmp_path / "service"
    created = subprocess.run(
        [
            BINARY, "app", "create", "--data", data, *store, "--name", "PushLab", "--bundle-id", "com.example.pushlab",
            "--p8", box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"], "--json",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    app = json.loads(created.stdout)
    port = free_port()

    def serve():
        service = start(
            "serve", "--data", data, *store, "--port", port, "--apns-host", box["host"],
            "--apns-development-port", box["developmentPort"], "--apns-production-port", box["productionPort"],
            "--apns-ca", box["ca"], "--apns-events", box["events"], "--log-level", "error",
        )
        service.line(lambda line: line.startswith("Posthorn listens"))
        return service

    service = serve()
    device = start(
        "device", "--courier", box["courier"], "--link", f"ws://127.0.0.1:{port}/link", "--app-key", app["app_key"],
        "--json",
    )
    registration_id = device.event("registered")["registrationID"]
    road = {
        "url": f"http://127.0.0.1:{port}",
        "auth": (app["app_key"], app["master_secret"]),
        "service": service,
        "serve": serve,
        "device": device,
        "registrationID": registration_id,
    }
    try:
        yield road
    finally:
        # The first service may have been killed, and then has the status of that.
        statuses = [(process, process.stop()) for process in reversed(running)]
    assert [status for process, status in statuses if process is not service] == [0] * (len(running) - 1)


def push(road, title, badge="+1"):
    content = {"alert": {"title": title, "body": "Hello"}} | ({"badge": badge} if badge else {})
    answer = requests.post(
        f"{road['url']}/v3/push",
        auth=road["auth"],
        timeout=60,
        json={
            "platform": "all",
            "audience": {"registration_id": [road["registrationID"]]},
            "notification": {"ios": content},
        },
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["msg_id"]


def test_a_push_that_was_accepted_survives_kill_and_arrives_once(road):
    device = road["device"]
    push(road, "before")
    # The road is warm: the token is known to everybody, and a push takes a few milliseconds.
    device.line(lambda line: "before" in line)
    messages = [push(road, f"push {number}") for number in range(PUSHES)]
    road["service"].kill()
    road["serve"]()
    journeys = []
    for message in messages:
        found = journey_until(road, message, {"shown", "coalesced"})
        journeys.append(found)
        assert [event["event"] for event in found["events"]].count("delivered") == 1, found
    assert [found["verdict"]["state"] for found in journeys] == ["shown"] * PUSHES
    # One more, through the restarted service and over the links that were broken and mended.
    push(road, "after")
    while device.event("bannerShown")["detail"] != "after · Hello":
        pass
    # The badge of each push is one more than that of the last, also where a step was repeated.
    events = [json.loads(line) for line in device.seen]
    assert [event["detail"] for event in events if event["event"] == "badgeChanged"] == [
        str(number + 1) for number in range(PUSHES + 2)
    ]
    titles = ["before"] + [f"push {number}" for number in range(PUSHES)] + ["after"]
    assert [event["detail"] for event in events if event["event"] == "bannerShown"] == [
        f"{title} · Hello" for title in titles
    ]


@pytest.mark.parametrize("store", ["sqlite", "postgres"], indirect=True)
def test_a_removal_that_was_accepted_survives_kill_and_is_asked_for_once(road):
    # Without a badge, whose 0 would remove all notifications of the app.
    messages = [push(road, f"push {number}", badge=None) for number in range(3)]
    for message in messages:
        journey_until(road, message, {"shown"})

    def withdraw(message):
        answer = requests.delete(f"{road['url']}/v3/push/{message}", auth=road["auth"], timeout=60)
        assert answer.status_code == 200, answer.text

    def told(message):
        answer = requests.get(f"{road['url']}/posthorn/v1/messages/{message}", auth=road["auth"], timeout=60)
        found = answer.json()["taken_back"]
        assert found, f"the removal of {message} was accepted, and is lost"
        return found

    for message in messages:
        withdraw(message)
    road["service"].kill()
    road["serve"]()
    counts = ("removed", "absent", "opened", "waiting", "impossible")
    for message in messages:
        wait_until(f"the notification of {message} is removed", lambda message=message: told(message)["removed"] == 1)
        first = told(message)
        assert [first[count] for count in counts] == [1, 0, 0, 0, 0]
        order = journey_until(road, first["msg_id"], {"handled"})
        words = [event.get("reason", event["event"]) for event in order["events"]]
        # By a silent push, or over the link if it was back before.
        assert words.count("delivered") + words.count("askedOverLink") <= 1 and words.count("takenBack") == 1, order
        withdraw(message)
        assert told(message) == first


def journey_until(road, message, states):
    deadline = time.monotonic() + 60
    while True:
        answer = requests.get(
            f"{road['url']}/posthorn/v1/journeys/{message}/{road['registrationID']}", auth=road["auth"], timeout=60
        )
        found = answer.json()
        if found["verdict"]["state"] in states:
            return found
        assert time.monotonic() < deadline, json.dumps(found, indent=1)
        time.sleep(0.05)


def test_why_prints_the_same_from_the_command_line(road):
    message = push(road, "why")
    journey_until(road, message, {"shown"})
    environment = os.environ | {
        "POSTHORN_URL": road["url"],
        "POSTHORN_APP_KEY": road["auth"][0],
        "POSTHORN_MASTER_SECRET": road["auth"][1],
    }
    told = subprocess.run(
        [BINARY, "why", message, road["registrationID"]],
        env=environment, check=True, capture_output=True, text=True,
    ).stdout
    assert "presented  how=banner" in told
    assert told.strip().endswith("→ shown (banner); not opened yet")
    road["service"].stop()
    refused = subprocess.run(
        [BINARY, "why", message, road["registrationID"]], env=environment, capture_output=True, text=True
    )
    assert refused.returncode != 0 and "does not answer" in refused.stderr
