import NetworkSupport

@testable import APNSTransport

/// One connection from its first octet to its end, and what came of it.
struct MachineRun: Equatable {
    var events: [HTTP2Machine.Event] = []
    var output: [UInt8] = []
    var error: HTTP2ConnectionError?
    /// What became of each request (clients), in order.
    var outcomes: [UInt64] = []
}

/// What the second octet of an input decides.
struct Manner: OptionSet {
    var rawValue: UInt8
    /// The connection has begun already, so that the input need not spell the preface and SETTINGS.
    static let isBegun = Manner(rawValue: 1)
    /// Answers wait for the next event.
    static let isLate = Manner(rawValue: 2)
    /// Some streams are reset from here.
    static let resets = Manner(rawValue: 4)
    static let isNarrow = Manner(rawValue: 8)
    static let goesAway = Manner(rawValue: 16)
    static let isQuick = Manner(rawValue: 32)

    /// The usual limits, or ones that a small input reaches.
    var limits: HTTP2Limits {
        var limits = HTTP2Limits()
        guard contains(.isNarrow) else { return limits }
        limits.maxConcurrentStreams = 4
        limits.acceptedStreams = 4
        limits.streamWindowBytes = 600
        limits.connectionWindowBytes = 66_000
        limits.headerListBytes = 400
        limits.headerBlockBytes = 500
        limits.continuationFrames = 3
        limits.bodyBytes = 100
        limits.heldBytes = 1500
        limits.interimAnswers = 2
        limits.goAways = 2
        limits.resets = .init(burst: 5, perSecond: 2)
        limits.chatter = .init(burst: 12, perSecond: 4)
        limits.chatterPerMessage = 2
        limits.settings = .init(burst: 4, perSecond: 1)
        return limits
    }
}

/// What has to hold between any two calls.
func checkState(_ machine: borrowing HTTP2Machine) {
    let limits = machine.limits
    var held = 0
    var unfinished = 0
    for id in machine.streams.openIDs {
        guard let place = machine.streams.place(of: id) else {
            check(false, "stream \(id) is open and cannot be found")
            continue
        }
        let stream = machine.streams[place]
        check(stream.id == id, "stream \(id) is found as \(stream.id)")
        if let message = machine.pool[stream.slot] {
            held += message.heldBytes
            let memory = message.fields.bytes.count
            check(
                memory <= max(message.heldBytes, FieldBlock.keptBytes),
                "\(memory) octets are held and counted as \(message.heldBytes)"
            )
            check(message.body.count <= limits.bodyBytes, "\(message.body.count) octets of a body are kept")
        }
        if machine.role == .server, !stream.isRemoteDone { unfinished += 1 }
    }
    check(
        machine.streams.openIDs.count == machine.streams.count,
        "\(machine.streams.openIDs.count) streams are counted as \(machine.streams.count)"
    )
    check(held == machine.heldBytes, "\(held) octets are held and counted as \(machine.heldBytes)")
    check(held <= limits.heldBytes, "\(held) octets are held, \(limits.heldBytes) are the most")
    check(unfinished == machine.unfinishedRequests, "\(unfinished) of \(machine.unfinishedRequests) are unfinished")
    if machine.role == .server {
        check(machine.streams.count <= limits.acceptedStreams, "\(machine.streams.count) streams are open")
    }
    check(machine.resetStreams.count <= 64, "too much is remembered")
    if machine.role == .server {
        check(machine.pool.messages.count <= limits.acceptedStreams + 1, "too many messages keep their memory")
    }
    for slot in machine.pool.spares {
        let spare = machine.pool.messages[Int(slot)]
        checkFields(spare.fields, listLimit: limits.headerListBytes, longest: limits.headerBlockBytes + 16_384)
        check(spare.heldBytes == 0, "a spare message is not empty")
    }
    check((machine.openBlock?.bytes.count ?? 0) <= limits.headerBlockBytes + 16_384, "a header block is too long")
    check(machine.pending.count <= machine.streams.count, "more bodies wait than streams are open")
    for body in machine.pending {
        check(
            machine.streams.place(of: body.streamID) != nil,
            "a body waits for stream \(body.streamID), which is closed"
        )
    }
    checkTable(machine.decoder.table)
    _ = machine.hasStalled(since: machine.progress)
}

/// The same octets must mean the same, however they are cut.
func checkCuts(_ input: [UInt8], seed: UInt8, _ run: ([[UInt8]]) -> MachineRun) {
    let whole = run([input])
    let cut = run(chunks(input, seed: seed))
    check(whole.events == cut.events, "cut: \(cut.events), whole: \(whole.events)")
    check(whole.error == cut.error, "cut: \(String(describing: cut.error)), whole: \(String(describing: whole.error))")
    check(whole.outcomes == cut.outcomes, "cut: \(cut.outcomes), whole: \(whole.outcomes)")
    check(whole.output == cut.output, "other octets are sent when the input is cut")
}
