"""`posthorn device run --count`: many phones in one process, against a gateway, for load tests of other people's backends."""

import json
import shlex
import subprocess
import time
import urllib.request

import httpx
from gateways import start
from postgres import wait_until
from processes import BINARY, Process

COUNT = 200


def counts(gateway):
    with urllib.request.urlopen(gateway.facts["control"] + "/counts", timeout=60) as answer:
        return json.load(answer)


def events(gateway, push):
    with urllib.request.urlopen(f"{gateway.facts['control']}/pushes/{push}", timeout=60) as answer:
        return {event["event"] for event in json.load(answer)["events"]}


def phones(gateway, folder, *more):
    return Process(
        "device", "run", "--count", COUNT, "--courier", gateway.facts["courier"], "--bundle-id", gateway.topic, "--json",
        "--tokens-to", folder / "tokens", *more,
    )


def test_phones_register_acknowledge_and_open_by_their_seed(tmp_path):
    process, gateway = start(tmp_path, "--control-port", 0, tokens=1)
    try:
        fleet = phones(
            gateway, tmp_path, "--seed", 7, "--open-share", 0.5, "--open-time", 0.05, "--offline-share", 0.1, "--offline-time", 1,
            "--sent-at", "sent",
        )
        ready = fleet.event("ready")
        assert ready["phones"] == COUNT and ready["bytesPerPhone"] > 0
        tokens = (tmp_path / "tokens").read_text().split()
        assert len(set(tokens)) == COUNT
        pushes = []
        with httpx.Client(http2=True, verify=gateway.context()) as provider:
            for token in tokens:
                body = json.dumps({"aps": {"alert": "Hello"}, "sent": int(time.time() * 1000)})
                answer = provider.post(gateway.url(token), headers=gateway.fields, content=body)
                assert answer.status_code == 200, answer.text
                pushes.append(answer.headers["apns-id"])
        wait_until("every phone has its push", lambda: counts(gateway)["delivered"] == COUNT)
        # 100 are expected, and the seed does not change.
        wait_until("about half of them are opened", lambda: sum("opened" in events(gateway, push) for push in pushes) >= 70)
        fleet.stop()
        figures = json.loads(fleet.line())
        assert figures["registered"] == figures["pushes"] == COUNT
        assert 70 <= figures["opened"] <= 130
        assert figures["links"] >= COUNT and figures["lostLinks"] == 0
        for name in ("registration", "latency"):
            assert 0 < figures[name]["p50"] <= figures[name]["p90"] <= figures[name]["p99"] <= figures[name]["max"]
        assert figures["registeredPerSecond"] > 0 and figures["pushesPerSecond"] > 0
        for push in pushes:
            assert {"delivered", "opened"} >= events(gateway, push) - {"stored"} >= {"delivered"}
        # The same phones again, as their ids and keys follow from the seed.
        again = phones(gateway, tmp_path, "--seed", 7)
        again.event("ready")
        assert (tmp_path / "tokens").read_text().split() == tokens
        again.stop()
    finally:
        process.stop()


def test_a_gateway_that_does_not_answer_is_told_and_a_refusal_ends_the_run(tmp_path):
    fleet = Process("device", "run", "--count", 3, "--courier", "ws://127.0.0.1:1/courier", "--json")
    assert fleet.event("disconnected")["reason"].startswith("No link to 127.0.0.1:1: ")
    fleet.stop()
    process, gateway = start(tmp_path, "--control-port", 0, tokens=1)
    try:
        words = ["--count", "3", "--courier", gateway.facts["courier"], "--bundle-id", "x" * 300]
        done = subprocess.run([BINARY, "device", "run", *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and "The gateway refuses the device: The topic has 300 octets" in done.stderr, done
    finally:
        process.stop()


def test_a_limit_of_files_that_is_too_low_is_refused_with_what_to_do():
    words = [str(BINARY), "device", "run", "--count", str(COUNT), "--courier", "ws://127.0.0.1:1/courier"]
    done = subprocess.run(["bash", "-c", f"ulimit -n 150; exec {shlex.join(words)}"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 64
    assert "This process may open 150 files; 200 phones need 300." in done.stderr and "LimitNOFILE=" in done.stderr


def test_options_for_one_phone_and_wrong_numbers_are_refused():
    for words, problem in [
        (["--count", "0"], "--count is 0; expected 1 to 500000."),
        (["--count", "2", "--tag", "a"], "are for one phone"),
        *[(["--count", "2", *words], "are for one phone") for words in (
            ["--name", "A"], ["--os", "26"], ["--deny"], ["--link", "ws://x"], ["--udid", "x"], ["--app-key", "x"], ["--alias", "a"],
        )],
        *[(words, "are for the phones of --count") for words in (
            ["--seed", "2"], ["--offline-share", "0.1"], ["--open-share", "0.1"], ["--tokens-to", "x"], ["--sent-at", "x"],
            ["--delivery-time", "1"],
        )],
        (["--count", "2", "--offline-time", "0"], "--offline-time is 0"), (["--count", "2", "--sent-at", ""], "--sent-at is empty"),
        (["--count", "2", "--offline-share", "1"], "--offline-share is 1.0; expected 0 to 0.95."),
        (["--count", "2", "--open-share", "nan"], "--open-share is nan; expected 0 to 1"),
    ]:
        done = subprocess.run(
            [BINARY, "device", "run", "--courier", "ws://127.0.0.1:1/courier", *words], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 64 and problem in done.stderr, done.stderr
