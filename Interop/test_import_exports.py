"""Exports of OneSignal and of Parse come in as they are, with what happens to be in them."""

import gzip
import json
import os

import pytest
from test_import import devices, posthorn, service  # noqa: F401

COLUMNS = "id,identifier,language,device_type,tags,invalid_identifier,external_user_id,notification_types"
TOKEN = "{:064x}".format


def player(number):
    return f"{number:08d}-0000-4000-8000-000000000000"


def registered(number):
    return player(number).replace("-", "")


def onesignal(number, token=None, kind="0", tags="{}", invalid="f", user="", state="1"):
    text = tags.replace('"', '""')
    return f'{player(number)},{TOKEN(number) if token is None else token},en,{kind},"{text}",{invalid},{user},{state}'


ONESIGNAL = [
    onesignal(1, tags='{"plan":"pro","city":"New York","level":7,"beta":true,"old":"","gone":null}', user="user-1"),
    onesignal(2, state="-2"),
    onesignal(3, state="-31"),
    onesignal(4, state="0"),
    onesignal(5, state="-18"),
    onesignal(6, state=""),
    onesignal(7, state="15", tags="[]"),
    onesignal(8, token="fcm-token", kind="1"),
    onesignal(9, invalid="t"),
    onesignal(10, token=""),
    onesignal(11, token="NULL"),
    onesignal(12, tags=json.dumps({"plan": "pro", "bio": "x" * 60})),
    onesignal(13, tags=json.dumps({"url": "https://example.com/" + "p" * 50, "city": "New-York"})),
    onesignal(14, user="x-1"),
    onesignal(15, user="x_1"),
    onesignal(16, user="a/b"),
    onesignal(17, user="a:b"),
    onesignal(18, user="null"),
    onesignal(19, token="xyz", user="+8613800138000", state="2"),
    onesignal(20, token="xyz", user="@ann"),
    # The second device of a user, which has the same alias.
    onesignal(21, user="x-1"),
]


def test_an_export_of_onesignal_with_every_trap(service, tmp_path):
    file = tmp_path / "users.csv"
    file.write_text("\n".join([COLUMNS, *ONESIGNAL, " "]) + "\n")
    done = posthorn(service, "import", file, "--from", "onesignal", status=1)
    assert "Ignored columns" not in done.stderr
    assert "Left out, because APNs does not reach their devices: 4 rows." in done.stderr
    assert "Left out, because their users have unsubscribed: 4 rows." in done.stderr
    assert "which were read as empty: 2." in done.stderr
    assert "13 rows: 9 new devices" in done.stdout and "2 imported without some of their values." in done.stdout
    assert f"line 13: imported without 1 value: 'bio={'x' * 36}…' has 64 bytes; at most 40 are allowed." in done.stderr
    assert "line 14: imported without 2 values: 'url=https://example.com/" in done.stderr
    assert "'city=New-York' would be 'city=New_York', which stands for another tag of the file." in done.stderr
    for line, user in [(16, "x_1"), (18, "a:b")]:
        assert f"line {line}: '{user}' would have the alias '{user.replace(':', '_')}', which stands for another id" in done.stderr
    found = devices(service)
    assert {id: (device["alias"], device["tags"]) for id, device in found.items()} == {
        registered(1): ("user_1", ["beta=true", "city=New_York", "level=7", "plan=pro"]),
        registered(6): (None, []), registered(7): (None, []), registered(12): (None, ["plan=pro"]),
        registered(13): (None, []), registered(14): ("x_1", []), registered(16): ("a_b", []),
        registered(18): (None, []), registered(21): ("x_1", []),
    }
    assert {device["language"] for device in found.values()} == {"en"}
    # What was rejected is corrected and imported, with the apostrophes that a spreadsheet needs.
    rejected = tmp_path / "users.csv.rejected"
    text = rejected.read_text()
    assert len(text.splitlines()) == 5
    assert ",'+8613800138000," in text and ",'@ann," in text
    for wrong, right in [(",x_1,1,", ",y_1,1,"), (",a:b,1,", ",c:d,1,"), (f"{player(19)},xyz", f"{player(19)},{TOKEN(19)}")]:
        assert wrong in text
        text = text.replace(wrong, right)
    rejected.write_text(text.replace(f"{player(20)},xyz", f"{player(20)},{TOKEN(20)}"))
    assert "4 rows: 4 new devices" in posthorn(service, "import", rejected, "--from", "onesignal").stdout
    aliases = {id: device["alias"] for id, device in devices(service).items()}
    assert [aliases[registered(number)] for number in (15, 17, 19, 20)] == ["y_1", "c_d", "+8613800138000", "@ann"]


