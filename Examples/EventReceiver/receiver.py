"""Prints all events of an app, one per line: receiver.py FILE

The app is that of POSTHORN_URL, POSTHORN_APP_KEY and POSTHORN_MASTER_SECRET. FILE stores the position, so that a stopped receiver continues
where it was. A crash between the print and the write repeats a page; a receiver with a database writes the position in the transaction of
its own work.
"""

import hashlib
import hmac
import json
import os
import pathlib
import sys
import time

import requests


def pages(url, key, secret, after=0):
    """Yields the pages after a position until there are no further events, each with a verified signature."""
    while True:
        answer = requests.get(f"{url}/posthorn/v1/events", {"after": after}, auth=(key, secret), timeout=60)
        answer.raise_for_status()
        signed = answer.headers["X-Posthorn-Timestamp"].encode() + b"." + answer.content
        right = "v1=" + hmac.new(hashlib.sha256(secret.encode()).digest(), signed, hashlib.sha256).hexdigest()
        # By the newest secret, and by those before it that are valid still.
        given = [answer.headers["X-Posthorn-Signature"], *answer.headers.get("X-Posthorn-Signature-Former", "").split(",")]
        if not any(hmac.compare_digest(one, right) for one in given):
            raise SystemExit("a page has a wrong signature")
        page = answer.json()
        if page["oldest"] is not None and page["oldest"] > after + 1:
            print(f"events {after + 1} to {page['oldest'] - 1} were deleted before they were read", file=sys.stderr)
        if not page["events"]:
            return
        yield page
        after = page["next"]


def main(url, key, secret, file):
    place = pathlib.Path(file)
    while True:
        for page in pages(url, key, secret, int(place.read_text()) if place.exists() else 0):
            for event in page["events"]:
                print(json.dumps(event), flush=True)
            # At once: a program that ends while it writes would leave half a number.
            new = place.with_name(place.name + ".new")
            new.write_text(str(page["next"]))
            new.replace(place)
        time.sleep(1)


if __name__ == "__main__":
    main(*(os.environ[f"POSTHORN_{name}"] for name in ("URL", "APP_KEY", "MASTER_SECRET")), sys.argv[1])
