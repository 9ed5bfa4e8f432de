"""Devices of others come in from files: fast enough to watch, once each, also when the import is killed on the way."""

import base64
import http.server
import json
import os
import signal
import subprocess
import threading
import time

import pytest
import requests
from processes import BINARY, Process, on_terminal


@pytest.fixture
def service(tmp_path):
    """A service of its own, with an app; what a command needs to know of it stands in `environment`."""
    data = tmp_path / "data"
    process = Process("serve", "--data", data, "--port", 0, "--log-level", "error")
    url = process.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    made = subprocess.run(
        [BINARY, "app", "create", "--data", data, "--name", "A", "--bundle-id", "com.example.app", "--json"],
        capture_output=True, text=True, check=True, timeout=60,
    )
    app = json.loads(made.stdout)
    process.environment = {
        "POSTHORN_URL": url, "POSTHORN_APP_KEY": app["app_key"], "POSTHORN_MASTER_SECRET": app["master_secret"],
    }
    process.url, process.auth = url, (app["app_key"], app["master_secret"])
    yield process
    assert process.stop() == 0


def posthorn(service, *arguments, status=0, stdin=None):
    done = subprocess.run(
        [BINARY, *map(str, arguments)], capture_output=True, text=True, input=stdin,
        env=os.environ | service.environment, timeout=120,
    )
    assert done.returncode == status, done
    return done


def devices(service):
    lines = posthorn(service, "devices", "list", "--limit", 1_000_000, "--json").stdout.splitlines()
    return {device["registration_id"]: device for device in map(json.loads, lines)}


def test_a_csv_file_with_everything_in_it(service, tmp_path):
    file = tmp_path / "devices.csv"
    file.write_text(
        "\ufeffAlias,Registration ID,TAGS,Token,environment,comment\r\n"
        'bob,1a0018970a91c0c8a3f,"vip, new",' + "0a" * 32 + ',development,"a comma, and\r\na new line"\r\n'
        ",1a0018970a91c0c8a40,," + "0B" * 32 + ",,\r\n"
        "a b,1a0018970a91c0c8a41,," + "0c" * 32 + ",,bad alias\r\n"
        ",1a0018970a91c0c8a42,,xyz,,\r\n"
        "too,few\r\n"
        ',1a0018970a91c0c8a43,,"' + "0d" * 32 + '"x,,\r\n'
        ",1a0018970a91c0c8a44,中;文," + "0e" * 32 + ",,\r\n",
        newline="",
    )
    done = posthorn(service, "import", file, status=1)
    assert "Ignored columns: comment." in done.stderr
    for line, problem in [
        (5, "'alias' is 'a b'; expected 1 to 40 bytes"), (6, "'token' is 'xyz'; expected an even number"),
        (7, "The row has 2 fields; expected 6"), (8, "Something follows a closing quote"),
    ]:
        assert f"{file}, line {line}: {problem}" in done.stderr
    assert "7 rows: 3 new devices, 0 changed, 0 as they were." in done.stdout
    assert "4 rejected" in done.stdout and done.stdout.endswith(" rows a second.\n")
    found = devices(service)
    assert set(found) == {"1a0018970a91c0c8a3f", "1a0018970a91c0c8a40", "1a0018970a91c0c8a44"}
    bob = found["1a0018970a91c0c8a3f"]
    assert (bob["alias"], bob["tags"], bob["environment"]) == ("bob", ["new", "vip"], "development")
    assert (bob["token"], bob["imported"], bob["online"]) == ("0a" * 32, True, False)
    assert found["1a0018970a91c0c8a40"]["environment"] == "production", "as the app's setting is"
    # What was rejected is mended and comes in.
    rejected = tmp_path / "devices.csv.rejected"
    text = rejected.read_text()
    assert len(text.splitlines()) == 5 and text.splitlines()[0].endswith("comment,problem")
    rejected.write_text(text.splitlines()[0] + "\n" + text.splitlines()[1].replace("a b,", "ab,") + "\n")
    done = posthorn(service, "import", rejected)
    assert "1 new devices" in done.stdout
    assert "problem" not in done.stderr, "The column of problems is passed over in silence."
    assert len(devices(service)) == 4
    assert not list(tmp_path.glob("*.posthorn-import"))


