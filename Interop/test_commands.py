"""Commands about pushes and devices at a running service, and help for mistyped words."""

import csv
import json
import os
import pathlib
import re
import stat
import subprocess

import pytest
from journeys import await_sent, await_state, await_taken_back
from peers import need
from processes import BINARY, Process
from test_cli import run


@pytest.fixture(scope="module")
def sandbox():
    process = Process("sandbox", "--json", "--devices", "2", "--log-level", "critical")
    box = json.loads(process.line())
    api = box["api"]
    environment = {
        "POSTHORN_URL": api["url"], "POSTHORN_APP_KEY": api["appKey"], "POSTHORN_MASTER_SECRET": api["masterSecret"],
    }
    yield box, environment
    assert process.stop() == 0


def push(content, *devices):
    """A push object for these devices, or for all."""
    audience = {"registration_id": devices} if devices else "all"
    return json.dumps({"platform": "ios", "audience": audience, **content})


def test_a_report_has_the_counts_of_a_push(sandbox):
    box, environment = sandbox
    device = box["devices"][0]["registrationID"]
    sent = json.loads(run("push", "--alert", "Hi", "--registration-id", device, "--json", **environment))["msg_id"]
    await_state(box, sent, device, "shown")
    await_sent(box, sent)
    lines = run("report", sent, **environment).splitlines()
    assert lines[0].split() == ["msg_id", "kind", "target", "sent", "received", "shown", "opened"]
    counts = lines[1].split()
    assert counts[:4] == [sent, "notification", "1", "1"] and len(lines) == 2
    message = json.loads(run("push", "-", "--json", stdin=push({"message": {"msg_content": "Hi"}}, device), **environment))["msg_id"]
    await_state(box, message, device, "stored")
    assert run("report", message, **environment).splitlines()[-1].split()[1:5] == ["message", "1", "-", "0"]
    assert json.loads(run("report", sent, "--json", **environment))[0]["msg_id"] == sent
    assert "The app has no push 12345" in run("report", sent, "12345", status=1, **environment)


def test_a_push_is_withdrawn_or_the_reason_is_told(sandbox):
    box, environment = sandbox
    device = box["devices"][0]["registrationID"]
    content = {"notification": {"alert": "Later"}, "options": {"big_push_duration": 60}}
    slow = json.loads(run("push", "-", "--json", stdin=push(content), **environment))["msg_id"]
    said = run("withdraw", slow, **environment)
    found = re.fullmatch(rf"{slow}  (?:nothing is )?withdrawn: (\d) of 2 devices were left; it was sent to (\d) before(?:, and \d asked to remove it)?\n", said)
    assert found and int(found[1]) + int(found[2]) == 2
    quick = json.loads(run("push", "--alert", "Seen", "--registration-id", device, "--json", **environment))["msg_id"]
    await_state(box, quick, device, "shown")
    # Else it would be withdrawn while the service sends it.
    await_sent(box, quick)
    said = run("withdraw", quick, **environment)
    assert said == f"{quick}  nothing is withdrawn: 0 of 1 devices were left; it was sent to 1 before, and 1 asked to remove it\n"
    counts = json.loads(run("withdraw", quick, "--json", **environment))
    assert (counts["withdrawn"], counts["devices"], counts["left"], counts["sent"], counts["asked"]) == (True, 1, 0, 1, 1)
    await_taken_back(box, quick)
    assert "Taken back   removed on 1, " in run("message", "show", quick, **environment)
    assert "taken back: the app removed the notification" in run("why", quick, device, **environment)
    assert "移除通知：已收回：App 移除了这条通知。" in run("why", quick, device, "--lang", "zh-Hans", **environment)
    assert "已移除 1 台" in run("message", "show", quick, "--lang", "zh-Hans", **environment)
    refused = run("withdraw", "1", status=1, LC_ALL="zh_CN.UTF-8", **environment)
    assert "服务返回 400（1003）：App 在最近一天内没有发送过 msg_id 为 1 的推送。" in refused
    assert "The service answered 40" in run("withdraw", "1", status=1, **environment)
    ended = subprocess.run([BINARY, "withdraw", "1", "--json"], env=os.environ | environment, capture_output=True, text=True)
    answer = json.loads(ended.stdout)
    assert ended.returncode == 1 and answer["withdrawn"] is False and answer["problem"]


