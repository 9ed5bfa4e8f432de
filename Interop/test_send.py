"""`posthorn send`: one push to a gateway with a key, and to somebody else's server with a certificate."""

import json
import os
import subprocess
import time

import confidential
import courier
import pytest
from peers import Server, command, need
from ports import free_port
from processes import BINARY, Process

TOKENS = 3


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """The options with which `posthorn send` reaches a gateway."""
    folder = tmp_path_factory.mktemp("gateway")
    process = Process(
        "gateway", "--port", 0, "--courier-port", 0, "--hand-out", folder / "out", "--tokens", TOKENS,
        "--data", folder / "data", "--json",
    )
    facts = json.loads(process.line())
    known = {name: (folder / "out" / name).read_text().strip() for name in ["keyID", "teamID", "topic", "tokens"]}
    yield {
        "host": "localhost", "port": facts["productionPort"], "ca": folder / "out/ca.pem", "p8": folder / "out/key.p8",
        "key-id": known["keyID"], "team-id": known["teamID"], "topic": known["topic"],
        "token": known["tokens"].split("\n")[0], "alert": "Lunch is ready", "courier": facts["courier"],
    }
    process.stop()


def send(options, *flags, status=0, stdin=None, **changes):
    """What it printed; an option that is None is left out."""
    options = options | {name.replace("_", "-"): value for name, value in changes.items()}
    words = [
        word for name, value in options.items() if value is not None and name != "courier"
        for word in (f"--{name}", str(value))
    ]
    done = subprocess.run(
        [BINARY, "send", *words, *flags], capture_output=True, text=True, input=stdin, timeout=60
    )
    assert done.returncode == status, done
    return done.stdout if done.stdout else done.stderr


