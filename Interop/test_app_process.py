"""Apps as processes of their own on a device in a process of its own, and `kill -9` of either, with a gateway in a third."""

import asyncio
import contextlib
import json
import os
import pathlib
import re
import signal
import ssl
import subprocess
import time
import uuid

import aioapns
import pytest
import requests
from aioapns.connection import APNsTLSClientProtocol
from journeys import await_state, journey
from processes import BINARY, Process

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Where 'swift build --build-tests' puts the app that does what pushes tell it.
PRODUCTS = pathlib.Path(os.environ.get("POSTHORN_PRODUCTS") or ROOT / ".build/debug")
TOPIC = "com.example.orders"


def words(name):
    """The program of an app or an extension, and its Info.plist."""
    return [PRODUCTS / name], [ROOT / "Tests" / name / "Info.plist"]


class Road:
    def __init__(self, folder):
        self.folder = folder
        self.running = []
        self.gateway = self.start(
            "gateway", "--data", folder / "gateway", "--development-port", 0, "--production-port", 0,
            "--courier-port", 0, "--control-port", 0, "--json",
        )
        self.box = json.loads(self.gateway.line())
        self.prints = 0
        self.keys = {}

    def start(self, *arguments, **options):
        self.running.append(Process(*arguments, **options))
        return self.running[-1]

    def device(self, *more):
        """A device that is ready, its token, its id, and the file with what its apps print."""
        (app,), (info,) = words("OrdersApp")
        (service,), (service_info,) = words("OrdersExtension")
        self.prints += 1
        # Whoever is the same device again has its key.
        if "--id" in more:
            more += ("--device-key", self.keys[more[more.index("--id") + 1]])
        printed = self.folder / f"printed {self.prints}"
        with open(printed, "w") as file:
            device = self.start(
                "device", "run", "--courier", self.box["courier"], "--app", app, "--info", info,
                "--service-extension", service, "--service-extension-info", service_info, "--os", "17",
                "--name", f"orders {uuid.uuid4()}", "--json", *more,
                stderr=file,
            )
        opened = json.loads(device.line(lambda line: json.loads(line)["event"] in ("registered", "opened")))
        ready = device.event("ready")
        # It waits for five seconds until its app has a token, and a slow machine takes longer.
        token = opened.get("token") or self.token(TOPIC)
        self.keys[ready["id"]] = ready["key"]
        return device, token, ready["id"], printed

    def token(self, topic):
        """The token that the gateway has issued for a topic, of which only one device has one."""
        deadline = time.monotonic() + 60
        while True:
            answer = requests.get(f"{self.box['control']}/tokens", timeout=60).json()
            found = [each["token"] for each in answer["tokens"] if each["topic"] == topic]
            if found:
                (token,) = found
                return token
            assert time.monotonic() < deadline, answer
            time.sleep(0.02)

    def push(self, token, payload):
        class Protocol(APNsTLSClientProtocol):
            APNS_SERVER = self.box["host"]
            APNS_PORT = self.box["productionPort"]

        name = str(uuid.uuid4())

        async def send():
            with open(self.box["keyFile"]) as file:
                key = file.read()
            client = aioapns.APNs(
                key=key, key_id=self.box["keyID"], team_id=self.box["teamID"], topic=TOPIC,
                ssl_context=ssl.create_default_context(cafile=self.box["ca"]),
            )
            client.pool.protocol_class = Protocol
            # A silent push wakes nothing without its type and priority.
            is_silent = "alert" not in payload["aps"]
            request = aioapns.NotificationRequest(
                device_token=token, message=payload, notification_id=name,
                push_type=aioapns.PushType.BACKGROUND if is_silent else aioapns.PushType.ALERT, priority=5 if is_silent else 10,
            )
            return await asyncio.wait_for(client.send_notification(request), 60)

        assert asyncio.run(send()).status == "200"
        return name

    def journey(self, push, wanted=None, times=1):
        """What the gateway knows of a push, once an event of the name that is wanted is there, so many times."""
        deadline = time.monotonic() + 60
        while True:
            answer = requests.get(f"{self.box['control']}/pushes/{push}", timeout=60).json()
            names = [event["event"] for event in answer.get("events", [])]
            if wanted is None or names.count(wanted) >= times:
                return answer
            assert time.monotonic() < deadline, answer
            time.sleep(0.02)


