"""Documentation/FirstPush.md, step by step: with a gateway in the place of Apple, and the page's code on an emulated iPhone in the place of
Xcode and a phone.
"""

import pathlib
import plistlib
import re
import shlex
import subprocess
import sys
import time
import uuid

import httpx
import pytest
from ports import free_port
from processes import BINARY, Process, start_gateway
from test_client import PRODUCTS, ROOT, certificate, trusting

sys.path.insert(0, str(ROOT / "Scripts"))
import compiled  # noqa: E402

PAGE = ROOT / "Documentation/FirstPush.md"
BLOCKS = [text for kind, text in compiled.documented.BLOCK.findall(PAGE.read_text()) if kind == "bash"]
SERVER, = [text for text in BLOCKS if "posthorn serve" in text]
PUSH, = [text for text in BLOCKS if "posthorn push" in text]
CODE, = [block for block in compiled.blocks(PAGE) if "UIWindowSceneDelegate" in block.text]
BUNDLE = "com.example.shop"


def commands(text, values):
    """The words of each command of a block, with values in the place of the page's; those of `export` are kept as variables."""
    for example, value in values.items():
        assert example in text, f"the page no longer has '{example}'"
        text = text.replace(example, str(value))
    return [shlex.split(line) for line in text.splitlines()]


def posthorn(words, status=0, **environment):
    """What a command prints; its status may be None for any."""
    assert words[0] == "posthorn"
    done = subprocess.run([BINARY, *words[1:]], capture_output=True, text=True, timeout=60, env=environment or None)
    assert done.returncode == status or status is None, done.stdout + done.stderr
    return done.stdout


def wait(look, awaited, limit=60):
    """What `look` returns as soon as it is something."""
    deadline = time.monotonic() + limit
    while not (found := look()):
        assert time.monotonic() < deadline, f"waited for {awaited}"
        time.sleep(0.05)
    return found