@pytest.mark.parametrize("kind, invalid", [(0, False), ("0", "false"), (0, "f")])
def test_rows_of_onesignal_as_json(service, tmp_path, kind, invalid):
    common = {"device_type": kind, "invalid_identifier": invalid}
    rows = [
        common | {"id": player(1), "identifier": TOKEN(1), "tags": {"plan": "pro", "level": 7}, "external_user_id": 42},
        common | {"id": player(2), "identifier": TOKEN(2), "notification_types": -2},
        common | {"id": player(3), "identifier": TOKEN(3), "device_type": 1},
        common | {"id": player(4), "identifier": TOKEN(4), "invalid_identifier": True},
        common | {"id": player(5), "identifier": TOKEN(5), "tags": None, "notification_types": 1},
        common | {"id": player(6), "identifier": TOKEN(6), "tags": "plan=pro"},
        common | {"id": player(7), "identifier": TOKEN(7), "tags": {f"k{number}": "v" for number in range(1002)}},
    ]
    file = tmp_path / "players.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = posthorn(service, "import", file, "--from", "onesignal", "--json", status=1)
    finished = json.loads(done.stdout.splitlines()[-1])
    assert (finished["created"], finished["rejected"], finished["left_out"]) == (3, 1, 3)
    assert "a device has at most 1000; the last 2 are too many" in done.stdout
    assert '"problem":"\'tags\' is \'plan=pro\'; expected a JSON object."' in done.stdout
    found = {id: (device["alias"], device["tags"]) for id, device in devices(service).items()}
    assert len(found.pop(registered(7))[1]) == 1000
    assert found == {registered(1): ("42", ["level=7", "plan=pro"]), registered(5): (None, [])}


def test_an_export_without_a_device_for_apns(service, tmp_path):
    file = tmp_path / "users.csv"
    file.write_text("\n".join([COLUMNS, *(onesignal(number, token="fcm", kind="1") for number in (1, 2))]) + "\n")
    done = posthorn(service, "import", file, "--from", "onesignal")
    assert "Left out, because APNs does not reach their devices: 2 rows." in done.stderr
    assert "0 rows: 0 new devices" in done.stdout and "no rows" not in done.stderr


def test_an_export_that_a_spreadsheet_has_saved(service, tmp_path):
    file = tmp_path / "users.csv"
    row = onesignal(1, tags='{"plan":"pro"}', user="ann").split(",")
    file.write_text("sep=;\r\n" + COLUMNS.replace(",", ";") + "\r\n" + ";".join(row) + "\r\n", newline="")
    posthorn(service, "import", file, "--from", "onesignal")
    assert devices(service)[registered(1)]["tags"] == ["plan=pro"]


def test_a_continued_export_knows_the_names_of_earlier_rows(service, tmp_path):
    file = tmp_path / "users.csv"
    rows = [onesignal(1, user="x-1"), onesignal(2, state="-2"), onesignal(3, user="x_1"), onesignal(4, user="y_1")]
    file.write_text("\n".join([COLUMNS, *rows]) + "\n")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    state = {"bytes": file.stat().st_size, "modified": 1_700_000_000_000, "app_key": service.auth[0], "rejected_bytes": 0}
    state |= {"created": 1, "updated": 0, "unchanged": 0, "kept": 0, "rejected": 0, "line": 3}
    state["offset"] = len(COLUMNS) + len(rows[0]) + 2
    (tmp_path / "users.csv.posthorn-import").write_text(json.dumps(state))
    done = posthorn(service, "import", file, "--from", "onesignal", status=1)
    assert f"Continuing at line 3 of {file}" in done.stderr
    assert "unsubscribed: 1 row." in done.stderr and "line 4: 'x_1' would have the alias 'x_1'" in done.stderr
    assert "3 rows: 2 new devices" in done.stdout
    assert [device["alias"] for device in devices(service).values()] == ["y_1"]