@pytest.fixture
def road(tmp_path):
    road = Road(tmp_path)
    yield road
    for process in reversed(road.running):
        # A gateway that is asked to end would wait for the client, which leaves its connections open.
        (process.kill if process is road.gateway else process.stop)()


def process_of(printed, begin="OrdersApp: launched"):
    deadline = time.monotonic() + 60
    while True:
        found = re.findall(rf"{begin} (\d+)", printed.read_text())
        if found:
            return int(found[-1])
        assert time.monotonic() < deadline, printed.read_text()
        time.sleep(0.02)


def follows(printed):
    """Waits until an app does what its push told it."""
    deadline = time.monotonic() + 60
    while "OrdersApp: follows" not in printed.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def has_ended(process):
    deadline = time.monotonic() + 60
    # A zombie's device is dead; whoever adopts it takes it away when it likes.
    while state_of(pathlib.Path(f"/proc/{process}")) not in (None, "Z"):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def stop_still(process):
    """Stops a process. On a busy machine, some of its threads go on for a while."""
    os.kill(process, signal.SIGSTOP)
    deadline = time.monotonic() + 60
    while {state_of(thread) for thread in pathlib.Path(f"/proc/{process}/task").iterdir()} - {"T", None}:
        assert time.monotonic() < deadline, f"the process {process} does not stop"
        time.sleep(0.01)


