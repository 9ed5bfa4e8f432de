"""`posthorn appid`, `cert` and `profile`: the road from an App ID to a push certificate, with openssl at the other end."""

import json
import plistlib
import ssl
import stat
import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from peers import need
from processes import BINARY, Process

APP = "com.example.app"


def run(*words, status=0, env=None):
    """What it printed: on standard output if all is well, on standard error if not."""
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == status, done
    return done.stdout if status == 0 else done.stderr


def openssl(*words):
    need("openssl")
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    return done.stdout


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The data folder of a gateway that knows one App ID."""
    folder = tmp_path_factory.mktemp("developer") / "data"
    shown = run("appid", "create", APP, "--data", folder, "--json")
    assert json.loads(shown) == {"bundle_id": APP, "push": True}
    return folder


@pytest.fixture(scope="module")
def request_files(tmp_path_factory):
    """A key and its certificate signing request, by openssl."""
    folder = tmp_path_factory.mktemp("request")
    key, csr = folder / "push.key", folder / "push.csr"
    openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", csr, "-subj", "/CN=Somebody")
    return key, csr


def issue(data, *words, **others):
    return run("cert", "issue", "--data", data, "--app-id", APP, *words, **others)


def test_app_ids_are_explicit_and_known_by_name(tmp_path):
    data = tmp_path / "data"
    run("appid", "create", APP, "--data", data)
    assert "push needs an explicit one" in run("appid", "create", "com.example.*", "--data", data, status=64)
    assert "already" in run("appid", "create", APP, "--data", data, status=64)
    assert "There is no App ID 'com.example.other'" in run("appid", "show", "com.example.other", "--data", data, status=64)
    run("appid", "create", "com.example.mute", "--push", "off", "--data", data)
    assert json.loads(run("appid", "list", "--json", "--data", data)) == [
        {"bundle_id": APP, "push": True}, {"bundle_id": "com.example.mute", "push": False},
    ]
    refusal = run(
        "cert", "issue", "--new", "--app-id", "com.example.mute", "--environment", "both", "--p12", data / "x.p12",
        "--password", "a", "--data", data, status=64,
    )
    assert "Push is off for the App ID 'com.example.mute'" in refusal
    run("appid", "set", "com.example.mute", "--push", "on", "--data", data)
    assert "push on" in run("appid", "list", "--data", data).splitlines()[1]


def test_from_a_request_to_a_bundle_that_openssl_opens(data, request_files, tmp_path):
    key, csr = request_files
    pem, p12 = tmp_path / "push.pem", tmp_path / "push.p12"
    printed = issue(data, "--csr", csr, "--environment", "both", "--out", pem)
    assert f"Apple Push Services: {APP}" in printed
    assert "ok" in openssl("verify", "-purpose", "sslclient", "-CAfile", data / "ca.pem", pem).lower()
    text = openssl("x509", "-in", pem, "-noout", "-text")
    for oid in ["1.2.840.113635.100.6.3.1", "1.2.840.113635.100.6.3.2", "1.2.840.113635.100.6.3.6"]:
        assert oid in text
    assert "TLS Web Client Authentication" in text

    run("cert", "export", pem, "--key", key, "--p12", p12, "--password", "secret")
    assert stat.S_IMODE(p12.stat().st_mode) == 0o600
    opened = openssl("pkcs12", "-in", p12, "-passin", "pass:secret", "-nodes", "-info")
    assert f"friendlyName: Apple Push Services: {APP}" in opened
    assert openssl("pkey", "-in", key) in opened + "\n"
    # The whole identity, as a TLS client takes it.
    (tmp_path / "opened.pem").write_text(opened)
    ssl.create_default_context().load_cert_chain(tmp_path / "opened.pem")


@pytest.mark.parametrize("password", ["secret", ""])
@pytest.mark.parametrize("environment,name,extensions", [
    ("development", f"Apple Development IOS Push Services: {APP}", {1}),
    ("production", f"Apple Production IOS Push Services: {APP}", {2}),
    ("both", f"Apple Push Services: {APP}", {1, 2, 6}),
])
def test_a_new_identity_is_read_by_python(data, tmp_path, environment, name, extensions, password):
    file = tmp_path / "push.p12"
    issue(data, "--new", "--environment", environment, "--p12", file, "--password", password)
    key, certificate, others = pkcs12.load_key_and_certificates(file.read_bytes(), password.encode() or None)
    assert key.key_size == 2048
    assert key.public_key() == certificate.public_key()
    assert others == []

    def value(kind):
        return certificate.subject.get_attributes_for_oid(kind)[0].value

    assert value(NameOID.COMMON_NAME) == name
    assert value(NameOID.USER_ID) == APP
    assert value(NameOID.ORGANIZATIONAL_UNIT_NAME) == "POSTHORN01"
    prefix = "1.2.840.113635.100.6.3."
    found = {e.oid.dotted_string: e.value for e in certificate.extensions}
    assert {int(oid[len(prefix):]) for oid in found if oid.startswith(prefix)} == extensions
    assert found[prefix + str(min(extensions))].value == b"\x05\x00"
    usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.CLIENT_AUTH]
    shown = run("cert", "show", file, "--password", password, "--data", data)
    assert name in shown and "valid, not revoked" in shown


def test_a_revoked_certificate_is_shown_as_such(data, request_files, tmp_path):
    pem = tmp_path / "push.pem"
    pem.write_text(issue(data, "--csr", request_files[1], "--environment", "development"))
    before = json.loads(run("cert", "show", pem, "--data", data, "--json"))
    assert before["topics"] == [APP] and before["environments"] == ["development"]
    assert before["issued_here"] and not before["revoked"]
    assert before["serial"] in run("cert", "revoke", pem, "--data", data)
    after = json.loads(run("cert", "show", pem, "--data", data, "--json"))
    assert after["revoked"] and after["revoked_at"]


def test_errors_say_what_was_found_and_what_to_do(data, request_files, tmp_path):
    key, csr = request_files
    found = issue(data, "--csr", key, "--environment", "both", status=64)
    assert "it holds a private key" in found and "CERTIFICATE REQUEST" in found
    assert "which is not in the request" in issue(
        data, "--csr", csr, "--environment", "both", "--p12", "x.p12", status=64
    )
    assert "give --p12" in issue(data, "--new", "--environment", "both", status=64)
    assert "expected the data folder of a gateway" in issue(
        tmp_path / "nowhere", "--csr", csr, "--environment", "both", status=64
    )
    assert not (tmp_path / "nowhere").exists()
    pem = tmp_path / "push.pem"
    assert "cannot be written" in issue(
        data, "--csr", csr, "--environment", "both", "--out", tmp_path / "no/push.pem", status=64
    )
    issue(data, "--csr", csr, "--environment", "both", "--out", pem)
    other = tmp_path / "other.key"
    other.write_text(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"))
    assert "does not belong to the certificate" in run(
        "cert", "export", pem, "--key", other, "--p12", tmp_path / "x.p12", "--password", "a", status=64
    )


def test_a_profile_says_where_its_app_gets_tokens(data, tmp_path):
    file = tmp_path / "app.mobileprovision"
    run(
        "profile", "create", "--app-id", APP, "--environment", "production", "--device", "UDID-2", "--device", "UDID-1",
        "--out", file, "--data", data,
    )
    profile = plistlib.loads(file.read_bytes())
    assert profile["Entitlements"]["application-identifier"] == f"POSTHORN01.{APP}"
    assert profile["Entitlements"]["aps-environment"] == "production"
    assert profile["ProvisionedDevices"] == ["UDID-1", "UDID-2"]
    shown = json.loads(run("profile", "show", file, "--json"))
    assert shown["aps_environment"] == "production" and shown["devices"] == ["UDID-1", "UDID-2"]
    # As Apple hands them out: signed, in DER.
    need("openssl")
    openssl(
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Signer", "-keyout", tmp_path / "k.pem",
        "-out", tmp_path / "c.pem",
    )
    openssl(
        "cms", "-sign", "-nodetach", "-binary", "-outform", "DER", "-in", file, "-signer", tmp_path / "c.pem",
        "-inkey", tmp_path / "k.pem", "-out", tmp_path / "signed",
    )
    assert json.loads(run("profile", "show", tmp_path / "signed", "--json")) == shown


def test_a_profile_without_push_has_no_environment(data, tmp_path):
    run("appid", "create", "com.example.quiet", "--push", "off", "--data", data)
    words = ["profile", "create", "--app-id", "com.example.quiet", "--environment", "development", "--data", data]
    assert "aps-environment" not in plistlib.loads(run(*words).encode())["Entitlements"]


def test_a_gateway_hands_out_a_bundle_for_each_environment(tmp_path):
    gateway = Process(
        "gateway", "--port", 0, "--courier-port", 0, "--hand-out", tmp_path / "out", "--tokens", 1,
        "--data", tmp_path / "data",
    )
    gateway.line()
    password = (tmp_path / "out/password").read_text().strip()
    for environment, mark in [("development", "1"), ("production", "2")]:
        file = tmp_path / f"out/{environment}.p12"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        key, certificate, _ = pkcs12.load_key_and_certificates(file.read_bytes(), password.encode())
        assert key.public_key() == certificate.public_key()
        marks = {e.oid.dotted_string for e in certificate.extensions if "113635.100.6.3." in e.oid.dotted_string}
        assert marks == {"1.2.840.113635.100.6.3." + mark}
        shown = json.loads(run("cert", "show", file, "--password", password, "--data", tmp_path / "data", "--json"))
        # Beside the running gateway.
        assert shown["environments"] == [environment] and shown["issued_here"]
    assert gateway.stop() == 0


def test_a_device_installs_an_app_by_its_profile(data, tmp_path):
    file = tmp_path / "app.mobileprovision"
    words = ["--app-id", APP, "--environment", "development", "--device", "UDID-1", "--data", data, "--out", file]
    run("profile", "create", *words)
    device = ["device", "--courier", "ws://127.0.0.1:1/courier", "--app-key", "0" * 24, "--profile", file]
    assert "does not list the device 'UDID-2'" in run(*device, "--bundle-id", APP, "--udid", "UDID-2", status=64)
    other = run(*device, "--bundle-id", "com.example.other", "--udid", "UDID-1", status=64)
    assert "The app's bundle id is 'com.example.other', but the provisioning profile is for 'com.example.app'" in other
    both = run(*device, "--bundle-id", APP, "--udid", "UDID-1", "--environment", "production", status=64)
    assert "--environment and --profile both say how the app was built" in both
    box = Process("sandbox", "--json", "--devices", 0, "--data", tmp_path / "sandbox")
    phone = None
    try:
        stack = json.loads(box.line())
        run("appid", "create", stack["apns"]["topic"], "--data", data)
        run("profile", "create", *words[:1], stack["apns"]["topic"], *words[2:])
        phone = Process(
            "device", "run", "--name", "profiled", "--courier", stack["apns"]["courier"], "--link", stack["link"]["url"],
            "--app-key", stack["api"]["appKey"], "--profile", file, "--udid", "UDID-1", "--json",
        )
        assert phone.event("tokenReceived")["detail"].endswith("development")
    finally:
        assert [phone.stop() if phone else 0, box.stop()] == [0, 0]
