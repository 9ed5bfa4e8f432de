"""`posthorn calibrate`: the list, a gateway of ours, an interruption, and a server that is no APNs."""

import json
import re
import signal
import subprocess

import pytest
from peers import Server, need
from ports import free_port
from processes import BINARY, Process

TOPIC = "com.example.calibrated"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """A gateway, as one of its own would be compared with it."""
    folder = tmp_path_factory.mktemp("gateway")
    process = Process(
        "gateway", "--strict", "--bundle-id", TOPIC, "--data", folder, "--development-port", 0, "--production-port", 0,
        "--courier-port", 0, "--json",
    )
    yield json.loads(process.line()) | {"process": process}
    process.stop()


def words(facts, report, *more, port=None, ca=None):
    return [
        BINARY, "calibrate", "apns", "--host", "localhost", "--port", str(port or facts["developmentPort"]), "--ca", str(ca or facts["ca"]),
        "--p8", facts["keyFile"], "--key-id", facts["keyID"], "--team-id", facts["teamID"], "--topic", TOPIC, "--report", str(report), *more,
    ]


def test_the_list_needs_no_credential_and_has_every_row():
    done = subprocess.run([BINARY, "calibrate", "apns", "--list"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    lines = done.stdout.splitlines()
    rows = [line for line in lines if line.startswith("    ")]
    assert lines[-1] == f"{len(rows)} rows" and len(rows) >= 120
    without = subprocess.run([BINARY, "calibrate", "apns", "--topic", TOPIC], capture_output=True, text=True, timeout=60)
    assert without.returncode == 64 and "The credential is missing" in without.stderr


def test_a_stopped_run_continues_and_finds_no_difference(gateway, tmp_path):
    report = tmp_path / "report.json"
    process = subprocess.Popen(words(gateway, report, "--rate", "5"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = [process.stdout.readline() for _ in range(5)]
    assert said[0].endswith("Ctrl-C stops; the same command continues.\n") and "no push reaches anybody" in said[1]
    assert all(line.startswith("✔ ") for line in said[2:])
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 2 and "Stopped. The same command continues" in complaint
    first = json.loads(report.read_text())["rows"]
    assert 3 <= len(first) < 120

    device = "00112233445566778899aabbccddeeff" * 2
    done = subprocess.run(words(gateway, report, "--rate", "1000"), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    kept = json.loads(report.read_text())
    assert kept["rows"][: len(first)] == first and len(kept["rows"]) == kept["planned"] >= 120
    assert {row["verdict"] for row in kept["rows"]} == {"agrees"}
    assert kept["subject"] == "another host, development, with a key"
    for text in [report.read_text(), report.with_suffix(".md").read_text(), done.stdout]:
        for secret in [TOPIC, gateway["teamID"], gateway["keyID"], str(gateway["developmentPort"]), "localhost", "127.0.0.1", device]:
            assert secret.lower() not in text.replace(str(report), "").lower(), secret

    other = subprocess.run(words(gateway, report, "--host-environment", "production"), capture_output=True, text=True, timeout=60)
    assert other.returncode == 64 and "is of another comparison" in other.stderr


def test_an_iphone_is_compared_with_the_matrix(tmp_path):
    secret = "9f86d081884c7d659a2feaa0c55ad015"

    def entry(event, detail, state=None):
        return {"number": 1, "date": "2026-11-27T09:00:00Z", "event": event, "detail": detail, "app": secret} | ({"state": state} if state else {})

    centre = "userNotificationCenter(_:{}:withCompletionHandler:)"
    start = {
        "version": 1, "name": secret, "system": "26.1", "date": "2026-11-27T09:00:00Z", "timeZone": "GMT", "language": "en", "isLocked": False,
        "isConnected": True, "isLowPower": False, "list": [], "calls": [], "groups": [], "upcoming": [], "summaryTimes": [], "badges": {},
        "apps": [],
    }
    recording = {"format": "posthorn-run", "version": 1, "phone": secret, "system": "26.1", "start": start, "entries": [
        entry("row", "R10-B-2 background"), entry("callback", "applicationDidEnterBackground(_:)", "background"),
        entry("callback", "applicationWillEnterForeground(_:)", "background"),
        entry("callback", centre.format("didReceive"), "inactive"), entry("response", "default"),
        entry("callback", "applicationDidBecomeActive(_:)", "active"), entry("rowEnded", "R10-B-2 background"),
        entry("row", "R10-F-1 foreground"), entry("callback", centre.format("willPresent"), "inactive"),
        entry("callback", secret, secret), entry("rowEnded", "R10-F-1 foreground"),
    ]}
    file, report = tmp_path / "posthorn-run.json", tmp_path / "report.json"

    def compared():
        file.write_text(json.dumps(recording))
        return subprocess.run(
            [BINARY, "calibrate", "phone", file, "--report", report], capture_output=True, text=True, timeout=60)

    done = compared()
    assert done.returncode == 1, done
    lines = {line[0] + line[1:].partition("  ")[0]: line for line in done.stdout.splitlines()}
    assert "✔ R10-B-2 background" in lines and "another method@another state" in lines["✘ R10-F-1 foreground"]
    assert lines["? R10-X-1 background"].endswith("not tried: needs an app without permission")
    assert re.search(r": 1 agree, 1 differ, \d+ not decided\.$", done.stdout.splitlines()[-1])
    for text in [done.stdout, done.stderr, report.read_text(), report.with_suffix(".md").read_text()]:
        assert secret not in text
    # As a phone of `posthorn sandbox` exports a run.
    recording["entries"] = [each for each in recording["entries"] if not each["event"].startswith("row")]
    other = compared()
    assert other.returncode == 64 and "has no row of the callback matrix" in other.stderr


def test_nghttpd_is_no_apns(gateway, tmp_path):
    port, key, certificate = free_port(), tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            need("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate, "-days", "2",
        ],
        check=True, capture_output=True,
    )
    with Server([need("nghttpd"), "--htdocs", tmp_path, "--address", "127.0.0.1", port, key, certificate], port):
        done = subprocess.run(
            words(gateway, tmp_path / "r.json", port=port, ca=certificate), capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and re.search(r"This is no APNs: it answered \d+ to a push", done.stderr), done
    away = subprocess.run(words(gateway, tmp_path / "r.json", port=port), capture_output=True, text=True, timeout=60)
    assert away.returncode == 2 and f"No connection to localhost:{port}" in away.stderr
    trust = subprocess.run(words(gateway, tmp_path / "r.json", ca=certificate), capture_output=True, text=True, timeout=60)
    assert trust.returncode == 2 and "give a gateway's authority, ca.pem, with --ca" in trust.stderr
