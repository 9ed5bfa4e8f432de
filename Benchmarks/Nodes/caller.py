"""A backend that pushes through any node in turn, and repeats what it does not know the outcome of, with the same cid."""

import dataclasses
import datetime
import itertools
import threading
import time
import uuid

import requests

# Seconds without a 200 after which a push is given up, which fails the run.
GIVE_UP = 180
CONNECT, READ = 3, 15


@dataclasses.dataclass
class Push:
    """A push, or a schedule with one, and what has to come of it."""

    text: str
    round: int
    path: str
    body: dict
    # The phones that get its custom message.
    phones: list
    # The phones with a link to the gateway that get its notification, and all devices that do.
    couriers: list
    notified: int
    # The msg_id, or the id of the schedule.
    id: str = ""
    node: int = 0
    attempts: int = 0
    unknown: int = 0
    asked: float = 0
    accepted: float = 0
    # The time from which on it may come.
    due: float = 0


class Caller:
    def __init__(self, nodes, auth):
        self.nodes, self.auth = nodes, auth
        self.pushes = []
        self.refused = []
        self.given_up = []
        self.lock = threading.Lock()
        self.turn = itertools.count()
        self.local = threading.local()
        self.numbers = itertools.count()
        self.round = 0

    def make(self, kind, audience, phones, notified=None, message=True, notification=True):
        """A push whose custom message goes to phones and whose notification goes to as many devices, or to these phones alone."""
        text = f"{kind} {next(self.numbers)}"
        body = {
            "platform": ["ios"], "audience": audience, "cid": f"{self.auth[0]}-{uuid.uuid4()}",
            "options": {"apns_production": True, "time_to_live": 86400},
        }
        if notification:
            body["notification"] = {"ios": {"alert": text}}
        if message:
            body["message"] = {"msg_content": text}
        return Push(
            text, self.round, "/v3/push", body, phones if message else [],
            [phone.courier for phone in phones if phone.courier] if notification else [],
            (len(phones) if notified is None else notified) if notification else 0,
        )

    def scheduled(self, push, seconds):
        """The same push, sent once, in so many seconds."""
        beijing = datetime.timezone(datetime.timedelta(hours=8))
        due = (datetime.datetime.now(beijing) + datetime.timedelta(seconds=seconds)).replace(microsecond=0)
        push.due = time.monotonic() + (due - datetime.datetime.now(beijing)).total_seconds()
        push.path = "/v3/schedules"
        cid = push.body.pop("cid")
        push.body = {
            "cid": cid, "name": push.text, "enabled": True, "trigger": {"single": {"time": due.strftime("%Y-%m-%d %H:%M:%S")}},
            "push": push.body,
        }
        return push

    def send(self, push):
        """Returns when the push was answered with 200, or with what no repetition changes."""
        push.asked = time.monotonic()
        while time.monotonic() - push.asked < GIVE_UP:
            push.attempts += 1
            place = next(self.turn) % len(self.nodes)
            try:
                answer = self.post(place, push.path, push.body)
            except requests.ConnectTimeout:
                continue
            except requests.RequestException:
                # It may have been accepted or not.
                push.unknown += 1
                time.sleep(0.2)
                continue
            if answer.status_code == 200:
                push.accepted = time.monotonic()
                told = answer.json()
                push.id, push.node = told.get("msg_id") or told["schedule_id"], place
                with self.lock:
                    self.pushes.append(push)
                return True
            if answer.status_code == 503 and "Retry-After" in answer.headers:
                time.sleep(min(10, float(answer.headers["Retry-After"])))
                continue
            if answer.status_code in (502, 504):
                push.unknown += 1
                time.sleep(0.2)
                continue
            self.refused.append((push, place, answer.status_code, answer.text[:300]))
            return False
        self.given_up.append(push)
        return False

    def session(self, place=0):
        """The calling thread's connection to a node."""
        if not hasattr(self.local, "sessions"):
            self.local.sessions = [requests.Session() for _ in self.nodes]
            for session in self.local.sessions:
                session.trust_env, session.auth = False, self.auth
        return self.local.sessions[place]

    def post(self, place, path, body):
        return self.session(place).post(f"{self.nodes[place].url}{path}", json=body, timeout=(CONNECT, READ))