def installation(number, **members):
    return {"objectId": f"obj{number}", "deviceType": "ios", "deviceToken": TOKEN(number), "appIdentifier": "com.example.app"} | members


PARSE = [
    installation(1, channels=["", "news"]),
    installation(2, channels=["news-eu", "a b"]),
    installation(3, channels=["news_eu", "vip"]),
    installation(4, appIdentifier="com.example.app.lite"),
    installation(5, appIdentifier=None),
    installation(6, user={"__type": "Pointer", "className": "_User", "objectId": "Qw3rTy"}),
    installation(7, _p_user="_User$Zx9"),
    installation(8, _p_user="_User$Zx9", channels=[]),
    installation(9, deviceType="android", deviceToken="dW9:APA91b"),
    installation(10, deviceToken=None),
    installation(11, deviceToken=""),
    {"_id": "mongo1", "deviceType": "ios", "deviceToken": TOKEN(12), "badge": {"$numberInt": "1"}},
    {"_id": {"$oid": "507f1f77bcf86cd799439011"}, "deviceType": "ios", "deviceToken": TOKEN(13)},
    installation(14, channels=["c" * 41, "news"]),
    installation(15, channels=[7, "news"]),
    installation(16, channels=None),
    installation(17, user="null"),
    installation(18, deviceToken="<" + TOKEN(18) + ">"),
    installation(19, deviceToken="xyz"),
    installation(20, channels=["新闻"]),
]


def test_an_export_of_parse_with_every_trap(service, tmp_path):
    file = tmp_path / "installations.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in PARSE) + " ")
    done = posthorn(service, "import", file, "--from", "parse", status=1)
    assert "Left out, because APNs does not reach their devices: 3 rows." in done.stderr
    assert "Left out, because they belong to another app: 1 row." in done.stderr
    assert "line 3: imported without 1 value: 'news_eu' would be 'news_eu', which stands for another tag" in done.stderr
    assert "line 14: imported without 1 value: '" + "c" * 40 + "…' has 41 bytes" in done.stderr
    assert "line 19: 'token' is 'xyz'" in done.stderr
    found = devices(service)
    assert {id: (device["alias"], device["tags"]) for id, device in found.items()} == {
        "obj1": (None, ["news"]), "obj2": (None, ["a_b", "news_eu"]), "obj3": (None, ["vip"]), "obj5": (None, []),
        "obj6": ("Qw3rTy", []), "obj7": ("Zx9", []), "obj8": ("Zx9", []), "mongo1": (None, []),
        "507f1f77bcf86cd799439011": (None, []), "obj14": (None, ["news"]), "obj15": (None, ["7", "news"]), "obj16": (None, []),
        "obj17": (None, []), "obj18": (None, []), "obj20": (None, ["新闻"]),
    }


def test_mongoexport_as_csv(service, tmp_path):
    file = tmp_path / "installations.csv"
    file.write_text(
        "_id,deviceType,deviceToken,appIdentifier,channels,_p_user\n"
        f'a1,ios,{TOKEN(1)},com.example.app,"[""news"",""vip""]",_User$Zx9\n'
        f'a2,ios,{TOKEN(2)},com.example.app,"[""""]",\n'
        f"a3,ios,{TOKEN(3)},com.example.app.lite,,\n"
        f'a4,ios,{TOKEN(4)},,,"{{""__type"":""Pointer"",""className"":""_User"",""objectId"":""Qw3""}}"\n'
    )
    assert "belong to another app: 1 row." in posthorn(service, "import", file, "--from", "parse").stderr
    found = {id: (device["alias"], device["tags"]) for id, device in devices(service).items()}
    assert found == {"a1": ("Zx9", ["news", "vip"]), "a2": (None, []), "a4": ("Qw3", [])}