@pytest.mark.parametrize("separator, end", [(";", "\n"), ("\t", "\r\n"), (",", "\r"), ("|", "\r")])
def test_other_separators_and_line_ends_are_read(service, tmp_path, separator, end):
    """lorawan-stack #5632 and oro #96: files of spreadsheets and of old Macs."""
    rows = [
        ["Device Token", "comment", "alias", "tags"], ["0a" * 32, '"x, y"', "bob", '"vip;new"'],
        ["<" + " ".join(["0b0b0b0b"] * 8) + ">", "", "", "新"], ["xyz", "", "", ""],
    ]
    file = tmp_path / "devices.csv"
    file.write_text(end.join(separator.join(row) for row in rows) + end, newline="")
    done = posthorn(service, "import", file, status=1)
    assert "Ignored columns: comment.\n" in done.stderr
    assert "3 rows: 2 new devices" in done.stdout and "line 4: 'token' is 'xyz'" in done.stderr
    found = {device["token"]: device for device in devices(service).values()}
    assert (found["0a" * 32]["alias"], found["0a" * 32]["tags"]) == ("bob", ["new", "vip"])
    assert found["0b" * 32]["tags"] == ["新"]
    rejected = tmp_path / "devices.csv.rejected"
    rejected.write_text(rejected.read_text().replace("xyz", "0c" * 32))
    assert "1 new devices" in posthorn(service, "import", rejected).stdout


def test_json_lines_from_a_pipe_and_the_ids_of_others_in_every_call(service, tmp_path):
    rows = [
        {"registration_id": "1a0018970a91c0c8a3f", "token": "0a" * 32, "alias": "bob", "tags": ["vip"]},
        {"token": "0b" * 32, "environment": "development"},
        {"token": 7},
        [],
    ]
    stdin = "\n".join(map(json.dumps, rows)) + "\n{,}\n"
    done = posthorn(service, "import", "-", "--json", stdin=stdin, status=1)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(event["line"], event["problem"][:20]) for event in events if event["event"] == "rejected"] == [
        (3, "'token' is '7'; expe"), (4, "The line is []; expe"), (5, "The line is not JSON"),
    ]
    finished = events[-1]
    assert finished["event"] == "finished"
    assert (finished["created"], finished["rejected"]) == (2, 3)
    assert finished["rows_per_second"] > 0 and finished["seconds"] > 0
    base, auth = service.url, service.auth
    old = "1a0018970a91c0c8a3f"
    assert requests.get(f"{base}/v3/devices/{old}", auth=auth).json() == {"tags": ["vip"], "alias": "bob", "mobile": None}
    assert requests.get(f"{base}/v3/aliases/bob", auth=auth).json() == {"registration_ids": [old]}
    push = {"platform": "ios", "audience": {"registration_id": [old]}, "notification": {"alert": "Hi"}}
    pushed = requests.post(f"{base}/v3/push", json=push, auth=auth).json()
    journey = requests.get(f"{base}/posthorn/v1/journeys/{pushed['msg_id']}/{old}", auth=auth).json()
    assert journey["registration_id"] == old
    assert journey["verdict"]["state"] in ("waiting", "paused")


@pytest.mark.release("kills many commands")
def test_killed_on_the_way_it_goes_on_and_doubles_nobody(service, tmp_path):
    file = tmp_path / "many.csv"
    count = 6_000
    lines = [f"f{number:018x},{number:064x},user{number}" for number in range(count)]
    lines[1000] = "f,wrong,x"
    lines[count - 1] = "f,wrong,y"
    file.write_text("registration_id,token,alias\n" + "\n".join(lines) + "\n")
    state = tmp_path / "many.csv.posthorn-import"
    reached, held = threading.Event(), threading.Event()

    def on_import(batch):
        # The second batch is stored, and the command does not hear of it.
        return batch == 1 or reached.set() or held.wait(60)

    with Front(service, on_import) as front:
        import_ = Process("import", file, "--url", front.url, env=os.environ | service.environment, stderr=subprocess.DEVNULL)
        assert reached.wait(60)
        import_.kill()
        held.set()
    kept = json.loads(state.read_text())
    assert 1500 < kept["created"] < count - 2
    # As if the run had written more of what is rejected than it came to note.
    with (tmp_path / "many.csv.rejected").open("a") as rejected:
        rejected.write("half a li")
    done = posthorn(service, "import", file, status=1)
    assert f"Continuing at line {kept['line']} of {file}" in done.stderr
    assert "6000 rows" in done.stdout and "2 rejected" in done.stdout
    found = devices(service)
    assert len(found) == count - 2
    assert found["f" + f"{count - 2:018x}"]["alias"] == f"user{count - 2}"
    rejected = (tmp_path / "many.csv.rejected").read_text().splitlines()
    assert [line.split(",")[:3] for line in rejected[1:]] == [["f", "wrong", "x"], ["f", "wrong", "y"]]
    assert not state.exists()
    again = posthorn(service, "import", file, status=1)
    assert f"0 new devices, 0 changed, {count - 2} as they were." in again.stdout
    assert len(devices(service)) == count - 2


