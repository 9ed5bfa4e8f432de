"""Takes pushes as APNs does, with the library h2: a small window, and answers without Huffman coding if asked."""

import asyncio
import json
import ssl
import sys

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings

options = json.loads(sys.argv[1])


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        print("connection", file=sys.stderr, flush=True)
        self.transport = transport
        self.ids = {}
        self.count = 0
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        codes = h2.settings.SettingCodes
        self.h2.local_settings = h2.settings.Settings(
            client=False,
            initial_values={
                codes.MAX_CONCURRENT_STREAMS: 300, codes.INITIAL_WINDOW_SIZE: options.get("window") or 65_535,
                codes.HEADER_TABLE_SIZE: 4096 if options.get("table") is None else options["table"],
            },
        )
        self.h2.initiate_connection()
        encode = self.h2.encoder.encode
        huffman = options.get("huffman", True)
        self.h2.encoder.encode = lambda headers, huffman=huffman: encode(headers, huffman=huffman)
        transport.write(self.h2.data_to_send())

    def data_received(self, data):
        try:
            events = self.h2.receive_data(data)
        except h2.exceptions.ProtocolError as error:
            print(f"broken: {error!r}", file=sys.stderr, flush=True)
            self.transport.write(self.h2.data_to_send())
            self.transport.close()
            return
        for event in events:
            if isinstance(event, h2.events.RequestReceived):
                self.ids[event.stream_id] = dict(event.headers)
            elif isinstance(event, h2.events.DataReceived):
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                self.answer(event.stream_id)
            elif isinstance(event, h2.events.ConnectionTerminated):
                self.transport.close()
        self.transport.write(self.h2.data_to_send())
        if options.get("goAwayAfter") and self.count >= options["goAwayAfter"]:
            # What comes after this stream was not looked at, and is not answered.
            self.h2.close_connection(last_stream_id=self.h2.highest_inbound_stream_id)
            self.transport.write(self.h2.data_to_send())
            self.transport.close()

    def answer(self, stream):
        fields = self.ids.pop(stream)
        self.count += 1
        is_push = fields[":method"] == "POST" and fields[":path"].startswith("/3/device/")
        status = options["status"] if is_push else 404
        answer = [(":status", str(status)), ("apns-id", fields.get("apns-id", ""))]
        if options.get("large"):
            answer.append(("x-large", "x" * options["large"]))
        self.h2.send_headers(stream, answer, end_stream=status == 200)
        if status != 200:
            self.h2.send_data(stream, json.dumps({"reason": options["reason"]}).encode(), end_stream=True)


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(options["cert"], options["key"])
    context.set_alpn_protocols(["h2"])
    if options.get("clients"):
        # Nobody without a certificate of theirs.
        context.load_verify_locations(options["clients"])
        context.verify_mode = ssl.CERT_REQUIRED
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", options["port"], ssl=context)
    await server.serve_forever()


asyncio.run(main())
