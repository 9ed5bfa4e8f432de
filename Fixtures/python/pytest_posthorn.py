"""Fixtures for pytest: an APNs, or a whole push service with an emulated iPhone, for the code that sends pushes.

`posthorn_apns` is `posthorn gateway`; `posthorn_sandbox` is `posthorn sandbox`. One process of each serves the whole run. A test
sees only its own pushes, and its faults and the keys that it has made end with it. A process whose clock was turned, or whose own keys
were revoked, is replaced before the next test.

The program is the one of `--posthorn`, the ini value `posthorn`, the variable POSTHORN, or `posthorn` on the PATH, in this order.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

# The reason that APNs gives with a status, for tests that only name the status.
REASONS = {
    400: "BadDeviceToken", 403: "ExpiredProviderToken", 404: "BadPath", 405: "MethodNotAllowed", 410: "Unregistered",
    413: "PayloadTooLarge", 429: "TooManyRequests", 500: "InternalServerError", 503: "ServiceUnavailable",
}
# The most that the control endpoint waits for in one request, in seconds.
LONGEST_WAIT = 60
# The time for a start, in seconds.
START_LIMIT = 60


class PosthornError(Exception):
    """The program was not found, has ended, or has refused a request."""


class NotArrived(AssertionError):
    """What a test waited for did not happen. The text says what happened instead."""


@dataclasses.dataclass(frozen=True)
class Push:
    """A request that arrived at the gateway, with its answer."""

    number: int
    at: str  # ISO 8601, in UTC
    environment: str
    connection: int
    path: str
    token: str
    apns_id: str
    headers: dict
    payload: object  # None if it is not JSON
    status: int  # None if a fault ended the request without an answer
    reason: str  # None if it was accepted
    meaning: str
    remedy: str

    @classmethod
    def _of(cls, facts):
        names = {field.name: field.name.replace("_", "-") for field in dataclasses.fields(cls)}
        return cls(**{name: facts.get(key) for name, key in names.items()} | {"headers": dict(facts.get("headers") or [])})

    def __str__(self):
        answer = f"{self.status} {self.reason or ''}".strip() if self.status else "no answer"
        text = json.dumps(self.payload, ensure_ascii=False)
        kind = self.headers.get("apns-push-type", "no apns-push-type")
        line = f"#{self.number} at {self.at}: {answer}, {kind}, token {self.token or self.path}, payload {text[:200]}"
        return line + (f"\n    {self.meaning} {self.remedy}" if self.reason else "")


@dataclasses.dataclass(frozen=True)
class Key:
    """A signing key."""

    key: str  # the text of its p8 file, as from Apple
    key_id: str
    team_id: str


@dataclasses.dataclass(frozen=True)
class Keys:
    """Signing keys of each kind that Apple's site makes."""

    development: Key  # for development alone
    production: Key  # for production alone
    topic: Key  # for the APNs' topic alone, in production
    related: Key  # related to `topic`: tokens of both may be used on one connection
    second_team: Key  # of another team, whose only app is `second_team_topic`
    second_team_topic: str


