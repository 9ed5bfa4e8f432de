"""aioapns, unmodified, against a gateway that is told over its control endpoint to misbehave."""

import asyncio
import json
import ssl
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import aioapns
import pytest
import requests
from aioapns.connection import APNsTLSClientProtocol
from postgres import wait_until
from processes import Process

TOPIC = "com.example.app"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    # The slash at the end is on purpose: paths are printed in one spelling.
    process = Process(
        "gateway", "--data", str(tmp_path_factory.mktemp("gateway")) + "/", "--development-port", 0,
        "--production-port", 0, "--courier-port", 0, "--control-port", 0, "--json", "--log-level", "error",
    )
    box = json.loads(process.line())
    assert "//" not in box["ca"] + box["keyFile"]
    yield box
    assert process.stop() == 0


@pytest.fixture
def control(gateway):
    """A function that speaks to the control endpoint; what it has set is lifted in the end."""

    def call(method, path, body=None, status=None):
        answer = requests.request(method, f"{gateway['control']}/{path}", json=body, timeout=60)
        assert answer.status_code == (status or {"POST": 201, "GET": 200}.get(method, 204)), answer.text
        return answer.json() if answer.content else None

    yield call
    call("DELETE", "faults")


@pytest.fixture
def tokens(control):
    return control("POST", "tokens", {"topic": TOPIC, "environment": "development", "count": 2})["tokens"]


def push_all(gateway, tokens, name=None, loses=None):
    """Sends one push to each token over one client, one after the other; status and reason of each.

    `loses`: after this many it waits until its connection is gone, since aioapns raises when it sends on one that has just
    been told GOAWAY.
    """

    class Protocol(APNsTLSClientProtocol):
        APNS_SERVER = gateway["host"]
        APNS_PORT = gateway["developmentPort"]

    async def run():
        with open(gateway["keyFile"]) as file:
            client = aioapns.APNs(
                key=file.read(), key_id=gateway["keyID"], team_id=gateway["teamID"], topic=TOPIC,
                ssl_context=ssl.create_default_context(cafile=gateway["ca"]),
            )
        made = []

        class Watched(Protocol):
            def connection_made(self, transport):
                made.append(self)
                super().connection_made(transport)

        client.pool.protocol_class = Watched
        results = []
        for token in tokens:
            request = aioapns.NotificationRequest(
                device_token=token, message={"aps": {"alert": "Hello"}}, notification_id=name or str(uuid.uuid4()),
            )
            result = await asyncio.wait_for(client.send_notification(request), 60)
            results.append((result.status, result.description or None))
            if len(results) == loses:
                async with asyncio.timeout(60):
                    # GOAWAY may overtake the answer, which waits for the disk: then it has come over another connection.
                    while made[0] in client.pool.connections:
                        await asyncio.sleep(0.01)
        return results

    return asyncio.run(run())


def test_a_429_is_for_one_token(gateway, control, tokens):
    control("POST", "faults", {"kind": "answer", "reason": "TooManyRequests", "token": tokens[0], "next": 1})
    results = push_all(gateway, [tokens[0], tokens[1], tokens[0]])
    assert results == [("429", "TooManyRequests"), ("200", None), ("200", None)]


def test_a_burst_of_5xx_ends(gateway, control, tokens):
    faults = [
        {"kind": "answer", "reason": "ServiceUnavailable", "next": 2},
        {"kind": "answer", "status": 500, "reason": "InternalServerError", "next": 1},
    ]
    script = control("POST", "scripts", {"seed": 1, "faults": faults})
    results = push_all(gateway, [tokens[0]] * 4)
    assert results == [("503", "ServiceUnavailable")] * 2 + [("500", "InternalServerError"), ("200", None)]
    log = [entry["fault"] for entry in control("GET", "log")["entries"] if entry["fault"] in script["faults"]]
    assert log == [script["faults"][0]] * 2 + [script["faults"][1]]


def test_latency_is_waited_for(gateway, control, tokens):
    control("POST", "faults", {"kind": "latency", "seconds": 1, "next": 1})
    begin = time.monotonic()
    assert push_all(gateway, [tokens[0]]) == [("200", None)]
    assert time.monotonic() - begin >= 1


def test_after_goaway_the_next_push_takes_another_connection(gateway, control, tokens):
    fault = control("POST", "faults", {"kind": "goAway", "reason": "Shutdown", "lastStreamID": "this", "next": 1})
    assert push_all(gateway, [tokens[0]] * 3, loses=1) == [("200", None)] * 3
    entries = [entry for entry in control("GET", "log")["entries"] if entry["fault"] == fault["id"]]
    assert [entry["kind"] for entry in entries] == ["goAway"]


def test_a_push_can_be_asked_about(gateway, control, tokens):
    name = str(uuid.uuid4())
    assert push_all(gateway, [tokens[0]], name=name) == [("200", None)]
    for spelling in (name, name.upper()):
        push = control("GET", f"pushes/{spelling}")
        assert (push["state"], [event["event"] for event in push["events"]]) == ("waiting", ["stored"])
    counts = control("GET", "counts")
    accepted = [row["count"] for row in counts["answers"] if (row["environment"], row["status"]) == ("development", 200)]
    assert accepted and accepted[0] >= 1 and counts["waiting"] >= 1


def test_a_push_is_waited_for_and_shown(gateway, control, tokens):
    name = str(uuid.uuid4())
    with ThreadPoolExecutor(1) as pool:
        # Asked before the push is sent. The fixture's calls have sixty seconds.
        asked = pool.submit(control, "GET", f"pushes?apns-id={name}&wait=50")
        assert push_all(gateway, [tokens[0]], name=name) == [("200", None)]
        (push,) = asked.result()["pushes"]
    assert (push["token"], push["status"], push["payload"]) == (tokens[0], 200, {"aps": {"alert": "Hello"}})
    headers = dict(push["headers"])
    assert headers["apns-topic"] == TOPIC and "authorization" not in headers
    control("PUT", f"tokens/{tokens[1]}", {"state": "unregistered"}, status=200)
    assert push_all(gateway, [tokens[1]]) == [("410", "Unregistered")]
    (push,) = control("GET", f"pushes?token={tokens[1]}")["pushes"]
    assert push["reason"] == "Unregistered" and push["remedy"]


def test_what_is_wrong_with_a_fault_is_said(control):
    problem = control("POST", "faults", {"kind": "answer", "status": "429"}, status=400)
    assert problem == {"error": "Key 'status' is '429'; expected an integer from 200 to 599."}


def test_the_sandbox_has_a_control_endpoint_too(sandbox):
    def devices():
        answer = requests.get(sandbox["apns"]["control"] + "/counts", timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()["devices"]

    # Another file's device may have hung up a moment ago.
    wait_until("its two devices alone have a link", lambda: devices() == len(sandbox["devices"]) == 2)
