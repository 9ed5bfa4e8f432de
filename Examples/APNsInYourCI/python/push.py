"""Pushes with aioapns to the APNs whose files are in the folder $APNS."""

import asyncio
import os
import pathlib
import ssl
import sys
from datetime import datetime, timezone

import aioapns
from aioapns.connection import APNsTLSClientProtocol

folder = pathlib.Path(os.environ["APNS"])


def read(name):
    return (folder / name).read_text().strip()


class Protocol(APNsTLSClientProtocol):
    """In production, leave this class out: aioapns has Apple's host and port built in."""

    APNS_SERVER = "localhost"
    APNS_PORT = int(read("port"))


async def main():
    apns = aioapns.APNs(
        key=read("key.p8"),  # its text in aioapns 4; other versions want the file's name
        key_id=read("keyID"),
        team_id=read("teamID"),
        topic=read("topic"),
        ssl_context=ssl.create_default_context(cafile=folder / "ca.pem"),
    )
    apns.pool.protocol_class = Protocol

    async def push(name, expected):
        token = read(name).splitlines()[0]
        request = aioapns.NotificationRequest(device_token=token, message={"aps": {"alert": "Lunch is ready"}})
        answer = await asyncio.wait_for(apns.send_notification(request), 10)
        got = f"{answer.status} {answer.description or ''}".strip()
        print(f"{name}: {got}")
        if answer.status == "410":
            # Here your code forgets the token, unless the app has registered it again since.
            print("  dead since", datetime.fromtimestamp(int(answer.timestamp) / 1000, timezone.utc).isoformat())
        if got != expected:
            sys.exit(f"{name}: expected {expected}, got {got}")

    await push("tokens", "200")
    await push("unregistered", "410 Unregistered")
    await push("otherEnvironment", "400 BadDeviceToken")


asyncio.run(main())