class Apns:
    """An APNs for one test."""

    def __init__(self, process, facts, folder):
        self._process, self._facts, self._folder = process, facts, folder
        self._faults, self._made_keys = [], []
        self._begin = self._newest()
        # Those that earlier tests have signed.
        self._call("DELETE", "provider-tokens")

    # MARK: What a client needs

    @property
    def host(self):
        """The name in the server's certificate."""
        return "localhost"

    @property
    def port(self):
        """The port for production."""
        return self._facts.get("productionPort") or self._facts["port"]

    @property
    def development_port(self):
        """The port for development; None in the sandbox, which has one environment."""
        return self._facts.get("developmentPort")

    @property
    def ca(self):
        """The path of the authority that a client has to trust, in PEM."""
        return self._facts["ca"]

    @property
    def key_file(self):
        """The path of the signing key, a p8 file as from Apple."""
        return self._facts["keyFile"]

    @property
    def key(self):
        """The signing key itself, in PEM."""
        return pathlib.Path(self.key_file).read_text()

    @property
    def key_id(self):
        return self._facts["keyID"]

    @property
    def team_id(self):
        return self._facts["teamID"]

    @property
    def topic(self):
        """The bundle id of the tokens."""
        return self._facts.get("topic") or self._read("topic")

    @property
    def authorization(self):
        """A signed `bearer` value, valid for an hour; only of the gateway."""
        return self._read("authorization")

    @property
    def control_url(self):
        """The address of the control endpoint."""
        return self._facts["control"]

    # MARK: Keys

    @property
    def keys(self):
        """Signing keys of each kind; only of the gateway."""
        def key(name, team_id):
            return Key(self._read(f"{name}Key.p8"), self._read(f"{name}KeyID"), team_id)

        return Keys(
            *(key(name, self.team_id) for name in ("development", "production", "topic", "related")),
            key("secondTeam", self._read("secondTeamID")), self._read("secondTeamTopic"),
        )

    def make_key(self, environments=None, topics=None, related_to=None, team_id=None):
        """Makes a key as Apple's site does, until the end of this test: for both environments and all topics unless said otherwise.

        `related_to` is the key for certain topics that it is related to.
        """
        order = {"environments": environments, "topics": topics, "relatedTo": related_to and related_to.key_id}
        order = {name: value for name, value in order.items() if value is not None}
        made = self._call("POST", "keys", {"team": team_id or self.team_id} | order)
        self._made_keys.append(made["id"])
        return Key(made["p8"].strip(), made["id"], made["team"])

    def revoke_key(self, key):
        """Revokes a key: pushes with it get 403 `Forbidden` from now on. After one of the APNs' own, another process serves the next test."""
        if key.key_id not in self._made_keys:
            self._process.is_spent = True
        self._call("DELETE", f"keys/{key.key_id}")

    # MARK: Device tokens

    def token(self, environment="production", topic=None):
        """Issues a device token. It belongs to no device; pushes to it are judged and stored."""
        body = {"topic": topic or self.topic, "environment": environment}
        return self._call("POST", "tokens", body)["tokens"][0]

    def unregister(self, token, since=None):
        """Lets the app be removed: pushes to the token get 410 `Unregistered` from now on. `since` is in seconds since 1970."""
        self._invalidate(token, "unregistered", since)

    def expire(self, token, since=None):
        """Lets the token expire: pushes to it get 410 `ExpiredToken` from now on. `since` is in seconds since 1970."""
        self._invalidate(token, "expired", since)

    def _invalidate(self, token, state, since):
        time_of_death = {} if since is None else {"since": round(since * 1000)}
        self._call("PUT", f"tokens/{token}", {"state": state} | time_of_death)

    # MARK: What has arrived

    def pushes(self, **conditions):
        """The pushes of this test so far, refused ones too.

        The conditions are `token`, `topic`, `collapse_id`, `apns_id`, `environment`, `status`, `reason` and `text`, which is
        looked for in the payload.
        """
        return self._pushes(conditions, {})

    def wait(self, count=1, within=5, **conditions):
        """Waits until so many pushes of this test meet the conditions, at most `within` seconds, and returns them."""
        deadline = time.monotonic() + within
        while True:
            rest = max(0, deadline - time.monotonic())
            found = self._pushes(conditions, {"count": count, "wait": min(rest, LONGEST_WAIT)})
            if len(found) >= count:
                return found
            if time.monotonic() >= deadline:
                wanted = "".join(f", {name} {value!r}" for name, value in conditions.items())
                pushes = "a push" if count == 1 else f"{count} pushes"
                raise NotArrived(f"waited {within} s for {pushes}{wanted}; found {len(found)}.\n{self.story()}")

    def _pushes(self, conditions, more):
        query = {name.replace("_", "-"): value for name, value in conditions.items()} | more
        query |= {"after": self._begin, "limit": 1000}
        encoded = urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        return [Push._of(facts) for facts in self._call("GET", f"pushes?{encoded}")["pushes"]]

    def _newest(self):
        newest = self._call("GET", "pushes?limit=1")["pushes"]
        return newest[0]["number"] if newest else 0

    def state(self, push):
        """What became of a push after its answer: `waiting`, `delivered`, `expired` …"""
        return self._call("GET", f"pushes/{push.apns_id}")["state"]

    def wait_state(self, push, state, within=5):
        """Waits until a push is in this state, at most `within` seconds."""
        deadline = time.monotonic() + within
        while (found := self.state(push)) != state:
            if time.monotonic() >= deadline:
                raise NotArrived(f"waited {within} s for push #{push.number} to be {state}; it is {found}.\n{self.story()}")
            time.sleep(0.02)

    # MARK: Faults

    def fail_next(self, answer, count=1, **where):
        """Answers the next pushes with a status such as 410 or a reason such as `TooManyRequests`, and does not accept them.

        `where` is `token`, `topic`, `environment` or `path`; or `timestamp` for a 410, in milliseconds since 1970.
        """
        if isinstance(answer, int):
            if answer not in REASONS:
                raise ValueError(f"status {answer} has no usual reason; give one of Apple's reasons, or use fault()")
            answer = REASONS[answer]
        return self.fault("answer", reason=answer, next=count, **where)

    def delay(self, seconds, count=None, **where):
        """Processes each push, or the next `count`, so much later."""
        return self.fault("latency", seconds=seconds, **self._next(count), **where)

    def go_away(self, count=1, last="this", **where):
        """Sends GOAWAY with the next push: `last` is "this" if it is still answered, "before" if not."""
        return self.fault("goAway", reason="Shutdown", lastStreamID=last, **self._next(count), **where)

    def reset(self, count=1, **where):
        """Resets the stream of the next push, which is not accepted."""
        return self.fault("reset", **self._next(count), **where)

    def close(self, count=1, **where):
        """Closes the connection at the next push, which is not accepted."""
        return self.fault("close", **self._next(count), **where)

    def fault(self, kind, **keys):
        """Sets any fault of the control endpoint, until the end of this test. Returns its number."""
        keys = {name: value for name, value in keys.items() if value is not None}
        fault = self._call("POST", "faults", {"kind": kind, **keys})
        self._faults.append(fault)
        return fault["id"]

    @staticmethod
    def _next(count):
        return {} if count is None else {"next": count}

    def times(self, fault):
        """How often a fault of this test has occurred."""
        return sum(entry["fault"] == fault for entry in self._call("GET", "log")["entries"])

    def end_faults(self):
        """Ends all faults before the test does."""
        self._call("DELETE", "faults")

    # MARK: Time

    def now(self):
        """The APNs' time, in seconds since 1970."""
        return self._call("GET", "clock")["seconds"]

    def turn_clock(self, seconds):
        """Advances the clock, in the sandbox those of service and devices too. Another process serves the next test."""
        self._process.is_spent = True
        self._call("POST", "clock", {"turn": seconds})

    # MARK: In words

    def story(self):
        """What happened in this test, for people."""
        try:
            pushes = [str(push) for push in self.pushes()]
            faults = [(fault, self.times(fault["id"])) for fault in self._faults]
        except PosthornError as problem:
            return str(problem)
        lines = ["Pushes of this test:", *pushes] if pushes else ["No push of this test has arrived."]
        for fault, times in faults:
            asked = {name: value for name, value in fault.items() if name not in ("id", "met", "carriedOut", "seed")}
            lines.append(f"Fault {json.dumps(asked)}: {times} times so far.")
        return "\n".join(lines)

    def _end(self):
        if self._process.is_spent:
            return
        self._call("DELETE", "faults")
        for key_id in self._made_keys:
            self._call("DELETE", f"keys/{key_id}")

    def _call(self, method, path, body=None):
        return self._process.call(self.control_url, method, path, body)

    def _read(self, name):
        if self._folder is None:
            raise AttributeError(f"the sandbox has no {name}; posthorn_apns has")
        return (self._folder / name).read_text().strip()