def test_later_runs_use_the_token_of_the_first_one(gateway, tmp_path, monkeypatch):
    """APNs limits new provider tokens by key; a file that only its owner may read has the token in use."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for _ in range(3):
        send(gateway)
    (kept,) = (tmp_path / "posthorn/provider-tokens").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600 and kept.parent.stat().st_mode & 0o777 == 0o700
    first = json.loads(kept.read_text())
    confidential.remember(first["token"], "a provider token of posthorn send")
    send(gateway, "--new-token")
    assert json.loads(kept.read_text()) == first
    # One that is too old, or damaged, is replaced; a folder that cannot be used costs a token.
    for content in (json.dumps(first | {"signed_at": first["signed_at"] - 3001}), "{", "x" * 5000):
        kept.write_text(content)
        send(gateway)
        assert json.loads(kept.read_text())["token"] not in (first["token"], content)
    confidential.remember(json.loads(kept.read_text())["token"], "a provider token of posthorn send")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    send(gateway)


def test_a_push_is_accepted(gateway):
    lines = send(gateway).splitlines()
    assert lines[0] == "200 accepted"
    assert lines[1].startswith("apns-id ")
    named = json.loads(send(gateway, "--json", id="123E4567-E89B-12D3-A456-426614174000"))
    assert named == {"sent": True, "status": 200, "apns-id": "123E4567-E89B-12D3-A456-426614174000"}


def test_a_token_is_taken_as_old_apps_print_it(gateway):
    token = gateway["token"]
    printed = "<" + " ".join(token[place:place + 8] for place in range(0, len(token), 8)) + ">"
    assert send(gateway, token=printed).startswith("200 accepted")


def test_a_payload_comes_from_a_file_or_standard_input(gateway, tmp_path):
    file = tmp_path / "push.json"
    file.write_text('{"aps":{"content-available":1}}')
    assert send(gateway, alert=None, payload=file, push_type="background").startswith("200 accepted")
    assert send(gateway, alert=None, payload="-", stdin="{}").startswith("200 accepted")
    assert "Give --payload or flags, not both" in send(gateway, payload=file, status=64)


def test_what_a_device_may_not_understand_is_said_beside_the_answer(gateway, tmp_path):
    file = tmp_path / "push.json"
    file.write_text('{"aps":{"content_available":1,"alert":"a"}}')
    words = [word for name, value in (gateway | {"alert": None, "payload": file}).items()
             if value is not None and name != "courier" for word in (f"--{name}", str(value))]
    done = subprocess.run([BINARY, "send", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("200 accepted"), done
    assert done.stderr == "Caution: 'aps.content_available' means nothing; expected 'content-available'.\n"


def test_a_refusal_says_what_it_means_and_what_to_do(gateway):
    lines = send(gateway, token="ab" * 32, status=1).splitlines()
    assert lines[0] == "400 BadDeviceToken"
    assert lines[-2] and lines[-1].startswith("What to do: ")
    answer = json.loads(send(gateway, "--json", token="ab" * 32, status=1))
    assert (answer["status"], answer["reason"]) == (400, "BadDeviceToken")
    assert answer["meaning"] and answer["remedy"]


@pytest.mark.parametrize(
    "changes, reason",
    [
        ({"priority": 7}, "BadPriority"),
        ({"push-type": "background", "priority": 10}, "BadPriority"),
        ({"push-type": "Alert"}, "InvalidPushType"),
        ({"push-type": "voip"}, "BadTopic"),
        ({"collapse-id": "x" * 65}, "BadCollapseId"),
        ({"id": "1"}, "BadMessageId"),
        ({"alert": "x" * 4096}, "PayloadTooLarge"),
    ],
)
def test_what_apns_would_refuse_is_not_sent_and_refused_by_the_gateway_alike(gateway, changes, reason):
    told = json.loads(send(gateway | changes, "--json", status=1))
    assert (told["sent"], told["reason"]) == (False, reason)
    assert "--unchecked" in send(gateway | changes, status=1)
    asked = json.loads(send(gateway | changes, "--json", "--unchecked", status=1))
    assert (asked["sent"], asked["reason"]) == (True, reason)


@pytest.fixture
def device(gateway):
    """A device behind the gateway, with a token of its own."""
    with courier.Device(gateway["courier"], os.urandom(8).hex(), gateway["topic"]) as device:
        yield device


def test_a_live_activity_is_started_updated_and_ended(gateway, device):
    options = gateway | {"alert": None, "token": device.token}
    start = {"attributes-type": "OrderAttributes", "attributes": '{"number":7}', "title": "Order 7"}
    for event, more, expected in [
        ("start", start, {
            "attributes-type": "OrderAttributes", "attributes": {"number": 7}, "alert": {"title": "Order 7"},
            "input-push-token": 1,
        }),
        ("update", {"stale-date": 2_000_000_000}, {"stale-date": 2_000_000_000}),
        ("end", {"dismissal-date": 0}, {"dismissal-date": 0}),
    ]:
        told = send(options | more | {"live-activity": event, "content-state": '{"eta":12}'})
        assert told.startswith("200 accepted"), told
        frame = device.push()
        assert (frame["push-type"], frame["priority"]) == ("liveactivity", 10)
        assert frame["topic"] == gateway["topic"] + ".push-type.liveactivity"
        aps = frame["payload"]["aps"]
        assert abs(aps.pop("timestamp") - time.time()) < 60
        assert aps == {"event": event, "content-state": {"eta": 12}} | expected


def test_a_payload_of_a_live_activity_is_completed_and_checked(gateway, device, tmp_path):
    options = gateway | {"alert": None, "token": device.token, "payload": tmp_path / "push.json"}

    def push(aps, event="update", status=0):
        options["payload"].write_text(json.dumps({"aps": aps}))
        return send(options | {"live-activity": event}, status=status)

    push({"content-state": {"eta": 1}})
    aps = device.push()["payload"]["aps"]
    assert aps["event"] == "update" and abs(aps["timestamp"] - time.time()) < 60
    push({"timestamp": 7, "event": "end"}, "end")
    assert device.push()["payload"] == {"aps": {"timestamp": 7, "event": "end"}}
    assert "has the event \"start\"" in push({"event": "start", "content-state": {}}, status=64)
    assert "no 'aps.content-state'" in push({}, status=64)
    assert "'aps.attributes-type', 'aps.attributes', 'aps.alert'" in push({"content-state": {}}, "start", status=64)


def test_a_call_is_pushed_once_with_the_payload_as_it_is(gateway, device, tmp_path):
    file = tmp_path / "call.json"
    file.write_text('{"caller": "Ana"}')
    words = [word for name, value in (gateway | {"alert": None, "payload": file, "token": device.voip_token()}).items()
             if value is not None and name != "courier" for word in (f"--{name}", str(value))]
    done = subprocess.run([BINARY, "send", "--voip", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("200 accepted") and done.stderr == "", done
    frame = device.push()
    assert (frame["push-type"], frame["topic"], frame["priority"]) == ("voip", gateway["topic"] + ".voip", 10)
    assert frame["payload"] == {"caller": "Ana"}


@pytest.mark.parametrize(
    "flags, changes, message",
    [
        (["--voip"], {}, "--voip needs --payload"),
        (["--voip"], {"alert": None, "payload": "-", "push-type": "alert"}, "leave --push-type out"),
        (["--voip"], {"alert": None, "payload": "-", "live-activity": "end"}, "not both"),
        ([], {"alert": None, "live-activity": "update"}, "--content-state is missing"),
        ([], {"alert": None, "live-activity": "update", "content-state": "x"}, "expected a JSON object"),
        ([], {"alert": None, "live-activity": "start", "content-state": "{}"}, "needs --attributes-type and --attributes"),
        ([], {"live-activity": "update", "content-state": "{}", "attributes": "{}"}, "go with --live-activity start"),
        ([], {"live-activity": "update", "content-state": "{}", "badge": 1}, "--badge is of no use"),
        ([], {"content-state": "{}"}, "go with --live-activity"),
    ],
)
def test_flags_that_do_not_fit_are_named(gateway, flags, changes, message):
    assert message in send(gateway | changes, *flags, status=64, stdin="{}")


def test_any_header_is_sent_replaced_or_left_out(gateway):
    def reason(*headers):
        words = [word for header in headers for word in ("--header", header)]
        return json.loads(send(gateway, "--json", *words, status=1))["reason"]

    assert reason("apns-expiration: soon") == "BadExpirationDate"
    assert reason("apns-topic:") == "MissingTopic"
    assert reason("authorization:") == "MissingProviderToken"
    assert reason("Authorization: bearer x") == "InvalidProviderToken"
    assert "expected 'name: value'" in send(gateway, "--header", "apns-topic", status=64)


def test_no_answer_ends_with_2_and_says_why(gateway):
    assert "What to do: the server's certificate is not trusted" in send(gateway, ca=None, status=2)
    assert "No connection to localhost:" in send(gateway, port=free_port(), status=2)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"host": None}, "--environment development or production"),
        ({"team-id": None}, "--team-id is missing"),
        ({"p8": None, "key-id": None, "team-id": None}, "--p8 with --team-id, or --p12, or --pem"),
        ({"token": "xyz"}, "expected an even number of hexadecimal digits"),
        ({"alert": None}, "Say what to push"),
        ({"ca": "/nowhere"}, "--ca '/nowhere' cannot be read"),
        ({"p8": "/nowhere"}, "--p8 '/nowhere' cannot be read"),
    ],
)
def test_what_is_missing_is_named(gateway, changes, message):
    assert message in send(gateway | changes, status=64)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """An authority, a server's certificate, and a client's as Apple makes them, in bundles of both kinds."""
    folder = tmp_path_factory.mktemp("certificates")

    def openssl(*arguments):
        subprocess.run([need("openssl"), *map(str, arguments)], cwd=folder, check=True, capture_output=True)

    (folder / "apns.cnf").write_text(
        "[req]\nprompt=no\ndistinguished_name=dn\n"
        "[dn]\nUID=com.example.app\nCN=Apple Push Services: com.example.app\nOU=TEAM123456\n"
        "[client]\nextendedKeyUsage=critical,clientAuth\n1.2.840.113635.100.6.3.2=ASN1:NULL\n"
        "[server]\nsubjectAltName=DNS:localhost\n"
    )
    new = ["-newkey", "rsa:2048", "-nodes"]
    openssl("req", "-x509", *new, "-keyout", "ca.key", "-out", "ca.pem", "-days", 2, "-subj", "/CN=TestCA",
            "-addext", "keyUsage=critical,keyCertSign")
    for name, subject in [("client", ["-config", "apns.cnf"]), ("server", ["-subj", "/CN=localhost"])]:
        openssl("req", "-new", *new, "-keyout", f"{name}.key", "-out", f"{name}.csr", *subject)
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-days", 2, "-extfile", "apns.cnf", "-extensions", name, "-out", f"{name}.pem")
    pair = ["-in", "client.pem", "-inkey", "client.key"]
    openssl("pkcs12", "-export", "-legacy", *pair, "-passout", "pass:secret", "-out", "legacy.p12")
    openssl("pkcs12", "-export", *pair, "-passout", "pass:secret", "-out", "modern.p12")
    openssl("pkcs12", "-export", *pair, "-passout", "pass:", "-out", "open.p12")
    return folder


@pytest.fixture(scope="module")
def demanding(certificates):
    """The port of a server that lets nobody in without a certificate."""
    port = free_port()
    options = {
        "status": 200, "reason": "", "port": port, "cert": str(certificates / "server.pem"),
        "key": str(certificates / "server.key"), "clients": str(certificates / "ca.pem"),
    }
    with Server([*command("python", "server", None), json.dumps(options)], port):
        yield port


@pytest.mark.parametrize(
    "credential",
    [
        {"p12": "legacy.p12", "password": "secret"},
        {"p12": "modern.p12", "password": "secret"},
        {"p12": "open.p12"},
        {"pem": "client.pem", "pem-key": "client.key"},
    ],
)
def test_a_certificate_of_either_kind_opens_the_door(certificates, demanding, credential):
    files = {
        name: certificates / value if name != "password" else value for name, value in credential.items()
    }
    # The certificate is for one topic, so none is named.
    options = {"host": "localhost", "port": demanding, "ca": certificates / "ca.pem", "token": "ab" * 32, "badge": 0}
    assert send(options | files).startswith("200 accepted")


def test_without_its_certificate_the_door_stays_shut(certificates, demanding, gateway):
    send(gateway, port=demanding, ca=certificates / "ca.pem", status=2)


def test_a_pass_phrase_stays_out_of_the_process_list(certificates, demanding):
    options = {
        "host": "localhost", "port": demanding, "ca": certificates / "ca.pem", "token": "ab" * 32, "badge": 0,
        "p12": certificates / "legacy.p12",
    }
    assert "expected the one it was exported with" in send(options, status=64)
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    done = subprocess.run(
        [BINARY, "send", *words], capture_output=True, text=True, timeout=60,
        env=os.environ | {"POSTHORN_PASSWORD": "secret"},
    )
    assert done.returncode == 0, done