def test_why_names_what_the_app_does_not_have(sandbox):
    box, environment = sandbox
    device = box["devices"][0]["registrationID"]
    sent = json.loads(run("push", "--alert", "Why", "--registration-id", device, "--json", **environment))["msg_id"]
    assert "The app has no push 12345." in run("why", "12345", device, status=1, **environment)
    assert "has no device 'nobody'." in run("why", sent, "nobody", status=1, **environment)
    assert "App 没有推送 12345。" in run("why", "12345", device, status=1, LC_ALL="zh_CN.UTF-8", **environment)


def test_pushes_are_listed_and_shown(sandbox):
    box, environment = sandbox
    device = box["devices"][0]["registrationID"]
    sent = json.loads(run("push", "--alert", "Find me", "--registration-id", device, "--json", **environment))["msg_id"]
    await_state(box, sent, device, "shown")
    await_sent(box, sent)
    content = {"notification": {"alert": "Later"}, "options": {"big_push_duration": 60}}
    slow = json.loads(run("push", "-", "--json", stdin=push(content), **environment))["msg_id"]
    lines = run("message", "list", "--limit", "2", **environment).splitlines()
    assert [line.split()[0] for line in lines] == [slow, sent]
    assert lines[0].endswith("waiting  Later") and lines[1].endswith("done     Find me")
    waiting = run("message", "list", "--waiting", "--json", **environment).splitlines()
    assert run("message", "list", "--search", "no push says this", "--json", **environment) == ""
    found = run("message", "list", "--search", "Find me", "--json", **environment).splitlines()
    assert [json.loads(line)["msg_id"] for line in found] == [sent]
    assert [json.loads(line)["msg_id"] for line in waiting] == [slow]
    assert run("message", "list", "--before", sent, "--limit", "1", "--json", **environment) != ""
    shown = run("message", "show", sent, **environment)
    assert "Devices      1: 1 sent, 0 ended without, 0 waiting" in shown and '"alert":"Find me"' in shown
    facts = json.loads(run("message", "show", slow, "--json", **environment))
    assert facts["progress"]["waiting"] + facts["progress"]["sent"] == 2 and facts["progress"]["next_at"]
    assert facts["request_id"]
    run("withdraw", slow, **environment)
    assert "Because      withdrawn" in run("message", "show", slow, **environment)
    assert "This app has no push 1." in run("message", "show", "1", status=1, **environment)


def test_a_shown_push_has_the_reasons_for_which_devices_got_nothing(sandbox):
    box, environment = sandbox
    devices = [device["registrationID"] for device in box["devices"]]
    words = ["push", "--alert", "Nobody", "--environment", "development", "--all", "--json"]
    sent = json.loads(run(*words, **environment))["msg_id"]
    for device in devices:
        await_state(box, sent, device, "suppressed")
    (outcome,) = json.loads(run("message", "show", sent, "--json", **environment))["outcomes"]
    assert outcome["devices"] == 2 and outcome["sentence"].startswith("not sent: the app was registered")
    lines = run("message", "show", sent, "--lang", "en", **environment).splitlines()
    counts = next(number for number, line in enumerate(lines) if line.startswith("Devices      2: 0 sent, 2 ended without"))
    assert lines[counts + 1] == f"             2 {outcome['sentence']}"
    lines = run("message", "show", sent, "--lang", "zh-Hans", **environment).splitlines()
    assert lines[counts + 1].startswith("             2 推送发往一个 APNs 环境，")


PAYLOADS = pathlib.Path(__file__).resolve().parent.parent / "Examples/Payloads"