def build(folder, service, app_key):
    """The app that Xcode would build of the page's code for UIKit: the program, its Info.plist and its profile."""
    text = CODE.text.replace("https://push.example.com", service).replace("APP-KEY", app_key)
    (folder / "AppDelegate.swift").write_text(text)
    program = folder / "Shop"
    # The objects of an app over the same frameworks and the same client, but for its own, and the cryptography that it alone uses.
    listed = (PRODUCTS / "PushLabClientApp.product/Objects.LinkFileList").read_text().split()
    others = re.compile(r"/(PushLab\w*|C?Crypto\w*|CXKCP\w*)\.build/")
    (folder / "objects").write_text("\n".join(path for path in listed if not others.search(path)))
    done = subprocess.run(
        ["swiftc", "-parse-as-library", "-swift-version", "6", "-module-name", "Shop", *compiled.frameworks(), folder / "AppDelegate.swift",
         f"@{folder / 'objects'}", "-use-ld=lld", "-o", program],
        capture_output=True, text=True, timeout=1200, cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    scenes = {
        "UIApplicationSupportsMultipleScenes": False,
        "UISceneConfigurations": {
            "UIWindowSceneSessionRoleApplication": [
                {"UISceneConfigurationName": "Default Configuration", "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).SceneDelegate"}
            ]
        },
    }
    info = {"CFBundleIdentifier": BUNDLE, "CFBundleExecutable": "Shop", "UIApplicationSceneManifest": scenes}
    # What Xcode 27 writes of itself.
    info |= {"DTPlatformName": "iphoneos", "DTPlatformVersion": "27.0", "DTSDKName": "iphoneos27.0"}
    (folder / "Info.plist").write_bytes(plistlib.dumps(info))
    apple = folder / "apple"
    posthorn(["posthorn", "appid", "create", BUNDLE, "--data", apple])
    posthorn(["posthorn", "profile", "create", "--app-id", BUNDLE, "--environment", "development", "--data", apple, "--out",
              folder / "embedded.mobileprovision"])
    return program


class Phone:
    """An emulated iPhone with the app."""

    def __init__(self, folder, program, courier, link, ca, app_key):
        self.name, self.printed = f"phone {uuid.uuid4()}", folder / "printed"
        with open(self.printed, "w") as file:
            self.process = subprocess.Popen(
                [*trusting(ca), BINARY, "device", "run", "--courier", courier, "--link", link, "--ca", ca, "--app-key", app_key, "--app", program,
                 "--info", program.with_name("Info.plist"), "--environment", "development", "--os", "27", "--name", self.name, "--json"],
                stdout=file, stderr=file,
            )

    def log(self, text):
        wait(lambda: text in self.printed.read_text(), f"'{text}' in {self.printed}")

    def tap(self):
        posthorn(["posthorn", "device", "tap", "--name", self.name])

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


@pytest.fixture
def stopping():
    """A list of what is stopped at the end."""
    running = []
    yield running
    for process in reversed(running):
        process.stop()


# The keys that somebody may have made at Apple, one after the other: what `credential test` says of each key with those before it in the
# development environment, in which the app is built. The page's table says of each refusal what to add.
KEYS = {
    "for both environments": [({}, "accepted")],
    "for the sandbox": [({"environments": ["development"]}, "accepted")],
    "for the bundle id": [({"environments": ["development"], "topics": [BUNDLE]}, "accepted")],
    "for production, and one more": [
        ({"environments": ["production"]}, "refused.*BadEnvironmentKeyInToken"), ({"environments": ["development"]}, "accepted"),
    ],
    "for another bundle id, and one more": [
        ({"topics": ["com.example.other"]}, "refused.*TopicDisallowed"), ({"topics": [BUNDLE]}, "accepted"),
    ],
}


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS.keys())
def test_the_page_leads_from_a_key_to_a_notification_that_was_opened(tmp_path, stopping, keys):
    gateway, box = start_gateway(tmp_path / "gateway", "--control-port", 0)
    stopping.append(gateway)
    certificate(tmp_path)
    ca, port, data = tmp_path / "certificate.pem", free_port(), tmp_path / "service"
    service = f"https://127.0.0.1:{port}"

    # 1. At Apple's developer site.
    made = []
    for order, _ in keys:
        key = httpx.post(f"{box['control']}/keys", json={"team": box["teamID"]} | order, timeout=60).raise_for_status().json()
        made.append((key["id"], tmp_path / f"AuthKey_{key['id']}.p8"))
        made[-1][1].write_text(key["p8"])

    # 2. On the server.
    values = {
        "/var/lib/posthorn": data, "0.0.0.0": "127.0.0.1", "443": port, "fullchain.pem": ca, "privkey.pem": tmp_path / "key.pem",
    }
    serve, create, add, test = commands(SERVER, values)
    apns = ["--apns-host", box["host"], "--apns-ca", box["ca"], "--apns-production-port", box["productionPort"],
            "--apns-development-port", box["developmentPort"]]
    running = Process(*serve[1:], *apns, "--log-level", "error")
    stopping.append(running)
    running.line(lambda line: line.startswith("Posthorn listens"))
    created = posthorn(create)
    app_key = re.search(r"^App key +(\S+)", created, re.M)[1]
    secret = re.search(r"^Master secret +(\S+)", created, re.M)[1]
    for (key_id, file), (_, verdict) in zip(made, keys):
        names = {"APP-KEY": app_key, "AuthKey_ABC123DEFG.p8": file, "ABC123DEFG": key_id, "TEAM123456": box["teamID"]}
        posthorn([names.get(word, word) for word in add])
        # The exit status is 1 if no environment accepts the key.
        said = posthorn([names.get(word, word) for word in test], status=None)
        assert re.search(rf"^development +{verdict}", said, re.M), said

    # 3. In the app.
    app = tmp_path / "app"
    app.mkdir()
    program = build(app, service, app_key)
    phone = Phone(app, program, box["courier"], f"wss://127.0.0.1:{port}/link", ca, app_key)
    stopping.append(phone)

    # 4. Push.
    export, devices, push, why = commands(PUSH, {"https://push.example.com": service, "=APP-KEY": f"={app_key}", "MASTER-SECRET": secret})
    assert export[0] == "export"
    environment = dict(word.split("=", 1) for word in export[1:]) | {"POSTHORN_CA": str(ca), "HOME": str(tmp_path)}
    registered = wait(lambda: re.search(r"^(\w+) +development", posthorn(devices, **environment), re.M), "the device")[1]
    show = ["posthorn", "devices", "show", registered]
    wait(lambda: re.search(r"^Token +[0-9a-f]{64}$", posthorn(show, **environment), re.M), "its device token")
    message = re.search(r"^Accepted: msg_id (\d+)$", posthorn(push, **environment), re.M)[1]
    why = [{"MSG-ID": message, "REGISTRATION-ID": registered}.get(word, word) for word in why]
    phone.log("bannerShown")
    wait(lambda: "accepted by APNs" in posthorn(why, **environment), "the answer of APNs")
    phone.tap()
    wait(lambda: "opened by the user" in posthorn(why, **environment), "the receipt of the page's code")
