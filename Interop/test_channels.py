"""Broadcast channels at `posthorn gateway`: managed with httpx and curl, sent to with httpx."""

import base64
import json
import os
import re
import subprocess
import time
import uuid

import httpx
import pytest
from courier import Device
from gateways import start
from peers import need
from processes import BINARY, Process

GOAL = {"aps": {"timestamp": 1, "event": "update", "content-state": {"home": 1}}}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    process, gateway = start(
        tmp_path_factory.mktemp("gateway"), "--development-port", 0, "--production-port", 0,
        "--management-development-port", 0, "--management-production-port", 0, "--control-port", 0, tokens=1,
    )
    yield gateway
    assert process.stop() == 0


@pytest.fixture
def ask(gateway):
    """A function that sends a request about channels."""
    with httpx.Client(http2=True, verify=gateway.context(), timeout=60) as client:

        def ask(method, path, environment="Production", body=None, **fields):
            port = gateway.facts[f"management{environment}Port"]
            headers = {"authorization": gateway.authorization}
            headers |= {name.replace("_", "-"): value for name, value in fields.items()}
            url = f"https://localhost:{port}/1/apps/{gateway.topic}/{path}"
            return client.request(method, url, headers=headers, content=json.dumps(body) if body else None)

        yield ask


def create(ask, policy, **words):
    body = {"message-storage-policy": policy, "push-type": "LiveActivity"}
    answer = ask("POST", "channels", body=body, **words)
    assert (answer.status_code, answer.content) == (201, b""), answer.text
    assert base64.b64decode(answer.headers["apns-channel-id"], validate=True)
    return answer.headers["apns-channel-id"]


def broadcast(gateway, channel, port=None, **fields):
    headers = {
        "authorization": gateway.authorization, "apns-channel-id": channel, "apns-push-type": "liveactivity",
        "apns-priority": "10", "apns-expiration": "0",
    } | {name.replace("_", "-"): value for name, value in fields.items()}
    url = f"https://localhost:{port or gateway.port}/4/broadcasts/apps/{gateway.topic}"
    with httpx.Client(http2=True, verify=gateway.context(), timeout=60) as client:
        return client.post(url, headers=headers, content=json.dumps(GOAL))


def test_a_channel_is_created_read_listed_and_deleted(ask):
    name = str(uuid.uuid4())
    # Other tests have channels too.
    others = ask("GET", "all-channels").json()["channels"]
    stores, forgets = create(ask, 1), create(ask, 0)
    read = ask("GET", "channels", apns_channel_id=stores, apns_request_id=name)
    assert (read.status_code, read.headers["apns-request-id"]) == (200, name)
    assert read.json() == {"message-storage-policy": 1, "push-type": "LiveActivity"}
    assert ask("GET", "channels", apns_channel_id=forgets).json()["message-storage-policy"] == 0
    assert ask("GET", "all-channels").json() == {"channels": [*others, stores, forgets]}
    for channel, left in [(stores, [forgets]), (forgets, [])]:
        assert ask("DELETE", "channels", apns_channel_id=channel).status_code == 204
        gone = ask("GET", "channels", apns_channel_id=channel)
        assert (gone.status_code, gone.json()) == (400, {"reason": "ChannelNotRegistered"})
        assert ask("GET", "all-channels").json() == {"channels": [*others, *left]}


def test_environments_share_no_channel(gateway, ask):
    channel = create(ask, 0, environment="Development")
    assert ask("GET", "channels", apns_channel_id=channel).json() == {"reason": "ChannelNotRegistered"}
    assert broadcast(gateway, channel, gateway.development_port).status_code == 200
    assert broadcast(gateway, channel).json() == {"reason": "ChannelNotRegistered"}


def test_a_broadcast_is_accepted_by_the_channels_policy(gateway, ask):
    forgets, stores = create(ask, 0), create(ask, 1)
    name = str(uuid.uuid4())
    answer = broadcast(gateway, forgets, apns_request_id=name)
    assert (answer.status_code, answer.headers["apns-request-id"], answer.content) == (200, name, b"")
    later = {"apns_expiration": "4000000000"}
    assert broadcast(gateway, stores, **later).status_code == 200
    refused = broadcast(gateway, forgets, **later)
    assert (refused.status_code, refused.json()) == (400, {"reason": "BadExpirationDate"})