def test_a_push_is_explained_before_it_is_sent():
    words = ["explain", PAYLOADS / "passive.json", "--ios", "14,15.2", "--state", "background"]
    head, before, since = run(*words).splitlines()
    assert head.endswith("left: APNs accepts it") and "iOS 14, background: banner, list, sound" in before
    assert "iOS 15.2, background: list; no banner and no sound" in since
    (push,) = json.loads(run(*words, "--json", "--check"))["pushes"]
    assert [row["shown"] for row in push["rows"]] == [["banner", "list", "sound"], ["list"]]
    assert run(*words, "--markdown").count("| 15.2 | background |") == 1


def test_a_folder_of_pushes_is_checked(tmp_path):
    (tmp_path / "good.json").write_text('{"aps":{"alert":"a"}}')
    assert run("explain", tmp_path, "--check", "--ios", "26").startswith("good.json: ")
    (tmp_path / "bad.apns").write_text('{"aps":{"alert":"a","content_available":1}}')
    assert "expected 'content-available'" in run("explain", tmp_path, "--check", "--ios", "26", status=1)


def test_a_file_that_is_not_for_apns_does_not_hide_the_others(tmp_path):
    (tmp_path / "a.json").write_text('{"aps":{"alert":"a"}}')
    (tmp_path / "b.json").write_text('{"platform":"all","audience":"all","message":{"msg_content":"a"}}')
    (tmp_path / "c.json").write_text('{"platform":"all","audience":"all","notification":{"ios":{"alert":"a","badge":"abc"}}}')
    words = ["explain", tmp_path, "--ios", "26", "--state", "background"]
    message, badge = "b.json: not sent to APNs: The push has no notification", "c.json: not sent to APNs: 'notification.ios.badge' is"
    lines = run(*words).splitlines()
    assert [line.startswith(start) for line, start in zip(lines, ["a.json: ", "  iOS 26", message, badge], strict=True)] == [True] * 4
    problems = run(*words, "--check", status=1).splitlines()
    assert [problem[:7] for problem in problems] == ["b.json:", "c.json:"]
    assert run(*words, "--markdown").count("**") == 6
    pushes = json.loads(run(*words, "--json"))["pushes"]
    assert [len(push["rows"]) for push in pushes] == [1, 0, 0] and [len(push["problems"]) for push in pushes] == [0, 1, 1]


def test_the_folders_of_a_folder_are_checked_too(tmp_path):
    (tmp_path / "orders/.drafts").mkdir(parents=True)
    (tmp_path / "ok.json").write_text('{"aps":{"alert":"a"}}')
    for name in ["orders/bad.json", "orders/.drafts/hidden.json"]:
        (tmp_path / name).write_text('{"aps":{"alert":"a","content_available":1}}')
    (tmp_path / "orders/all").symlink_to(tmp_path)
    words = ["explain", tmp_path, "--ios", "26"]
    names = [line.split(": ")[0] for line in run(*words).splitlines() if not line.startswith(" ")]
    assert names == ["ok.json", "orders/bad.json"]
    assert run(*words, "--check", status=1).startswith("orders/bad.json: 'aps.content_available' means nothing")


def test_what_is_explained_at_once_has_limits(tmp_path):
    large = tmp_path / "large.json"
    large.write_text("[" + " " * 10_000_000 + "]")
    assert "more than 10000000 bytes together" in run("explain", large, status=64)
    for number in range(1001):
        (tmp_path / f"{number}.json").write_text("{}")
    assert "more than 1000 files" in run("explain", tmp_path, status=64)
    os.mkfifo(tmp_path / "pipe")
    assert "pipe' is not a file." in run("explain", tmp_path / "pipe", status=64)


def test_wrong_words_of_an_explanation_are_named(tmp_path):
    file = PAYLOADS / "alert.json"
    assert "--ios has '99'; expected a version of iOS" in run("explain", file, "--ios", "16,99", status=64)
    assert "--state has 'asleep'; expected some of front, background" in run("explain", file, "--state", "asleep", status=64)
    assert "has no file that ends in .json or .apns" in run("explain", tmp_path, status=64)


