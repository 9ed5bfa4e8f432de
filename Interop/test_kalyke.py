"""kalyke-apns against the gateway: its way to another host is a property, and its authorities are those of the system,
which Python lets SSL_CERT_FILE say."""

import asyncio
import os
import subprocess
import uuid

import courier
import jwt
import pytest
from gateways import start
from processes import BINARY

# It wants Python 3.11.
kalyke = pytest.importorskip("kalyke")
exceptions = pytest.importorskip("kalyke.exceptions")


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    process, gateway = start(tmp_path_factory.mktemp("gateway"), tokens=10)
    yield gateway
    assert process.stop() == 0


@pytest.fixture
def client(gateway, monkeypatch):
    """A function that makes a client of a kind."""
    monkeypatch.setenv("SSL_CERT_FILE", str(gateway.ca))

    def make(kind=kalyke.ApnsClient, **changes):
        class Client(kind):
            _base_url = f"https://localhost:{gateway.port}"

        credential = {
            "team_id": gateway.read("teamID"), "auth_key_id": gateway.read("keyID"),
            "auth_key_filepath": gateway.folder / "key.p8",
        }
        return Client(use_sandbox=False, **(changes or credential))

    return make


def send(client, token, payload=None, **changes):
    payload = payload or {"aps": {"alert": "Hello"}}
    config = changes.pop("config", kalyke.ApnsConfig)(**changes)
    return asyncio.run(asyncio.wait_for(client.send_message(token, payload, config), 60))


def test_a_push_is_accepted_under_its_id(gateway, client):
    name = str(uuid.uuid4())
    assert send(client(), gateway.tokens[0], topic=gateway.topic, identifier=name) == name


def test_its_provider_token_says_the_time_as_text(client):
    claims = jwt.decode(client()._make_authorization(), options={"verify_signature": False})
    assert isinstance(claims["iat"], str)


def test_many_pushes_have_a_connection_each(gateway, client):
    async def run():
        made = client()
        pushes = [
            made.send_message(token, {"aps": {"badge": 1}}, kalyke.ApnsConfig(topic=gateway.topic))
            for token in gateway.tokens
        ]
        return await asyncio.wait_for(asyncio.gather(*pushes), 120)

    names = asyncio.run(run())
    assert len({uuid.UUID(name) for name in names}) == 10


@pytest.mark.parametrize(
    "token, changes, reason",
    [
        ("unregistered", {}, "Unregistered"),
        ("otherTopic", {}, "DeviceTokenNotForTopic"),
        ("otherEnvironment", {}, "BadDeviceToken"),
        ("tokens", {"topic": "a b"}, "BadTopic"),
        ("tokens", {"payload": {"aps": {"alert": "x" * 4096}}}, "PayloadTooLarge"),
    ],
)
def test_a_refusal_is_the_exception_of_its_reason(gateway, client, token, changes, reason):
    digits = gateway.read(token).split("\n")[0]
    with pytest.raises(getattr(exceptions, reason)) as refused:
        send(client(), digits, **({"topic": gateway.topic} | changes))
    assert set(refused.value.error) == ({"timestamp"} if reason == "Unregistered" else set())


def test_a_foreign_key_is_refused(gateway, client):
    foreign = client(
        team_id=gateway.read("teamID"), auth_key_id="FOREIGNKEY", auth_key_filepath=gateway.folder / "key.p8"
    )
    with pytest.raises(exceptions.InvalidProviderToken):
        send(foreign, gateway.tokens[0], topic=gateway.topic)


@pytest.fixture
def voip_token(gateway):
    with courier.Device(gateway.facts["courier"], os.urandom(8).hex(), gateway.topic) as device:
        yield device.voip_token()


def test_a_live_activity_has_a_topic_of_its_own(gateway, client):
    words = {"config": kalyke.LiveActivityApnsConfig, "topic": gateway.topic + ".push-type.liveactivity"}
    payload = {"aps": {"timestamp": 1, "event": "update", "content-state": {}}}
    assert uuid.UUID(send(client(kalyke.LiveActivityClient), gateway.tokens[0], payload, **words))


def test_a_call_has_a_topic_and_a_token_of_its_own(gateway, client, voip_token):
    made, words = client(kalyke.VoIPClient), {"config": kalyke.VoIPApnsConfig, "topic": gateway.topic + ".voip"}
    assert uuid.UUID(send(made, voip_token, **words))
    with pytest.raises(exceptions.DeviceTokenNotForTopic):
        send(made, gateway.tokens[0], **words)


def test_a_certificate_is_for_calls_and_for_the_topics_in_it(gateway, client, voip_token, tmp_path):
    data = gateway.folder.parent / "data"

    def run(*words):
        subprocess.run([BINARY, *map(str, words), "--data", data], check=True, capture_output=True, timeout=60)

    run("appid", "create", gateway.topic)
    bundle = ["--p12", gateway.folder / "both.p12", "--password", gateway.read("password")]
    run("cert", "issue", "--new", "--app-id", gateway.topic, "--environment", "both", *bundle)
    with pytest.warns(DeprecationWarning):
        both = client(kalyke.VoIPCertificateClient, auth_key_filepath=gateway.pem("both"))
        alone = client(kalyke.VoIPCertificateClient, auth_key_filepath=gateway.pem("production"))
    words = {"config": kalyke.VoIPApnsConfig, "topic": gateway.topic + ".voip"}
    assert uuid.UUID(send(both, voip_token, **words))
    with pytest.raises(exceptions.TopicDisallowed):
        send(alone, voip_token, **words)