def test_a_terminal_has_a_bar_and_a_pipe_has_lines(service, tmp_path):
    file = tmp_path / "many.csv"
    file.write_text("token\n" + "\n".join(f"{number:064x}" for number in range(9000)) + "\n")
    status, said, _ = on_terminal("import", file, **service.environment)
    assert status == 0
    assert b"\r\x1b[K[#" in said and b" rows, " in said
    assert said.endswith(b"\r\x1b[K"), "The bar is wiped away at the end."
    piped = posthorn(service, "import", file)
    assert "\r" not in piped.stderr and "\x1b" not in piped.stderr


def test_a_service_that_goes_away_is_waited_for_by_the_person(service, tmp_path):
    file = tmp_path / "many.csv"
    file.write_text("token\n" + "\n".join(f"{number:064x}" for number in range(9000)) + "\n")

    def on_import(batch):
        # Before the answer to the first batch is passed on, so that the second one meets nobody.
        service.kill()
        front.__exit__()
        return True

    with Front(service, on_import) as front:
        said = posthorn(service, "import", file, "--url", front.url, status=2).stderr
    assert "is 'posthorn serve' running there?" in said
    assert "the same command continues from there" in said
    port = service.url.rsplit(":", 1)[1]
    service.process = Process("serve", "--data", tmp_path / "data", "--port", port, "--log-level", "error").process
    deadline = time.monotonic() + 60
    while True:
        try:
            requests.get(f"{service.url}/health", timeout=1)
            break
        except requests.ConnectionError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert "9000 rows" in posthorn(service, "import", file).stdout
    assert len(devices(service)) == 9000


