"""Sends pushes with the library h2 (and hpack, hyperframe): with or without Huffman coding, in one frame or in many."""

import collections
import json
import socket
import ssl
import sys

import h2.config
import h2.connection
import h2.events
import h2.settings
from hyperframe.frame import ContinuationFrame, HeadersFrame

options = json.loads(sys.argv[1])
context = ssl.create_default_context(cafile=options["ca"])
context.set_alpn_protocols(["h2"])
if options.get("cert"):
    context.load_cert_chain(options["cert"], options["key"])
sock = context.wrap_socket(socket.create_connection(("127.0.0.1", options["port"])), server_hostname="localhost")
connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
connection.initiate_connection()
if options.get("table") is not None:
    connection.update_settings({h2.settings.SettingCodes.HEADER_TABLE_SIZE: options["table"]})
encode = connection.encoder.encode
connection.encoder.encode = lambda headers, huffman=True: encode(headers, huffman=options.get("huffman", True))

statuses = collections.Counter()
named = sent = done = 0


def cut(data):
    """Each HEADERS frame made many: a few octets, the rest in CONTINUATION frames."""
    size = options.get("cut")
    if not size:
        return data
    output, offset = b"", 0
    while offset < len(data):
        if data[offset:].startswith(b"PRI * "):
            output += data[offset : offset + 24]
            offset += 24
            continue
        length = int.from_bytes(data[offset : offset + 3], "big")
        whole = data[offset : offset + 9 + length]
        offset += 9 + length
        if whole[3] != 1:
            output += whole
            continue
        stream = int.from_bytes(whole[5:9], "big")
        pieces = [whole[9:][at : at + size] for at in range(0, length, size)]
        for place, piece in enumerate(pieces):
            frame = (ContinuationFrame if place else HeadersFrame)(stream)
            frame.data = piece
            if not place and whole[4] & 1:
                frame.flags.add("END_STREAM")
            if place == len(pieces) - 1:
                frame.flags.add("END_HEADERS")
            output += frame.serialize()
    return output


def send():
    global sent
    while sent < options["count"] and connection.open_outbound_streams < connection.remote_settings.max_concurrent_streams:
        body = options["body"].encode()
        if connection.outbound_flow_control_window < len(body):
            break
        stream = connection.get_next_available_stream_id()
        fields = [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
            (":path", "/3/device/" + options["tokens"][sent % len(options["tokens"])]),
            ("apns-topic", options["topic"]), ("apns-push-type", "alert"),
        ]
        # Several are taken in turn.
        authorizations = options.get("authorizations") or [options.get("authorization")]
        if authorization := authorizations[sent % len(authorizations)]:
            fields.append(("authorization", authorization))
        if options.get("large"):
            fields.append(("x-large", "x" * options["large"]))
        connection.send_headers(stream, fields)
        connection.send_data(stream, body, end_stream=True)
        sent += 1
    sock.sendall(cut(connection.data_to_send()))


settled = False
while done < options["count"]:
    if settled:
        send()
    else:
        sock.sendall(connection.data_to_send())
    data = sock.recv(65_536)
    if not data:
        break
    for event in connection.receive_data(data):
        if isinstance(event, h2.events.RemoteSettingsChanged):
            settled = True
        elif isinstance(event, h2.events.ResponseReceived):
            fields = dict(event.headers)
            statuses[fields[":status"]] += 1
            named += "apns-id" in fields
        elif isinstance(event, h2.events.DataReceived):
            connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            done += 1
        elif isinstance(event, h2.events.StreamReset):
            statuses[f"reset {event.error_code}"] += 1
            done += 1
connection.close_connection()
sock.sendall(connection.data_to_send())
print(json.dumps({"statuses": statuses, "named": named}))
