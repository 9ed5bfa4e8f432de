extension JSONValue {
    /// The value as compact JSON in UTF-8.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        // Enough for most values, which then need a single allocation.
        output.reserveCapacity(256)
        write(to: &output)
        return output
    }

    /// The value as compact JSON.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    package func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.appendDecimal(value)
        case .double(let value): output.append(contentsOf: String(value).utf8)
        case .decimal(let text): output.append(contentsOf: text.utf8)
        case .string(let value): value.writeJSON(to: &output)
        case .array(let values): Self.write(values, to: &output)
        case .object(let object): Self.write(object, to: &output)
        }
    }

    private static func write(_ values: [JSONValue], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            value.write(to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func write(_ object: JSONObject, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (index, member) in object.members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            member.key.writeJSON(to: &output)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension JSONValue {
    /// The number of ``bytes``.
    var byteCount: Int {
        switch self {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .integer(let value): String(value).utf8.count
        case .double(let value): String(value).utf8.count
        case .decimal(let text): text.utf8.count
        case .string(let value): value.byteCountOfJSON
        case .array(let values): values.reduce(2 + max(values.count - 1, 0)) { $0 + $1.byteCount }
        case .object(let object):
            object.members.reduce(2 + max(object.members.count - 1, 0)) {
                $0 + $1.key.byteCountOfJSON + 1 + $1.value.byteCount
            }
        }
    }
}

extension JSONObject {
    /// The object as compact JSON in UTF-8.
    package var bytes: [UInt8] { JSONValue.object(self).bytes }

    /// The object as compact JSON.
    package var text: String { JSONValue.object(self).text }

    /// The number of ``bytes``.
    var byteCount: Int { JSONValue.object(self).byteCount }
}

extension String {
    fileprivate func writeJSON(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        if isEscapedInJSON {
            writeEscaped(to: &output)
        } else {
            output.append(contentsOf: utf8)
        }
        output.append(UInt8(ascii: "\""))
    }

    private func writeEscaped(to output: inout [UInt8]) {
        let octets = utf8Span.span
        var start = 0
        for place in octets.indices where octets[place].escapeMark != 0 {
            octets.append(start..<place, to: &output)
            output.append(UInt8(ascii: "\\"))
            let octet = octets[place]
            switch octet {
            case 0x0A: output.append(UInt8(ascii: "n"))
            case 0x0D: output.append(UInt8(ascii: "r"))
            case 0x09: output.append(UInt8(ascii: "t"))
            case 0..<0x20:
                output.append(contentsOf: "u00".utf8)
                output.appendHexadecimal(octet)
            default: output.append(octet)
            }
            start = place + 1
        }
        octets.append(start..<octets.count, to: &output)
    }

    fileprivate var byteCountOfJSON: Int {
        isEscapedInJSON ? utf8.reduce(2) { $0 + $1.byteCountInJSON } : utf8.count + 2
    }

    /// Whether any octet is escaped.
    private var isEscapedInJSON: Bool {
        var marks: UInt8 = 0
        unsafe utf8Span.span.withUnsafeBufferPointer { octets in
            // Needs no branch per octet, so that many are read at once.
            for place in octets.indices { marks |= unsafe octets[place].escapeMark }
        }
        return marks != 0
    }
}

extension Span<UInt8> {
    fileprivate func append(_ range: Range<Int>, to output: inout [UInt8]) {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }
}

extension UInt8 {
    /// Not 0 if JSON escapes the octet.
    fileprivate var escapeMark: UInt8 {
        (self < 0x20 ? 1 : 0) | (self == UInt8(ascii: "\"") ? 1 : 0) | (self == UInt8(ascii: "\\") ? 1 : 0)
    }

    fileprivate var byteCountInJSON: Int {
        switch self {
        case 0x0A, 0x0D, 0x09, UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
        case 0..<0x20: 6
        default: 1
        }
    }
}
