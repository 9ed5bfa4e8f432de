"""`posthorn simulator`: pushes of a provider reach a program named `xcrun`, which checks what Apple documents of `simctl push`.

The program stands for Xcode's: no Mac takes part. Source: `simctl help push` and the release notes of Xcode 11.4, read November 2026.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

import httpx
import pytest
from gateways import start
from postgres import wait_until
from processes import BINARY, Process

UDID, APP = "5C9C5A2E-0D4E-4E0B-9F3B-1B0C7D1B5A11", "com.example.app"
# As long as the tokens that Apple gives to apps in the Simulator.
TOKEN = "80" + "5a" * 79
XCRUN = f"""#!{sys.executable}
import json, os, sys
calls = os.environ["XCRUN_CALLS"]
def refuse(words):
    print(words, file=sys.stderr)
    sys.exit(1)
if sys.argv[1:3] != ["simctl", "push"] or len(sys.argv) not in (5, 6):
    refuse("Usage: simctl push <device> [<bundle identifier>] (<json file> | -)")
device, *bundle, file = sys.argv[3:]
payload = sys.stdin.buffer.read() if file == "-" else open(file, "rb").read()
if device not in ("booted", "{UDID}"):
    refuse("Invalid device: " + device)
if len(payload) > 4096:
    refuse("The payload must be 4096 bytes or less.")
try:
    push = json.loads(payload)
except ValueError:
    refuse("The payload is not JSON.")
if not isinstance(push, dict) or not isinstance(push.get("aps"), dict):
    refuse("The payload must contain an 'aps' key with valid Apple Push Notification values.")
target = bundle[0] if bundle else push.get("Simulator Target Bundle")
if target != "{APP}":
    refuse("The application is not installed: " + str(target))
with open(calls, "a") as log:
    log.write(json.dumps({{"device": device, "bundle": target, "payload": push}}) + "\\n")
