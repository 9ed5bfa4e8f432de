"""PushLab as a process on an emulated iPhone: the client is that of an iPhone, and registers over HTTPS. Next to it, the same app over the
SDK link alone.
"""

import json
import os
import plistlib
import subprocess
import time
import uuid

import pytest
from processes import BINARY, Process
from test_client import PRODUCTS, ROOT, Service, certificate, trusting

BUNDLE = "com.example.pushlab"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("phone")
    tls = folder / "tls"
    tls.mkdir()
    certificate(tls)
    service = Service(folder, tls, BUNDLE)
    yield service
    service.running.stop()
    service.gateway.stop()


class Phone:
    """An emulated iPhone that runs PushLab, over HTTPS or over the SDK link alone."""

    def __init__(self, service, folder, program, extension=None, over_link=False):
        self.service, self.name, self.printed = service, f"phone {uuid.uuid4()}", folder / "printed"
        info = plistlib.loads((ROOT / "Examples/PushLab/Info.plist").read_bytes())
        info["CFBundleIdentifier"] = BUNDLE
        if over_link:
            del info["PosthornService"]
        else:
            info["PosthornService"] = service.url
        (folder / "Info.plist").write_bytes(plistlib.dumps(info))
        more = []
        if extension:
            principal = {"NSExtensionPointIdentifier": "com.apple.usernotifications.service",
                         "NSExtensionPrincipalClass": f"{extension}.ReportingService"}
            part = {"PosthornService": service.url}
            part |= {"CFBundleIdentifier": f"{BUNDLE}.service", "NSExtension": principal}
            (folder / "Extension.plist").write_bytes(plistlib.dumps(part))
            more = ["--service-extension", PRODUCTS / extension, "--service-extension-info", folder / "Extension.plist"]
        with open(self.printed, "w") as file:
            # The app inherits the authorities that the device's process trusts.
            self.process = subprocess.Popen(
                [*trusting(service.tls / "certificate.pem"), BINARY, "device", "run", "--courier", service.box["courier"],
                 "--link", f"wss://127.0.0.1:{service.port}/link", "--ca", service.tls / "certificate.pem", "--app-key", service.app_key,
                 "--app", PRODUCTS / program, "--info", folder / "Info.plist", "--environment", "development", "--os", "17",
                 "--name", self.name, *more, "--json"],
                stdout=file, stderr=file, env=os.environ | {"POSTHORN_APP_KEY": service.app_key},
            )
        self.log("didRegisterForRemoteNotificationsWithDeviceToken")
        self.registration_id = self.log("registrationIDCompletionHandler").split()[-1]
        # The app may have registered before it had its device token, which follows then.
        deadline = time.monotonic() + 60
        while not service.whole_device(self.registration_id)["token"]:
            assert time.monotonic() < deadline, "waited for the device token at the service"
            time.sleep(0.05)

    def log(self, text, count=1):
        """The line of what the app and the device have printed that has this text, once there are so many of them."""
        deadline = time.monotonic() + 60
        while True:
            found = [line for line in self.printed.read_text().splitlines() if text in line]
            if len(found) >= count:
                return found[count - 1]
            assert time.monotonic() < deadline, f"waited for '{text}' in {self.printed.read_text()}"
            assert self.process.poll() is None, self.printed.read_text()
            time.sleep(0.02)

    def do(self, *words):
        subprocess.run([BINARY, "device", words[0], "--name", self.name, *words[1:]], check=True, capture_output=True, timeout=60)

    def journey(self, msg_id):
        answer = self.service.session.get(
            f"{self.service.url}/posthorn/v1/journeys/{msg_id}/{self.registration_id}", auth=self.service.auth, timeout=60
        )
        return answer.json()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def push(service, registration_id, **members):
    return service.push(audience={"registration_id": [registration_id]}, options={"apns_production": False}, **members)


