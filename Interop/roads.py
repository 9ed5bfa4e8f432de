"""A road of two processes: a gateway, and a service that pushes to it."""

import json

from processes import Process


def start_gateway(data, *flags):
    """A gateway on free ports, and the line of JSON in which it says where it is."""
    gateway = Process(
        "gateway", "--data", data, "--development-port", 0, "--production-port", 0, "--courier-port", 0, "--json", "--log-level", "error",
        *flags,
    )
    return gateway, json.loads(gateway.line())


def start_service(data, box, *flags):
    """A service that pushes to the gateway, and its URL."""
    service = Process(
        "serve", "--data", data, "--port", 0, "--apns-host", box["host"], "--apns-ca", box["ca"], "--apns-production-port",
        box["productionPort"], "--apns-development-port", box["developmentPort"], "--log-level", "critical", *flags,
    )
    return service, service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