print("Notification sent to '" + target + "'")
"""


# The command of Linux, and the program that a Mac has, which a build of the tests makes too.
PROGRAMS = [BINARY, *[mac for mac in [pathlib.Path(BINARY).with_name("PosthornOnMac")] if mac.is_file()]]


class Setting(contextlib.ExitStack):
    def __init__(self, folder, program):
        super().__init__()
        tool = folder / "bin" / "xcrun"
        tool.parent.mkdir()
        tool.write_text(XCRUN)
        tool.chmod(0o755)
        self.calls = folder / "calls"
        self.gateway, self.handed = start(folder, "--control-port", 0, tokens=1)
        self.callback(self.gateway.stop)
        self.control = self.handed.facts["control"]
        self.environment = os.environ | {"PATH": f"{tool.parent}:{os.environ['PATH']}", "XCRUN_CALLS": str(self.calls)}
        self.program = program
        self.provider = self.enter_context(httpx.Client(http2=True, verify=self.handed.context()))

    def simulator(self, *more):
        words = ["simulator", "--courier", self.handed.facts["courier"], "--app", APP, "--simulator", UDID, *more]
        process = Process(*words, env=self.environment, program=self.program)
        self.callback(process.stop)
        return process, process.event("ready")

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"{self.control}/{path}", json.dumps(body).encode() if body is not None else None, method=method
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def adopt(self, device, token=TOKEN, topic=APP):
        return self.call("PUT", f"tokens/{token}", {"topic": topic, "environment": "production", "device": device})

    def push(self, body, token=TOKEN, **fields):
        """Sends a push as a provider does, and returns its apns-id."""
        headers = self.handed.fields | {"apns-topic": APP} | {f"apns-{name}".replace("_", "-"): value for name, value in fields.items()}
        answer = self.provider.post(self.handed.url(token), headers=headers, content=json.dumps(body))
        assert answer.status_code == 200, answer.text
        return answer.headers["apns-id"].lower()

    def told(self, simulator, name):
        return simulator.event(name)

    def events(self, apns_id):
        return self.call("GET", f"pushes/{apns_id}")["events"]

    def reported(self, apns_id, reason):
        """Waits for the report of the simulator, which the gateway has after the simulator has told of the push."""
        reasons = lambda: [event.get("reason") for event in self.events(apns_id)]
        wait_until(f"'{reason}' is reported", lambda: reason in reasons())


@pytest.fixture(params=PROGRAMS, ids=lambda program: pathlib.Path(program).name)
def setting(tmp_path, request):
    with Setting(tmp_path, request.param) as setting:
        yield setting


def test_a_push_of_a_provider_reaches_simctl(setting):
    """The app's token is Apple's; the push waits until the program runs, and `GET /pushes` with `wait` finds it, as for any device."""
    adopted = setting.adopt("simulator-1")
    assert adopted["state"] == "valid" and adopted["device"] == "simulator-1"
    waited = setting.push({"aps": {"alert": "Before"}})
    simulator, ready = setting.simulator("--environment", "production", "--id", "simulator-1")
    assert ready["id"] == "simulator-1"
    assert setting.told(simulator, "registered")["token"] == TOKEN
    assert setting.told(simulator, "pushed")["apnsID"] == waited
    pushed = setting.push({"aps": {"alert": "Hello"}, "order": 7}, push_type="background", priority="5")
    setting.told(simulator, "pushed")
    calls = [json.loads(line) for line in setting.calls.read_text().splitlines()]
    assert [call["payload"] for call in calls] == [{"aps": {"alert": "Before"}}, {"aps": {"alert": "Hello"}, "order": 7}]
    assert {(call["device"], call["bundle"]) for call in calls} == {(UDID, APP)}
    assert setting.call("GET", f"pushes?token={TOKEN}&text=Hello&wait=5")["pushes"]
    setting.reported(pushed, "simulatorHeaders")


def test_what_the_simulator_cannot_do_is_told(setting):
    simulator, ready = setting.simulator("--environment", "production")
    setting.adopt(ready["id"])
    setting.adopt(ready["id"], token="c0ffee", topic=f"{APP}.voip")
    large = {"aps": {}, "text": "x" * 4500}
    cases = [
        (setting.push({"aps": {}}, token="c0ffee", topic=f"{APP}.voip", push_type="voip"), "simulatorType"),
        (setting.push(large, token="c0ffee", topic=f"{APP}.voip", push_type="voip"), "simulatorSize"),
        (setting.push({"no": "aps"}), "simulatorFailed"),
    ]
    told = [setting.told(simulator, "refused") for _ in cases]
    assert [(event["apnsID"], event["reason"]) for event in told] == cases
    assert "must contain an 'aps' key" in told[-1]["detail"]
    assert not setting.calls.exists()
    for apns_id, reason in cases:
        setting.reported(apns_id, reason)


def test_faults_and_expiry_are_those_of_any_device(setting):
    setting.adopt("simulator-1")
    expired = setting.push({"aps": {"alert": "Old"}}, expiration="1")
    setting.call("POST", "faults", {"kind": "dropDelivery", "forGood": True, "next": 1})
    simulator, _ = setting.simulator("--environment", "production", "--id", "simulator-1")
    setting.told(simulator, "registered")
    setting.push({"aps": {"alert": "Lost"}})
    arrived = setting.push({"aps": {"alert": "Arrives"}})
    assert setting.told(simulator, "pushed")["apnsID"] == arrived
    assert "expired" in [event["event"] for event in setting.events(expired)]
    assert [json.loads(line)["payload"]["aps"]["alert"] for line in setting.calls.read_text().splitlines()] == ["Arrives"]


def test_a_link_that_cannot_be_opened_is_told_and_a_refusal_ends_it(setting):
    def run(*words):
        return Process("simulator", *words, env=setting.environment, program=setting.program)

    silent = run("--courier", "ws://127.0.0.1:1/courier", "--app", APP)
    assert silent.event("disconnected")["reason"].startswith("No link to 127.0.0.1:1: ")
    silent.stop()
    simulator, _ = setting.simulator("--id", "simulator-1")
    setting.told(simulator, "registered")
    for words, reason in [
        (["--id", "simulator-1"], "known with another key"), (["--id", "x" * 300], "The device has 300 octets"),
        (["--app", "a." * 150 + "b"], "The topic has 301 octets"),
    ]:
        app = [] if "--app" in words else ["--app", APP]
        done = subprocess.run(
            [setting.program, "simulator", "--courier", setting.handed.facts["courier"], *app, *words],
            capture_output=True, text=True, timeout=60, env=setting.environment,
        )
        assert done.returncode == 1 and "The gateway refuses the device: " in done.stderr and reason in done.stderr, done


def test_wrong_options_are_refused():
    for words, problem in [
        (["--courier", "http://x", "--app", APP], "--courier is 'http://x'"),
        (["--courier", "ws://x", "--app", "a b"], "--app is 'a b'"),
        (["--courier", "ws://x", "--app", APP, "--simulator", ""], "--simulator is empty"),
        (["--courier", "ws://x", "--app", APP, "--device-key", "12"], "The device key has 2 characters"),
    ]:
        done = subprocess.run([BINARY, "simulator", *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 64 and problem in done.stderr, done.stderr
