@testable import APNSTransport

/// A server that is fed with anything. First octet: how the input is cut; second: ``Manner``.
func fuzzServer(_ input: [UInt8]) {
    var reader = Reader(input)
    let seed = reader.byte()
    let manner = Manner(rawValue: reader.byte())
    var bytes = Array(reader.rest)
    if manner.contains(.isBegun) { bytes = HTTP2Machine.preface + [0, 0, 0, 4, 0, 0, 0, 0, 0] + bytes }
    let grants = Grants(Array(bytes.dropFirst(HTTP2Machine.preface.count)))
    checkCuts(bytes, seed: seed) { chunks in
        var server = Server(manner, grants)
        for chunk in chunks where server.run.error == nil { server.read(chunk) }
        server.finish()
        return server.run
    }
}

private struct Server: ~Copyable {
    private let manner: Manner
    private var machine: HTTP2Machine
    private var checker: OutputChecker
    private var reads = 0
    private var seen: Set<UInt32> = []
    /// Requests whose answers are late.
    private var waiting: [UInt32] = []
    private(set) var run = MachineRun()

    init(_ manner: Manner, _ grants: Grants) {
        self.manner = manner
        machine = HTTP2Machine(role: .server, limits: manner.limits)
        checker = OutputChecker(.server, grants: grants)
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
        for id in waiting { answer(id, nil) }
        checker.take(&machine, maxFrameSize: 1 << 24)
        run.output = checker.all
        if run.error == nil { checkState(machine) }
        machine.shrink()
    }

    private mutating func happened(_ event: HTTP2Machine.Event) {
        run.events.append(event)
        if manner.contains(.isQuick) { machine.now += 50 }
        for id in waiting { answer(id, nil) }
        waiting = []
        if manner.contains(.goesAway), run.events.count % 8 == 7 {
            let last = run.events.count > 16 ? machine.lastPeerStream : nil
            machine.goAway(lastStreamID: last, .noError, debugData: Array("{}".utf8))
        }
        guard case .message(let id) = event else { return }
        check(seen.insert(id).inserted, "the message of stream \(id) comes twice")
        guard let (_, message) = machine.takeMessage(of: id) else {
            check(manner.contains(.goesAway), "the message of stream \(id) is not there")
            return
        }
        check(machine.takeMessage(of: id) == nil, "the message of stream \(id) is there twice")
        let limits = machine.limits
        check(message.isTooLarge || message.fields.isRequest, "stream \(id) is no request")
        check(message.fields.listSize <= limits.headerListBytes, "a list of \(message.fields.listSize)")
        check(message.body.count == min(message.bodyBytes, limits.bodyBytes), "\(message.body.count) octets of body")
        let request = APNSRequest(message)
        check(message.isTooLarge || !request.path.isEmpty, "a request without a path")
        if manner.contains(.resets), id % 8 == 5 {
            machine.reset(id, .refusedStream)
        } else if manner.contains(.isLate) {
            waiting.append(id)
        } else {
            answer(id, message)
        }
        machine.giveBack(message)
    }

    private mutating func answer(_ id: UInt32, _ request: HTTP2Message?) {
        let size = Int(id) &* 37 % 700
        let statuses = [200, 400, 403, 410, 500]
        var answer = HTTP2Answer(
            status: statuses[Int(id) / 2 % 5],
            body: id % 4 == 1 ? [] : Array(repeating: 65, count: size + 1)
        )
        if let path = request?.fields.range(of: .path) {
            answer.add(FieldName.apnsID, .ofRequest(path))
        } else {
            answer.add(FieldName.apnsID, .uuid(high: UInt64(id) << 20, low: 1))
        }
        if size % 2 == 0 { answer.add(FieldName.contentType, Array("application/json".utf8), indexing: .whole) }
        if size % 5 == 0 { answer.add(FieldName.retryAfter, Array("\(size)".utf8)) }
        let nothing: [UInt8] = []
        if let request {
            machine.answer(id, answer, request: request.fields.bytes.span)
        } else {
            machine.answer(id, answer, request: nothing.span)
        }
        checker.take(&machine, maxFrameSize: machine.peer.maxFrameSize)
    }
}