def state_of(process):
    """The letter of a process or of a thread; None if it has ended."""
    try:
        return (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


ALERT = {"aps": {"alert": {"title": "Hi", "body": "there"}}}
SILENT = {"aps": {"content-available": 1}}


def test_an_app_of_ones_own_gets_a_push_and_its_service_extension_changes_it(road):
    device, token, _, printed = road.device()
    push = road.push(token, {"aps": ALERT["aps"] | {"mutable-content": 1}})
    assert device.event("bannerShown")["detail"] == "changed · there"
    road.journey(push, "serviceExtension")
    assert process_of(printed, "OrdersExtension: serving")
    assert device.stop() == 0
    assert has_ended(process_of(printed))


@pytest.mark.parametrize("stands_still", [False, True])
def test_kill_9_of_the_device_takes_its_apps_with_it(road, stands_still):
    device, token, _, printed = road.device()
    app = process_of(printed)
    if stands_still:
        device.event("suspended")
    device.kill()
    assert has_ended(app)


def test_what_the_device_had_not_acknowledged_comes_again_once(road):
    device, token, name, _ = road.device()
    # It reads nothing any more: what is sent now is on its way and stays there.
    stop_still(device.process.pid)
    push = road.push(token, ALERT)
    device.kill()
    assert road.journey(push)["state"] in ("onTheWay", "waiting")
    device, again, same, _ = road.device("--id", name)
    assert (again, same) == (token, name)
    found = road.journey(push, "presented")
    assert [event["event"] for event in found["events"]].count("delivered") == 1
    # What would have come a second time comes before what is sent later.
    later = road.push(token, ALERT)
    device.line(lambda line: (json.loads(line)["event"], json.loads(line).get("apnsID")) == ("bannerShown", later))
    seen = [json.loads(line) for line in device.seen]
    assert [line["apnsID"] for line in seen if line["event"] == "bannerShown"].count(push) == 1


@pytest.mark.parametrize("step", ["launch", "serviceExtension", "presented", "tap"])
def test_kill_9_of_the_device_at_a_step_leaves_no_process_and_no_claim(road, step):
    device, token, name, printed = road.device()
    payload, told = {
        "launch": (SILENT | {"atLaunch": "hang"}, "OrdersApp: launched"),
        "serviceExtension": ({"aps": ALERT["aps"] | {"mutable-content": 1}, "inService": "hold"}, "OrdersExtension: serving"),
        "presented": (ALERT, None),
        "tap": (ALERT | {"atTap": "hang"}, None),
    }[step]
    if step == "launch":
        os.kill(process_of(printed), signal.SIGKILL)
        device.event("processEnded")
    push = road.push(token, payload)
    if step in ("presented", "tap"):
        road.journey(push, "presented")
    if step == "serviceExtension":
        road.journey(push, "callback")
    if step == "tap":
        subprocess.Popen([BINARY, "device", "tap", "--name", name_of(device), push], stderr=subprocess.DEVNULL)
    if step in ("launch", "tap"):
        follows(printed)
        # It has been acknowledged before; that may be on its way still.
        road.journey(push, "delivered")
    process = process_of(printed, told or "OrdersApp: launched")
    device.kill()
    assert has_ended(process)
    device, *_ = road.device("--id", name)
    later = road.push(token, SILENT)
    road.journey(later, "finished")
    # The extension, which is launched first, may be called later than the app that runs.
    wanted, times = ("callback", 2) if step == "serviceExtension" else (None, 1)
    names = [event["event"] for event in road.journey(push, wanted, times)["events"]]
    assert not {"finished", "crashed"} & set(names)
    assert ("presented" in names) == (step in ("presented", "tap"))
    if step == "serviceExtension":
        # It is acknowledged when it is shown, so it comes again, and the extension is asked a second time.
        assert (names.count("delivered"), names.count("callback")) == (0, 2)
    else:
        assert names.count("delivered") == 1
        assert [json.loads(line).get("apnsID") for line in device.seen].count(push) == 0


def test_an_app_that_hangs_holds_up_no_order(road):
    device, token, _, printed = road.device()
    push = road.push(token, ALERT | {"atTap": "hang"})
    road.journey(push, "presented")

    def order(*words):
        begin = time.monotonic()
        done = subprocess.run(
            [BINARY, "device", words[0], "--name", name_of(device), *words[1:]],
            check=True, capture_output=True, text=True, timeout=60,
        )
        return done.stdout, time.monotonic() - begin

    told, _ = order("tap", push)
    assert "an app has not taken its event yet" in told
    process = process_of(printed)
    told, seconds = order("kill")
    assert "has not" not in told and seconds < 15
    assert has_ended(process)
    begin = time.monotonic()
    device.process.send_signal(signal.SIGTERM)
    # After ten seconds it would end without having waited for all.
    assert device.process.wait(60) == 0 and time.monotonic() - begin < 10


def test_what_had_been_acknowledged_claims_no_more_than_that(road):
    device, token, name, printed = road.device()
    push = road.push(token, SILENT | {"atFetch": "hold"})
    road.journey(push, "callback")
    device.kill()
    assert has_ended(process_of(printed))
    device, *_ = road.device("--id", name)
    later = road.push(token, SILENT)
    road.journey(later, "finished")
    names = [event["event"] for event in road.journey(push, "callback")["events"]]
    assert "delivered" in names
    assert not {"finished", "presented", "crashed"} & set(names)


@pytest.mark.parametrize("order, step", [("atLaunch", "launch"), ("atFetch", "fetch"), ("atTap", "tap")])
def test_kill_9_of_the_app_stands_in_the_journey(road, order, step):
    device, token, _, printed = road.device()
    if step == "launch":
        # The first process is killed too, so that the push has to launch another.
        os.kill(process_of(printed), signal.SIGKILL)
        assert device.event("processEnded")["detail"] == "killed by signal 9 (SIGKILL)"
    payload = ALERT if step == "tap" else SILENT
    push = road.push(token, payload | {order: "hang" if step == "launch" else "hold"})
    if step == "tap":
        road.journey(push, "presented")
        subprocess.run([BINARY, "device", "tap", "--name", name_of(device), push], check=True)
    follows(printed)
    os.kill(process_of(printed), signal.SIGKILL)
    found = road.journey(push, "crashed")
    crash = next(event for event in found["events"] if event["event"] == "crashed")
    assert crash["reason"] == "killed by signal 9 (SIGKILL)"


def test_the_sample_app_works_with_the_push_service_from_its_own_process(tmp_path):
    sandbox = Process(
        "sandbox", "--json", "--devices", 1, "--environment", "development", "--data", tmp_path / "sandbox"
    )
    device = None
    printed = tmp_path / "printed"

    def told(words):
        deadline = time.monotonic() + 60
        while True:
            found = re.findall(words, printed.read_text())
            if found:
                return found[-1]
            assert time.monotonic() < deadline, printed.read_text()
            time.sleep(0.02)

    try:
        box = json.loads(sandbox.line())
        api = box["api"]
        with open(printed, "w") as file:
            device = Process(
                "device", "run", "--courier", box["apns"]["courier"], "--link", box["link"]["url"],
                "--app", PRODUCTS / "PushLabApp", "--info", ROOT / "Examples/PushLab/Info.plist",
                "--app-key", api["appKey"], "--environment", box["apns"]["environment"], "--os", "17",
                "--name", f"lab {uuid.uuid4()}", "--json", stderr=file,
            )
        device.event("ready")
        identity = told(r"registrationIDCompletionHandler \[\w+\] ([0-9a-f]{16})\n")
        deadline = time.monotonic() + 60
        while identity not in registered(box):
            assert time.monotonic() < deadline, printed.read_text()
            time.sleep(0.02)

        def push(content):
            # The app's Info.plist says that it is a development build.
            options = {"apns_production": False}
            body = {"platform": "ios", "audience": {"registration_id": [identity]}, "options": options, **content}
            answer = requests.post(
                f"{api['url']}/v3/push", json=body, auth=(api["appKey"], api["masterSecret"]), timeout=60
            )
            assert answer.status_code == 200, answer.text
            return answer.json()["msg_id"]

        alert = push({"notification": {"ios": {"alert": "Look", "extras": {"link": "pushlab://order/42"}}}})
        apns_id = device.event("bannerShown").get("apnsID")
        subprocess.run([BINARY, "device", "tap", "--name", name_of(device), *filter(None, [apns_id])], check=True)
        assert told(r"page \[\w+\] (.*)\n") == 'order("42")'
        # The receipt goes over the app's own link, and ends the push's journey.
        await_state(box, alert, identity, "opened")
        custom = push({"message": {"msg_content": "to the app"}})
        assert told(r"jpfNetworkDidReceiveMessage \[\w+\] (.*)\n") == "to the app"
        await_state(box, custom, identity, "delivered")
        assert device.stop() == 0
    finally:
        for process in filter(None, [device, sandbox]):
            process.stop()


def name_of(device):
    arguments = device.process.args
    return arguments[arguments.index("--name") + 1]


def registered(sandbox):
    """The devices that pushes reach: those whose token the service knows."""
    api = sandbox["api"]
    answer = requests.get(
        f"{api['url']}/posthorn/v1/devices", auth=(api["appKey"], api["masterSecret"]), timeout=60
    )
    return [device["registration_id"] for device in answer.json()["devices"] if device["token"]]


def children(device):
    """The processes that a device has started."""
    found = []
    for file in pathlib.Path(f"/proc/{device.process.pid}/task").glob("*/children"):
        # A thread may end meanwhile; what it has started is another one's then.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, file.read_text().split())
    return found


def await_event(sandbox, message, device, name):
    deadline = time.monotonic() + 60
    while name not in [event["event"] for event in journey(sandbox, message, device)["events"]]:
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def sandbox_of_its_own(tmp_path):
    """Others count the devices of the one that they share."""
    process = Process("sandbox", "--json", "--devices", 1, "--data", tmp_path / "sandbox")
    yield json.loads(process.line())
    process.stop()


def test_why_explains_what_became_of_pushes_to_the_sample_app_as_a_process(sandbox_of_its_own, tmp_path):
    sandbox = sandbox_of_its_own
    api, before = sandbox["api"], [each["registrationID"] for each in sandbox["devices"]]
    folder = ROOT / "Examples/PushLab"
    printed = tmp_path / "printed"
    name = f"lab {uuid.uuid4()}"
    with open(printed, "w") as file:
        device = Process(
            "device", "run", "--courier", sandbox["apns"]["courier"], "--link", sandbox["link"]["url"],
            "--app", PRODUCTS / "PushLabApp", "--info", folder / "Info.plist", "--app-key", api["appKey"],
            "--service-extension", PRODUCTS / "PushLabServiceExtension",
            "--service-extension-info", folder / "NotificationService/Info.plist",
            "--environment", "development", "--name", name, "--json", stderr=file,
        )
    try:
        device.event("ready")
        deadline = time.monotonic() + 60
        while not (new := [identity for identity in registered(sandbox) if identity not in before]):
            assert time.monotonic() < deadline, printed.read_text()
            time.sleep(0.05)

        def push(title):
            answer = requests.post(
                f"{api['url']}/v3/push",
                auth=(api["appKey"], api["masterSecret"]),
                timeout=60,
                json={
                    "platform": "all",
                    "audience": {"registration_id": new},
                    "notification": {"ios": {"alert": {"title": title, "body": "there"}}},
                    "options": {"apns_production": False},
                },
            )
            assert answer.status_code == 200, answer.text
            return answer.json()["msg_id"]

        message = push("shown")
        await_state(sandbox, message, new[0], "shown")
        subprocess.run([BINARY, "device", "tap", "--name", name], check=True, capture_output=True)
        await_state(sandbox, message, new[0], "opened")
        # The app is in front now. It stops, as one that hangs, and is killed before it has said what is shown.
        for number in children(device):
            stop_still(number)
        message = push("never seen")
        await_event(sandbox, message, new[0], "delivered")
        for number in children(device):
            os.kill(number, signal.SIGKILL)
        found = await_state(sandbox, message, new[0], "crashed")
        assert found["verdict"]["sentence"].startswith(
            "delivered; the app ended while it worked on it: killed by signal 9 (SIGKILL)"
        )
        # Nobody reads any more: the push waits, and the journey claims no more.
        device.kill()
        later = push("later")
        found = await_state(sandbox, later, new[0], "stored")
        assert "delivered" not in [event["event"] for event in found["events"]]
        told = subprocess.run(
            [BINARY, "why", later, new[0]],
            env=os.environ
            | {
                "POSTHORN_URL": api["url"],
                "POSTHORN_APP_KEY": api["appKey"],
                "POSTHORN_MASTER_SECRET": api["masterSecret"],
            },
            check=True, capture_output=True, text=True,
        ).stdout
        assert told.strip().endswith("→ waits at the gateway until the device connects, or wakes up if the priority is below 10")
    finally:
        device.stop()


def refused(*arguments):
    done = subprocess.run(
        [BINARY, "device", "run", "--courier", "ws://127.0.0.1:9/courier", *map(str, arguments)],
        capture_output=True, text=True, timeout=60,
    )
    assert done.returncode != 0
    return done.stderr


def test_an_app_has_one_service_extension_at_most():
    (app,), (info,) = words("OrdersApp")
    (service,), (service_info,) = words("OrdersExtension")
    extension = ["--service-extension", service, "--service-extension-info", service_info]
    told = refused("--app", app, "--info", info, *extension, *extension)
    assert "Two service extensions belong to 'com.example.orders'; an app can have only one." in told


def test_what_is_no_app_is_named_with_what_is_expected(tmp_path):
    (app,), (info,) = words("OrdersApp")
    plain = tmp_path / "plain"
    plain.write_text("")
    empty = tmp_path / "empty.plist"
    empty.write_text('<?xml version="1.0"?><plist version="1.0"><dict/></plist>')
    assert f"There is no file '{tmp_path}/none'; expected a program" in refused("--app", tmp_path / "none")
    assert f"'{plain}' may not be executed; expected a program" in refused("--app", plain)
    assert f"'{tmp_path}' is a folder; expected a program" in refused("--app", tmp_path)
    assert f"Beside '{app}' is neither OrdersApp.plist nor Info.plist" in refused("--app", app)
    assert f"'{empty}' has no 'CFBundleIdentifier'" in refused("--app", app, "--info", empty)
    told = refused("--app", "/bin/true", "--info", info, "--name", f"no app {uuid.uuid4()}")
    assert "The app com.example.orders does not run: exited with status 0 before it sent anything to its device" in told
    (service,), _ = words("OrdersExtension")
    assert "no 'NSExtensionPrincipalClass' within 'NSExtension'" in refused(
        "--app", app, "--info", info, "--service-extension", service, "--service-extension-info", info
    )


def printed_line(printed, line):
    """Waits until an app has printed a line."""
    deadline = time.monotonic() + 60
    while line not in printed.read_text().splitlines():
        assert time.monotonic() < deadline, (line, printed.read_text())
        time.sleep(0.02)


def orders_of(name):
    def order(*words, status=0):
        done = subprocess.run([BINARY, "device", *words, "--name", name], capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done
        return done.stdout + done.stderr

    return order


def test_the_device_commands_for_apps_reach_one_in_a_process_of_its_own(road):
    name = f"orders {uuid.uuid4()}"
    device, token, _, printed = road.device("--name", name)
    order = orders_of(name)
    assert "done: shortcut reorder" in order("shortcut", "reorder")
    printed_line(printed, "OrdersApp: performs reorder -")
    assert "shows no quick action 'play'; it shows 'reorder', 'cancel'" in order("shortcut", "play", status=1)
    order("hand-off", "com.example.orders.cart", "--title", "Cart", "--user-info", "order=41")
    printed_line(printed, "OrdersApp: continues Cart 41")
    order("hand-off", "com.example.orders.cart", "--fails")
    printed_line(printed, "OrdersApp: cannot continue com.example.orders.cart")
    assert "does not continue activities of type 'other'" in order("hand-off", "other", status=1)
    assert "has no --title" in order("hand-off", "other", "--fails", "--title", "x", status=64)
    assert "--user-info takes key=value; found 'x'" in order("hand-off", "other", "--user-info", "x", status=64)
    order("memory-warning")
    printed_line(printed, "OrdersApp: memory")
    assert "may not fetch in the background" in order("background-fetch", status=1)
    assert "it is in the foreground" in order("finish-session", "downloads", status=1)
    order("background")
    order("background-fetch")
    printed_line(printed, "OrdersApp: fetches")
    order("finish-session", "downloads")
    printed_line(printed, "OrdersApp: session downloads")


def test_the_device_commands_for_places_reach_an_app_in_a_process_of_its_own(road):
    name = f"orders {uuid.uuid4()}"
    device, token, _, printed = road.device("--name", name)
    order, beacon = orders_of(name), "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
    order("location-access", "always")
    order("location", "52.50,13.40")
    push = road.push(token, {"aps": {"alert": "Follow"}, "atTap": "places"})
    device.event("bannerShown")
    order("tap", push)
    printed_line(printed, 'OrdersApp: follows ["depot", "gate"]')
    order("turn", "90")
    printed_line(printed, "OrdersApp: heading 90.0")
    order("beacons", f"{beacon},7,9,4")
    printed_line(printed, "OrdersApp: ranged [9]")
    printed_line(printed, "OrdersApp: entered gate")
    assert "'beacons' takes UUID,MAJOR,MINOR,METRES" in order("beacons", f"{beacon},7,9", status=64)
    order("kill")
    order("beacons")
    printed_line(printed, "OrdersApp: left gate")
    assert printed.read_text().count("OrdersApp: woke for a place") == 1
    order("precise-location", "off")
    device.line(lambda line: "precise location off" in line)
    assert "Expected 'on' or 'off'; found 'x'." in order("precise-location", "x", status=64)


def test_the_content_extension_of_the_sample_app_shows_an_offer_from_a_process_of_its_own(sandbox_of_its_own, tmp_path):
    sandbox = sandbox_of_its_own
    api, before = sandbox["api"], [each["registrationID"] for each in sandbox["devices"]]
    folder = ROOT / "Examples/PushLab"
    name = f"lab {uuid.uuid4()}"
    with open(tmp_path / "printed", "w") as file:
        device = Process(
            "device", "run", "--courier", sandbox["apns"]["courier"], "--link", sandbox["link"]["url"],
            "--app", PRODUCTS / "PushLabApp", "--info", folder / "Info.plist", "--app-key", api["appKey"],
            "--content-extension", PRODUCTS / "PushLabContentExtension",
            "--content-extension-info", folder / "NotificationContent/Info.plist",
            "--environment", "development", "--name", name, "--json", stderr=file,
        )
    try:
        device.event("ready")
        deadline = time.monotonic() + 60
        while not (new := [identity for identity in registered(sandbox) if identity not in before]):
            assert time.monotonic() < deadline, (tmp_path / "printed").read_text()
            time.sleep(0.05)
        answer = requests.post(
            f"{api['url']}/v3/push",
            auth=(api["appKey"], api["masterSecret"]),
            timeout=60,
            json={
                "platform": "all",
                "audience": {"registration_id": new},
                "notification": {"ios": {"alert": {"title": "Tea", "body": "Half price"}, "category": "offer"}},
                "options": {"apns_production": False},
            },
        )
        assert answer.status_code == 200, answer.text
        device.event("bannerShown")
        order = orders_of(name)
        order("long-press")
        deadline = time.monotonic() + 60
        while not (expanded := json.loads(order("screen"))["expanded"]) or expanded["title"] != "Offer: Tea":
            assert time.monotonic() < deadline, (expanded, (tmp_path / "printed").read_text())
            time.sleep(0.05)
        assert expanded["content"] is not None
    finally:
        device.stop()
