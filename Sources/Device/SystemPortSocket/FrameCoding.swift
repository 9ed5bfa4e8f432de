import Foundation

/// The reason a port cannot continue: what was found, and what was expected.
package struct PortProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }

    package static let cutShort = PortProblem("The connection ended in the middle of a frame.")
}

/// The wire format of a frame: its length in 4 bytes, big-endian, followed by that many bytes of JSON.
package enum FrameCoding {
    private static let infinity = (positive: "+inf", negative: "-inf", nan: "nan")

    package static func encode(_ frame: some Encodable) throws(PortProblem) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity.positive,
            negativeInfinity: infinity.negative,
            nan: infinity.nan
        )
        let body: Data
        do { body = try encoder.encode(frame) } catch {
            throw PortProblem("A frame cannot be written: \(error).")
        }
        guard body.count <= PortProtocol.frameLimit else { throw tooLong(body.count) }
        let count = UInt32(body.count)
        return [UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)] + body
    }

    package static func decode<Frame: Decodable>(_ body: [UInt8], as type: Frame.Type) throws(PortProblem) -> Frame {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinity.positive,
            negativeInfinity: infinity.negative,
            nan: infinity.nan
        )
        do { return try decoder.decode(type, from: Data(body)) } catch {
            let begin = String(decoding: body.prefix(80), as: UTF8.self)
            throw PortProblem("A frame begins '\(begin)'; expected one of version \(PortProtocol.version) of the port.")
        }
    }

    static func tooLong(_ count: Int) -> PortProblem {
        PortProblem("A frame has \(count) bytes; expected at most \(PortProtocol.frameLimit).")
    }
}

/// Splits the bytes from a socket into the bodies of frames.
package struct FrameBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var begin = 0

    package init() {}

    package mutating func append(_ new: some Sequence<UInt8>) {
        if begin == bytes.count { bytes.removeAll(keepingCapacity: true) } else { bytes.removeFirst(begin) }
        begin = 0
        bytes += new
    }

    /// Returns the body of the next frame; nil while it is incomplete.
    ///
    /// - Throws: when the frame is longer than ``PortProtocol/frameLimit``.
    package mutating func next() throws(PortProblem) -> [UInt8]? {
        guard bytes.count - begin >= 4 else { return nil }
        let length = bytes[begin..<begin + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= PortProtocol.frameLimit else { throw FrameCoding.tooLong(length) }
        guard bytes.count - begin - 4 >= length else { return nil }
        defer { begin += 4 + length }
        return Array(bytes[begin + 4..<begin + 4 + length])
    }

    /// Whether a frame has begun but is incomplete.
    package var isWithinFrame: Bool { begin < bytes.count }
}