@pytest.mark.parametrize(
    "method, path, body, fields, expected",
    [
        ("POST", "channels", {"message-storage-policy": 0}, {}, (400, "MissingPushType")),
        ("POST", "channels", {"push-type": "LiveActivity"}, {}, (400, "MissingChannelQueueSize")),
        ("GET", "channels", None, {}, (400, "MissingChannelId")),
        ("GET", "channels", None, {"apns_channel_id": "%"}, (400, "BadChannelId")),
        ("GET", "all-channels", None, {"authorization": ""}, (403, "MissingProviderToken")),
        ("PUT", "channels", None, {}, (405, "MethodNotAllowed")),
        ("GET", "stations", None, {}, (404, "BadPath")),
    ],
)
def test_what_is_wrong_has_its_reason(ask, method, path, body, fields, expected):
    answer = ask(method, path, body=body, **fields)
    assert (answer.status_code, answer.json()["reason"]) == expected


def test_channels_are_managed_on_their_own_ports_alone(gateway, ask):
    url = f"https://localhost:{gateway.port}/1/apps/{gateway.topic}/all-channels"
    with httpx.Client(http2=True, verify=gateway.context(), timeout=60) as client:
        assert client.get(url, headers={"authorization": gateway.authorization}).json() == {"reason": "BadPath"}


def test_curl_manages_channels_with_a_certificate(gateway):
    def curl(*arguments):
        port = gateway.facts["managementDevelopmentPort"]
        bundle = f"{gateway.folder / 'development.p12'}:{gateway.read('password')}"
        done = subprocess.run(
            [need("curl"), "--http2", "--silent", "--show-error", "--cacert", gateway.ca, "--cert-type", "P12", "--cert",
             bundle, "--include", *arguments, f"https://localhost:{port}/1/apps/{gateway.topic}/channels"],
            capture_output=True, text=True, check=True, timeout=60,
        )
        return done.stdout

    made = curl("--data", '{"message-storage-policy":1,"push-type":"LiveActivity"}')
    assert made.startswith("HTTP/2 201")
    channel = re.search(r"^apns-channel-id: (\S+)\r?$", made, re.MULTILINE)[1]
    assert '"message-storage-policy":1' in curl("-H", f"apns-channel-id: {channel}")
    assert curl("-X", "DELETE", "-H", f"apns-channel-id: {channel}").startswith("HTTP/2 204")
    assert '{"reason":"ChannelNotRegistered"}' in curl("-H", f"apns-channel-id: {channel}")


# Devices


@pytest.fixture
def device(gateway):
    """A function that links a device and subscribes it to channels."""
    devices = []

    def device(*channels, name=None, **words):
        devices.append(Device(gateway.facts["courier"], name or str(uuid.uuid4()), gateway.topic, **words))
        for channel in channels:
            devices[-1].subscribe(channel)
        return devices[-1]

    yield device
    for each in devices:
        each.close()


def standing(gateway, message, device):
    return httpx.get(f"{gateway.facts['control']}/pushes/{message}/devices/{device}", timeout=60)


def standing_in(gateway, message, device, state):
    """Waits until the gateway has handled what the device has sent: the control endpoint shows it."""
    deadline = time.monotonic() + 60
    while (found := standing(gateway, message, device).json())["state"] != state:
        assert time.monotonic() < deadline, f"waited for {state}, found {found}"
        time.sleep(0.1)
    return found


def hang_up(gateway, device):
    """Ends the link of a device, and waits until the gateway knows."""
    device.close()
    deadline = time.monotonic() + 60
    while device.name in [linked["id"] for linked in httpx.get(f"{gateway.facts['control']}/devices", timeout=60).json()["devices"]]:
        assert time.monotonic() < deadline, f"waited for the end of the link of {device.name}"
        time.sleep(0.02)


