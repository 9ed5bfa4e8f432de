"""aioapns, the APNs client for Python, unmodified: its own protocol class, with another host and port.

    client.py PORT COUNT STREAMS

It sends COUNT pushes over one connection and prints `RESULT n=N ok=N seconds=S`.
"""

import asyncio
import logging
import ssl
import sys
import time

import aioapns
from aioapns.connection import APNsTLSClientProtocol
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

PORT, COUNT, STREAMS = map(int, sys.argv[1:])
HEAD = '{"aps": {"alert": {"title": "hello", "body": "'
# 250 bytes as json.dumps writes it.
MESSAGE = {"aps": {"alert": {"title": "hello", "body": "x" * (246 - len(HEAD))}}}


class Protocol(APNsTLSClientProtocol):
    APNS_SERVER = "127.0.0.1"
    APNS_PORT = PORT


def make_key():
    return (
        ec.generate_private_key(ec.SECP256R1())
        .private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        .decode()
    )


def make_client():
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    client = aioapns.APNs(
        key=make_key(),
        key_id="BENCHKEY01",
        team_id="BENCHTEAM1",
        topic="com.example.app",
        max_connections=1,
        ssl_context=context,
    )
    client.pool.protocol_class = Protocol
    return client


async def main():
    logging.disable(logging.CRITICAL)
    client = make_client()
    numbers = iter(range(COUNT))
    accepted = 0

    async def send(number):
        token = f"{number * 0x9E3779B97F4A7C15 % 2**64:064x}"
        request = aioapns.NotificationRequest(
            device_token=token, message=MESSAGE, push_type=aioapns.PushType.ALERT, priority=10
        )
        return (await client.send_notification(request)).is_successful

    async def work():
        nonlocal accepted
        for number in numbers:
            is_accepted = await send(number)
            accepted += is_accepted

    # The connection is open before the clock starts.
    await send(COUNT)
    start = time.monotonic()
    await asyncio.gather(*(work() for _ in range(STREAMS)))
    print(f"RESULT n={COUNT} ok={accepted} seconds={time.monotonic() - start}")
    return accepted == COUNT


if not asyncio.run(main()):
    sys.exit(1)
