"""The command line as a new user meets it: its error messages, and that each flag does what its help says."""

import base64
import datetime
import functools
import http.server
import json
import os
import pathlib
import plistlib
import re
import socket
import sqlite3
import subprocess
import threading
import urllib.error
import urllib.request
import uuid

import pytest
from peers import need
from postgres import wait_until
from processes import BINARY, Process

# A PNG of one pixel.
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def run(*arguments, status=0, stdin=None, with_notes=False, **environment):
    done = subprocess.run(
        [BINARY, *map(str, arguments)],
        capture_output=True, text=True, input=stdin, env=os.environ | environment, timeout=120,
    )
    assert (done.returncode == 0) == (status == 0), done
    return done.stdout + done.stderr * with_notes if status == 0 else done.stderr


def test_an_app_is_made_listed_and_shown(tmp_path):
    made = json.loads(
        run("app", "create", "--data", tmp_path, "--name", "Shop", "--bundle-id", "com.example.shop", "--json")
    )
    assert len(made["app_key"]) == len(made["master_secret"]) == 24
    assert json.loads(run("app", "list", "--data", tmp_path, "--json"))[0]["app_key"] == made["app_key"]
    shown = run("app", "show", made["app_key"], "--data", tmp_path)
    assert "com.example.shop" in shown and "cannot push to production: it has no credential" in shown
    assert made["master_secret"] not in shown
    assert "There is no app 'nobody'" in run("app", "show", "nobody", "--data", tmp_path, status=1)


def test_a_group_of_apps_is_made_changed_listed_and_deleted(tmp_path):
    data = ["--data", tmp_path]
    apps = [
        json.loads(run("app", "create", *data, "--name", name, "--bundle-id", "a.b", "--json"))["app_key"]
        for name in ["One", "Two"]
    ]
    made = json.loads(run("group", "create", *data, "--name", "Both", "--app", apps[0], "--json"))
    assert len(made["group_key"]) == len(made["master_secret"]) == 24
    assert made["apps"] == apps[:1]
    assert "Both has 2 apps." in run("group", "change", made["group_key"], "--add", apps[1], *data)
    (listed,) = json.loads(run("group", "list", "--json", *data))
    assert listed["apps"] == apps and "master_secret" not in listed
    assert "Both has 1 app." in run("group", "change", made["group_key"], "--remove", apps[0], *data)
    shown = run("group", "list", *data)
    assert f"{made['group_key']}  Both" in shown and f"  {apps[1]}  Two" in shown and apps[0] not in shown
    assert "There is no app 'x'" in run("group", "create", *data, "--name", "G", "--app", "x", status=1)
    assert "There is no group 'x'" in run("group", "change", "x", "--add", apps[0], *data, status=1)
    assert "--add or --remove" in run("group", "change", made["group_key"], *data, status=1)
    assert "Both is deleted." in run("group", "delete", made["group_key"], "--name", "Both", *data)
    assert json.loads(run("group", "list", "--json", *data)) == []


def test_a_developer_is_made_listed_and_disabled(tmp_path):
    data = ["--data", tmp_path]
    made = json.loads(run("dev", "create", *data, "--name", "Team", "--json"))
    assert len(made["dev_key"]) == len(made["dev_secret"]) == 24
    (listed,) = json.loads(run("dev", "list", *data, "--json"))
    assert listed == {key: made[key] for key in ["dev_key", "name", "enabled", "created_at"]}
    run("dev", "disable", made["dev_key"], *data)
    assert f"{made['dev_key']}  Team  (disabled)" in run("dev", "list", *data)
    run("dev", "enable", made["dev_key"], *data)
    assert json.loads(run("dev", "list", *data, "--json"))[0]["enabled"]
    assert "There is no developer 'nobody'" in run("dev", "enable", "nobody", *data, status=1)
    assert "--name is empty" in run("dev", "create", *data, "--name", " ", status=1)