def test_a_channel_push_reaches_each_subscribed_device_and_no_other(gateway, ask, device):
    channel = create(ask, 0)
    near, far, stranger = device(channel), device(channel), device()
    name = str(uuid.uuid4())
    assert broadcast(gateway, channel, apns_request_id=name).status_code == 200
    for each in [near, far]:
        push = each.hear("push")
        assert (push["apns-id"], push["channel"], push["push-type"]) == (name, channel, "liveactivity")
        assert json.loads(push["payload"]) == GOAL
    near.say(type="ack", **{"apns-id": name})
    assert stranger.pushes() == []
    assert standing_in(gateway, name, near.name, "delivered")["channel"] == channel
    assert standing(gateway, name, far.name).json()["state"] == "sent"
    found = standing(gateway, name, stranger.name).json()
    assert found["state"] == "notSubscribed" and found["sentence"].startswith("not sent: the device is not subscribed")
    assert standing(gateway, name, "nobody").status_code == 404
    (recorded,) = httpx.get(f"{gateway.facts['control']}/pushes", params={"apns-id": name}, timeout=60).json()["pushes"]
    assert (recorded["status"], recorded["token"], recorded["payload"]) == (200, None, GOAL)
    facts = httpx.get(f"{gateway.facts['control']}/pushes/{name}", timeout=60).json()["broadcast"]
    assert {key: facts[key] for key in ["subscribers", "sent", "delivered"]} == {"subscribers": 2, "sent": 2, "delivered": 1}


def test_why_explains_a_channel_message_by_the_gateway(gateway, ask, device):
    channel = create(ask, 0)
    near, stranger = device(channel), device()
    name = str(uuid.uuid4())
    assert broadcast(gateway, channel, apns_request_id=name).status_code == 200
    near.push()
    standing_in(gateway, name, near.name, "delivered")

    def why(*words):
        return subprocess.run([BINARY, "why", *words], capture_output=True, text=True, timeout=60)

    asked = ["--apns-id", name, "--control", gateway.facts["control"]]
    whole = why(*asked)
    assert whole.returncode == 0 and f"a message of the channel {channel}: subscribed devices 1" in whole.stdout, whole
    assert why(*asked, "--device", near.name).stdout.strip().endswith("which has acknowledged it")
    assert "not sent: the device is not subscribed" in why(*asked, "--device", stranger.name).stdout
    assert json.loads(why(*asked, "--device", near.name, "--json").stdout)["state"] == "delivered"
    unknown = why("--apns-id", str(uuid.uuid4()), "--control", gateway.facts["control"])
    assert unknown.returncode == 1 and "is remembered" in unknown.stderr
    assert "--control goes with --apns-id" in why("1", "2", "--control", "http://127.0.0.1:1").stderr


def test_the_newest_message_is_there_for_who_links_later_and_comes_once(gateway, ask, device):
    channel = create(ask, 1)
    hang_up(gateway, device(channel, name="later"))
    names = [str(uuid.uuid4()) for _ in range(2)]
    for name in names:
        assert broadcast(gateway, channel, apns_request_id=name, apns_expiration="4000000000").status_code == 200
    assert standing(gateway, names[0], "later").json()["state"] == "coalesced"
    assert standing_in(gateway, names[1], "later", "waiting")
    again = device(name="later", registers=False)
    push = again.hear("push")
    assert push["apns-id"] == names[1] and push["expiration"] < time.time() + 8 * 3600 + 60
    again.say(type="ack", **{"apns-id": names[1]})
    standing_in(gateway, names[1], "later", "delivered")
    hang_up(gateway, again)
    assert device(name="later", registers=False).pushes() == []


def test_subscriptions_and_the_stored_message_survive_kill_9(tmp_path):
    def start_again():
        arguments = ["--development-port", 0, "--production-port", 0, "--courier-port", 0]
        process = Process("gateway", "--data", tmp_path, *arguments, "--management-production-port", 0, "--json")
        return process, json.loads(process.line())

    def channel_command(facts, *words, **options):
        return channel_output(facts, *words, "--bundle-id", "com.example.app", "--json", **options)

    process, facts = start_again()
    made = channel_command(facts, "create")["channel"]
    for name in ["away", "heard"]:
        with Device(facts["courier"], name, "com.example.app") as device:
            device.subscribe(made)
            if name == "heard":
                first = channel_command(facts, "send", made, "--content-state", "{}", "--expiration", 4_000_000_000)
                assert device.pushes([first["apns-request-id"]]) == [first["apns-request-id"]]
                # Answered in order, so the acknowledgement is handled; the answer to the next command is synced after it.
                device.register()
    other = channel_command(facts, "create")["channel"]
    process.kill()
    process, facts = start_again()
    assert channel_command(facts, "list")["channels"] == [made, other]
    arrived = []
    for name in ["heard", "away"]:
        with Device(facts["courier"], name, "com.example.app", registers=False) as device:
            arrived.append(device.pushes([first["apns-request-id"]] if name == "away" else []))
    assert arrived == [[], [first["apns-request-id"]]]
    assert process.stop() == 0


