"""A device in Python, by the frames of Sources/Link/DeviceLink/Courier/CourierFrame.swift: who it is, for which app."""

import contextlib
import hashlib
import json

from websockets.sync.client import connect


class Device(contextlib.ExitStack):
    def __init__(self, url, name, topic, environment="production", key=None, registers=True):
        super().__init__()
        self.name, self.app = name, {"topic": topic, "environment": environment}
        self.link = self.enter_context(connect(url, max_size=None, open_timeout=60))
        self.say(type="hello", device=name, key=key or hashlib.sha256(name.encode()).hexdigest())
        if registers:
            self.register()

    def register(self):
        self.say(type="register", **self.app)
        self.token = self.hear("registered")["token"]

    def voip_token(self):
        """The token for calls, which has a topic of its own."""
        self.say(type="register", **self.app | {"topic": self.app["topic"] + ".voip"})
        return self.hear("registered")["token"]

    def subscribe(self, channel):
        """Returns when the gateway knows, as it answers in order; for a channel that stores no message yet."""
        self.say(type="subscribe", channel=channel, **self.app)
        self.register()

    def say(self, **frame):
        self.link.send(json.dumps(frame))

    def hear(self, kind, timeout=60):
        """The next frame, which has to be of this kind."""
        frame = json.loads(self.link.recv(timeout))
        assert frame["type"] == kind, frame
        return frame

    def push(self):
        """The next push, acknowledged, with its payload as an object."""
        frame = self.hear("push")
        self.say(type="ack", **{"apns-id": frame["apns-id"]})
        return frame | {"payload": json.loads(frame["payload"])}

    def pushes(self, expected=()):
        """What comes until all that is expected has, and then nothing more for a moment; each is acknowledged."""
        found = []
        while True:
            try:
                frame = self.hear("push", 0.3 if set(expected) <= set(found) else 60)
            except TimeoutError:
                return found
            self.say(type="ack", **{"apns-id": frame["apns-id"]})
            found.append(frame["apns-id"])