@pytest.mark.parametrize("system, rows", [("7", 51), ("8", 62), ("9", 65)])
def test_the_matrix_has_rows_for_each_version(system, rows):
    assert run("matrix", "--os", system).splitlines()[-1] == f"{rows} cases, 0 differ from the table"


def test_the_matrix_fires_local_notifications():
    words = ["matrix", "--os", "8", "--local", "--state", "terminated", "--do", "action", "--json"]
    case = json.loads(run(*words))
    assert case["callbacks"][-1] == "application(_:handleActionWithIdentifier:for:completionHandler:)@background[action-id]"
    assert case["launchOptions"] == "[.localNotification: UILocalNotification]"
    assert "replies came with it" in run("matrix", "--os", "8", "--do", "reply", status=64)
    assert "belong to a push" in run("matrix", "--local", "--silent", status=64)


def test_the_matrix_of_ios_9_explains_without_methods_of_ios_10():
    for words in [["--local"], []]:
        said = subprocess.run(
            [BINARY, "matrix", "--os", "9", "--state", "foreground", *words, "--do", "tap"], capture_output=True, text=True)
        assert said.returncode != 0 and "suppressed reason=foregroundLegacy" in said.stderr, said.stderr
        assert "shows no notification before version 10" in said.stderr
        assert "userNotificationCenter" not in said.stderr and "PushModel" not in said.stderr


def test_an_exported_alias_is_no_formula(tmp_path):
    data, first, second = tmp_path / "data", tmp_path / "first.jsonl", tmp_path / "second.csv"
    aliases = ["=1+1", "+1", "@SUM", "#", "a=b"]
    rows = [
        {
            "registration_id": f"r{number}", "token": f"{number:064x}", "environment": "production", "alias": alias,
            "tags": ["=t", "t", "@u"], "attributes": {"plan": "=1, \"x\""},
        }
        for number, alias in enumerate(aliases)
    ]
    first.write_text("".join(json.dumps(row) + "\n" for row in rows))
    app = json.loads(run("app", "create", "--data", data, "--name", "A", "--bundle-id", "com.example.a", "--json"))
    service = Process("serve", "--data", data, "--port", 0)
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    environment = {"POSTHORN_URL": url, "POSTHORN_APP_KEY": app["app_key"], "POSTHORN_MASTER_SECRET": app["master_secret"]}
    run("import", first, "--json", **environment)
    run("devices", "export", "--out", second, **environment)
    with open(second) as file:
        found = {row["registration_id"]: (row["alias"], row["tags"]) for row in csv.DictReader(file)}
    # Some spreadsheets begin a cell at a semicolon.
    tags = "'=t;'@u;t"
    assert found == {"r0": ("'=1+1", tags), "r1": ("'+1", tags), "r2": ("'@SUM", tags), "r3": ("#", tags), "r4": ("a=b", tags)}
    # What the file says is imported as it was exported.
    changed = second.read_text().replace("r0,", "s0,").replace(f"{0:064x}", f"{99:064x}")
    second.write_text(changed)
    run("import", second, "--json", **environment)
    lines = run("devices", "export", "--format", "jsonl", **environment).splitlines()
    devices = {row["registration_id"]: row for row in map(json.loads, lines)}
    assert devices["s0"]["alias"] == "=1+1" and devices["s0"]["tags"] == ["=t", "@u", "t"]
    assert devices["s0"]["attributes"] == {"plan": "=1, \"x\""}
    # Rejected rows are opened in a spreadsheet too.
    wrong = tmp_path / "wrong.csv"
    wrong.write_text('registration_id,token,alias,tags\n-r9,xyz,=1+1,"@t"\nr8,xyz,plain,"a;b"\n')
    run("import", wrong, status=1, **environment)
    rejected = (tmp_path / "wrong.csv.rejected").read_text().splitlines()
    assert rejected[1].startswith("'-r9,xyz,'=1+1,'@t,") and rejected[2].startswith('r8,xyz,plain,"a;b",')
    assert service.stop() == 0


