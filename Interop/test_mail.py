"""What the gateway has answered with 200 is on disk: after `kill -9`, and when the disk takes no more."""

import asyncio
import json
import resource
import signal
import ssl
import uuid

import aioapns
import pytest
from aioapns.connection import APNsTLSClientProtocol
from courier import Device
from postgres import wait_until
from processes import Process

TOPIC = "com.example.app"
DEVICES = 8
PUSHES = 60


@pytest.fixture
def gateway(tmp_path):
    """A function that starts the gateway of one folder, again and again."""
    running = []

    def start(**options):
        running.append(
            Process(
                "gateway", "--data", tmp_path, "--development-port", 0, "--production-port", 0, "--courier-port", 0,
                "--json", **options,
            )
        )
        return running[-1], json.loads(running[-1].line())

    yield start
    for process in running:
        process.stop()


def client(box):
    class Protocol(APNsTLSClientProtocol):
        APNS_SERVER = box["host"]
        APNS_PORT = box["productionPort"]

    with open(box["keyFile"]) as file:
        key = file.read()
    context = ssl.create_default_context(cafile=box["ca"])
    made = aioapns.APNs(key=key, key_id=box["keyID"], team_id=box["teamID"], topic=TOPIC, ssl_context=context)
    made.pool.protocol_class = Protocol
    return made


def notification(token, **changes):
    return aioapns.NotificationRequest(
        device_token=token, message={"aps": {"alert": "Hello"}}, notification_id=str(uuid.uuid4()), **changes
    )


def send(box, token, **changes):
    async def run():
        return await asyncio.wait_for(client(box).send_notification(notification(token, **changes)), 60)

    return asyncio.run(run())


def push_until_killed(box, tokens, process, enough):
    """Pushes with all tokens at once, and kills the gateway when so many are answered; who was answered 200."""
    answered = {}

    async def one(apns, request):
        result = await apns.send_notification(request)
        assert result.status == "200", result.description
        answered[request.notification_id] = request.device_token
        if len(answered) == enough:
            process.process.send_signal(signal.SIGKILL)

    async def run():
        apns = client(box)
        requests = [
            notification(token, collapse_key=f"place {number}") for number in range(PUSHES) for token in tokens
        ]
        tasks = [asyncio.ensure_future(one(apns, request)) for request in requests]
        await asyncio.to_thread(process.process.wait, 300)
        # What is still asked for is not answered any more.
        await asyncio.wait(tasks, timeout=1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    return answered


@pytest.mark.parametrize("enough", [1, 50, 300])
def test_what_was_answered_before_kill_9_arrives_after_it_once(gateway, enough):
    process, box = gateway()
    names = [str(uuid.uuid4()) for _ in range(DEVICES)]
    tokens = []
    for name in names:
        with Device(box["courier"], name, TOPIC) as device:
            tokens.append(device.token)
    answered = push_until_killed(box, tokens, process, enough)
    assert len(answered) >= enough

    _, box = gateway()
    found = []
    for name, token in zip(names, tokens):
        with Device(box["courier"], name, TOPIC) as device:
            assert device.token == token
            found += device.pushes([name for name, to in answered.items() if to == token])
    assert len(found) == len(set(found))
    assert set(answered) <= set(found)


def test_what_a_device_has_acknowledged_does_not_come_again(gateway):
    process, box = gateway()
    with Device(box["courier"], "phone", TOPIC) as device, Device(box["courier"], "other", TOPIC) as other:
        sent = send(box, device.token)
        assert device.pushes([sent.notification_id]) == [sent.notification_id]
        # When this is answered, the gateway has the acknowledgement; and its disk, when the next push is promised.
        device.register()
        assert send(box, other.token).status == "200"
    process.kill()
    _, box = gateway()
    with Device(box["courier"], "phone", TOPIC) as device:
        assert device.pushes() == []


def test_a_disk_that_takes_no_more_is_503_until_it_does(gateway):
    # A file that may not grow is what a full disk is to a program that does not die of the signal.
    process, box = gateway(restore_signals=False)
    with Device(box["courier"], "phone", TOPIC) as device:
        token = device.token
    assert send(box, token, collapse_key="before").status == "200"
    number = process.process.pid
    resource.prlimit(number, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    refused = send(box, token, collapse_key="during")
    assert (refused.status, refused.description) == ("503", "ServiceUnavailable")
    resource.prlimit(number, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def send_again():
        found = send(box, token, collapse_key="after")
        assert found.status == "200" or found.description == "ServiceUnavailable", found.description
        return found if found.status == "200" else None

    # The next one makes the gateway try again, and is not promised anything until the disk has taken it, which may be slow.
    accepted = wait_until("a push is accepted again", send_again)
    process.kill()
    _, box = gateway()
    with Device(box["courier"], "phone", TOPIC) as device:
        assert accepted.notification_id in device.pushes([accepted.notification_id])