@pytest.fixture
def launch(service, tmp_path):
    """A function that starts a phone with one of the two programs."""
    phones = []

    def start(program, **options):
        folder = tmp_path / str(len(phones))
        folder.mkdir()
        phones.append(Phone(service, folder, program, **options))
        return phones[-1]

    yield start
    for phone in phones:
        phone.stop()


def tapped(service, phone):
    """Sends a push and taps it; what `why` says."""
    msg_id = push(service, phone.registration_id, notification={"ios": {"alert": {"title": "Shop", "body": "New things"}}})
    phone.log("bannerShown")
    phone.do("tap")
    phone.log("jpushNotificationCenter(_:didReceive:withCompletionHandler:)")
    verdict = service.await_state(msg_id, phone.registration_id, "opened")["verdict"]
    # The tap has brought the app to the front, where custom messages reach it.
    message = push(service, phone.registration_id, message={"msg_content": "just for the app"})
    assert phone.log("jpfNetworkDidReceiveMessage").endswith("just for the app")
    return verdict, service.await_state(message, phone.registration_id, "delivered")["verdict"]


def test_a_push_ends_over_the_link_as_over_https(service, launch):
    https, link = (tapped(service, launch("PushLabApp", over_link=way)) for way in [False, True])
    assert https == link
    assert https[0]["state"] == "opened"


def test_from_tags_to_the_end_of_the_registration(service, launch):
    phone = launch("PushLabClientApp")
    phone.do("open")
    for order, outcome in [
        ("tags vip 北京", "tags 0 7"), ("alias tom", "alias 0 tom"), ("tags a/b", "tags 6005 7"), ("badge 4", "badge true"),
        # While push is off at the service, a message is not sent: the next one waits until it is on again.
        ("twice vip 北京", "second 6021"), ("off", "on 0"), ("activity order", "activity 0 order"),
    ]:
        push(service, phone.registration_id, message={"msg_content": order})
        phone.log(f"carried out: {outcome}")
    for outcome in ["first 0", "while off 6012"]:
        phone.log(f"carried out: {outcome}")
    device = service.device(phone.registration_id)
    assert (sorted(device["tags"]), device["alias"]) == (["vip", "北京"], "tom")
    push(service, phone.registration_id, message={"msg_content": "diagnose"})
    # PushLab is in front, and shows what arrives.
    phone.log("carried out: well: ")
    phone.log("The service extension has never reported")
    phone.do("background")
    msg_id = service.push(
        audience={"tag": ["vip"]}, options={"apns_production": False}, notification={"ios": {"alert": "by tag", "badge": "+1"}}
    )
    phone.log("by tag")
    phone.do("tap")
    service.await_state(msg_id, phone.registration_id, "opened")
    push(service, phone.registration_id, message={"msg_content": "unregister"})
    phone.log("carried out: unregistered true")
    assert not (service.device(phone.registration_id) or {}).get("tags")


def test_the_receipt_of_its_service_extension_is_in_the_journey(service, launch):
    phone = launch("PushLabClientApp", extension="PushLabClientExtension")
    phone.do("kill")
    msg_id = push(
        service, phone.registration_id, notification={"ios": {"alert": "to the extension", "mutable-content": True}}
    )
    phone.log("bannerShown")
    # The service hears nothing of the gateway, as of Apple's, and the app does not run: only the extension can have said so.
    service.await_state(msg_id, phone.registration_id, "delivered")
    user, password = service.auth
    access = {"POSTHORN_URL": service.url, "POSTHORN_APP_KEY": user, "POSTHORN_MASTER_SECRET": password}
    why = subprocess.run(
        [*trusting(service.tls / "certificate.pem"), BINARY, "why", str(msg_id), phone.registration_id],
        env=os.environ | access, check=True, capture_output=True, text=True, timeout=60,
    ).stdout
    assert "delivered" in why.strip().splitlines()[-1], why


def test_killed_by_the_user_it_is_the_same_device(service, launch):
    phone = launch("PushLabClientApp")
    phone.do("kill")
    phone.do("open")
    assert phone.log("registrationIDCompletionHandler", 2).split()[-1] == phone.registration_id