def test_exported_devices_can_be_imported(sandbox, tmp_path):
    box, environment = sandbox
    first = box["devices"][0]
    run("devices", "tags", first["registrationID"], "--add", "vip", "--add", "新", **environment)
    run("devices", "alias", first["registrationID"], 'Anna&A', **environment)
    file = tmp_path / "devices.csv"
    done = json.loads(run("devices", "export", "--out", file, "--json", **environment))
    assert done.pop("seconds") > 0 and done.pop("rows_per_second") > 0
    assert done == {"written": str(file), "devices": 2, "without_token": 0}
    assert "--json needs --out" in run("devices", "export", "--json", status=64, **environment)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with open(file) as rows:
        devices = list(csv.DictReader(rows))
    assert {one["registration_id"] for one in devices} == {one["registrationID"] for one in box["devices"]}
    own = next(one for one in devices if one["registration_id"] == first["registrationID"])
    assert own["system"].startswith("iOS ")
    assert {name: own[name] for name in ("registration_id", "token", "environment", "alias", "tags", "attributes")} == {
        "registration_id": first["registrationID"], "token": first["token"], "environment": "production",
        "alias": 'Anna&A', "tags": own["tags"], "attributes": "",
    }
    assert set(own["tags"].split(";")) == {"vip", "新"}
    lines = run("devices", "export", "--format", "jsonl", "--tag", "vip", **environment).splitlines()
    assert [json.loads(line)["alias"] for line in lines] == ['Anna&A']
    assert json.loads(run("import", file, "--json", **environment).splitlines()[-1])["kept"] == 2
    assert "cannot be written" in run("devices", "export", "--out", tmp_path / "no" / "x", status=1, **environment)


def test_the_usage_is_told_for_wrong_usage_alone(tmp_path):
    for words, said in [
        (["when", "interval=60", "--repeats", "--zone", "CST"], "'CST' may mean America/Chicago or Asia/Shanghai"),
        (["when", "hour=8", "--repeats", "--count", "1001"], "'--count' is '1001'; expected a number from 1 to 1000."),
        (["when", "hour=25"], "'hour' is '25'; expected a whole number, 0 to 23."),
        (["cert", "show", tmp_path / "nowhere.pem"], "cannot be read"),
        (["appid", "show", "com.example.other", "--data", tmp_path / "nowhere"], "expected the data folder of a gateway"),
        (["device", "run", "--courier", "ws://127.0.0.1:1/courier", "--app", tmp_path], "is a folder; expected a program"),
    ]:
        error = run(*words, status=64)
        assert said in error and "Usage" not in error, error
    assert "Usage: posthorn when" in run("when", "--zone", status=64)


@pytest.mark.parametrize(
    "words, name",
    [(["pussh"], "push"), (["app", "lst"], "list"), (["device", "lcoal"], "local"), (["reprot"], "report")],
)
def test_a_mistyped_command_names_the_similar_one(words, name):
    assert f"Did you mean '{name}'?" in run(*words, status=64)


@pytest.mark.parametrize(
    "words, said",
    [
        (["help", "nope"], "'nope' is not a command of 'posthorn'. Did you mean 'node'?"),
        (["help", "device", "tpa"], "'tpa' is not a command of 'posthorn device'. Did you mean 'tap'?"),
        (["device", "tpa"], "'tpa' is not a command of 'posthorn device'. Did you mean 'tap'?"),
        (["device", "tpa", "--courier", "ws://127.0.0.1:1/courier"], "See 'posthorn device --help'"),
        (["demo", "lvie"], "Did you mean 'live'?"), (["plan", "xylophone"], "'xylophone' is not a command of 'posthorn plan'."),
    ],
)
def test_a_word_that_is_no_command_ends_with_64_wherever_it_stands(words, said):
    assert said in run(*words, status=64)
    assert status_of(*words) == 64


