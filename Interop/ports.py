"""Ports for servers that have to know theirs before they listen."""

import os
import pathlib
import random
import socket

# Linux gives connections and servers with port 0 ports from 32768 on, and the documents name ports below 20000. So nothing that runs at
# the same time takes one of these.
RANGE = range(20_000, 32_000)


def free_port():
    """A port on which nothing listens, and which no other process of the run has been given: its server may not listen yet."""
    for port in random.sample(RANGE, 200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if is_first(port):
            return port
    raise AssertionError(f"none of 200 ports is free from {RANGE.start} on")


def is_first(port):
    """Whether nothing in the run's folder (confidential.py) has asked for the port; outside a run nobody else asks."""
    if "POSTHORN_INTEROP_RUN" not in os.environ:
        return True
    folder = pathlib.Path(os.environ["POSTHORN_INTEROP_RUN"], "ports")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        (folder / str(port)).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
