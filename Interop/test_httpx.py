"""httpx, a general HTTP client, against the gateway: keys and certificates on one port, reasons, many at once."""

import asyncio
import json
import subprocess
import time
import uuid

import httpx
import jwt
import pytest
from gateways import PAYLOAD, start
from processes import BINARY


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    process, gateway = start(
        tmp_path_factory.mktemp("gateway"), "--development-port", 0, "--production-port", 0, tokens=50
    )
    yield gateway
    assert process.stop() == 0


def client(gateway, certificate=None):
    return httpx.Client(http2=True, verify=gateway.context(certificate), timeout=60)


def push(gateway, token=None, *, certificate=None, port=None, body=PAYLOAD, method="POST", **changes):
    """One push; a header that is None is left out, one that is a list is there several times."""
    fields = gateway.fields | {name.replace("_", "-"): value for name, value in changes.items()}
    headers = [
        (name, one) for name, value in fields.items() if value is not None
        for one in (value if isinstance(value, list) else [value])
    ]
    with client(gateway, certificate) as opened:
        answer = opened.request(method, gateway.url(token, port), headers=headers, content=body)
    assert answer.http_version == "HTTP/2"
    return answer


def result(answer):
    return (answer.status_code, answer.json()["reason"] if answer.content else None)


def provider_token(gateway, age=0, key=None, **changes):
    """One by the gateway's key, or by another that it has handed out."""
    own = {"key": gateway.read("key.p8"), "key_id": gateway.read("keyID"), "team_id": gateway.read("teamID")}
    signing = gateway.key(key) if key else own
    claims = {"iss": signing["team_id"], "iat": int(time.time()) - age} | changes
    return "bearer " + jwt.encode(claims, signing["key"], "ES256", {"kid": signing["key_id"]})


# Token and certificate on one port: all four cases, and a certificate goes before a token.
@pytest.mark.parametrize(
    "has_certificate, authorization, expected",
    [
        (False, "good", (200, None)),
        (False, None, (403, "MissingProviderToken")),
        (False, "bearer wrong", (403, "InvalidProviderToken")),
        (True, None, (200, None)),
        (True, "good", (200, None)),
        (True, "bearer wrong", (200, None)),
    ],
)
def test_a_key_or_a_certificate_opens_the_door(gateway, has_certificate, authorization, expected):
    answer = push(
        gateway, certificate=gateway.pem("production") if has_certificate else None,
        authorization=gateway.authorization if authorization == "good" else authorization,
    )
    assert result(answer) == expected
    assert uuid.UUID(answer.headers["apns-id"])


def test_the_topic_of_a_certificate_for_one_app_need_not_be_said(gateway):
    alone = {"certificate": gateway.pem("production"), "authorization": None, "apns_topic": None}
    assert result(push(gateway, **alone)) == (200, None)
    assert result(push(gateway, apns_topic=None)) == (400, "MissingTopic")


def test_an_id_comes_back_as_it_was_and_development_has_a_second_one(gateway):
    name = str(uuid.uuid4()).upper()
    answer = push(gateway, gateway.read("otherEnvironment"), port=gateway.development_port, apns_id=name)
    assert result(answer) == (200, None)
    assert answer.headers["apns-id"] == name
    assert uuid.UUID(answer.headers["apns-unique-id"])
    assert "apns-unique-id" not in push(gateway, apns_id=name).headers


# What one push alone brings about.
REASONS = {
    "BadCollapseId": (400, {"apns_collapse_id": "x" * 65}),
    "BadDeviceToken": (400, {"token": "otherEnvironment"}),
    "BadExpirationDate": (400, {"apns_expiration": "tomorrow"}),
    "BadMessageId": (400, {"apns_id": "1"}),
    "BadPriority": (400, {"apns_push_type": "background", "apns_priority": "10"}),
    "BadTopic": (400, {"apns_push_type": "voip"}),
    "DeviceTokenNotForTopic": (400, {"token": "otherTopic"}),
    "DuplicateHeaders": (400, {"apns_priority": ["10", "5"]}),
    "InvalidPushType": (400, {"apns_push_type": "Alert"}),
    "MissingDeviceToken": (400, {"token": ""}),
    "MissingTopic": (400, {"apns_topic": None}),
    "PayloadEmpty": (400, {"body": ""}),
    "TopicDisallowed": (400, {"certificate": "production", "apns_topic": "com.example.other"}),
    "BadCertificate": (403, {"certificate": "revoked"}),
    "BadCertificateEnvironment": (403, {"certificate": "development"}),
    "BadEnvironmentKeyInToken": (403, {"key": "development"}),
    "ExpiredProviderToken": (403, {"age": 3700}),
    "InvalidProviderToken": (403, {"iss": "OTHERTEAM1"}),
    "MissingProviderToken": (403, {"authorization": None}),
    "BadPath": (404, {"token": "/"}),
    "MethodNotAllowed": (405, {"method": "PUT"}),
    "Unregistered": (410, {"token": "unregistered"}),
    "PayloadTooLarge": (413, {"body": json.dumps({"aps": {"alert": "x" * 4096}})}),
}


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason(gateway, reason):
    status, changes = REASONS[reason]
    changes = dict(changes)
    if changes.get("token", "/") not in ("", "/"):
        changes["token"] = gateway.read(changes["token"])
    if certificate := changes.get("certificate"):
        changes["certificate"] = revoked(gateway) if certificate == "revoked" else gateway.pem(certificate)
    if claims := {name: changes.pop(name) for name in ["age", "iss", "key"] if name in changes}:
        changes["authorization"] = provider_token(gateway, **claims)
    before = time.time()
    answer = push(gateway, **changes)
    assert result(answer) == (status, reason)
    assert answer.headers["apns-id"] == changes.get("apns_id", answer.headers["apns-id"])
    assert answer.headers["content-type"] == "application/json"
    assert set(answer.json()) == ({"reason", "timestamp"} if status == 410 else {"reason"})
    if status == 410:
        # Milliseconds: since when the gateway knows.
        assert (before - 600) * 1000 < answer.json()["timestamp"] <= time.time() * 1000


