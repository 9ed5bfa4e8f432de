"""aioapns, unmodified, against the gateway: its way to another host is a protocol class and an SSL context."""

import asyncio
import ssl
import uuid

import aioapns
import courier
import pytest
from aioapns.connection import APNsTLSClientProtocol
from gateways import start


@pytest.fixture
def client(sandbox):
    """A function that makes a client: one has to be made inside a running event loop."""
    apns = sandbox["apns"]

    class Protocol(APNsTLSClientProtocol):
        APNS_SERVER = apns["host"]
        APNS_PORT = apns["port"]

    def make(**changes):
        with open(apns["keyFile"]) as file:
            key = file.read()
        arguments = {"key": key, "key_id": apns["keyID"], "team_id": apns["teamID"], "topic": apns["topic"]}
        context = ssl.create_default_context(cafile=apns["ca"])
        made = aioapns.APNs(**(arguments | changes), ssl_context=context)
        made.pool.protocol_class = Protocol
        return made

    return make


def send(client, token, message=None, **changes):
    async def run():
        apns = client()
        request = aioapns.NotificationRequest(
            device_token=token, message=message or {"aps": {"alert": "Hello"}}, **changes
        )
        return await asyncio.wait_for(apns.send_notification(request), 60)

    return asyncio.run(run())


def test_a_valid_token_is_accepted(client, sandbox):
    result = send(client, sandbox["apns"]["tokens"]["valid"])
    assert (result.status, result.is_successful) == ("200", True)


def test_an_upper_case_id_comes_back_unchanged(client, sandbox):
    name = str(uuid.uuid4()).upper()
    result = send(client, sandbox["apns"]["tokens"]["valid"], notification_id=name)
    assert (result.notification_id, result.status) == (name, "200")


@pytest.mark.parametrize(
    "token, status, reason",
    [
        ("unregistered", "410", "Unregistered"),
        ("otherTopic", "400", "DeviceTokenNotForTopic"),
        ("otherEnvironment", "400", "BadDeviceToken"),
    ],
)
def test_a_token_that_is_wrong_says_how(client, sandbox, token, status, reason):
    result = send(client, sandbox["apns"]["tokens"][token])
    assert (result.status, result.description) == (status, reason)
    assert (result.timestamp is not None) == (status == "410")


def test_a_payload_that_is_too_large_is_413(client, sandbox):
    result = send(client, sandbox["apns"]["tokens"]["valid"], {"aps": {"alert": "x" * 4097}})
    assert (result.status, result.description) == ("413", "PayloadTooLarge")


def test_many_pushes_each_get_an_answer(client, sandbox):
    async def run():
        apns = client()
        requests = [
            aioapns.NotificationRequest(
                device_token=sandbox["apns"]["tokens"]["valid"], message={"aps": {"alert": str(number)}}
            )
            for number in range(500)
        ]
        return await asyncio.wait_for(asyncio.gather(*map(apns.send_notification, requests)), 120)

    assert [result.status for result in asyncio.run(run())] == ["200"] * 500


def test_a_foreign_key_is_refused(client, sandbox):
    async def run():
        apns = client(key_id="FOREIGNKEY")
        request = aioapns.NotificationRequest(
            device_token=sandbox["apns"]["tokens"]["valid"], message={"aps": {"alert": "Hello"}}
        )
        return await asyncio.wait_for(apns.send_notification(request), 60)

    result = asyncio.run(run())
    assert (result.status, result.description) == ("403", "InvalidProviderToken")


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    process, gateway = start(tmp_path_factory.mktemp("gateway"), tokens=1)
    yield gateway
    assert process.stop() == 0