@pytest.mark.one_node("the port of a node is a flag, and another than that of the proxy")
@pytest.mark.parametrize(
    "settings, message",
    [
        ('{"http": {"port": 70000}}', "Configuration key 'http.port' is '70000'; expected a whole number from 0 to 65535."),
        ('{"retention": {"devices": 30}}', "'retention.devices' is '30'; expected a whole number from 255 to 36500."),
        ('{"retention": {"changes": 0}}', "'retention.changes' is '0'; expected a whole number from 1 to 31."),
        ('{"postgres": {"connections": 1}}', "'postgres.connections' is '1'; expected a whole number from 2 to 200."),
        ('{"postgres": {"connections": 4}}', "'postgres.connections' needs 'store': SQLite has no connections."),
        ('{"http": {"prot": 1}}', "Configuration key 'http.prot' is not known; expected one of data, store, node, postgres.connections"),
        ('{"http": {"port": 1,}}', "line 1, column 21"),
        ('{"apns": {"ca": "/nowhere"}}', "expected a readable PEM file"),
        ('{"timeZone": "Mars"}', "Configuration key 'timeZone' is 'Mars'; expected an IANA name such as Asia/Shanghai."),
        ('{"apns": {"events": "http://x"}}', "expected a URL that begins with ws:// or wss://"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path, settings, message):
    file = tmp_path / "settings.json"
    file.write_text(settings)
    assert message in run("serve", "--data", tmp_path / "data", "--config", file, status=1)


@pytest.mark.one_node("the port of a node is a flag, and another than that of the proxy")
def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text('{"http": {"port": 1}}')
    refused = run("serve", "--config", file, "--data", tmp_path, status=1, POSTHORN_HTTP_PORT="99999")
    assert "'http.port' is '99999'" in refused
    refused = run("serve", "--config", file, "--data", tmp_path, "--port", "x", status=1, POSTHORN_HTTP_PORT="99999")
    assert "'http.port' is 'x'" in refused


def test_a_data_folder_has_one_owner(tmp_path):
    service = Process("serve", "--data", tmp_path, "--port", 0, "--log-level", "error")
    service.line(lambda line: line.startswith("Posthorn listens"))
    assert "is in use by another Posthorn process" in run("serve", "--data", tmp_path, "--port", 0, status=1)
    assert service.stop() == 0


@pytest.mark.one_node("the port of a node is a flag, and another than that of the proxy")
def test_a_port_in_use_ends_the_service_with_the_reason(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = run("serve", "--data", tmp_path, "--port", port, "--log-level", "critical", status=1)
    assert f"cannot listen on 127.0.0.1:{port}" in refused


@pytest.mark.one_node("the error is about the file of SQLite")
def test_what_is_unclear_is_refused(tmp_path):
    assert "--bundle-id is 'a b/c'" in run(
        "app", "create", "--data", tmp_path, "--name", "A", "--bundle-id", "a b/c", status=1
    )
    assert "There is no posthorn.sqlite" in run("app", "list", "--data", tmp_path / "typo", status=1)
    assert not (tmp_path / "typo").exists()
    assert run("push", "--alert", "Hi", "--all", "--tag", "vip", status=1)


def test_a_device_that_is_refused_says_why_and_ends(tmp_path):
    box = Process("sandbox", "--json", "--devices", 0, "--data", tmp_path / "sandbox")
    stack = json.loads(box.line())
    try:
        refused = run(
            "device", "run", "--name", "refused", "--courier", stack["apns"]["courier"], "--link", stack["link"]["url"],
            "--app-key", "0" * 24, status=1, XDG_RUNTIME_DIR=str(tmp_path),
        )
        assert "1005" in refused
    finally:
        assert box.stop() == 0


def test_a_reader_that_goes_away_is_no_crash(tmp_path):
    done = subprocess.run(
        f"'{BINARY}' app list --data '{tmp_path}' --json | true; '{BINARY}' matrix --json | head -c 10",
        shell=True, capture_output=True, text=True, timeout=60,
    )
    assert "Fatal error" not in done.stderr


def test_a_credential_that_comes_later_lets_pushes_go(tmp_path):
    gateway = Process(
        "gateway", "--data", tmp_path / "gateway", "--development-port", 0, "--production-port", 0,
        "--courier-port", 0, "--json", "--log-level", "error",
    )
    box = json.loads(gateway.line())
    service = Process(
        "serve", "--data", tmp_path / "data", "--port", 0, "--apns-host", box["host"], "--apns-ca", box["ca"],
        "--apns-production-port", box["productionPort"], "--apns-development-port", box["developmentPort"],
        "--apns-events", box["events"], "--log-level", "critical",
    )
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    data = ["--data", tmp_path / "data"]
    app = json.loads(run("app", "create", *data, "--name", "A", "--bundle-id", "com.example.pushlab", "--json"))
    device = Process(
        "device", "run", "--name", "later", "--courier", box["courier"], "--link", url.replace("http", "ws") + "/link",
        "--app-key", app["app_key"], "--json",
    )
    try:
        device.event("registered")
        environment = {
            "POSTHORN_URL": url, "POSTHORN_APP_KEY": app["app_key"], "POSTHORN_MASTER_SECRET": app["master_secret"],
        }
        run("push", "--alert", "Waited", "--all", **environment)
        credential = ["--p8", box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"]]
        run("credential", "add", app["app_key"], *credential, *data)
        device.line(lambda line: "bannerShown" in line and "Waited" in line)
    finally:
        assert [device.stop(), service.stop(), gateway.stop()] == [0, 0, 0]


def test_pushes_without_a_credential_wait_and_say_so(tmp_path):
    service = Process("serve", "--data", tmp_path, "--port", 0, "--log-level", "critical")
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    app = json.loads(
        run("app", "create", "--data", tmp_path, "--name", "A", "--bundle-id", "com.example.pushlab", "--json")
    )
    environment = {
        "POSTHORN_URL": url, "POSTHORN_APP_KEY": app["app_key"], "POSTHORN_MASTER_SECRET": app["master_secret"],
    }
    assert "1011" in run("push", "--alert", "Hi", "--all", status=1, **environment)
    assert "1004" in run("push", "--alert", "Hi", "--all", "--master-secret", "0" * 24, status=1, **environment)
    gateway = Process(
        "gateway", "--data", tmp_path / "gateway", "--development-port", 0, "--production-port", 0,
        "--courier-port", 0, "--json", "--log-level", "error",
    )
    box = json.loads(gateway.line())
    device = Process(
        "device", "--courier", box["courier"], "--link", url.replace("http", "ws") + "/link", "--app-key", app["app_key"],
        "--tag", "vip", "--alias", "bob", "--json",
    )
    registration_id = device.event("registered")["registrationID"]
    first = None
    for target in (["--tag", "vip"], ["--alias", "bob"], ["--registration-id", registration_id], ["--all"]):
        answer = json.loads(run("push", "--alert", "Hi", *target, "--json", **environment))
        first = first or answer["msg_id"]
    why = ["why", answer["msg_id"], registration_id]
    assert "waits: the app has no APNs credential" in run(*why, "--lang", "en", **environment, LC_ALL="zh_CN.UTF-8")
    by_locale = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_CN.UTF-8"}
    for said in (run(*why, "--lang", "zh-CN", **environment), run(*why, **environment, **by_locale)):
        assert said.endswith("→ App 在该环境没有 APNs 凭证。请添加 p8 密钥，之后会自动发送。\n")
    # The first one was tried, the others wait behind it.
    show = ["message", "show", first, "--lang", "zh"]
    wait_until("the push is paused", lambda: "Because      App 在该环境没有 APNs 凭证。" in run(*show, **environment))
    assert run(*why, "--json", **environment, **by_locale) == run(*why, "--json", "--lang", "en", **environment)
    refused = run(*why, "--lang", "fr", status=64, **environment)
    assert all(f"'{word}'" in refused for word in ("fr", "en", "zh-Hans"))
    push_object = '{"platform": "all", "audience": "all", "notification": {"alert": "Hi"}}'
    assert "Valid" in run("push", "-", "--validate-only", stdin=push_object, **environment)
    assert "line 1, column 2" in run("push", "-", stdin="{,}", status=1, **environment)
    assert [device.stop(), gateway.stop(), service.stop()] == [0, 0, 0]


def test_the_doctor_speaks_chinese_when_asked_or_by_the_locale(tmp_path):
    (tmp_path / "Info.plist").write_bytes(plistlib.dumps({"UIBackgroundModes": []}))
    doctor = ["doctor", "--info-plist", tmp_path / "Info.plist"]
    by_locale = {"LC_ALL": "", "LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}
    for said in (run(*doctor, "--lang", "zh-Hans"), run(*doctor, **by_locale)):
        found, remedy = said.splitlines()
        assert found.startswith("! background-modes ") and found.endswith("带 content-available 的推送不会唤醒 App。")
        assert remedy.endswith("→ 如果 App 需要在后台工作，请为 target 添加后台模式 Remote notifications。")
    assert "do not wake the app" in run(*doctor, "--lang", "en", **by_locale)
    (finding,) = json.loads(run(*doctor, "--json", **by_locale))["findings"]
    assert finding["remarks"] == [{"code": "modeMissing", "values": {}}] and "do not wake the app" in finding["found"]


def test_a_wrong_key_file_says_what_is_wrong(tmp_path):
    file = tmp_path / "key.p8"
    openssl = [need("openssl"), "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    pem = subprocess.run(openssl, check=True, capture_output=True, text=True).stdout
    der = subprocess.run([*openssl, "-outform", "DER"], check=True, capture_output=True).stdout

    def create(content, status):
        file.write_bytes(content)
        return run(
            "app", "create", "--data", tmp_path, "--name", "A", "--bundle-id", "a.b", "--p8", file,
            "--key-id", "ABCDEFGHIJ", "--team-id", "ABCDEFGHIJ", status=status,
        )

    refused = create(b"-----BEGIN CERTIFICATE-----\n", 1)
    assert "this is a certificate; expected a private key (.p8)" in refused
    assert "it is binary (DER, or PKCS#12)" in create(der, 1)
    assert "it is text in UTF-16" in create(pem.encode("utf-16"), 1)
    create(("\ufeff" + pem.replace("\n", "\\n")).encode(), 0)


def test_a_person_can_use_a_running_device(tmp_path, monkeypatch):
    box = Process("sandbox", "--json", "--devices", 0, "--data", tmp_path / "sandbox")
    stack = json.loads(box.line())
    environment = {
        "POSTHORN_URL": stack["api"]["url"], "POSTHORN_APP_KEY": stack["api"]["appKey"],
        "POSTHORN_MASTER_SECRET": stack["api"]["masterSecret"], "XDG_RUNTIME_DIR": str(tmp_path),
    }
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    device = Process(
        "device", "run", "--name", "test", "--courier", stack["apns"]["courier"], "--link", stack["link"]["url"],
        "--app-key", stack["api"]["appKey"], "--json",
    )
    registration_id = device.event("registered")["registrationID"]

    def order(*words, status=0):
        return run("device", *words, "--name", "test", status=status, **environment)

    assert "There is no notification to be tapped" in order("tap", status=1)
    refused = subprocess.run(
        [BINARY, "device", "tap", "--json", "--name", "test"], capture_output=True, text=True, env=os.environ | environment, timeout=60
    )
    assert (refused.returncode, refused.stderr) == (1, "")
    assert json.loads(refused.stdout) == {"done": False, "reason": "There is no notification to be tapped."}
    assert "Expected 'on' or 'off'; found 'maybe'" in order("network", "maybe", status=1)
    order("network", "off")
    device.event("disconnected")
    run("push", "--alert", "Now", "--registration-id", registration_id, **environment)
    order("network", "on")
    device.event("bannerShown")
    screen = json.loads(order("screen"))
    assert screen["banner"]["body"] == "Now" and screen["front"] is None
    # A banner stays for five seconds.
    order("clock", "+5s")
    device.event("bannerHidden")
    assert json.loads(order("screen"))["banner"] is None
    order("tap")
    assert "didReceive" in device.line(lambda line: "userNotificationCenter" in line)
    assert json.loads(order("screen"))["front"] == "com.example.pushlab"
    order("background")
    assert "needs an argument" not in order("local", "add", "daily", "--trigger", "hour=8", "--repeats", "--body", "Rise")
    assert json.loads(order("local", "list"))[0]["id"] == "daily"
    order("clock", "next")
    order("clock", "+1d")
    device.line(lambda line: "bannerShown" in line and "Rise" in line)
    order("local", "remove", "daily")
    assert json.loads(order("local", "list")) == []
    assert "'hour' is 'x'; expected a whole number" in order("local", "add", "x", "--trigger", "hour=x", "--body", "y", status=1)
    order("location", "50,10")
    order("location-access", "while-using")
    order("local", "add", "shop", "--at-place", "52.52,13.40,200", "--body", "At the shop")
    order("local", "add", "home", "--at-place", "50,10", "--on-exit", "--body", "Away")
    order("location", "52.52,13.40")
    device.line(lambda line: "bannerShown" in line and ("At the shop" in line or "Away" in line))
    device.line(lambda line: "bannerShown" in line and ("At the shop" in line or "Away" in line))
    assert json.loads(order("local", "list")) == []
    assert json.loads(order("screen"))["list"][0]["attachments"] == []
    assert "LATITUDE,LONGITUDE[,RADIUS]" in order("local", "add", "x", "--at-place", "52", "--body", "y", status=1)
    order("clear")
    run(
        "push", "--alert", "Come?", "--category", "message", "--mutable-content", "--registration-id", registration_id,
        **environment,
    )
    device.line(lambda line: "bannerShown" in line and "Come?" in line)
    assert json.loads(order("long-press"))[0] == {"id": "reply", "title": "Reply", "asksForText": True}
    order("clear")
    run("push", "--content-available", "--extra", "article=42", "--registration-id", registration_id, **environment)
    assert "background" in device.line(lambda line: "fetchCompletionHandler" in line)
    assert json.loads(order("screen"))["list"] == []
    assert json.loads(order("lock", "--json")) == {"done": True, "order": "lock", "settled": True}
    run("push", "--alert", "Locked", "--registration-id", registration_id, **environment)
    device.line(lambda line: "listed" in line and "Locked" in line)
    assert "has no button 'accept'" in order("action", "accept", status=1)
    order("unlock")
    order("clear")
    assert json.loads(order("screen"))["list"] == []
    assert "takes LATITUDE,LONGITUDE" in order("location", "north", status=1)
    order("location", "52.52,13.40")
    assert "takes one of 'never'" in order("location-access", "sometimes", status=1)
    order("location-access", "while-using")
    assert "takes 'on', 'off' or times" in order("summary", "25:00", status=1)
    assert "No notification is opened up" in order("play-pause", status=1)
    assert "No alert is on the screen" in order("tap-alert", "OK", status=1)
    assert "No alert is on the screen" in order("write-in-alert", "text", "--field", "1", status=1)
    assert "No app on the device opens 'nothing' links" in order("open-url", "nothing://here", status=1)
    for text in ("", "xx", "zh_CN", "a" * 400):
        assert f"'language' is '{text[:40]}'; expected a tag such as de or zh-Hans." in order("language", text, status=1)
    order("language", "de")
    order("summary", "on")
    order("summary", "23:59")
    run("push", "--alert", "Later", "--registration-id", registration_id, **environment)
    device.event("pushArrived")
    screen = json.loads(order("screen"))
    assert [entry["body"] for entry in screen["upcoming"]] == ["Later"] and screen["list"] == []
    order("summary", "off")
    order("clear")
    order("deny")
    run("push", "--alert", "Denied", "--registration-id", registration_id, **environment)
    device.event("pushArrived")
    assert json.loads(order("screen"))["list"] == []
    assert [device.stop(), box.stop()] == [0, 0]
    assert "No device 'test' runs here" in order("open", status=1)


def test_the_screen_names_the_picture_of_a_push(tmp_path, monkeypatch):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "parcel.png").write_bytes(base64.b64decode(PICTURE))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(http.server.SimpleHTTPRequestHandler, directory=pictures)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    box = Process("sandbox", "--json", "--devices", 0, "--data", tmp_path / "sandbox")
    stack = json.loads(box.line())
    device = Process(
        "device", "run", "--name", "gallery", "--courier", stack["apns"]["courier"], "--link", stack["link"]["url"],
        "--app-key", stack["api"]["appKey"], "--fetch-from-machine", "--json",
    )
    try:
        registration_id = device.event("registered")["registrationID"]
        run(
            "push", "--alert", "Your parcel", "--mutable-content", "--extra",
            f"image=http://127.0.0.1:{server.server_port}/parcel.png", "--registration-id", registration_id,
            POSTHORN_URL=stack["api"]["url"], POSTHORN_APP_KEY=stack["api"]["appKey"],
            POSTHORN_MASTER_SECRET=stack["api"]["masterSecret"],
        )
        device.event("bannerShown")
        (attachment,) = json.loads(run("device", "screen", "--name", "gallery"))["banner"]["attachments"]
        assert (attachment["id"], attachment["type"]) == ("image", "public.png")
        assert pathlib.Path(attachment["path"]).read_bytes() == base64.b64decode(PICTURE)
    finally:
        server.shutdown()
        server.server_close()
        assert [device.stop(), box.stop()] == [0, 0]


@pytest.mark.parametrize("flags, message", [
    (["--silent-budget", "3"], "--silent-budget is '3'; expected 1 to 1000 pushes, a slash, and 1 to 2592000 seconds"),
    (["--silent-budget", "0/60"], "such as '3/3600'"),
    (["--longest-grouping", "90000"], "--longest-grouping is 90000; expected 0 to 86400 seconds."),
    (["--offline-policy", "many"], "place-per-collapse-id"),
])
def test_what_a_gateway_keeps_and_spares_is_checked(tmp_path, flags, message):
    assert message in run("gateway", "--data", tmp_path, *flags, status=1)


@pytest.fixture
def app_at_a_service(tmp_path):
    """A service with an app and three devices; gives a function that runs a command as that app."""
    service = Process("serve", "--data", tmp_path / "data", "--port", 0, "--log-level", "critical")
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    app = json.loads(
        run("app", "create", "--data", tmp_path / "data", "--name", "A", "--bundle-id", "com.example.app", "--json")
    )
    environment = {
        "POSTHORN_URL": url, "POSTHORN_APP_KEY": app["app_key"], "POSTHORN_MASTER_SECRET": app["master_secret"],
    }

    def command(*arguments, **options):
        return run(*arguments, **options, **environment)

    rows = [f'{{"registration_id": "f{number}", "token": "{number:064x}"}}' for number in range(3)]
    command("import", "-", stdin="\n".join(rows))
    command.app_key = app["app_key"]
    yield command
    assert service.stop() == 0


def test_devices_their_tags_and_aliases(app_at_a_service):
    command = app_at_a_service
    assert command("devices", "tags", "f0", "--add", "vip", "--add", "中文", "--json") == '["vip","中文"]\n'
    assert command("devices", "tags", "f1", "--add", "vip") == "vip\n"
    assert command("devices", "tags", "f0", "--remove", "vip") == "中文\n"
    assert command("devices", "tags").splitlines() == ["vip", "中文"]
    assert command("devices", "alias", "f2", "bob") == "bob\n"
    assert command("devices", "alias", "f0", "--json") == "null\n"
    listed = command("devices", "list").splitlines()
    assert [line.split()[0] for line in listed] == ["f0", "f1", "f2"]
    assert "tags 中文" in listed[0] and "alias bob" in listed[2]
    assert command("devices", "list", "--tag", "vip").startswith("f1  production")
    (bob,) = command("devices", "list", "--alias", "bob", "--json").splitlines()
    assert json.loads(bob)["registration_id"] == "f2"
    assert len(command("devices", "list", "--limit", 1, "--after", "f0").splitlines()) == 1
    shown = command("devices", "show", "f2")
    assert "Alias            bob" in shown and "its app has not registered here yet" in shown
    assert json.loads(command("devices", "show", "f2", "--json"))["alias"] == "bob"
    assert command("devices", "alias", "f2", "--clear") == "The device has no alias.\n"
    assert command("devices", "tags", "--delete", "vip") == "中文\n"
    assert command("devices", "tags", "f0", "--clear", "--json") == "[]\n"
    assert "7002: No device of this app has the registration id 'x'." in command("devices", "show", "x", status=1)
    assert "give its registration id" in command("devices", "tags", "--add", "a", status=1)
    assert "not both" in command("devices", "alias", "f0", "a", "--clear", status=1)
    assert "'a b'" in command("devices", "alias", "f0", "a b", status=1)


def test_schedules_are_made_paused_and_deleted(app_at_a_service):
    command = app_at_a_service
    assert command("schedule", "list") == "There are no schedules with a time to come.\n"
    year = datetime.date.today().year + 1
    at = f"{datetime.date.today() + datetime.timedelta(days=30)} 09:00:00"
    made = json.loads(
        command("schedule", "create", "--name", "once", "--at", at, "--zone", "Europe/Berlin", "--alert", "Hi", "--all", "--json")
    )
    push_object = '{"platform": "all", "audience": {"tag": ["vip"]}, "notification": {"alert": "Hi"}}'
    weekly = command(
        "schedule", "create", "--name", "news", "--every", "week", "--on", "MON,FRI", "--time", "08:00:00",
        "--from", f"{year - 1}-06-01 00:00:00", "--to", f"{year}-05-30 00:00:00", "-", stdin=push_object,
    )
    # Without a zone of its own: that of the service, with its offset.
    assert "every week on MON, FRI at 08:00:00 +08:00, from" in weekly
    listed = command("schedule", "list").splitlines()
    assert listed[0] == f"{made['schedule_id']}  once at {at} Europe/Berlin  once"
    schedules = json.loads(command("schedule", "list", "--json"))
    assert [schedule["name"] for schedule in schedules] == ["once", "news"]
    assert schedules[1]["push"] == json.loads(push_object)
    one = made["schedule_id"]
    assert "State     active" in command("schedule", "show", one)
    assert command("schedule", "pause", one) == "'once' is paused.\n"
    assert "paused" in command("schedule", "list").splitlines()[0]
    assert json.loads(command("schedule", "show", one, "--json"))["enabled"] is False
    assert f"'once' is active: once at {at} Europe/Berlin." in command("schedule", "resume", one)
    assert command("schedule", "runs", one) == "It has not been due yet.\n"
    assert command("schedule", "delete", one) == f"Schedule {one} is deleted.\n"
    assert "8104" in command("schedule", "show", one, status=1)
    assert "8100: " in command("schedule", "create", "--name", "x", "--at", "2020-01-01 00:00:00", "--alert", "Hi", "--all", status=1)
    for flags, problem in [
        ([], "Say when: --at, or --every."), (["--at", at, "--on", "MON"], "--at has its time"),
        (["--every", "day"], "--every needs --time and --from and --to too."),
        (["--every", "week", "--time", "1", "--from", "1", "--to", "1"], "--every week or month needs --on."),
    ]:
        assert problem in command("schedule", "create", "--name", "x", "--alert", "Hi", "--all", *flags, status=1)


def test_times_are_in_the_zone_of_the_service(tmp_path):
    service = Process(
        "serve", "--data", tmp_path / "data", "--port", 0, "--log-level", "critical",
        env={**os.environ, "POSTHORN_TIME_ZONE": "Europe/Berlin"},
    )
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    made = run("app", "create", "--data", tmp_path / "data", "--name", "A", "--bundle-id", "com.example.app", "--json")
    app = json.loads(made)
    environment = {
        "POSTHORN_URL": url, "POSTHORN_APP_KEY": app["app_key"], "POSTHORN_MASTER_SECRET": app["master_secret"],
    }
    # A schedule is for a time within a year.
    days = [datetime.date.today() + datetime.timedelta(days=number) for number in range(2, 366)]
    for month, offset in ((1, "+01:00"), (7, "+02:00")):
        day = next(day for day in days if day.month == month)
        at = f"{day} 09:00:00"
        created = run("schedule", "create", "--name", f"in {month}", "--at", at, "--alert", "Hi", "--all", **environment)
        assert created.endswith(f": once at {at} Europe/Berlin ({offset}).\n")
        assert f"once at {at} Europe/Berlin ({offset})  in {month}" in run("schedule", "list", **environment)
    run("plan", "create", "spring", **environment)
    plan = json.loads(run("plan", "show", "spring", **environment))["plan"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00", plan["create_time"])
    assert service.stop() == 0


def test_a_push_in_a_file_in_utf_16_is_told_so(app_at_a_service, tmp_path):
    command = app_at_a_service
    file = tmp_path / "push.json"
    text = '{"platform": "all", "audience": "all", "notification": {"alert": "中"}}'
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        file.write_bytes(text.encode(encoding))
        for words in (["push", file], ["push", file, "--cid", f"{command.app_key}-{uuid.uuid4()}"]):
            said = command(*words, status=1)
            assert "the text is in UTF-16; save or send it in UTF-8" in said, said


def test_a_push_says_to_whom_and_under_which_name(app_at_a_service):
    command = app_at_a_service
    command("devices", "tags", "f0", "--add", "vip")
    command("devices", "tags", "f1", "--add", "vip", "--add", "muted")
    cid = f"{command.app_key}-{uuid.uuid4()}"
    first, second = (
        json.loads(command("push", "--alert", "Hi", "--all", "--cid", cid, "--json"))["msg_id"] for _ in range(2)
    )
    assert first == second, "The second is the first again."
    key = json.loads(command("push", "--alert", "Hi", "--tag", "vip", "--tag-not", "muted", "--json"))["msg_id"]
    assert "paused" in command("why", key, "f0", "--json") or "waiting" in command("why", key, "f0", "--json")
    assert "was not in the push's audience" in command("why", key, "f1")
    assert "1011" in command("push", "--alert", "Hi", "--tag", "vip", "--tag-and", "none", status=1)
    assert "1003" in command("push", "--alert", "Hi", "--all", "--cid", "x", status=1)
    assert "--extra is 'x'; expected KEY=VALUE." in command("push", "--alert", "Hi", "--all", "--extra", "x", status=1)
    # Times are in the zone of the service, wherever this machine is.
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"
    for zone in ("UTC", "America/New_York"):
        for line in command("message", "list", TZ=zone).splitlines():
            assert re.match(rf"\d+  {time}\+08:00  ", line), line
        assert re.search(rf"^Accepted     {time}\+08:00$", command("message", "show", key, TZ=zone), re.M)
        events = command("why", key, "f0", TZ=zone).splitlines()[:-1]
        assert events and all(re.match(rf"{time}\.\d\d\d\+08:00  service ", line) for line in events), events
        assert re.match(rf"f0  production  {time}\+08:00", command("devices", "list", TZ=zone))
    valid = command("push", "--alert", "Hi", "--all", "--extra", "n=1", "--collapse-id", "c", "--time-to-live", 60, "--validate-only")
    assert valid == "Valid; nothing was sent.\n"
    assert "Say what to push: --alert, --content-available, --voip, or a file." in command("push", "--badge", "+1", "--all", status=64)


def test_plans_templates_and_topics(app_at_a_service, tmp_path):
    command = app_at_a_service
    assert command("plan", "create", "spring", "--description", "Sale") == "Push plan spring is created.\n"
    assert command("plan", "change", "spring", "--description", "Late sale") == "Push plan spring is changed.\n"
    file = tmp_path / "push.json"
    options = {"business_operation_code": "spring"}
    file.write_text(json.dumps({"platform": "all", "notification": {"alert": "Hi {{name}}"}, "options": options}))
    template = command("template", "create", "--name", "hello", file).strip()
    assert command("template", "list") == f"{template}  hello  (name)\n"
    params = [{"audience": {"registration_id": ["f0"]}, "keys": {"name": "Ann", "age": "3"}}]
    sent = command("template", "push", template, "-", stdin=json.dumps(params), with_notes=True)
    assert "Accepted: msg_id" in sent and "the template has no variable 'age'" in sent
    assert command("plan", "list") == "spring  1  Late sale\n"
    assert json.loads(command("plan", "show", "spring"))["plan"]["push_count"] == 1
    assert command("push", "--alert", "Hi", "--all", "--topic", "news", "--validate-only") == "Valid; nothing was sent.\n"
    assert "1003" in command("push", "--alert", "Hi", "--all", "--topic", "two words", status=1)
    assert "1011" in command("push", "--alert", "Hi", "--segment", "nobody", status=1)


def test_a_push_goes_to_each_line_of_a_file(app_at_a_service, tmp_path):
    command = app_at_a_service
    command("devices", "alias", "f2", "bob")
    assert command("push", "--batch", "-", "--alert", "Hi", stdin="f0\nf1\n") == "2 accepted, 0 refused.\n"
    refused = command("push", "--batch", "-", "--alert", "Hi", stdin="f0\n\nnobody\n", status=1)
    assert "line 3: 1011: cannot find user by this audience" in refused
    file = tmp_path / "batch.jsonl"
    entry = {"target": "bob", "platform": ["ios"], "notification": {"alert": "Hi"}, "cid": f"{command.app_key}-{uuid.uuid4()}"}
    file.write_text(json.dumps(entry) + "\n")
    first, second = (json.loads(command("push", "--batch", file, "--by", "alias", "--json")) for _ in range(2))
    assert (first["line"], first["cid"]) == (1, entry["cid"]) and first["msg_id"] == second["msg_id"]
    entry = {"target": "f0", "platform": ["ios"], "notification": {"alert": "Hi"}, "options": {"classification": 1}}
    warned = command("push", "--batch", "-", stdin=json.dumps(entry), with_notes=True)
    assert "line 1: Warning: 'options.classification' has no effect here" in warned and "1 accepted" in warned
    assert "line 1, is not JSON" in command("push", "--batch", "-", stdin="{,}", status=1)
    assert "say what to push: --alert" in command("push", "--batch", "-", stdin="f0", status=1)
    assert "no 'target'" in command("push", "--batch", "-", stdin="{}", status=1)
    assert "expected no file, audience" in command("push", "--batch", "-", "--all", stdin="", status=1)


def test_serve_warns_of_who_can_listen_in_and_read_its_secrets(tmp_path):
    """A warning each, on standard error, before it listens; none where nothing is open."""
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    data.chmod(0o755)

    def warnings(*arguments):
        service = Process("serve", "--data", data, "--port", 0, "--json", *arguments, stderr=subprocess.PIPE)
        try:
            service.line()
        finally:
            service.stop()
        return service.process.stderr.read()

    said = warnings("--host", "0.0.0.0")
    assert "listens on 0.0.0.0 without TLS" in said
    assert f"'{data}/' has mode 755" in said and "'chmod 700' keeps them out" in said
    (data / "secret.key").chmod(0o644)
    assert "secret.key' has mode 644" in warnings()
    data.chmod(0o700)
    (data / "secret.key").chmod(0o600)
    said = warnings()
    assert "without TLS" not in said and "has mode" not in said


def test_servers_say_that_they_are_a_debug_build(tmp_path):
    """Once, on standard error, with the way to the other build."""
    expected = int("debug build" in run("--version"))
    gateway = ["gateway", "--data", tmp_path / "gateway", "--development-port", 0, "--production-port", 0, "--courier-port", 0]
    for arguments in [["serve", "--data", tmp_path / "data", "--port", 0], gateway]:
        server = Process(*arguments, "--json", stderr=subprocess.PIPE)
        server.line()
        server.stop()
        said = server.process.stderr.read()
        assert said.count("debug build") == said.count("'POSTHORN_BUILD=release ./posthorn'") == expected, said


def test_the_control_token_comes_from_the_environment(tmp_path):
    """Where it does not show in the process list."""
    arguments = ["gateway", "--data", tmp_path, "--control-port", 0, "--json", "--courier-port", 0]
    ports = ["--development-port", 0, "--production-port", 0]
    environment = os.environ | {"POSTHORN_CONTROL_TOKEN": "t0ken"}
    gateway = Process(*arguments, *ports, env=environment)
    try:
        control = json.loads(gateway.line())["control"]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{control}/counts", timeout=60)
        assert refused.value.code == 401
        request = urllib.request.Request(f"{control}/counts", headers={"Authorization": "Bearer t0ken"})
        assert urllib.request.urlopen(request, timeout=60).status == 200
    finally:
        gateway.stop()


def test_a_name_has_no_control_characters(tmp_path):
    for name, character in [("a\x1b[31mb", "U+001B"), ("a\nb", "U+000A"), ("a\u202eb", "U+202E"), ("a\x9bb", "U+009B"), ("a\u2028b", "U+2028")]:
        for command in (["app", "create", "--bundle-id", "com.example.a"], ["group", "create"], ["dev", "create"]):
            said = run(*command, "--name", name, "--data", tmp_path, status=1)
            assert character in said and name not in said, (command, said)
    # A family is one emoji with joiners.
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    run("app", "create", "--bundle-id", "com.example.a", "--name", family, "--data", tmp_path)
    assert family in run("app", "list", "--data", tmp_path)


def test_an_old_name_cannot_control_the_terminal(tmp_path):
    key = json.loads(run("app", "create", "--data", tmp_path, "--name", "A", "--bundle-id", "com.example.a", "--json"))["app_key"]
    database = sqlite3.connect(tmp_path / "posthorn.sqlite")
    # Isolates, which texts of two directions have, and controls that JSON does not escape.
    name = "a\x1b[2J\nforged  line\u2066b\u2069\x7f\x9b\u2028"
    database.execute("UPDATE app SET name = ?", [name])
    database.commit()
    database.close()
    for words in (["app", "list"], ["app", "show", key]):
        printed = run(*words, "--data", tmp_path)
        assert "\x1b" not in printed and "a\\u{1B}[2J\\nforged  line" in printed, printed
    assert json.loads(run("app", "list", "--data", tmp_path, "--json"))[0]["name"] == name


# The stories of `posthorn demo`.

STORY = ["active", "active", "stale", "ended"]


def test_a_delivery_is_followed_from_its_start_by_push_to_its_end():
    lines = [line.strip() for line in run("demo", "live", "--exit").splitlines()]
    shown = [line for line in lines if "lock screen: " in line]
    assert [line.rsplit(", ", 1)[1] for line in shown] == STORY
    assert '{"order":"4711"} {"place":"Depot","stops":9}' in shown[0]
    events = re.findall(r"\(live_activity: (\w+)\) → 200", "\n".join(lines))
    assert events == ["start", "update", "update", "end"]
    why = [line.split("why", 1)[1].strip() for line in lines if re.match(r"[\d.,]+ ms +why ", line)]
    assert why[0] == "shown: it started a Live Activity" and why[-1] == "shown: it ended a Live Activity"
    assert why[2].endswith("the Live Activity cannot use it: 'content-state.stops' is missing")
    speakers = {line.split()[2] for line in lines if re.match(r"[\d.,]+ ms ", line)}
    assert speakers == {"phone", "app", "user", "backend", "clock", "why"}


def test_the_journeys_of_a_delivery_are_printed_as_json():
    journeys = json.loads(run("demo", "live", "--exit", "--json"))
    assert [journey["verdict"]["state"] for journey in journeys] == ["shown", "shown", "suppressed", "shown"]
    assert all(journey["events"] for journey in journeys) and len({journey["msg_id"] for journey in journeys}) == 4


def test_without_exit_the_demo_keeps_running():
    demo = Process("demo", "live")
    demo.line(lambda line: line.startswith("See the phone"))
    demo.line(lambda line: line.startswith("Everything keeps running"))
    assert demo.stop() == 0
