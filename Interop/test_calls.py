"""A call of an app in a process of its own: from aioapns over the gateway to PushKit, and on the screen of `posthorn device`."""

import asyncio
import json
import ssl
import subprocess
import uuid

import aioapns
import pytest
from aioapns.connection import APNsTLSClientProtocol
from processes import BINARY
from test_app_process import Road, words

TOPIC = "com.example.calls"


class CallRoad(Road):
    def phone(self):
        """A device with the app that takes calls, and its name."""
        (app,), (info,) = words("CallsApp")
        name = f"calls {uuid.uuid4()}"
        device = self.start(
            "device", "run", "--courier", self.box["courier"], "--app", app, "--info", info, "--os", "17",
            "--name", name, "--json", stderr=subprocess.DEVNULL,
        )
        device.event("ready")
        return device, name

    def call(self, token, payload):
        class Protocol(APNsTLSClientProtocol):
            APNS_SERVER = self.box["host"]
            APNS_PORT = self.box["productionPort"]

        name = str(uuid.uuid4())

        async def send():
            with open(self.box["keyFile"]) as file:
                key = file.read()
            client = aioapns.APNs(
                key=key, key_id=self.box["keyID"], team_id=self.box["teamID"], topic=f"{TOPIC}.voip",
                ssl_context=ssl.create_default_context(cafile=self.box["ca"]),
            )
            client.pool.protocol_class = Protocol
            request = aioapns.NotificationRequest(
                device_token=token, message=payload, notification_id=name, push_type=aioapns.PushType.VOIP, priority=10,
            )
            return await asyncio.wait_for(client.send_notification(request), 60)

        answer = asyncio.run(send())
        assert answer.status == "200", answer.description
        return name


@pytest.fixture
def road(tmp_path):
    road = CallRoad(tmp_path)
    yield road
    for process in reversed(road.running):
        (process.kill if process is road.gateway else process.stop)()


def order(*words, name, status=0):
    done = subprocess.run([BINARY, "device", *words, "--name", name], capture_output=True, text=True, timeout=60)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def calls(name):
    return json.loads(order("screen", name=name))["calls"]


def test_a_person_answers_a_call_and_ends_it(road):
    device, name = road.phone()
    call = str(uuid.uuid4()).upper()
    push = road.call(road.token(f"{TOPIC}.voip"), {"uuid": call})
    assert device.event("callRinging")["detail"] == "Ann"
    assert [(each["id"], each["state"]) for each in calls(name)] == [(call, "ringing")]
    assert "'7' is not the id of a call" in order("call", "answer", "7", name=name, status=64)
    order("call", "answer", call.lower(), name=name)
    device.event("callConnected")
    order("call", "mute", name=name)
    order("call", "hang-up", name=name)
    device.event("callEnded")
    assert calls(name) == []
    assert "no call is on the screen" in order("call", "answer", name=name, status=1)
    assert {"presented", "acted"} <= {event["event"] for event in road.journey(push, "acted")["events"]}


def test_a_process_that_reports_no_call_is_ended(road):
    device, name = road.phone()
    push = road.call(road.token(f"{TOPIC}.voip"), {"text": "hello"})
    ended = device.event("processEnded")
    assert "never posted an incoming call" in json.dumps(ended)
    assert "crashed" in [event["event"] for event in road.journey(push, "crashed")["events"]]