# aioapns takes the topic from the certificate's subject.
@pytest.mark.filterwarnings("ignore:X509.get_subject")
@pytest.mark.parametrize(
    "environment, expected", [("production", ("200", None)), ("development", ("403", "BadCertificateEnvironment"))]
)
def test_a_certificate_is_judged_by_its_environment(gateway, environment, expected):
    class Protocol(APNsTLSClientProtocol):
        APNS_SERVER = "localhost"
        APNS_PORT = gateway.port

    def make():
        made = aioapns.APNs(client_cert=str(gateway.pem(environment)), ssl_context=gateway.context())
        made.pool.protocol_class = Protocol
        return made

    result = send(make, gateway.tokens[0])
    assert (result.status, result.description) == expected


def maker(gateway, key, port=None):
    """A function that makes a client with a key that the gateway has handed out."""

    class Protocol(APNsTLSClientProtocol):
        APNS_SERVER = "localhost"
        APNS_PORT = port or gateway.port

    def make():
        made = aioapns.APNs(**gateway.key(key), topic=gateway.topic, ssl_context=gateway.context())
        made.pool.protocol_class = Protocol
        return made

    return make


@pytest.mark.parametrize(
    "key, expected",
    [
        ("production", ("200", None)), ("development", ("403", "BadEnvironmentKeyInToken")), ("topic", ("200", None)),
        ("related", ("200", None)), ("secondTeam", ("400", "TopicDisallowed")),
    ],
)
def test_a_key_is_judged_by_its_environment_and_topics(gateway, key, expected):
    result = send(maker(gateway, key), gateway.tokens[0])
    assert (result.status, result.description) == expected


def test_a_key_for_development_is_for_that_port(tmp_path):
    process, gateway = start(tmp_path, "--development-port", 0, "--production-port", 0, tokens=1)
    token = gateway.read("otherEnvironment")
    assert send(maker(gateway, "development", gateway.development_port), token).status == "200"
    result = send(maker(gateway, "production", gateway.development_port), token)
    assert (result.status, result.description) == ("403", "BadEnvironmentKeyInToken")
    assert process.stop() == 0


def test_the_reason_is_spelt_as_documented_if_one_asks_for_it(tmp_path):
    process, gateway = start(tmp_path, "--reasons", "documented", tokens=1)
    result = send(maker(gateway, "development"), gateway.tokens[0])
    assert (result.status, result.description) == ("403", "BadEnvironmentKeyIdInToken")
    assert process.stop() == 0


def test_two_full_pools_work_and_a_third_has_too_many_provider_tokens(tmp_path):
    """It signs a provider token for each connection, of which a pool has at most ten."""
    process, gateway = start(tmp_path, tokens=1)
    make = maker(gateway, "production")
    message = {"aps": {"alert": "Hello"}}

    async def run():
        clients = [make() for _ in range(3)]
        results = []
        for client in clients:
            connections = [await client.pool.create_connection() for _ in range(client.pool.max_connections)]
            for connection in connections:
                request = aioapns.NotificationRequest(device_token=gateway.tokens[0], message=message)
                results.append(await asyncio.wait_for(connection.send_notification(request), 60))
                connection.close()
        return results

    results = asyncio.run(run())
    expected = [("200", None)] * 20 + [("429", "TooManyProviderTokenUpdates")] * 10
    assert [(result.status, result.description) for result in results] == expected
    assert process.stop() == 0


def test_an_update_of_a_live_activity_arrives(client, sandbox):
    apns = sandbox["apns"]
    content = {"aps": {"timestamp": 1_700_000_000, "event": "update", "content-state": {"eta": 12}}}

    async def run(token):
        made = client(topic=apns["topic"] + ".push-type.liveactivity")
        request = aioapns.NotificationRequest(
            device_token=token, message=content, push_type=aioapns.PushType.LIVEACTIVITY
        )
        return await asyncio.wait_for(made.send_notification(request), 60)

    with courier.Device(apns["courier"], str(uuid.uuid4()), apns["topic"], apns["environment"]) as device:
        result = asyncio.run(run(device.token))
        assert (result.status, result.description) == ("200", None)
        frame = device.push()
    assert (frame["push-type"], frame["payload"]) == ("liveactivity", content)
