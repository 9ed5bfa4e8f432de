import NIOCore

@testable import APNSTransport

/// A state machine on the bench: octets in, events and frames out, no socket.
final class Bench {
    var machine: HTTP2Machine
    private(set) var events: [HTTP2Machine.Event] = []
    /// The bytes that it has sent and nobody has taken.
    private var outgoing: [UInt8] = []

    /// With `greeted`, the other side's preface and SETTINGS have come, and the machine's first frames are taken.
    init(_ role: HTTP2Machine.Role, limits: HTTP2Limits = HTTP2Limits(), greeted: Bool = true) throws {
        machine = HTTP2Machine(role: role, limits: limits)
        guard greeted else { return }
        if role == .server { try feed(WireFrame.preface) }
        try feed(.settings())
        _ = takeFrames()
        events = []
    }

    func feed(_ bytes: [UInt8]) throws(HTTP2ConnectionError) {
        let span = bytes.span
        var offset = 0
        while let event = try machine.next(in: span, at: &offset) { events.append(event) }
    }

    func feed(_ frames: WireFrame...) throws(HTTP2ConnectionError) { try feed(frames) }

    func feed(_ frames: [WireFrame]) throws(HTTP2ConnectionError) { try feed(frames.flatMap(\.bytes)) }

    /// The error with which the octets end the connection; nil if they do not.
    func failure(_ bytes: [UInt8]) -> HTTP2ErrorCode? {
        do {
            try feed(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    func failure(_ frames: WireFrame...) -> HTTP2ErrorCode? { failure(frames.flatMap(\.bytes)) }

    var canOpen: Bool { machine.canOpen }
    var hasSettings: Bool { machine.hasPeerSettings }
    var isOwed: Bool { machine.isOwed }

    func takeEvents() -> [HTTP2Machine.Event] {
        defer { events = [] }
        return events
    }

    func takeBytes() -> [UInt8] {
        defer { outgoing = [] }
        if let output = machine.takeOutput() { outgoing += Array(output.readableBytesView) }
        return outgoing
    }

    /// Takes the frames sent so far, without the preface of a client.
    func takeFrames() -> [WireFrame] {
        var bytes = takeBytes()
        if bytes.starts(with: WireFrame.preface) { bytes.removeFirst(WireFrame.preface.count) }
        return WireFrame.take(from: &bytes)
    }

    /// Writes a request with fields that are in no catalog and in it.
    @discardableResult
    func open(
        tag: UInt64 = 0,
        head: HTTP2RequestHead = HTTP2RequestHead(fields: []),
        path: String = "/3/device/00",
        fields: [(String, String)] = [],
        body: [UInt8] = []
    ) -> UInt32 {
        var batch = HTTP2RequestBatch()
        let path = batch.append(Array(path.utf8))
        for (text, value) in fields {
            let name = FieldCatalog.shared.name(text)
            let place = name == .other ? batch.append(Array(text.utf8)) : 0..<0
            batch.fields.append(HTTP2BatchField(name, nameText: place, batch.append(Array(value.utf8))))
        }
        let bytes = batch.bytes.span
        return machine.open(
            tag: tag,
            head: head,
            authority: Array("localhost".utf8),
            path: bytes.extracting(path),
            fields: batch.fields[...],
            of: bytes,
            body: body.span
        )
    }

    func answer(_ stream: UInt32, _ answer: HTTP2Answer) {
        let nothing: [UInt8] = []
        machine.answer(stream, answer, request: nothing.span)
    }

    /// The message of a stream as text; gives its memory back.
    func take(_ stream: UInt32) -> Taken? {
        guard let (tag, message) = machine.takeMessage(of: stream) else { return nil }
        let taken = Taken(tag: tag, message)
        machine.giveBack(message)
        return taken
    }

    struct Taken {
        var tag: UInt64
        var fields: [String]
        var status: Int
        var body: [UInt8]
        var bodyBytes: Int
        var isTooLarge: Bool

        init(tag: UInt64, _ message: borrowing HTTP2Message) {
            self.tag = tag
            fields = message.fields.texts.map { "\($0.name): \($0.value)" }
            status = message.status
            body = message.body
            bodyBytes = message.bodyBytes
            isTooLarge = message.isTooLarge
        }
    }
}
