"""`posthorn gateway` with what it hands out, for tests that push to it."""

import json
import ssl
import time

import jwt
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, pkcs12
from processes import Process

PAYLOAD = '{"aps":{"alert":"Hello"}}'


class Gateway:
    """What `posthorn gateway --hand-out --json` has written."""

    def __init__(self, facts, folder):
        self.facts, self.folder, self.ca = facts, folder, folder / "ca.pem"
        self.port, self.development_port = facts["productionPort"], facts["developmentPort"]
        assert int(self.read("port")) == self.port
        self.authorization, self.topic = self.read("authorization"), self.read("topic")
        self.tokens = self.read("tokens").split("\n")

    def read(self, name):
        return (self.folder / name).read_text().strip()

    @property
    def options(self):
        """For the small programs in http2/."""
        return {
            "port": self.port, "ca": self.ca, "authorization": self.authorization, "topic": self.topic,
            "tokens": self.tokens, "body": PAYLOAD,
        }

    def key(self, name):
        """What a client needs of a key of another kind that was handed out: `development`, `production`, `topic` …"""
        team = self.read("secondTeamID" if name == "secondTeam" else "teamID")
        return {"key": self.read(f"{name}Key.p8"), "key_id": self.read(f"{name}KeyID"), "team_id": team}

    def signed(self, name):
        """A bearer value with a new provider token of such a key."""
        key = self.key(name)
        claims = {"iss": key["team_id"], "iat": int(time.time())}
        return "bearer " + jwt.encode(claims, key["key"], "ES256", {"kid": key["key_id"]})

    def url(self, token=None, port=None):
        return f"https://localhost:{port or self.port}/3/device/{self.tokens[0] if token is None else token}"

    @property
    def fields(self):
        return {"authorization": self.authorization, "apns-topic": self.topic, "apns-push-type": "alert"}

    def headers(self, flag="-H", separator=": "):
        """For a command line."""
        return [word for name, value in self.fields.items() for word in (flag, f"{name}{separator}{value}")]

    def pem(self, environment):
        """The push certificate for an environment and its key, taken out of the bundle."""
        file = self.folder / f"{environment}.pem"
        if not file.exists():
            bundle = (self.folder / f"{environment}.p12").read_bytes()
            key, certificate, _ = pkcs12.load_key_and_certificates(bundle, self.read("password").encode())
            file.write_bytes(
                key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
                + certificate.public_bytes(Encoding.PEM)
            )
        return file

    def context(self, certificate=None):
        """For Python: believes the gateway, and shows a certificate with its key if there is one."""
        context = ssl.create_default_context(cafile=self.ca)
        if certificate:
            context.load_cert_chain(certificate)
        return context


def start(folder, *arguments, tokens=1000):
    """The process, and what is to know of it; for production alone unless the arguments say otherwise."""
    ports = () if "--production-port" in arguments else ("--port", 0)
    process = Process(
        "gateway", *ports, "--courier-port", 0, "--json", "--hand-out", folder / "out", "--tokens", tokens,
        "--data", folder / "data", *arguments,
    )
    return process, Gateway(json.loads(process.line()), folder / "out")