@pytest.mark.parametrize(
    "text, said, command",
    [
        ('{"results":[{"objectId":"a1","deviceType":"ios"}]}', "is one JSON object for all devices", "jq -c '.results[]' FILE"),
        ('{\n  "results": [\n    {\n "objectId": "a1"}]\n}\n', "is one JSON object for all devices", "jq -c '.results[]' FILE"),
        ('{"total_count":1,"offset":0,"limit":300,"players":[{"id":"x"}]}', "is one JSON object for all", "jq -c '.players[]' FILE"),
        ('{"EndpointsResponse":{"Item":[{"Id":"x"}]}}', "is one JSON object for all", "jq -c '.EndpointsResponse.Item[]' FILE"),
        ('{"Item":[{"Id":"x"}]}', "is one JSON object for all devices", "jq -c '.Item[]' FILE"),
        ('{\r\n  "objectId": "a1"\r\n}\r\n', "is JSON on several lines", "jq -c . FILE"),
    ],
)
def test_json_that_is_not_one_object_a_line(service, tmp_path, text, said, command):
    file = tmp_path / "installations.json"
    file.write_text(text, newline="")
    error = posthorn(service, "import", file, "--from", "parse", status=64).stderr
    assert said in error and f"This writes one object a line: {command.replace('FILE', str(file))}\n" in error


def endpoint(number, **members):
    return {"Id": player(number), "ChannelType": "APNS", "Address": TOKEN(number), "EndpointStatus": "ACTIVE", "OptOut": "NONE",
            "ApplicationId": "a" * 32, "EffectiveDate": "2026-10-01T00:00:00.000Z", "CohortId": "7",
            "Demographic": {"AppVersion": "2.1", "Locale": "zh_CN", "Platform": "iOS", "PlatformVersion": "17.2",
                            "Timezone": "Asia/Shanghai"}} | members


def write_lines(file, rows):
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_an_export_of_pinpoint(service, tmp_path):
    identity = "us-east-1:0a0b0c0d-0000-4000-8000-000000000000"
    rows = [
        endpoint(1, User={"UserId": "ada", "UserAttributes": {"plan": ["pro"]}}, Attributes={"likes": ["tea", "milk"], "City name": ["Rome"]}),
        endpoint(2, ChannelType="APNS_SANDBOX", User={"UserId": "bob"}),
        endpoint(3, ChannelType="GCM"), endpoint(4, ChannelType="EMAIL", Address="a@example.com"),
        endpoint(5, EndpointStatus="INACTIVE"), endpoint(6, OptOut="ALL"),
        endpoint(7, User=None, Attributes=None, Demographic=None), endpoint(8, Address="xyz"),
        # A user of Cognito, whose id is longer than an alias.
        endpoint(9, User={"UserId": identity}), endpoint(10, User={"UserId": "null"}),
        endpoint(11, Attributes={"bio": ["x" * 201], "plan": ["free"]}, User={"UserAttributes": {"plan": ["pro"]}}),
        endpoint(12, Attributes={f"a{number}": ["v"] for number in range(22)},
                 Demographic={"Locale": "a b !!", "Timezone": "Mars/Base"}),
        {"Id": player(13), "Address": TOKEN(13)}, {"EndpointResponse": endpoint(14)},
        # Not an id here, and not a device to lose.
        endpoint(15, Id="ada@example.com", User={"UserId": "eve"}),
    ]
    done = posthorn(service, "import", write_lines(tmp_path / "endpoints.jsonl", rows), "--from", "pinpoint", status=1)
    assert "Left out, because APNs does not reach their devices: 3 rows." in done.stderr
    assert "Left out, because their users have unsubscribed: 1 row." in done.stderr
    assert "line 8: 'token' is 'xyz'" in done.stderr
    for line in (13, 14):
        assert f"line {line}: 'ChannelType' is missing; expected an endpoint of Amazon Pinpoint." in done.stderr
    assert f"line 9: imported without 1 value: the alias '{identity[:40]}…' has 46 bytes; at most 40 are allowed." in done.stderr
    assert "line 11: imported without 2 values:" in done.stderr
    assert "'attributes.bio' is no text, number or boolean of at most 200 bytes" in done.stderr and "a second attribute 'plan'" in done.stderr
    assert "line 12: imported without 2 values: The device would have 21 attributes; at most 20 fit;" in done.stderr
    assert "line 15: imported without 1 value: the id 'ada@example.com' is not 1 to 64 letters and digits." in done.stderr
    found = devices(service)
    assert [device["alias"] for id, device in found.items() if id not in map(registered, range(20))] == ["eve"]
    found = {id: device for id, device in found.items() if device["alias"] != "eve"}
    assert {id: (device["alias"], device["tags"], device["environment"]) for id, device in found.items()} == {
        registered(1): ("ada", ["likes=milk", "likes=tea"], "production"), registered(2): ("bob", [], "development"),
    } | {registered(number): (None, [], "production") for number in (7, 9, 10, 11, 12)}
    assert found[registered(1)]["attributes"] == {"City_name": "Rome", "plan": "pro"}
    assert found[registered(11)]["attributes"] in ({"plan": "free"}, {"plan": "pro"})
    assert len(found[registered(12)]["attributes"]) == 20
    about = {id: (device["language"], device["zone"], device["app_version"], device["system"]) for id, device in found.items()}
    assert about[registered(1)] == about[registered(9)] == ("zh-CN", "Asia/Shanghai", "2.1", "iOS 17.2")
    assert about[registered(7)] == (None, None, None, "")
    assert about[registered(12)][:2] == (None, None)
    # What an app would say of itself is exported and imported again.
    lines = posthorn(service, "devices", "export", "--format", "jsonl").stdout.splitlines()
    exported = {row["registration_id"]: row for row in map(json.loads, lines)}
    assert exported[registered(1)]["language"] == "zh-CN" and exported[registered(1)]["system"] == "iOS 17.2"


