@testable import APNSTransport

/// A client whose server sends anything. First octet: how the input is cut; second: ``Manner``; third: how many requests.
func fuzzClient(_ input: [UInt8]) {
    var reader = Reader(input)
    let seed = reader.byte()
    let manner = Manner(rawValue: reader.byte())
    let requests = Int(reader.byte() & 63)
    var bytes = Array(reader.rest)
    if manner.contains(.isBegun) { bytes = [0, 0, 0, 4, 0, 0, 0, 0, 0] + bytes }
    let grants = Grants(bytes)
    checkCuts(bytes, seed: seed) { chunks in
        var client = Client(manner, requests, grants)
        for chunk in chunks where client.run.error == nil { client.read(chunk) }
        client.finish()
        return client.run
    }
}

private let heads = [
    HTTP2RequestHead(fields: [
        ("apns-topic", "com.example.app"), ("authorization", "bearer a.b.c"), ("apns-push-type", "alert"),
        ("user-agent", "posthorn"),
    ]),
    HTTP2RequestHead(fields: [("apns-topic", "com.example.other"), ("x-anything", "of no catalog")]),
    HTTP2RequestHead(method: "GET", fields: [("apns-collapse-id", String(repeating: "x", count: 64))]),
]

private struct Client: ~Copyable {
    private let manner: Manner
    private let requests: Int
    private var machine: HTTP2Machine
    private var checker: OutputChecker
    private var reads = 0
    private var opened: UInt64 = 0
    private var done: Set<UInt64> = []
    private(set) var run = MachineRun()

    init(_ manner: Manner, _ requests: Int, _ grants: Grants) {
        self.manner = manner
        self.requests = requests
        machine = HTTP2Machine(role: .client, limits: manner.limits)
        checker = OutputChecker(.client, grants: grants)
    }

    mutating func read(_ chunk: [UInt8]) {
        var offset = 0
        let bytes = chunk.span
        while true {
            let allowed = machine.peer.maxFrameSize
            do {
                guard let event = try machine.next(in: bytes, at: &offset) else { break }
                checker.take(&machine, maxFrameSize: max(allowed, machine.peer.maxFrameSize))
                happened(event)
            } catch {
                run.error = error
                machine.fail(error)
                checker.take(&machine, maxFrameSize: max(allowed, machine.peer.maxFrameSize))
                return
            }
            checker.take(&machine, maxFrameSize: machine.peer.maxFrameSize)
        }
        check(offset == bytes.count, "octets are left over")
        checker.take(&machine, maxFrameSize: 1 << 24)
        reads += 1
        // Costly; a state that is wrong stays so for a while.
        if reads % 8 == 1 { checkState(machine) }
    }

    mutating func finish() {
        for tag in machine.closeStreams(above: 0) { end(tag) }
        check(done.count == Int(opened), "\(opened) requests have \(done.count) outcomes")
        run.output = checker.all
        if run.error == nil { checkState(machine) }
        machine.shrink()
    }

    private mutating func end(_ tag: UInt64) {
        check(tag < opened, "an outcome of request \(tag), of \(opened)")
        check(done.insert(tag).inserted, "request \(tag) has two outcomes")
        run.outcomes.append(tag)
    }

    private mutating func happened(_ event: HTTP2Machine.Event) {
        run.events.append(event)
        if manner.contains(.isQuick) { machine.now += 50 }
        switch event {
        case .message(let id):
            if let (tag, message) = machine.takeMessage(of: id) {
                check((200...999).contains(message.status), "a status of \(message.status)")
                check(message.fields.listSize <= machine.limits.headerListBytes, "a list is too large")
                check(message.body.count == min(message.bodyBytes, machine.limits.bodyBytes), "a body is cut")
                var outcomes = HTTP2Outcomes()
                outcomes.add(tag, message)
                _ = outcomes.answer(outcomes.outcomes[0])
                end(tag)
                machine.giveBack(message)
            } else {
                check(false, "the message of stream \(id) is not there")
            }
            check(machine.takeMessage(of: id) == nil, "the message of stream \(id) is there twice")
        case .reset(_, let tag, _): end(tag)
        case .goAway(let last, _, _): for tag in machine.closeStreams(above: last) { end(tag) }
        case .settings, .pong: break
        case .turn: check(false, "a client holds no requests")
        }
        if manner.contains(.resets), run.events.count % 4 == 3, opened > 0 {
            let tag = UInt64(run.events.count) % opened
            if !machine.reset(tags: tag...tag, .cancel).isEmpty { end(tag) }
        }
        checker.take(&machine, maxFrameSize: machine.peer.maxFrameSize)
        var room = event == .settings ? requests / 2 + 1 : 2
        while room > 0, Int(opened) < requests, machine.canOpen {
            open()
            room -= 1
        }
        if manner.contains(.goesAway), run.events.count == 5 { machine.ping(1) }
    }

    private mutating func open() {
        let number = Int(opened)
        let token = Array("/3/device/\(number)".utf8)
        let id = Array("0000-\(number)".utf8)
        let name = Array("x-more".utf8)
        let bytes = token + id + name
        let values = token.count..<token.count + id.count
        var fields = [HTTP2BatchField(FieldName.apnsID, values)]
        if number % 3 == 1 { fields.append(HTTP2BatchField(FieldName.expiration, values)) }
        if number % 5 == 2 {
            fields.append(HTTP2BatchField(.other, nameText: values.upperBound..<bytes.count, values))
        }
        let body = Array(repeating: UInt8(65), count: [0, 40, 700, 60, number == 8 ? 20_000 : 1][number % 5])
        opened += 1
        _ = machine.open(
            tag: UInt64(number),
            head: heads[number / 3 % heads.count],
            authority: Array("localhost".utf8),
            path: bytes.span.extracting(0..<token.count),
            fields: fields[...],
            of: bytes.span,
            body: body.span
        )
        checker.take(&machine, maxFrameSize: machine.peer.maxFrameSize)
    }
}
