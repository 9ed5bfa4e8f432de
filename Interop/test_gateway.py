"""What `posthorn gateway` says of itself, and the authorities of others that it believes."""

import datetime
import json
import re
import subprocess
import time

import confidential
import httpx
import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from gateways import PAYLOAD, start
from ports import free_port
from processes import BINARY, Process


def make_certificate(name, issuer=None):
    """A certificate and its key: of an authority, or of a client that an authority has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Somebody"), x509.NameAttribute(NameOID.USER_ID, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer[0].subject if issuer else subject)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if issuer:
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=True)
    return builder.sign(issuer[1] if issuer else key, hashes.SHA256()), key


def pem(certificate=None, key=None):
    text = b""
    if key:
        text += key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    if certificate:
        text += certificate.public_bytes(serialization.Encoding.PEM)
    return text


def test_authorities_of_others_are_believed_when_they_are_named(tmp_path):
    ours, stranger = make_certificate("ours"), make_certificate("stranger")
    authorities = tmp_path / "authorities.pem"
    # Several in one file.
    authorities.write_bytes(pem(make_certificate("another")[0]) + pem(ours[0]))
    process, gateway = start(tmp_path, "--provider-authorities", authorities, tokens=1)
    assert gateway.facts["providerAuthorities"] == str(authorities)

    def reason(issuer):
        file = tmp_path / "client.pem"
        file.write_bytes(pem(*make_certificate(gateway.topic, issuer)))
        with httpx.Client(http2=True, verify=gateway.context(file), timeout=60) as client:
            answer = client.post(gateway.url(), headers={"apns-push-type": "alert"}, content=PAYLOAD)
        return answer.json()["reason"] if answer.content else answer.status_code

    assert reason(ours) == 200
    assert reason(stranger) == "BadCertificate"
    # Its own is still one of them.
    with httpx.Client(http2=True, verify=gateway.context(gateway.pem("production")), timeout=60) as client:
        assert client.post(gateway.url(), content=PAYLOAD).status_code == 200
    assert process.stop() == 0


def test_ports_and_files_are_told_in_words_too(tmp_path):
    authorities = tmp_path / "authorities.pem"
    authorities.write_bytes(pem(make_certificate("ours")[0]))
    process = Process(
        "gateway", "--port", 0, "--data", tmp_path / "data", "--management-development-port", 0,
        "--management-production-port", 0, "--provider-authorities", authorities,
    )
    told = process.line(lambda line: line.startswith("Channels"))
    assert re.fullmatch(r"Channels    127.0.0.1:\d+ \(development\)   127.0.0.1:\d+ \(production\)", told)
    assert process.line(lambda line: line.startswith("Trusts")) == f"Trusts      {authorities}"
    assert process.stop() == 0


def test_without_the_options_there_is_neither(tmp_path):
    process, gateway = start(tmp_path, tokens=1)
    wanted = ["managementDevelopmentPort", "managementProductionPort", "providerAuthorities"]
    assert [gateway.facts[name] for name in wanted] == [None] * 3
    assert process.stop() == 0


@pytest.mark.parametrize("mail, after", [("disk", [200, 403]), ("memory", [403, 403])])
def test_keys_that_were_made_are_kept_where_the_mail_is(tmp_path, mail, after):
    """One that is still valid, and one that was revoked."""
    arguments = ["--mail", mail, "--control-port", 0]
    process, gateway = start(tmp_path, *arguments, tokens=1)
    control = gateway.facts["control"]
    order = {"team": gateway.facts["teamID"], "environments": ["production"], "topics": [gateway.topic]}
    kept = httpx.post(f"{control}/keys", json=order, timeout=60).json()
    revoked = httpx.post(f"{control}/keys", json=order | {"relatedTo": kept["id"]}, timeout=60).json()
    assert httpx.delete(f"{control}/keys/{revoked['id']}", timeout=60).status_code == 204
    for key in (kept, revoked):
        confidential.remember(key["p8"].split("\n")[2], "a key that was made")

    def statuses():
        found = []
        for key in (kept, revoked):
            with httpx.Client(http2=True, verify=gateway.context(), timeout=60) as client:
                claims = {"iss": key["team"], "iat": int(time.time())}
                bearer = "bearer " + jwt.encode(claims, key["p8"], "ES256", {"kid": key["id"]})
                answer = client.post(gateway.url(), headers=gateway.fields | {"authorization": bearer}, content=PAYLOAD)
                found.append(answer.status_code)
        return found

    assert statuses() == [200, 403]
    assert process.stop() == 0
    process, gateway = start(tmp_path, *arguments, tokens=1)
    assert statuses() == after
    listed = [key["id"] for key in httpx.get(f"{gateway.facts['control']}/keys", timeout=60).json()["keys"]]
    assert (kept["id"] in listed) == (revoked["id"] in listed) == (mail == "disk")
    assert process.stop() == 0


def test_handed_out_keys_are_told_in_words_and_stay_the_same(tmp_path):
    told = []
    for _ in range(2):
        process = Process("gateway", "--port", 0, "--courier-port", 0, "--data", tmp_path / "data", "--hand-out", tmp_path / "out", "--tokens", 1)
        told.append([process.line(lambda line: line.endswith(f"   {name}")) for name in ["topic", "secondTeam"]])
        keys = (tmp_path / "out/relatedKey.p8").read_text()
        assert keys.strip() == (tmp_path / "data/AuthKey_LOCALREL01.p8").read_text().strip()
        assert process.stop() == 0
    words = ["            id LOCALTOP01   team POSTHORN01   topic", "            id SECONDKEY1   team POSTHORN02   secondTeam"]
    assert told == [words, words]


@pytest.mark.parametrize(
    "words, message",
    [
        (["--provider-tokens", 0], "--provider-tokens is 0; expected 1 to 1000"),
        (["--reasons", "apple"], "The value 'apple' is invalid for '--reasons <reasons>'"),
        (["--management-development-port", 65_536], "--management-development-port is 65536; expected 0 to 65535"),
        (["--management-production-port=-1"], "--management-production-port is -1; expected 0 to 65535"),
        (["--provider-authorities", "/nowhere"], "--provider-authorities '/nowhere' cannot be read"),
    ],
)
def test_a_wrong_option_is_named(tmp_path, words, message):
    assert message in refused(tmp_path, *words)


@pytest.mark.parametrize(
    "content, found",
    [
        (b"", "it is empty"),
        (b"certificates", "it is not PEM"),
        (pem(key=ec.generate_private_key(ec.SECP256R1())), "it holds a private key"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "certificate 1 in it cannot be read"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n", "it is broken PEM"),
    ],
)
def test_a_file_without_authorities_is_named_with_what_it_holds(tmp_path, content, found):
    file = tmp_path / "authorities.pem"
    file.write_bytes(content)
    message = refused(tmp_path, "--provider-authorities", file)
    assert f"--provider-authorities '{file}' cannot be used: {found}; expected PEM" in message


def test_with_one_port_for_providers_devices_get_the_port_that_was_given_or_a_free_one(tmp_path):
    port = free_port()
    for flags, courier in [(["--courier-port", port, "--provider-connections", 7], port), ([], None)]:
        gateway = Process(*map(str, ["gateway", "--data", tmp_path, "--port", 0, "--json", *flags]))
        found = int(json.loads(gateway.line())["courier"].removesuffix("/courier").rsplit(":", 1)[1])
        assert found == courier if courier else found not in [0, 5223]
        assert gateway.stop() == 0
    assert "--provider-connections is 0; expected 1 to 1000000." in refused(tmp_path, "--provider-connections", 0)


def refused(folder, *words):
    done = subprocess.run(
        [BINARY, "gateway", "--port", "0", "--data", folder / "data", *map(str, words)],
        capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == 64, done
    return done.stderr
