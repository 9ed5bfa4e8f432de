"""A device of an app over HTTPS, by Documentation/OpenAPI/posthorn.yaml: registers, tags, receives, reports and unregisters."""

import time
import uuid

import confidential
import requests


class Device:
    """Everything but `session` outlives the app: installation, identity and position belong in a file."""

    def __init__(self, url, app_key, bundle_id, session=None):
        self.url, self.session = f"{url}/posthorn/v1/registrations", session or requests.Session()
        self.app = {"app_key": app_key, "bundle_id": bundle_id, "environment": "production", "system": "iOS 17.0"}
        self.installation, self.position, self.identity = str(uuid.uuid4()), None, None

    def register(self, **about):
        """Registers; the same installation keeps its id. `about`: tokens, zone, language and so on."""
        body = self.app | {"installation": self.installation} | about
        answer = self.session.post(self.url, json=body, timeout=60)
        answer.raise_for_status()
        confidential.remember(answer.json()["secret"], "the secret of a device")
        self.identity = answer.json()["registration_id"], answer.json()["secret"]

    def call(self, method, path="", json=None, **query):
        """Calls as the device; registers anew if the service does not know it any more."""
        for _ in range(2):
            url = f"{self.url}/{self.identity[0]}{path}"
            answer = self.session.request(method, url, json=json, params=query, auth=self.identity, timeout=90)
            if answer.status_code == 429:
                time.sleep(int(answer.headers["Retry-After"]))
            elif answer.status_code == 401 and method != "DELETE":
                self.position = None
                self.register()
            else:
                return answer
        return answer

    def receive(self):
        """The texts of new custom messages, which count as stored with this."""
        answer = self.call("GET", "/messages", after=self.position).json()
        self.position = answer.get("position")
        return [message["content"] for message in answer["messages"]]

    def report(self, msg_id, event):
        receipt = {"msg_id": msg_id, "event": event, "time": int(time.time())}
        return self.call("POST", "/receipts", {"receipts": [receipt]})