@pytest.mark.parametrize("kind, expected", [("parse", "'deviceType' is missing; expected an installation of Parse."),
                                            ("onesignal", "'device_type' is missing; expected a subscription of OneSignal.")])
def test_rows_of_another_export_are_rejected(service, tmp_path, kind, expected):
    file = write_lines(tmp_path / "endpoints.jsonl", [endpoint(1)])
    done = posthorn(service, "import", file, "--from", kind, status=1)
    assert f"line 1: {expected}" in done.stderr and "Left out" not in done.stderr


def test_a_compressed_export_says_how_it_is_read(service, tmp_path):
    file = tmp_path / "endpoints.gz"
    file.write_bytes(gzip.compress(b"{}\n"))
    error = posthorn(service, "import", file, "--from", "pinpoint", status=64).stderr
    assert f"'gunzip -c {file} | posthorn import - --from pinpoint' reads it." in error


def test_pinpoint_as_csv_with_the_names_of_its_segments(service, tmp_path):
    file = tmp_path / "endpoints.csv"
    file.write_text(
        "ChannelType,Id,Address,User.UserId,Attributes.plan,User.UserAttributes.name,Demographic.Locale,Metrics.age\n"
        f"APNS,{player(1)},{TOKEN(1)},ada,pro,Ada,de_DE,7\n"
    )
    done = posthorn(service, "import", file, "--from", "pinpoint")
    assert "Ignored columns: Metrics.age." in done.stderr
    device = devices(service)[registered(1)]
    assert (device["alias"], device["attributes"], device["language"]) == ("ada", {"plan": "pro", "name": "Ada"}, "de-DE")
    file.write_text("Id,Token\nx,y\n")
    error = posthorn(service, "import", file, "--from", "pinpoint", status=64).stderr
    assert "has no column 'Address'" in error and "expected some of Address, ChannelType," in error and "registration_id" not in error


def test_what_parse_and_onesignal_know_of_a_device(service, tmp_path):
    row = installation(1, localeIdentifier="pt-BR", timeZone="America/Sao_Paulo", appVersion="3.0")
    posthorn(service, "import", write_lines(tmp_path / "installations.jsonl", [row]), "--from", "parse")
    row = {"id": player(2), "identifier": TOKEN(2), "language": "zh-Hant", "timezone_id": "Asia/Taipei", "game_version": "4", "device_os": "18.1"}
    posthorn(service, "import", write_lines(tmp_path / "players.jsonl", [row]), "--from", "onesignal")
    names = ["language", "zone", "app_version", "system"]
    found = {id: [device[name] for name in names] for id, device in devices(service).items()}
    assert found == {"obj1": ["pt-BR", "America/Sao_Paulo", "3.0", ""], registered(2): ["zh-Hant", "Asia/Taipei", "4", "iOS 18.1"]}