@dataclasses.dataclass(frozen=True)
class Device:
    """An emulated iPhone."""

    name: str
    registration_id: str
    token: str


class Sandbox:
    """A push service with the JPush REST API, an APNs and emulated iPhones, for one test."""

    def __init__(self, process, facts):
        self._process, self._facts = process, facts
        self.apns = Apns(process, facts["apns"], None)
        self.devices = [Device(it["name"], it["registrationID"], it["token"]) for it in facts["devices"]]

    @property
    def url(self):
        """The address of the JPush REST API: the pushes of your code go to `{url}/v3/push`."""
        return self._facts["api"]["url"]

    @property
    def app_key(self):
        return self._facts["api"]["appKey"]

    @property
    def master_secret(self):
        return self._facts["api"]["masterSecret"]

    @property
    def device(self):
        """The first device."""
        return self.devices[0]

    def journey(self, push, device=None):
        """What became of a push on one device: `verdict` with `state` and `sentence`, and `events`.

        `push` is the `msg_id` of the REST API, or a push that has arrived at the APNs, which is for one device.
        """
        device = device or self.device
        path = f"apns/{push.apns_id}" if isinstance(push, Push) else f"journeys/{push}/{device.registration_id}"
        return self._process.call(self.url, "GET", f"posthorn/v1/{path}", login=(self.app_key, self.master_secret))

    def wait_state(self, push, state="shown", device=None, within=5):
        """Waits until a push is `shown` on a device, or in another state, at most `within` seconds. Returns the journey."""
        deadline = time.monotonic() + within
        while True:
            journey = self.journey(push, device)
            if journey["verdict"]["state"] == state:
                return journey
            if time.monotonic() >= deadline:
                verdict, events = journey["verdict"], ", ".join(event["event"] for event in journey["events"])
                raise NotArrived(
                    f"waited {within} s for the push to be {state}, {push}; it is"
                    f" {verdict['state']}: {verdict['sentence']}\nSo far: {events}.\n{self.story()}"
                )
            time.sleep(0.05)

    def turn_clock(self, seconds):
        """Advances the clocks of service, APNs and devices. Another process serves the next test."""
        self.apns.turn_clock(seconds)

    def story(self):
        """What happened in this test, for people."""
        return self.apns.story()

    def _end(self):
        self.apns._end()


