"""Ports for servers that have to know theirs before they listen."""

import random
import socket

# Linux gives connections and servers with port 0 ports from 32768 on, and the documents name ports below 20000. So nothing that runs at
# the same time takes one of these.
RANGE = range(20_000, 32_000)


def free_port():
    """A port on which nothing listens."""
    for port in random.sample(RANGE, 200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError(f"none of 200 ports is free from {RANGE.start} on")