class Front:
    """Passes calls on to a service. `on_import` is called between the service's answer to a batch and passing that on; if it returns
    false, the connection ends without an answer."""

    def __init__(self, service, on_import):
        front = self
        self.imports = 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.pass_on()

            def do_POST(self):
                self.pass_on()

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                answer = requests.request(self.command, service.url + self.path, data=body, headers=dict(self.headers), timeout=60)
                if self.path.endswith("/devices/import"):
                    front.imports += 1
                    if not on_import(front.imports):
                        return
                self.send_response(answer.status_code)
                self.send_header("Content-Length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def test_a_batch_without_an_answer_may_be_stored(service, tmp_path):
    file = tmp_path / "many.csv"
    file.write_text("token\n" + "\n".join(f"{number:064x}" for number in range(7000)) + "\n")
    with Front(service, lambda batch: False) as front:
        said = posthorn(service, "import", file, "--url", front.url, status=2).stderr
    assert "0 rows are done; the same command continues from there." in said
    assert "The 5000 sent last may be done, too; sending them again changes nothing." in said
    assert len(devices(service)) == 5000
    assert "7000 rows: 2000 new devices, 0 changed, 5000 as they were." in posthorn(service, "import", file).stdout


@pytest.mark.release("takes longer than other calls may")
def test_a_batch_may_take_longer_than_other_calls(service, tmp_path):
    file = tmp_path / "one.csv"
    file.write_text("token\n" + "0a" * 32 + "\n")
    with Front(service, lambda batch: not threading.Event().wait(31)) as front:
        assert "1 rows: 1 new devices" in posthorn(service, "import", file, "--url", front.url).stdout


def test_an_interruption_clears_the_bar_and_says_how_to_go_on(service, tmp_path):
    file = tmp_path / "many.csv"
    file.write_text("token\n" + "\n".join(f"{number:064x}" for number in range(7000)) + "\n")
    commands = []
    ended = threading.Event()

    def on_import(batch):
        if batch == 1:
            return True
        commands[0].send_signal(signal.SIGINT)
        return ended.wait(60)

    # A shell starts what runs in its background with SIGINT ignored, which the command would respect.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    with Front(service, on_import) as front:
        status, said, _ = on_terminal("import", file, "--url", front.url, started=commands.append, **service.environment)
        ended.set()
    signal.signal(signal.SIGINT, former)
    assert status == -signal.SIGINT
    assert b"[#" in said and said.endswith(b"\r\x1b[KInterrupted. The same command continues from here.\r\n")
    done = posthorn(service, "import", file)
    assert "Continuing at line 5002" in done.stderr and "7000 rows: 5000 new devices" in done.stdout


def test_an_interruption_of_a_pipe_says_that_importing_again_is_harmless(service):
    held = threading.Event()
    reached = threading.Event()
    with Front(service, lambda batch: reached.set() or held.wait(60)) as front:
        import_ = Process("import", "-", "--url", front.url, env=os.environ | service.environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        import_.process.stdin.write("token\n" + "0a" * 32 + "\n")
        import_.process.stdin.close()
        assert reached.wait(60)
        import_.process.send_signal(signal.SIGTERM)
        assert import_.process.wait(60) == -signal.SIGTERM
        assert import_.process.stderr.read() == "Interrupted. Importing the same rows again changes nothing.\n"
        held.set()


def test_words_for_no_value_are_read_as_empty(service, tmp_path):
    """12 devices would share the alias 'NULL', of which ten may."""
    file = tmp_path / "devices.csv"
    words = ["NULL", "null", "\\N", "None", "nil", "undefined", "NaN", "(null)", "N/A"] + ["NULL"] * 3
    rows = [f"{word},{number:064x},{word},{word},{word}" for number, word in enumerate(words)]
    file.write_text("registration_id,token,alias,tags,environment\n" + "\n".join(rows) + "\nr13,NULL,,,\n")
    done = posthorn(service, "import", file, status=1)
    assert "Fields with a word for no value, such as NULL, which were read as empty: 49." in done.stderr
    assert "line 14: 'token' is missing" in done.stderr
    found = list(devices(service).values())
    assert len(found) == 12
    assert {(device["alias"], tuple(device["tags"])) for device in found} == {(None, ())}
    lines = tmp_path / "devices.jsonl"
    lines.write_text('{"token":"' + "0a" * 32 + '","alias":"null","registration_id":"undefined"}\n')
    posthorn(service, "import", lines)
    assert "undefined" not in devices(service)


@pytest.mark.parametrize("blank", [" ", "\t", " ,,\t", ",,", "\u00a0", "\x1a", '""'])
def test_a_line_with_nothing_on_it_is_not_a_row(service, tmp_path, blank):
    file = tmp_path / "devices.csv"
    file.write_text("token,alias,tags\n" + "0a" * 32 + f",ann,vip\n{blank}\n" + "0b" * 32 + f",ben,\n{blank}")
    assert "2 rows: 2 new devices" in posthorn(service, "import", file).stdout
    lines = tmp_path / "devices.jsonl"
    lines.write_text('{"token":"' + "0c" * 32 + '"}\n' + (blank if blank.isspace() else "\x1a"))
    assert "1 rows: 1 new devices" in posthorn(service, "import", lines).stdout


@pytest.mark.parametrize("first, separator", [("sep=;", ";"), ('"sep=;"', ";"), ("SEP=\t", "\t"), ("sep=,", ","), ("sep=;", ","), ("\ufeffsep=^", "^")])
def test_the_line_that_names_the_separator_for_excel(service, tmp_path, first, separator):
    file = tmp_path / "devices.csv"
    rows = [["token", "alias"], ["0a" * 32, "ann"], ["xyz", "ben"]]
    file.write_text("".join(line + "\r\n" for line in [first, *map(separator.join, rows)]), newline="")
    done = posthorn(service, "import", file, status=1)
    assert "2 rows: 1 new devices" in done.stdout and "line 4: 'token' is 'xyz'" in done.stderr
    rejected = tmp_path / "devices.csv.rejected"
    assert rejected.read_text().startswith(f"token{separator}alias{separator}problem\nxyz{separator}ben{separator}")


def test_arrays_of_databases_are_tags(service, tmp_path):
    file = tmp_path / "devices.csv"
    lists = ["{news,vip}", '"{news,vip}"', '"{""news"",""vip""}"', '"[""news"",""vip""]"', "\"['news', 'vip']\"", '"{news;vip}"']
    for text in lists:
        file.write_text(f"token;tags\n{'0a' * 32};{text}\n" if text[0] == "{" else f"token,tags\n{'0a' * 32},{text}\n")
        posthorn(service, "import", file)
        assert [device["tags"] for device in devices(service).values()] == [["news", "vip"]], text
        file.write_text(f"token,tags\n{'0a' * 32},{{}}\n")
        assert "1 changed" in posthorn(service, "import", file).stdout
        assert [device["tags"] for device in devices(service).values()] == [[]]


def test_numbers_in_json_lines(service, tmp_path):
    file = tmp_path / "devices.jsonl"
    file.write_text('{"token":"' + "0a" * 32 + '","registration_id":1701,"alias":42,"tags":[7,"vip"]}\n')
    posthorn(service, "import", file)
    device = devices(service)["1701"]
    assert (device["alias"], device["tags"]) == ("42", ["7", "vip"])


def test_what_cannot_be_imported_says_why(service, tmp_path):
    def refused(text, *flags, status=64):
        file = tmp_path / "file.csv"
        file.write_text(text)
        return posthorn(service, "import", file, *flags, status=status).stderr

    assert "is empty; expected a header" in refused("")
    assert "has no column 'token'; its header is 'id,alias', expected some of registration_id, token" in refused("id,alias\n")
    assert "has the columns 'token', 'device_token', which mean the same; expected one of them." in refused("token,device_token\n")
    secret = "0a0b0c0d" * 8
    without_header = refused(f"{secret},bob\n{secret},eve\n")
    assert "its header is '(digits, as of a token),bob'" in without_header and secret not in without_header
    encoded = base64.b64encode(bytes(range(64, 96))).decode()
    without_header = refused(f"{encoded},bob\n{encoded},eve\n")
    assert "its header is '(a token in base64),bob'" in without_header and encoded[:20] not in without_header
    assert "is a folder; expected a file." in posthorn(service, "import", tmp_path, status=64).stderr
    assert "holds no rows, so nothing was imported" in refused("token,alias\n")
    assert "holds no rows, so nothing was imported" in refused("token\r\r\n")
    assert "is empty" in refused("", "--format", "jsonl")
    assert "holds no rows" in refused("\n \n", "--format", "jsonl")
    array = refused('[{"token":"' + secret + '"}]\n')
    assert "is a JSON array; expected CSV with a header, or JSON lines. This writes one object a line: jq -c '.[]' " in array
    utf16 = tmp_path / "utf16.csv"
    utf16.write_bytes(f"token\n{secret}\n".encode("utf-16"))
    assert "is text in UTF-16; " in posthorn(service, "import", utf16, status=64).stderr
    for error in [array, without_header]:
        assert "Usage" not in error
    long = tmp_path / "long.csv"
    long.write_text(f"token,{secret},{'x' * 100}\n{secret},,\n")
    assert f"Ignored columns: (digits, as of a token), {'x' * 40}….\n" in posthorn(service, "import", long).stderr
    long.write_text(f"token{',' * 30}\n{secret}{',' * 30}\n")
    assert ", and 10 more.\n" in posthorn(service, "import", long).stderr
    assert "cannot be read" in posthorn(service, "import", tmp_path / "nowhere.csv", status=64).stderr
    file = tmp_path / "file.csv"
    file.write_text("token\n00\n")
    state = {"bytes": 9, "modified": 1, "app_key": service.auth[0], "offset": 6, "line": 2, "rejected_bytes": 0}
    state |= {"created": 0, "updated": 0, "unchanged": 0, "kept": 0, "rejected": 0}
    beside = tmp_path / "file.csv.posthorn-import"
    beside.write_text(json.dumps(state))
    assert "has changed since its import began; --restart starts over" in posthorn(service, "import", file, status=64).stderr
    beside.write_text(json.dumps(state | {"app_key": "0" * 24}))
    assert "was being imported into app 000" in posthorn(service, "import", file, status=64).stderr
    beside.write_text("{")
    assert "cannot be read as the progress of an import" in posthorn(service, "import", file, status=64).stderr
    assert "1 new devices" in posthorn(service, "import", file, "--restart").stdout
    assert "1004" in posthorn(service, "import", file, "--master-secret", "0" * 24, status=1).stderr


def test_an_export_of_onesignal_comes_in_as_it_is(service, tmp_path):
    file = tmp_path / "users.csv"
    player = "b2f7f966-d8cc-11e4-bed1-df8f05be55ba"
    file.write_text(
        "id,identifier,session_count,language,device_type,tags,last_active,invalid_identifier,external_user_id\n"
        f'{player},{"0a" * 32},7,en,0,"{{""plan"":""gold"",""city"":""New York""}}",2026-11-01 08:00:00 UTC,f,user-1\n'
        f'b2f7f966d8cc11e4bed1df8f05be55bb,{"0b" * 32},1,en,0,{{}},2026-11-01 08:00:00 UTC,f,\n'
        f'b2f7f966d8cc11e4bed1df8f05be55bc,{"0c" * 32},1,en,0,{{}},2026-11-01 08:00:00 UTC,t,\n'
        "b2f7f966d8cc11e4bed1df8f05be55bd,fcm-token-of-android,1,en,1,{},2026-11-01 08:00:00 UTC,f,\n"
        "b2f7f966d8cc11e4bed1df8f05be55be,,1,en,0,{},2026-11-01 08:00:00 UTC,f,\n"
        "b2f7f966d8cc11e4bed1df8f05be55bf,xyz,1,en,0,{},2026-11-01 08:00:00 UTC,f,\n"
    )
    done = posthorn(service, "import", file, "--from", "onesignal", status=1)
    assert "Ignored columns: session_count, last_active." in done.stderr
    assert "APNs does not reach their devices: 3 rows." in done.stderr
    assert f"{file}, line 7: 'token' is 'xyz'" in done.stderr
    found = devices(service)
    assert set(found) == {player.replace("-", ""), "b2f7f966d8cc11e4bed1df8f05be55bb"}
    first = found[player.replace("-", "")]
    assert (first["token"], first["alias"], first["tags"]) == ("0a" * 32, "user_1", ["city=New_York", "plan=gold"])
    # Again: nothing changes.
    assert "0 new devices, 0 changed" in posthorn(service, "import", file, "--from", "onesignal", "--restart", status=1).stdout


def test_installations_of_parse_come_in_as_they_are(service, tmp_path):
    file = tmp_path / "installations.jsonl"
    rows = [
        {"objectId": "8Ksm2uVqFx", "deviceType": "ios", "deviceToken": "0a" * 32, "channels": ["news", "a b"], "badge": 0,
         "user": {"__type": "Pointer", "className": "_User", "objectId": "Qw3rTy"}},
        {"_id": "9Ksm2uVqFx", "deviceType": "ios", "deviceToken": "0b" * 32, "_p_user": "_User$Zx9"},
        {"objectId": "7Ksm2uVqFx", "deviceType": "android", "deviceToken": "dW9:APA91b"},
        {"objectId": "6Ksm2uVqFx", "deviceType": "ios"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = posthorn(service, "import", file, "--from", "parse")
    assert "APNs does not reach their devices: 2 rows." in done.stderr
    found = devices(service)
    assert {id: (device["alias"], device["tags"]) for id, device in found.items()} == {
        "8Ksm2uVqFx": ("Qw3rTy", ["a_b", "news"]), "9Ksm2uVqFx": ("Zx9", []),
    }


def test_an_export_needs_the_columns_of_its_service(service, tmp_path):
    file = tmp_path / "devices.csv"
    file.write_text("registration_id,token\n1a0018970a91c0c8a3f," + "0a" * 32 + "\n")
    assert "has no column 'identifier'" in posthorn(service, "import", file, "--from", "onesignal", status=64).stderr