def status_of(*words, **environment):
    return subprocess.run([BINARY, *map(str, words)], env=os.environ | environment, capture_output=True, timeout=60).returncode


def test_what_a_service_refuses_has_one_status_and_what_the_command_refuses_another(sandbox, tmp_path):
    _, environment = sandbox
    run("app", "create", "--data", tmp_path, "--name", "Shop", "--bundle-id", "com.example.shop")
    own = ["--data", tmp_path]
    for words in [
        ["plan", "create", ""], ["message", "show", "x"], ["template", "show", "x"], ["push", "--alert", "Hi", "--alias", ""],
        ["app", "create", "--name", "", "--bundle-id", "com.example.a", *own], ["app", "show", "x", *own],
        ["app", "create", "--name", "a", "--bundle-id", "a b", *own], ["doctor", "--message", "x", *own],
        ["group", "create", "--name", "", *own], ["retention", "--dry-run", "--messages", 0, *own],
    ]:
        assert status_of(*words, **environment) == 1, words
    for words in [["push", tmp_path / "nowhere"], ["plan", "create"], ["message", "show"], ["app", "create", "--name", "a", *own]]:
        assert status_of(*words, **environment) == 64, words


def test_help_of_a_command_is_shown_by_its_name():
    assert run("help", "device", "tap") == run("device", "tap", "--help")
    assert run("help").startswith("OVERVIEW: ")


@pytest.mark.parametrize("columns", [60, 100, 300])
@pytest.mark.parametrize("words, status", [
    (["send", "--help"], 0), (["channel", "--help"], 0), (["app", "create", "--help"], 0), (["app", "set", "x"], 64),
])
def test_the_usage_is_as_wide_as_the_window(words, status, columns):
    text = run(*words, status=status, COLUMNS=str(columns))
    start = text.lower().index("usage: ")
    usage = text[start:].split("\n\n")[0].split("\n  See")[0]
    # A single word may be wider, such as a synopsis of values.
    assert all(len(line) <= columns for line in usage.splitlines()), usage
    if columns == 60 and status == 0:
        assert len(usage.splitlines()) > 1 and usage.splitlines()[1].startswith(" " * 11)
    if words[0] == "send":
        # An example of a shell can be copied.
        lines = usage.splitlines()
        assert all(line.endswith(" \\") or after.lstrip().startswith("posthorn ") for line, after in zip(lines, lines[1:]))


def test_plans_and_templates_answer_as_json(sandbox, tmp_path):
    _, environment = sandbox

    def answer(*words):
        return json.loads(run(*words, "--json", **environment))

    for words in [["create", "a", "--description", "b"], ["change", "a", "--description", "c"], ["show", "a"], ["delete", "a"]]:
        assert isinstance(answer("plan", *words), dict), words
    file = tmp_path / "push.json"
    file.write_text('{"platform": "all", "notification": {"alert": "Hi {{name}}"}}')
    made = answer("template", "create", "--name", "t", file)["id"]
    for words in [["change", made, "--name", "u", file], ["show", made]]:
        assert isinstance(answer("template", *words), dict), words
    assert isinstance(answer("template", "list"), dict)
    assert isinstance(answer("template", "delete", made), dict)
    assert made not in json.dumps(answer("template", "list"))


def test_a_service_says_whether_it_is_healthy(sandbox):
    _, environment = sandbox
    url = environment["POSTHORN_URL"]
    assert run("health", url) == f"{url} is healthy.\n"
    assert run("health", "--url", url + "/") == run("health", POSTHORN_URL=url)
    assert run("health", POSTHORN_HTTP_PORT=url.rsplit(":", 1)[1]) == f"{url} is healthy.\n"
    assert "does not answer" in run("health", "http://127.0.0.1:9", status=1)
    assert "is not healthy: it answered /health with 404" in run("health", url + "/nowhere", status=1)
    assert "Give the URL once" in run("health", url, "--url", url, status=64)