class _Control:
    """Requests to a running `posthorn`, which may run anywhere."""

    bearer = None  # The token of a control endpoint that others can reach.
    is_spent = False

    def call(self, base, method, path, body=None, login=None):
        """A request with JSON; what was answered."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.bearer}"} if self.bearer else {})
        request = urllib.request.Request(f"{base}/{path}", data, headers, method=method)
        if login:
            manager = urllib.request.HTTPPasswordMgrWithPriorAuth()
            manager.add_password(None, base, *login, is_authenticated=True)
            handlers = [urllib.request.HTTPBasicAuthHandler(manager)]
        else:
            handlers = []
        # No proxy stands between a test and its own machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), *handlers)
        try:
            with opener.open(request, timeout=LONGEST_WAIT + 30) as answer:
                text = answer.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as refusal:
            raise PosthornError(f"{method} {path}: {refusal.code} {refusal.read().decode()}") from None
        except OSError as problem:
            raise PosthornError(f"{method} {path}: {self._last_words() or problem}") from None

    def _last_words(self):
        """Why the program has ended; None if it runs."""


class _Process(_Control):
    """A running `posthorn`, which also ends if the test run does."""

    def __init__(self, program, arguments, folder):
        self._log = folder / "log"
        with open(self._log, "wb") as log:
            try:
                self._process = subprocess.Popen(
                    [program, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
                )
            except OSError as problem:
                raise PosthornError(f"'{program}' does not start: {problem}") from None
        limit = threading.Timer(START_LIMIT, self._process.kill)
        limit.start()
        line = self._process.stdout.readline()
        limit.cancel()
        if not line:
            raise PosthornError(self._end_in_words())
        self.facts = json.loads(line)

    def _end_in_words(self):
        status = self._process.wait(10)
        return f"posthorn has ended with status {status}. Its last words:\n{self._log.read_text()[-2000:]}"

    def _last_words(self):
        return None if self._process.poll() is None else self._end_in_words()

    def stop(self):
        self._process.stdin.close()
        try:
            return self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


class _Servers:
    """The processes of the run, each started when it is first asked for."""

    def __init__(self, config):
        self._config = config
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="pytest-posthorn-"))
        self._running, self._ports, self._count = {}, {}, 0

    def process(self, kind):
        """The process, its facts, and the folder of what it has handed out."""
        if kind in self._running and self._running[kind][0].is_spent:
            self._running.pop(kind)[0].stop()
        if kind not in self._running:
            self._running[kind] = getattr(self, f"_start_{kind}")()
        return self._running[kind]

    def _start_apns(self):
        folder = self._folder / "apns"
        shutil.rmtree(folder / "out", ignore_errors=True)
        folder.mkdir(exist_ok=True)
        # A replacement has the addresses, the authority and the key of the one before.
        names = {"developmentPort": "--development-port", "productionPort": "--production-port"}
        ports = [word for name, option in names.items() for word in (option, self._ports.get(name, 0))]
        arguments = [
            "gateway", "--json", "--until-eof", "--data", folder / "data", "--hand-out", folder / "out", "--tokens", 1,
            *ports, "--courier-port", 0, "--control-port", 0, *self._config.getini("posthorn_gateway_options"),
        ]
        process = _Process(self._program(), arguments, folder)
        self._ports = process.facts
        return process, process.facts, folder / "out"

    def _start_sandbox(self):
        self._count += 1
        folder = self._folder / f"sandbox-{self._count}"
        folder.mkdir()
        options = self._config.getini("posthorn_sandbox_options")
        process = _Process(self._program(), ["sandbox", "--json", "--until-eof", "--data", folder / "data", *options], folder)
        return process, process.facts, None

    def _program(self):
        given = self._config.getoption("posthorn") or self._config.getini("posthorn") or os.environ.get("POSTHORN")
        found = shutil.which(given or "posthorn")
        if found:
            return found
        if given:
            raise PosthornError(f"'{given}' is not a program; expected the path of posthorn.")
        raise PosthornError(
            "posthorn is not on the PATH. Unpack its tarball and give the path of bin/posthorn: with --posthorn, as the ini "
            "value posthorn, or in the variable POSTHORN."
        )

    def stop(self):
        for process, *_ in self._running.values():
            process.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


# MARK: pytest


def pytest_addoption(parser):
    parser.getgroup("posthorn").addoption("--posthorn", metavar="PATH", help="the posthorn program for the fixtures")
    parser.addini("posthorn", "the posthorn program for the fixtures")
    parser.addini("posthorn_gateway_options", "more options of posthorn gateway, such as --strict", "args", [])
    parser.addini("posthorn_sandbox_options", "more options of posthorn sandbox, such as --devices 2", "args", [])


@pytest.fixture(scope="session")
def _posthorn_servers(request):
    servers = _Servers(request.config)
    yield servers
    servers.stop()


@pytest.fixture
def posthorn_apns(_posthorn_servers):
    """An APNs: tokens, keys, the pushes of this test, faults and a clock. See `Apns`."""
    apns = Apns(*_posthorn_servers.process("apns"))
    yield apns
    apns._end()


@pytest.fixture
def posthorn_sandbox(_posthorn_servers):
    """A push service, an APNs and emulated iPhones. See `Sandbox`."""
    sandbox = Sandbox(*_posthorn_servers.process("sandbox")[:2])
    yield sandbox
    sandbox._end()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test's report has what the APNs saw."""
    report = (yield).get_result()
    if report.when != "call" or not report.failed:
        return
    for name in ["posthorn_apns", "posthorn_sandbox"]:
        view = getattr(item, "funcargs", {}).get(name)
        # Its own exception has told it already.
        if view is not None and not call.excinfo.errisinstance(NotArrived):
            report.sections.append((name, view.story()))
