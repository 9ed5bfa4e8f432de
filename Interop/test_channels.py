"""Broadcast channels at `posthorn gateway`: managed with httpx and curl, sent to with httpx."""

import base64
import json
import re
import subprocess
import uuid

import httpx
import pytest
from gateways import start
from peers import need

GOAL = {"aps": {"timestamp": 1, "event": "update", "content-state": {"home": 1}}}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    process, gateway = start(
        tmp_path_factory.mktemp("gateway"), "--development-port", 0, "--production-port", 0,
        "--management-development-port", 0, "--management-production-port", 0, tokens=1,
    )
    yield gateway
    assert process.stop() == 0


@pytest.fixture
def ask(gateway):
    """A function that sends a request about channels."""
    with httpx.Client(http2=True, verify=gateway.context(), timeout=10) as client:

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
    with httpx.Client(http2=True, verify=gateway.context(), timeout=10) as client:
        return client.post(url, headers=headers, content=json.dumps(GOAL))


def test_a_channel_is_created_read_listed_and_deleted(ask):
    name = str(uuid.uuid4())
    stores, forgets = create(ask, 1), create(ask, 0)
    read = ask("GET", "channels", apns_channel_id=stores, apns_request_id=name)
    assert (read.status_code, read.headers["apns-request-id"]) == (200, name)
    assert read.json() == {"message-storage-policy": 1, "push-type": "LiveActivity"}
    assert ask("GET", "channels", apns_channel_id=forgets).json()["message-storage-policy"] == 0
    assert ask("GET", "all-channels").json() == {"channels": [stores, forgets]}
    for channel, left in [(stores, [forgets]), (forgets, [])]:
        assert ask("DELETE", "channels", apns_channel_id=channel).status_code == 204
        gone = ask("GET", "channels", apns_channel_id=channel)
        assert (gone.status_code, gone.json()) == (400, {"reason": "ChannelNotRegistered"})
        assert ask("GET", "all-channels").json() == {"channels": left}


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
    with httpx.Client(http2=True, verify=gateway.context(), timeout=10) as client:
        assert client.get(url, headers={"authorization": gateway.authorization}).json() == {"reason": "BadPath"}


def test_curl_manages_channels_with_a_certificate(gateway):
    def curl(*arguments):
        port = gateway.facts["managementDevelopmentPort"]
        bundle = f"{gateway.folder / 'development.p12'}:{gateway.read('password')}"
        done = subprocess.run(
            [need("curl"), "--http2", "--silent", "--show-error", "--cacert", gateway.ca, "--cert-type", "P12", "--cert",
             bundle, "--include", *arguments, f"https://localhost:{port}/1/apps/{gateway.topic}/channels"],
            capture_output=True, text=True, check=True, timeout=30,
        )
        return done.stdout

    made = curl("--data", '{"message-storage-policy":1,"push-type":"LiveActivity"}')
    assert made.startswith("HTTP/2 201")
    channel = re.search(r"^apns-channel-id: (\S+)\r?$", made, re.MULTILINE)[1]
    assert '"message-storage-policy":1' in curl("-H", f"apns-channel-id: {channel}")
    assert curl("-X", "DELETE", "-H", f"apns-channel-id: {channel}").startswith("HTTP/2 204")
    assert '{"reason":"ChannelNotRegistered"}' in curl("-H", f"apns-channel-id: {channel}")
