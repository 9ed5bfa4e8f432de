@testable import APNSTransport

/// Reads what a machine sends as the other side would, and holds it to RFC 9113.
struct OutputChecker {
    private struct Sent {
        var hasHeaders = false
        var hasEnded = false
        var isReset = false
        var data = 0
    }

    private let role: HTTP2Machine.Role
    private let grants: Grants
    private var decoder = HPACKDecoder()
    private var prefaceLeft: ArraySlice<UInt8>
    private var streams: [UInt32: Sent] = [:]
    private var openBlock: (id: UInt32, bytes: [UInt8], ends: Bool)?
    private var frames = 0
    private var data = 0
    private var lastGoAway: UInt32 = .max
    private var lastRequest: UInt32 = 0
    private(set) var all: [UInt8] = []

    init(_ role: HTTP2Machine.Role, grants: Grants) {
        self.role = role
        self.grants = grants
        prefaceLeft = role == .client ? HTTP2Machine.preface[...] : []
    }

    /// Takes what is to be sent. It ends where a frame ends, since nothing is ever sent in part.
    ///
    /// - `maxFrameSize`: the largest that was allowed while this was written.
    mutating func take(_ machine: inout HTTP2Machine, maxFrameSize: Int) {
        let bytes = machine.output.array
        guard !bytes.isEmpty else { return }
        machine.output.removeAll()
        all += bytes
        var offset = 0
        while !prefaceLeft.isEmpty, offset < bytes.count {
            check(bytes[offset] == prefaceLeft.removeFirst(), "the preface differs")
            offset += 1
        }
        while offset < bytes.count {
            check(offset + FrameHeader.size <= bytes.count, "a frame header is cut off")
            let header = FrameHeader(bytes.span, at: offset)
            let end = offset + FrameHeader.size + header.length
            check(end <= bytes.count, "a frame is cut off")
            let payload = Array(bytes[offset + FrameHeader.size..<end])
            check(header.type == .goAway || header.length <= maxFrameSize, "a frame of \(header.length) octets")
            check(frames > 0 || header.type == .settings, "the first frame is not SETTINGS")
            frames += 1
            read(header, payload, tableSize: machine.peer.headerTableSize)
            offset = end
        }
        check(openBlock == nil, "a header block without end")
    }

    private mutating func read(_ header: FrameHeader, _ payload: [UInt8], tableSize: Int) {
        let id = header.streamID
        check(openBlock == nil || header.type == .continuation, "a header block is interrupted")
        switch header.type {
        case .headers:
            check(id & 1 == 1, "HEADERS on stream \(id)")
            check(header.flags.subtracting([.endStream, .endHeaders]).isEmpty, "HEADERS with \(header.flags)")
            if role == .client {
                check(id > lastRequest, "stream \(id) is opened after \(lastRequest)")
                lastRequest = id
            }
            openBlock = (id, payload, header.flags.contains(.endStream))
            if header.flags.contains(.endHeaders) { endBlock(tableSize) }
        case .continuation:
            check(openBlock?.id == id, "CONTINUATION on stream \(id)")
            openBlock?.bytes += payload
            if header.flags.contains(.endHeaders) { endBlock(tableSize) }
        case .data:
            var stream = streams[id] ?? Sent()
            check(stream.hasHeaders && !stream.hasEnded && !stream.isReset, "DATA on stream \(id), which is not open")
            stream.hasEnded = header.flags.contains(.endStream)
            stream.data += payload.count
            data += payload.count
            check(stream.data <= grants.window(of: id), "\(stream.data) octets on stream \(id) are not granted")
            check(data <= grants.connection, "\(data) octets on the connection are not granted")
            streams[id] = stream
        case .rstStream:
            check(id != 0 && payload.count == 4, "RST_STREAM on \(id) of \(payload.count) octets")
            if role == .client { check(streams[id] != nil, "RST_STREAM on an idle stream") }
            streams[id, default: Sent()].isReset = true
        case .settings:
            let isAck = header.flags.contains(.ack)
            check(id == 0 && payload.count % 6 == 0 && (!isAck || payload.isEmpty), "SETTINGS are malformed")
        case .ping: check(id == 0 && payload.count == 8, "PING is malformed")
        case .goAway:
            check(id == 0 && payload.count >= 8, "GOAWAY is malformed")
            let last = payload.span.bigEndian32(at: 0)
            check(last <= lastGoAway, "GOAWAY raises \(lastGoAway) to \(last)")
            lastGoAway = last
        case .windowUpdate:
            check(payload.count == 4 && payload.span.bigEndian32(at: 0) > 0, "WINDOW_UPDATE is malformed")
            check(payload.span.bigEndian32(at: 0) <= Int32.max, "WINDOW_UPDATE beyond 2^31 - 1")
            if id != 0, let stream = streams[id] { check(!stream.isReset, "WINDOW_UPDATE after RST_STREAM") }
        default: check(false, "a frame of type \(header.type)")
        }
    }

    private mutating func endBlock(_ tableSize: Int) {
        guard let (id, bytes, ends) = openBlock.take() else { return }
        var fields = FieldBlock()
        do {
            try decoder.decode(bytes.span, into: &fields, listLimit: .max)
        } catch {
            check(false, "a header block is broken: \(error)")
        }
        check(decoder.table.maximumSize <= tableSize, "a table of \(decoder.table.maximumSize), \(tableSize) allowed")
        check(role == .client ? fields.isRequest : fields.status != nil, "fields \(fields.texts)")
        var stream = streams[id] ?? Sent()
        check(!stream.hasHeaders && !stream.isReset, "HEADERS on stream \(id), which is done with")
        stream.hasHeaders = true
        stream.hasEnded = ends
        streams[id] = stream
    }
}

/// What the input grants at the very most: all windows it ever opens, taken together.
struct Grants {
    private(set) var connection = 65_535
    /// No stream is opened before the first SETTINGS have come, so that a smaller window in them counts from the start.
    private var initial: Int?
    private var updates: [UInt32: Int] = [:]

    init(_ input: [UInt8]) {
        var offset = 0
        while offset + FrameHeader.size <= input.count {
            let header = FrameHeader(input.span, at: offset)
            let end = offset + FrameHeader.size + header.length
            guard end <= input.count else { return }
            let payload = input[offset + FrameHeader.size..<end]
            read(header, Array(payload))
            offset = end
        }
    }

    func window(of id: UInt32) -> Int { (initial ?? 65_535) + (updates[id] ?? 0) }

    private mutating func read(_ header: FrameHeader, _ payload: [UInt8]) {
        if header.type == .windowUpdate, payload.count == 4 {
            let increment = Int(payload.span.bigEndian32(at: 0) & 0x7FFF_FFFF)
            if header.streamID == 0 {
                connection += increment
            } else {
                updates[header.streamID, default: 0] += increment
            }
        } else if header.type == .settings, !header.flags.contains(.ack) {
            var set: Int?
            for offset in stride(from: 0, to: payload.count - payload.count % 6, by: 6) {
                guard payload.span.bigEndian16(at: offset) == 4 else { continue }
                set = max(set ?? 0, Int(payload.span.bigEndian32(at: offset + 2)))
            }
            initial = max(initial ?? 0, set ?? initial ?? 65_535)
        }
    }
}
