"""Writes the hand-made part of Corpus/: what real peers say, and what RFC 7541, 7578, 7292 and 9113 give as examples.

`Fuzzing/run --pack` takes it into the archive, with what a long run has found.
"""

import json
import pathlib
import plistlib
import struct

CORPUS = pathlib.Path(__file__).parent / "Corpus"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
# How the rest of an input is taken; see Manner in MachineRun.swift.
BEGUN, LATE, RESETS, NARROW, GOES_AWAY, QUICK = 1, 2, 4, 8, 16, 32


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(**values):
    names = ["table", "push", "streams", "window", "frame", "list"]
    return frame(4, 0, 0, b"".join(struct.pack(">HI", names.index(name) + 1, value) for name, value in values.items()))


ACK = frame(4, 1, 0)
# Of a device at the gateway; the last digit of another's is odd.
KEY = "0123456789abcdef" * 3 + "0123456789abcde0"


def literal(name, value, first=0x40):
    return bytes([first, len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def request(number, body=b'{"aps":{"alert":"Hello"}}', extra=b"", pieces=1, padding=0):
    stream = 2 * number + 1
    # :method POST, :scheme https, :authority, :path
    block = b"\x83\x87\x41\x09localhost\x04" + bytes([len("/3/device/") + 64]) + b"/3/device/" + b"ab" * 32
    block += literal("apns-topic", "com.example.app") + literal("authorization", "bearer aaa.bbb.ccc", 0x10)
    block += literal("apns-push-type", "alert") + literal("content-length", str(len(body)), 0) + extra
    ends = 0 if body else 1
    if padding:
        first = frame(1, ends | 4 | 8 | 0x20, stream, bytes([padding]) + b"\0\0\0\0\x10" + block + bytes(padding))
    elif pieces > 1:
        size = len(block) // pieces + 1
        parts = [block[i : i + size] for i in range(0, len(block), size)]
        first = frame(1, ends, stream, parts[0])
        for place, part in enumerate(parts[1:]):
            first += frame(9, 4 if place == len(parts) - 2 else 0, stream, part)
    else:
        first = frame(1, ends | 4, stream, block)
    return first + (frame(0, 1, stream, body) if body else b"")


def answer(number, status=b"\x88", body=b"", extra=b"", interim=False):
    stream = 2 * number + 1
    first = frame(1, 4, stream, b"\x48\x03103") if interim else b""
    block = status + literal("apns-id", "0000", 0) + extra
    return first + frame(1, 4 if body else 5, stream, block) + (frame(0, 1, stream, body) if body else b"")


def window(stream, by):
    return frame(8, 0, stream, struct.pack(">I", by))


def goaway(last, code=0, text=b'{"reason":"Shutdown"}'):
    return frame(7, 0, 0, struct.pack(">II", last, code) + text)


def reset(stream, code=8):
    return frame(3, 0, stream, struct.pack(">I", code))


def ping(flags=0):
    return frame(6, flags, 0, b"12345678")


def server():
    yield "real", bytes([3, 0]) + PREFACE + settings(push=0, window=1 << 20) + window(0, 1 << 20) + ACK + request(0)
    yield "twenty", bytes([4, BEGUN]) + b"".join(request(n) for n in range(8))
    yield "late", bytes([4, BEGUN | LATE]) + b"".join(request(n) for n in range(4)) + ping()
    yield "resets", bytes([5, BEGUN | RESETS]) + b"".join(request(n) for n in range(4)) + reset(9) + request(5)
    yield "pieces", bytes([6, BEGUN]) + request(0, pieces=3) + request(1, padding=9) + request(2, b"")
    yield "narrow", bytes([7, BEGUN | NARROW]) + request(0, pieces=5) + request(1, b"x" * 300) + request(2, b"")
    yield "away", bytes([8, BEGUN | GOES_AWAY | LATE]) + b"".join(request(n) for n in range(9)) + goaway(0)
    yield "windows", (
        bytes([9, BEGUN]) + settings(window=10, table=0, frame=20_000) + request(0) + request(1) + window(1, 20)
        + settings(window=0, table=100) + window(3, 1) + settings(window=5000, table=4096) + request(2) + window(0, 9)
    )
    yield "chatter", bytes([10, BEGUN | NARROW | QUICK]) + (ping() + frame(2, 0, 3, bytes(5)) + window(0, 1)) * 6
    yield "trailers", bytes([11, BEGUN]) + request(0, b"")[:-1] + b"" + request(0, b"x")[:-10] + frame(
        0, 0, 1, b"x"
    ) + frame(1, 5, 1, literal("x-checksum", "1", 0))
    yield "unknown", bytes([12, BEGUN]) + frame(99, 255, 7, b"what") + request(0) + frame(0, 0, 1, b"late")
    yield "errors", bytes([13, BEGUN]) + request(0, extra=literal("Upper", "case", 0)) + request(
        1, extra=literal("connection", "close", 0)
    ) + request(2, extra=literal("te", "trailers", 0)) + request(3, extra=literal("x", "large" * 40) * 60)


def client():
    begin = [7, BEGUN, 5]
    yield "real", bytes([7, 0, 5]) + settings(streams=1000, window=1 << 20, list=8000) + ACK + b"".join(
        answer(n) for n in range(5)
    )
    yield "errors", bytes(begin) + answer(0, b"\x8c", b'{"reason":"BadDeviceToken"}') + answer(
        1, b"\x48\x03410", b'{"reason":"Unregistered","timestamp":1}'
    )
    yield "interim", bytes(begin) + answer(0, interim=True) + answer(1, interim=True)
    yield "away", bytes([7, BEGUN, 9]) + answer(0) + goaway(3) + answer(1) + goaway(1)
    yield "resets", bytes([7, BEGUN | RESETS, 20]) + reset(1, 7) + reset(3, 8) + b"".join(answer(n) for n in range(2, 9))
    yield "windows", bytes([7, BEGUN, 20]) + settings(window=100, table=0, frame=20_000) + window(3, 9) + settings(
        window=0, table=64, streams=3
    ) + window(0, 100_000) + settings(window=70_000) + b"".join(answer(n) for n in range(6))
    yield "narrow", bytes([7, BEGUN | NARROW | QUICK, 20]) + b"".join(answer(n, body=b"y" * 200) for n in range(6))
    yield "small", bytes([7, 0, 9]) + settings(window=10) + window(3, 15) + window(3, 20) + window(5, 9) + answer(1)
    yield "pings", bytes([7, BEGUN | GOES_AWAY, 3]) + ping() * 3 + ping(1) + answer(0)


def hpack():
    # RFC 7541, appendix C.3 to C.6: without and with Huffman coding, requests and answers.
    examples = {
        "c3": ["828684410f7777772e6578616d706c652e636f6d", "828684be58086e6f2d6361636865",
               "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565"],
        "c4": ["828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf",
               "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"],
        "c5": ["4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e17"
               "68747470733a2f2f7777772e6578616d706c652e636f6d", "4803333037c1c0bf"],
        "c6": ["488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad1718"
               "63c78f0b97c8e9ae82ae43d3", "4883640effc1c0bf"],
    }
    for name, blocks in examples.items():
        blocks = [bytes.fromhex(block) for block in blocks]
        yield name, b"".join(struct.pack(">H", len(block)) + block for block in blocks)
    long = literal("n" * 120, "v" * 120)
    blocks = [long, b"\x7e\x01w" * 40, b"\xbe" * 80, b"\x3f\xe1\x1f\x20\x3f\x09" + long, b"\x20" + long + b"\xbe"]
    yield "tables", b"".join(struct.pack(">H", len(block)) + block for block in blocks)
    yield "integers", b"\x00\x06\x7f\xff\xff\xff\xff\x0f"
    # A name that fills the table, named again and again in two octets each: they must not become megabytes.
    name = b"\x40\x7f" + bytes([0x80 | (4000 - 127) & 0x7F, (4000 - 127) >> 7]) + b"n" * 4000 + b"\x00"
    block = name + b"\x0f\x2f\x00" * 3000
    yield "names", struct.pack(">H", len(block)) + block


def roundtrip():
    yield "plain", bytes([0x03, 0x12, 15]) + b"com.example.app" + bytes([0x71, 4]) + b"abcd" + bytes([5, 100])
    yield "tables", bytes([0xC3, 0, 124, 5]) + (bytes([0x12, 3]) + b"abc") * 3 + bytes([0x42, 0x90, 2]) + b"z" * 45
    yield "others", bytes([0x02, 0, 3]) + b"abc" + bytes([4]) + b"name" + bytes([0x90, 10]) + b"y" * 200
    yield "evicting", b"".join(bytes([1, 0x90 + n % 14, 30]) + bytes([n]) * 600 for n in range(20))


def texts():
    payloads = [
        {"aps": {"alert": {"title": "Hi", "body": "\u00e9\U0001f600"}, "badge": 1, "sound": "default"}, "a": [1.5, None]},
        {"aps": {"alert": "Hello", "content-available": 1, "mutable-content": 1, "thread-id": "t", "category": "c"}},
        {"platform": "all", "audience": {"tag": ["a"], "alias": ["b"]}, "cid": "c-1",
         "notification": {"ios": {"alert": "Hi", "badge": "+1", "extras": {"k": True}}},
         "options": {"time_to_live": 60, "apns_production": False}},
        [-0.0, 1e20, 123456789012345678901234567890, 1e-7, "\\\"\u0000\u001f/"],
    ]
    for number, payload in enumerate(payloads):
        yield f"payload{number}", json.dumps(payload).encode()
    push = b'{"platform":"all","target":"ab","notification":{"alert":"hi"}}'
    yield "batch", b'{"pushlist":{"a":' + push + b',"b": ' + push + b' }}'
    yield "batch-twice", b'{"pushlist":{"c":1},"pushlist":{"a":' + push + b',"a":' + push + b'},"x":{"y":{}}}'
    yield "spaces", b'\xef\xbb\xbf \t\r\n{ "a" : [ ] , "a" : "\\ud83d\\ude00\\u0041" } '
    yield "device", b"00fF" * 16
    yield "deep", b"[" * 130


def link():
    token, environment = "00fF" * 16, "production"
    register = {"type": "register", "app-key": "5e1f0a2b3c4d5e6f70819203", "bundle-id": "com.example.app", "channel": "store",
                "environment": environment, "system": "iOS 17.0", "installation": "i", "zone": "Asia/Shanghai"}
    login = {"type": "login", "app-key": "k", "registration-id": "r", "secret": "s", "position": 41, "messages": False}
    requests = [
        {"type": "token", "token": token, "environment": environment}, {"type": "tags-add", "tags": ["a", "\u4e2d"]},
        {"type": "tags-set", "tags": []}, {"type": "tags-delete", "tags": ["a"]}, {"type": "tags-clean"}, {"type": "tags-get"},
        {"type": "alias-set", "alias": "a"}, {"type": "alias-delete"}, {"type": "alias-get"}, {"type": "badge", "badge": 99999},
        {"type": "tag-check", "tag": "a"}, {"type": "mobile", "mobile": "+86-1"}, {"type": "mobile", "mobile": None},
        {"type": "push-switch", "on": True}, {"type": "push-status"},
        {"type": "receipts", "receipts": [{"id": 7, "event": "opened", "time": 1767254400}]},
        {"type": "voip-token", "token": token, "environment": environment},
        {"type": "activity-token", "activity": "order", "token": token}, {"type": "activity-token", "activity": "order"},
        {"type": "activity-start-token", "attributes-type": "Order", "token": token},
    ]
    answers = [
        {"type": "registered", "registration-id": "r", "secret": "s", "user-id": 10000000000},
        {"type": "logged-in", "has-token": True, "push": True, "sequence": 1, "token-digest": "0f"},
        {"type": "refused", "code": 1005, "message": "m"}, {"type": "reply", "number": 3, "code": 0, "tags": ["a"], "on": True},
        {"type": "message", "position": 2, "id": 3, "content": "gr\u00fc\u00dfe", "title": "t", "extras": {"a": [1, None]}},
        {"type": "in-app-message", "position": 2, "id": 3, "content": "", "content-type": "text"},
    ]
    event = {"number": 1, "apns-id": "0f1e", "event": {"at": "2026-01-01T08:00:00.125Z", "by": "device", "event": "opened"}}
    kinds = ["delivered", "woken", "callback", "finished", "serviceExtension", "crashed", "presented", "acted", "replied"]
    detailed = [
        {"number": n + 2, "apns-id": "0f1e", "event": {
            "at": "2026-01-01T08:00:00.999Z", "by": "device", "event": kind, "state": "active", "name": "n", "reason": "r",
            "outcome": "called", "how": "banner", "action": "a", "characters": 3}}
        for n, kind in enumerate(kinds)
    ]
    app = {"topic": "com.example.app", "environment": environment}
    courier = [
        {"type": "hello", "device": "d", "key": KEY}, {"type": "register"} | app, {"type": "ack", "apns-id": "1"},
        {"type": "awake", "awake": False}, {"type": "subscribe", "channel": "dHN0"} | app, {"type": "ack", "apns-id": "c"},
        {"type": "subscribe", "channel": ""} | app, {"type": "unsubscribe", "channel": "dHN0"} | app,
        {"type": "events", "events": [event, event] + detailed}, {"type": "unregister"} | app,
    ]
    push = {"type": "push", "apns-id": "0f1e", "push-type": "alert", "priority": 10, "collapse-id": "c"} | app
    from_gateway = [
        {"type": "registered", "token": token} | app, push | {"payload": '{"aps":{}}'},
        push | {"payload-base64": "/wDDKA==", "channel": "c"}, {"type": "events-ack", "through": 9},
    ]

    def text(frames):
        return "\n".join(json.dumps(frame, separators=(",", ":"), ensure_ascii=False) for frame in frames).encode()

    yield "sdk", text([register, login, {"type": "ack", "position": 9}])
    yield "sdk-requests", text([request | {"number": n} for n, request in enumerate(requests)])
    yield "sdk-answers", text(answers)
    yield "sdk-acks", b'{"type":"ack","position":0}\n{"type":"ack","position":999999999999999999}\n{"position":7, "type":"ack"}'
    yield "courier", text(courier)
    yield "courier-gateway", text(from_gateway)
    twice = [str(n % 2).encode() + line for n, line in enumerate(line for frame in courier for line in [text([frame])] * 2)]
    yield "courier-two", b"\n".join(twice)
    yield "courier-again", b"\n".join([b"0" + text(courier[:2]), b"1" + text(courier[:1]), b"0" + text(courier[4:5])] * 2)


def events():
    at = {"at": "2026-01-01T08:00:00.125Z", "by": "device"}
    kinds = ["stored", "coalesced", "expired", "delivered", "woken", "callback", "finished", "presented", "acted", "replied", "suppressed"]
    details = {"state": "active", "name": "n", "reason": "r", "outcome": "called", "how": "banner", "action": "a", "characters": 3}
    frames = [{"type": "follow", "after": 0}, {"type": "follow", "log": "log", "after": 3}, {"type": "following", "log": "log", "after": 3}]
    frames += [{"type": "gap", "first": 1, "last": 3}, {"type": "gap", "first": 1, "last": 2**63 - 1}, {"type": "gap", "first": 2, "last": 1}]
    frames += [
        {"type": "event", "number": n + 4, "apns-id": "0f1e", "event": at | {"event": kind} | details} for n, kind in enumerate(kinds)
    ]
    dates = ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "292277026596-12-04T15:30:08.000Z", "99999-01-01T00:00:00.000Z"]
    for date in dates:
        frames.append({"type": "event", "number": 2**63 - 1, "apns-id": "", "event": {"at": date, "by": "gateway", "event": "stored"}})
    frames.append({"type": "gap", "first": -(2**63), "last": 2**63 - 1})
    frames.append({"type": "follow", "log": "log", "after": -(2**63)})
    yield "all", "\n".join(json.dumps(frame) for frame in frames).encode()
    for number, frame in enumerate(frames):
        yield f"frame{number}", json.dumps(frame).encode()


def multipart():
    kind = b"multipart/form-data; boundary=b\n"

    def part(disposition, content, more=b""):
        return b"--b\r\nContent-Disposition: form-data; " + disposition + b"\r\n" + more + b"\r\n" + content + b"\r\n"

    file = part(b'name="filename"; filename="a.txt"', b"one\r\ntwo", b"Content-Type: text/plain\r\n")
    yield "form", b"\1" + kind + file + part(b'name="ttl"', b"24") + b"--b--\r\n"
    yield "cut", b"\0" + kind + file + part(b'name="ttl"', b"24")
    yield "unclosed", b"\1" + kind + file + part(b'name="ttl"', b"24")
    yield "quotes", b"\1" + kind + part(rb'name="a\"b\\"; filename="C:\up\%22x.txt"', b"") + b"--b--"
    yield "token", b"\1" + kind + part(b"name = n ; filename=x", b"--bc\r\n --b\r\n--b x") + b"--b \t--\r\n--b--"
    yield "preamble", b"\1multipart/form-data;x=1;boundary=\"b\"\nhello\r\n" + file + b"--b--\r\nepilogue"
    yield "encoded", b"\1" + kind + part(b'name="n"', b"c", b"Content-Transfer-Encoding: binary\r\n") + b"--b--"
    yield "empty", b"\1" + kind + b"--b--"
    yield "unicode", b"\1" + kind + part('name="\u4e2d\u0301"; filename="\U0001f600.txt"'.encode(), b"\xff\0") + b"--b--"


def der(tag, *parts):
    content = b"".join(parts)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    size = (len(content).bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + len(content).to_bytes(size, "big") + content


def oid(*numbers):
    octets = [numbers[0] * 40 + numbers[1]]
    for number in numbers[2:]:
        groups = [number & 0x7F]
        while number := number >> 7:
            groups.insert(0, number & 0x7F | 0x80)
        octets += groups
    return der(0x06, bytes(octets))


def pkcs12():
    pkcs7, bags = (1, 2, 840, 113549, 1, 7), (1, 2, 840, 113549, 1, 12, 10, 1)
    salted = der(0x30, der(0x04, b"saltsalt"), der(0x02, b"\x08\x00"))
    old = der(0x30, oid(1, 2, 840, 113549, 1, 12, 1, 3), salted)
    pbkdf2 = der(0x30, oid(1, 2, 840, 113549, 1, 5, 12), der(0x30, der(0x04, b"saltsalt"), der(0x02, b"\x08\x00"),
                 der(0x30, oid(1, 2, 840, 113549, 2, 9), der(0x05))))
    cipher = der(0x30, oid(2, 16, 840, 1, 101, 3, 4, 1, 42), der(0x04, bytes(16)))
    new = der(0x30, oid(1, 2, 840, 113549, 1, 5, 13), der(0x30, pbkdf2, cipher))
    name = der(0x31, der(0x30, oid(1, 2, 840, 113549, 1, 9, 21), der(0x31, der(0x04, b"\1"))))

    def bag(kind, value):
        return der(0x30, oid(*bags, kind), der(0xA0, value), name)

    def data(content):
        return der(0x30, oid(*pkcs7, 1), der(0xA0, der(0x04, content)))

    def encrypted(algorithm):
        inside = der(0x30, oid(*pkcs7, 1), algorithm, der(0x80, b"encrypted, say"))
        return der(0x30, oid(*pkcs7, 6), der(0xA0, der(0x30, der(0x02, b"\0"), inside)))

    def bundle(*parts):
        digest = der(0x30, der(0x30, oid(1, 3, 14, 3, 2, 26), der(0x05)), der(0x04, bytes(20)))
        mac = der(0x30, digest, der(0x04, b"saltsalt"), der(0x02, b"\x08\x00"))
        return der(0x30, der(0x02, b"\3"), data(der(0x30, *parts)), mac)

    certificate = bag(3, der(0x30, oid(1, 2, 840, 113549, 1, 9, 22, 1), der(0xA0, der(0x04, der(0x30, b"")))))
    for kind, algorithm in [("legacy", old), ("modern", new)]:
        key = bag(2, der(0x30, algorithm, der(0x04, b"encrypted key")))
        yield kind, bundle(encrypted(algorithm), data(der(0x30, key)))
        yield kind + "-many", bundle(*[data(der(0x30, key, certificate))] * 9, *[encrypted(algorithm)] * 9)
    plain = bag(1, der(0x30, der(0x02, b"\0"), der(0x30, oid(1, 2, 840, 10045, 2, 1)), der(0x04, b"key")))
    whole = bundle(data(der(0x30, plain, certificate)))
    yield "open", whole
    yield "indefinite", b"\x30\x80" + whole[4:] + b"\0\0"
    pieces = der(0x24, der(0x04, b"\x30"), der(0x04, b"\x00"))
    yield "pieces", der(0x30, der(0x02, b"\3"), der(0x30, oid(*pkcs7, 1), der(0xA0, pieces)))
    yield "deep", b"\x30\x80" * 60
    yield "empty", bundle()


def devices():
    token = "00fF" * 16
    yield "plain", f"\1registration_id,token,environment,alias,tags\n1a,{token},production,amy,vip;new\n".encode()
    yield "crlf", f'\2\ufeffDevice Token,Tags,other\r\n"{token}","a,b"," x"\r\n\r\n{token},,\r\n'.encode()
    yield "wrong", f'\3token,alias\n{token},"open\n{token},a"b\n{token}\nzz,"a""b\nc"\n'.encode() + b"\xff,x\n"
    yield "quotes", f'\4alias,token\n"a""","{token}"\n"",{token}\n"x"y,{token}\n"a\r'.encode()
    yield "lines", b"\5" + "\r\n".join(
        json.dumps(device, ensure_ascii=False) for device in [
            {"token": token, "registration_id": "1a", "alias": "", "tags": ["\u4e2d", "a"], "environment": "Development"},
            {"device_token": token, "tags": "a; b,,c", "unknown": {"x": [1]}}, {"token": 1}, [], {"token": "", "tags": 5},
        ]
    ).encode()
    yield "mixed", f'\7\n\n {{"token":"{token}","alias":"a","alias":null}}\n \t\n{{'.encode()


PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>Name</key><string>Team &amp; app</string>
<key>UUID</key><string>5BD2C1B8-6A3A-4B3A-8A52-3D1C1B2C3D4E</string>
<key>TeamIdentifier</key><array><string>ABCDE12345</string></array>
<key>Entitlements</key><dict><key>application-identifier</key><string>ABCDE12345.com.example.*</string>
<key>aps-environment</key><string>development</string><key>get-task-allow</key><true/></dict>
<key>ProvisionedDevices</key><array><string>00008030-000000000000001E</string></array>
<key>CreationDate</key><date>2026-01-01T00:00:00Z</date><key>ExpirationDate</key><date>2027-01-01T00:00:00Z</date>
<key>Version</key><integer>1</integer><key>DeveloperCertificates</key><array><data>AAEC</data></array>
</dict></plist>
"""


def profile():
    yield "xml", PROFILE.encode()
    enveloped = der(0x04, PROFILE.encode())
    yield "envelope", der(0x30, oid(1, 2, 840, 113549, 1, 7, 2), der(0xA0, der(0x30, enveloped, b"signature")))
    values = plistlib.loads(PROFILE.encode())
    yield "binary", plistlib.dumps(values, fmt=plistlib.FMT_BINARY)
    values["ProvisionsAllDevices"] = True
    del values["ProvisionedDevices"], values["Entitlements"]["aps-environment"]
    yield "everyone", plistlib.dumps(values, fmt=plistlib.FMT_BINARY)
    yield "everyone-xml", plistlib.dumps(values)
    yield "text", b'{ Name = "a b"; UUID = <00ff>; Entitlements = { "application-identifier" = (T, "b.c"); }; }'
    yield "entities", PROFILE.replace("Team &amp; app", "&#x1F600;&lt;<![CDATA[x]]><!-- c -->").encode()
    yield "deep", b"<plist>" + b"<array>" * 60 + b"</array>" * 60 + b"</plist>"


def token():
    yield "claims", b'{"alg":"ES256","kid":"ABCDE12345"}\n{"iss":"TEAM123456","iat":1700000000}'
    yield "kalyke", b'{"alg":"ES256","kid":"A"}\n{"iss":"T","iat":"1700000000"}'
    yield "compact", b"eyJhbGciOiJFUzI1NiIsImtpZCI6IkEifQ.eyJpc3MiOiJUIiwiaWF0IjoxN30.AAAA"
    yield "padded", b"eyJhbGciOiJFUzI1NiIsImtpZCI6IkEifQ==.eyJpc3MiOiJUIiwiaWF0IjoxN30=.AA=="
    yield "der", b'{"kid":"A","typ":"JWT","alg":"ES256"}\n{"iat":1.5e9,"iss":"T","x":[1]}\n\x30\x06\x02\x01\x01\x02\x01\x01'
    yield "times", b'{"alg":"ES256","kid":"A"}\n{"iss":"T","iat":"nan"}\n+/-_='
    yield "huge", b'{"alg":"ES256","kid":"A"}\n{"iss":"T","iat":-1e308}'
    yield "none", b'{"alg":"none","kid":"A"}\n{"iss":"T","iat":1}\n'


def registration():
    token, environment = "00fF" * 16, "production"
    about = {"system": "iOS 17.0", "channel": "store", "zone": "Asia/Shanghai", "app_version": "1.2", "language": "zh-Hans",
             "permission": "summary", "environment": environment, "token": token, "voip_token": token,
             "activity_tokens": [{"activity": "order", "token": token}, {"activity": "order", "token": None}],
             "activity_start_tokens": [{"attributes_type": "Order", "token": token}]}
    key = {"app_key": "5e1f0a2b3c4d5e6f70819203", "bundle_id": "com.example.app", "installation": "i"}
    bodies = [
        (0, key | about), (1, about), (1, {}), (3, {"operation": "add", "tags": ["a", "\u4e2d"]}), (3, {"operation": "check", "tag": "a"}),
        (3, {"operation": "get"}), (4, {"operation": "set", "alias": "a"}), (4, {"operation": "delete"}), (5, {"badge": 99999}),
        (6, {"mobile": "+86-1"}), (6, {"mobile": None}), (7, {"on": True}), (7, {}),
        (2, {"receipts": [{"msg_id": "7", "event": event, "time": 1767254400} for event in (
            "received", "shown", "opened", "action", "dismissed", "displayed", "clicked")] + [{"msg_id": 7, "event": "opened", "time": 1}]}),
    ]
    for number, (kind, body) in enumerate(bodies):
        yield f"body{number}", bytes([kind]) + json.dumps(body).encode()


def template():
    for number, (text, value) in enumerate([
        ("Hello {{name}}, {{ name }} {{n}}", "Ann"), ("{{{a}}} {{a|b}} {{}} {{a b}} {{ {{a}}", "\"\\\u0001"),
        ("{{a|there}} {{name|{{a|}} {{a|", "}}"), ("{{\u00e9}}{{e\u0301}}\u200c{{\u597d}}", "\u597d"), ("{" * 100, "x"),
    ]):
        yield f"text{number}", text.encode() + b"\0" + value.encode()
    push = {"platform": "all", "notification": {"alert": "{{a}}"}}
    yield "made", json.dumps({"name": "n", "push": push}).encode()
    yield "sent", json.dumps({"id": "0", "params": [{"audience": "all", "keys": {"a": 1}, "options": {"sendno": 1}}]}).encode()


TARGETS = {
    "server": server, "client": client, "hpack": hpack, "roundtrip": roundtrip, "json": texts, "link": link,
    "events": events,
    "multipart": multipart, "pkcs12": pkcs12, "devices": devices, "profile": profile, "registration": registration, "token": token,
    "template": template,
}

for target, seeds in TARGETS.items():
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    for name, seed in seeds():
        (folder / name).write_bytes(seed)