# The command


def channel_output(facts, *words, status=0, environment="production"):
    """What `posthorn channel` printed, from JSON if asked for that."""
    port = facts.get(f"management{environment.capitalize()}Port")
    done = subprocess.run(
        [BINARY, "channel", *map(str, words), "--host", "localhost", "--port", str(facts[f"{environment}Port"]),
         "--management-port", str(port), "--ca", facts["ca"], "--p8", facts["keyFile"], "--key-id", facts["keyID"],
         "--team-id", facts["teamID"]],
        capture_output=True, text=True, timeout=60, env=os.environ,
    )
    assert done.returncode == status, done
    return json.loads(done.stdout) if "--json" in words else done.stdout or done.stderr


def test_the_command_creates_shows_sends_lists_and_deletes(gateway, device):
    app = ["--bundle-id", gateway.topic]
    channel = channel_output(gateway.facts, "create", "--store", "nothing", *app).strip()
    assert channel_output(gateway.facts, "show", channel, *app) == f"{channel}  stores nothing\n"
    shown = channel_output(gateway.facts, "show", channel, *app, "--json")
    assert shown == {"ok": True, "channel": channel, "message-storage-policy": 0}
    phone = device(channel)
    name = str(uuid.uuid4())
    lines = channel_output(
        gateway.facts, "send", channel, *app, "--content-state", '{"home":2}', "--title", "Goal", "--id", name
    ).splitlines()
    assert lines[:2] == ["200 accepted", f"apns-request-id {name}"]
    aps = json.loads(phone.hear("push")["payload"])["aps"]
    assert (aps["event"], aps["content-state"], aps["alert"]["title"]) == ("update", {"home": 2}, "Goal")
    assert channel in channel_output(gateway.facts, "list", *app).splitlines()
    assert channel_output(gateway.facts, "delete", channel, *app) == f"{channel}  deleted\n"
    assert phone.hear("unsubscribe")["channel"] == channel


def test_the_command_explains_what_is_wrong(gateway):
    app = ["--bundle-id", gateway.topic]
    gone = channel_output(gateway.facts, "show", "AAAA", *app, status=1)
    assert gone.startswith("400 ChannelNotRegistered\napns-request-id ") and "What to do: " in gone
    refused = channel_output(gateway.facts, "delete", "AAAA", *app, "--json", status=1)
    assert (refused["ok"], refused["status"], refused["reason"]) == (False, 400, "ChannelNotRegistered")
    bad = channel_output(gateway.facts, "show", "no base64!", *app, status=1)
    assert bad.startswith("Not sent: APNs would answer 400 BadChannelId.")
    nowhere = gateway.facts | {"managementProductionPort": 1}
    assert channel_output(nowhere, "list", *app, "--json", status=2)["ok"] is False
    for words, problem in [
        (["send", "AAAA", *app], "Say what to send: --content-state or --payload"),
        (["send", "AAAA", *app, "--content-state", "[]"], "--content-state is '[]'; expected a JSON object, such as '{\"home\":1}'."),
        (["list", *app, "--timeout", "0"], "--timeout is 0; expected 1 or more."),
    ]:
        assert problem in channel_output(gateway.facts, *words, status=64)


def test_the_sandbox_opens_the_management_port_on_request():
    process = Process("sandbox", "--json", "--devices", "0", "--channels", "--log-level", "critical")
    apns = json.loads(process.line())["apns"]
    facts = apns | {"managementProductionPort": apns["management"], "productionPort": apns["port"]}
    made = channel_output(facts, "create", "--bundle-id", apns["topic"], "--json")["channel"]
    assert channel_output(facts, "list", "--bundle-id", apns["topic"]) == f"{made}\n"
    assert process.stop() == 0
