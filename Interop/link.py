"""An app's SDK in Python, by Documentation/LinkProtocol.md."""

import contextlib
import json
import uuid

import confidential
from websockets.sync.client import connect


class Client:
    """What outlives a link: the identity, the position, and the messages that the app was handed."""

    def __init__(self, url, app_key, bundle_id, ssl=None):
        self.url, self.app_key, self.bundle_id, self.ssl = url, app_key, bundle_id, ssl
        self.installation = str(uuid.uuid4())
        self.identity = None
        self.position = 0
        self.messages = []
        self.number = 0
        self.link = None
        self.opened = contextlib.ExitStack()

    def open(self):
        """Opens a link, in the place of the one before, and comes in."""
        self.close()
        self.link = self.opened.enter_context(connect(self.url, ssl=self.ssl, open_timeout=60))
        if self.identity is None:
            self.say(
                type="register", environment="production", system="iOS 17.0", installation=self.installation,
                **{"app-key": self.app_key, "bundle-id": self.bundle_id},
            )
            answer = self.hear()
            assert answer["type"] == "registered", answer
            confidential.remember(answer["secret"], "the secret of a device")
            self.identity = {"registration-id": answer["registration-id"], "secret": answer["secret"]}
        else:
            self.say(type="login", position=self.position, **{"app-key": self.app_key}, **self.identity)
        answer = self.hear()
        assert answer["type"] == "logged-in", answer

    def close(self):
        self.opened.close()

    @property
    def registration_id(self):
        return self.identity["registration-id"]

    def say(self, **frame):
        self.link.send(json.dumps(frame))

    def hear(self, timeout=60):
        return json.loads(self.link.recv(timeout))

    def ask(self, kind, **members):
        """The reply to a request; messages that come before it are taken."""
        self.number += 1
        self.say(type=kind, number=self.number, **members)
        while True:
            frame = self.hear()
            if frame["type"] == "message":
                self.take(frame)
                continue
            assert frame["type"] == "reply" and frame["number"] == self.number, frame
            return frame

    def take(self, frame):
        """Hands a message to the app, unless it has had it."""
        if frame["position"] > self.position:
            self.position = frame["position"]
            self.messages.append(frame)

    def await_messages(self, count):
        while len(self.messages) < count:
            frame = self.hear()
            assert frame["type"] == "message", frame
            self.take(frame)

    def acknowledge(self):
        self.say(type="ack", position=self.position)