def test_a_word_like_no_command_gets_no_suggestion():
    assert "Did you mean" not in run("xylophone", status=64)
    assert "Did you mean '--alert'?" in run("push", "--alrt", "Hi", status=64)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands(shell, tmp_path):
    script = run("completion", shell)
    assert "doctor" in script and "withdraw" in script
    file = tmp_path / "completion"
    file.write_text(script)
    environment = os.environ | {"HOME": str(tmp_path)}
    subprocess.run([need(shell), "-n", file], check=True, env=environment)
    if shell == "fish":
        asked = f"source {file}; complete -C 'posthorn doc'"
        completed = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True, env=environment)
        assert [line.split("\t")[0] for line in completed.stdout.splitlines()] == ["doctor"], completed.stderr
    if shell == "bash":
        asked = 'source "$1"; COMP_WORDS=(posthorn doc); COMP_CWORD=1; _posthorn posthorn doc posthorn; echo "${COMPREPLY[@]}"'
        completed = subprocess.run(["bash", "-c", asked, "bash", file], capture_output=True, text=True)
        assert completed.stdout.split() == ["doctor"], completed.stderr


def test_a_gateway_with_one_port_prints_no_other(tmp_path):
    gateway = Process("gateway", "--data", str(tmp_path / "a"), "--port", "0", "--json", "--log-level", "critical")
    box = json.loads(gateway.line())
    assert box["developmentPort"] is None and box["productionPort"] > 0
    assert gateway.stop() == 0
    gateway = Process("gateway", "--data", str(tmp_path / "b"), "--port", "0", "--log-level", "critical")
    line = gateway.line(lambda line: line.startswith("Providers"))
    assert "(production)" in line and "development" not in line
    assert gateway.stop() == 0


@pytest.mark.one_node("the gateway is a process of its own, whose bundles are for its own sample app")
def test_the_sandbox_has_certificates_that_push(sandbox):
    box, _ = sandbox
    apns = box["apns"]
    command = ["send", "--host", apns["host"], "--port", apns["port"], "--ca", apns["ca"], "--password", apns["p12"]["password"]]
    push = ["--token", apns["tokens"]["valid"], "--topic", apns["topic"], "--alert", "Hi"]
    run(*command, "--p12", apns["p12"]["production"], *push)
    run(*command, "--p12", apns["p12"]["development"], *push, status=1)


def test_changes_can_be_printed_as_json(tmp_path):
    data = ["--data", tmp_path, "--json"]
    app = json.loads(run("app", "create", *data, "--name", "A", "--bundle-id", "com.example.a"))["app_key"]
    group = json.loads(run("group", "create", *data, "--name", "G"))["group_key"]
    assert json.loads(run("group", "change", group, "--add", app, *data))["apps"] == [app]
    assert json.loads(run("group", "delete", group, "--name", "G", *data))["group_key"] == group
    developer = json.loads(run("dev", "create", *data, "--name", "D"))["dev_key"]
    assert json.loads(run("dev", "disable", developer, *data))["enabled"] is False
    assert json.loads(run("dev", "enable", developer, *data))["enabled"] is True
    developer = ["--data", tmp_path / "gateway"]
    run("appid", "create", "com.example.a", *developer)
    keys = ["-nodes", "-newkey", "rsa:2048", "-keyout", tmp_path / "key.pem", "-out", tmp_path / "request.pem", "-subj", "/CN=Me"]
    subprocess.run(["openssl", "req", "-new", *keys], check=True, capture_output=True)
    run(
        "cert", "issue", "--csr", tmp_path / "request.pem", "--app-id", "com.example.a", "--environment", "production", "--out",
        tmp_path / "push.pem", *developer,
    )
    exported = run(
        "cert", "export", tmp_path / "push.pem", "--key", tmp_path / "key.pem", "--p12", tmp_path / "push.p12", "--password", "x", "--json"
    )
    assert json.loads(exported) == {"written": str(tmp_path / "push.p12")}
    assert len(json.loads(run("cert", "revoke", tmp_path / "push.pem", "--json", *developer))["revoked"]) >= 16