def test_a_third_provider_token_on_one_connection_is_one_too_many(gateway):
    with client(gateway) as opened:
        tokens = [provider_token(gateway) for _ in range(3)]
        answers = [
            opened.post(gateway.url(), headers=gateway.fields | {"authorization": token}, content=PAYLOAD)
            for token in [*tokens, tokens[0]]
        ]
    assert [result(answer) for answer in answers] == [
        (200, None), (200, None), (429, "TooManyProviderTokenUpdates"), (200, None),
    ]


# The keys of the tokens on one connection, one after the other, and the answers.
@pytest.mark.parametrize(
    "keys, expected",
    [
        ([None, "production"], [(200, None), (200, None)]),
        (["topic", "related", "topic"], [(200, None)] * 3),
        ([None, "topic", None], [(200, None), (403, "UnrelatedKeyIdInToken"), (200, None)]),
        (["related", "production"], [(200, None), (403, "UnrelatedKeyIdInToken")]),
        ([None, "secondTeam"], [(200, None), (403, "InvalidProviderToken")]),
        (["development", "topic"], [(403, "BadEnvironmentKeyInToken"), (200, None)]),
        (["secondTeam"], [(400, "TopicDisallowed")]),
    ],
)
def test_keys_share_a_connection_if_they_are_related(gateway, keys, expected):
    with client(gateway) as opened:
        tokens = {key: provider_token(gateway, key=key) for key in keys}
        answers = [
            opened.post(gateway.url(), headers=gateway.fields | {"authorization": tokens[key]}, content=PAYLOAD) for key in keys
        ]
    assert [result(answer) for answer in answers] == expected


def revoked(gateway):
    """A push certificate that its issuer has taken back."""
    data = gateway.folder.parent / "data"
    file = gateway.folder / "revoked.pem"

    def run(*words):
        subprocess.run([BINARY, "cert", *map(str, words), "--data", data], check=True, capture_output=True, timeout=60)

    if not file.exists():
        appid = [BINARY, "appid", "create", gateway.topic, "--data", data]
        subprocess.run(appid, check=True, capture_output=True, timeout=60)
        run("issue", "--new", "--app-id", gateway.topic, "--environment", "both", "--p12", gateway.folder / "revoked.p12",
            "--password", gateway.read("password"))
        gateway.pem("revoked")
        run("revoke", file)
    return file


def test_fifty_at_once_are_each_answered_on_one_connection(gateway):
    async def run():
        limits = httpx.Limits(max_connections=1)
        async with httpx.AsyncClient(http2=True, verify=gateway.context(), timeout=60, limits=limits) as opened:
            names = [str(uuid.uuid4()) for _ in gateway.tokens]
            answers = await asyncio.gather(*(
                opened.post(gateway.url(token), headers=gateway.fields | {"apns-id": name}, content=PAYLOAD)
                for token, name in zip(gateway.tokens, names, strict=True)
            ))
            return names, answers

    names, answers = asyncio.run(run())
    assert len(answers) == 50
    assert [answer.status_code for answer in answers] == [200] * 50
    assert [answer.headers["apns-id"] for answer in answers] == names
    assert {answer.http_version for answer in answers} == {"HTTP/2"}


def test_a_client_of_http_1_is_turned_away_in_the_handshake(gateway):
    with httpx.Client(http2=False, verify=gateway.context(), timeout=60) as opened:
        with pytest.raises(httpx.HTTPError):
            opened.post(gateway.url(), headers=gateway.fields, content=PAYLOAD)
