/// The name of a header field as a small number: looked up once, when the name enters a table, and only compared after that.
package enum FieldName: UInt8, CaseIterable, Sendable {
    /// A name that is in no catalog; its bytes are stored next to the value.
    case other
    case method
    case scheme
    case authority
    case path
    case status
    case contentLength
    /// Allowed with the value `trailers` only (RFC 9113, section 8.2.2).
    case te
    /// `connection` and similar fields, which are forbidden in HTTP/2 (RFC 9113, section 8.2.2).
    case connectionSpecific
    /// A pseudo-header that RFC 9113 does not define.
    case unknownPseudo
    /// An empty name, an upper-case letter or a character that is not allowed in names (RFC 9113, section 8.2.1).
    case malformed

    // The header fields that provider and gateway read: those of ``texts``.
    case authorization
    case apnsID
    case topic
    case pushType
    case priority
    case expiration
    case collapseID
    case uniqueID
    case channelID
    case requestID
    case contentType
    case userAgent
    case host
    case accept
    case retryAfter
    case date

    var isPseudo: Bool { (1...5).contains(rawValue) }

    /// Whether it stands for several names.
    var isKind: Bool { rawValue >= FieldName.te.rawValue && rawValue < FieldName.authorization.rawValue }
}

/// A set of field names, to test for all of them at once.
package struct FieldNameSet: Sendable {
    let bits: UInt128

    package init(_ names: [FieldName]) { bits = names.reduce(0) { $0 | 1 << UInt128($1.rawValue) } }
}

/// The field names that a connection distinguishes by number.
///
/// Besides HTTP/2's own names they are those of ``FieldName/texts``.
package final class FieldCatalog: Sendable {
    package static let shared = FieldCatalog()

    private let names: [[UInt8]]
    private let numbers: [FieldName]
    /// Open addressing over a hash of length, first and last byte; 255 is free.
    private let slots: [UInt8]
    /// The static table with this catalog's numbers; index 0 is empty.
    let statics: [DynamicTable.Entry]
    /// The names and values of ``statics``, concatenated.
    let staticBytes: [UInt8]
    private let staticPlaces: [UInt8]

    let https = Array("https".utf8)

    private init() {
        let own: [(String, FieldName)] = [
            (":method", .method), (":scheme", .scheme), (":authority", .authority), (":path", .path),
            (":status", .status), ("content-length", .contentLength), ("te", .te),
            ("connection", .connectionSpecific), ("keep-alive", .connectionSpecific),
            ("proxy-connection", .connectionSpecific), ("transfer-encoding", .connectionSpecific),
            ("upgrade", .connectionSpecific),
        ]
        let names = (own.map(\.0) + FieldName.texts).map { Array($0.utf8) }
        let numbers = own.map(\.1) + FieldName.allCases.suffix(FieldName.texts.count)
        var slots = [UInt8](repeating: 255, count: 256)
        for (index, name) in names.enumerated() {
            var slot = Self.hash(count: name.count, first: name[0], last: name[name.count - 1])
            while slots[slot] != 255 { slot = (slot + 1) & 255 }
            slots[slot] = UInt8(index)
        }
        self.names = names
        self.numbers = numbers
        self.slots = slots
        var statics = [DynamicTable.Entry(name: .malformed, isValueValid: true, start: 0, nameCount: 0, valueCount: 0)]
        var bytes: [UInt8] = []
        for (name, value) in StaticTable.fields {
            let known = zip(names, numbers).first { $0.0.elementsEqual(name.utf8) }
            statics.append(
                DynamicTable.Entry(
                    name: known?.1 ?? .other,
                    isValueValid: true,
                    start: bytes.count,
                    nameCount: name.utf8.count,
                    valueCount: value.utf8.count
                )
            )
            bytes += Array(name.utf8) + value.utf8
        }
        var places = [UInt8](repeating: 0, count: 128)
        for place in statics.indices.reversed() { places[Int(statics[place].name.rawValue)] = UInt8(place) }
        self.statics = statics
        staticBytes = bytes
        staticPlaces = places
    }

    /// Returns the number of a name that is to be written; ``FieldName/other`` if it has none.
    package func name(_ text: String) -> FieldName {
        let bytes = Array(text.utf8)
        let name = look(bytes.span)
        return name.isKind ? .other : name
    }

    /// Returns the bytes of a name that has a number.
    func bytes(of name: FieldName) -> [UInt8] { numbers.firstIndex(of: name).map { names[$0] } ?? [] }

    /// Returns a name that has a number as text.
    package func text(of name: FieldName) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

    /// Returns the first index of a name in the static table; nil if it is not there.
    func staticIndex(of name: FieldName) -> Int? {
        let place = Int(staticPlaces[Int(name.rawValue)])
        return place == 0 ? nil : place
    }

    /// Returns the number of a received name.
    func look(_ bytes: Span<UInt8>) -> FieldName {
        guard bytes.count > 0 else { return .malformed }
        var slot = Self.hash(count: bytes.count, first: bytes[0], last: bytes[bytes.count - 1])
        while slots[slot] != 255 {
            let index = Int(slots[slot])
            let known = names[index]
            if known.span.isEqual(to: bytes) { return numbers[index] }
            slot = (slot + 1) & 255
        }
        if bytes[0] == UInt8(ascii: ":") { return .unknownPseudo }
        return FieldRules.isName(bytes) ? .other : .malformed
    }

    private static func hash(count: Int, first: UInt8, last: UInt8) -> Int {
        (count &* 37 &+ Int(first) &* 7 &+ Int(last) &* 3) & 255
    }
}

extension Span where Element == UInt8 {
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var offset = 0
        // 32 octets at a time, then eight; the loop conditions keep reads within bounds.
        while offset &+ 32 <= count {
            let difference =
                difference(from: other, at: offset) | difference(from: other, at: offset &+ 8)
                | difference(from: other, at: offset &+ 16) | difference(from: other, at: offset &+ 24)
            guard difference == 0 else { return false }
            offset &+= 32
        }
        while offset &+ 8 <= count {
            guard difference(from: other, at: offset) == 0 else { return false }
            offset &+= 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset &+= 1
        }
        return true
    }

    /// Returns the bits in which eight octets differ; both must have eight.
    @inline(__always)
    private func difference(from other: Span<UInt8>, at offset: Int) -> UInt64 {
        // The caller has checked the count.
        let left = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        let right = unsafe other.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        return left ^ right
    }
}

/// The characters that are allowed in names and values (RFC 9113, section 8.2.1).
enum FieldRules {
    /// Whether a name has only lower-case token characters (RFC 9110, section 5.6.2).
    static func isName(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0 else { return false }
        for index in 0..<bytes.count {
            if case UInt8(ascii: "a")...UInt8(ascii: "z") = bytes[index] { continue }
            guard "-0123456789_.!#$%&'*+^`|~".utf8.contains(bytes[index]) else { return false }
        }
        return true
    }

    /// Whether a value has no NUL, LF or CR anywhere, and no blank at either end.
    static func isValue(_ bytes: Span<UInt8>) -> Bool {
        let count = bytes.count
        guard count > 0 else { return true }
        if isBlank(bytes[0]) || isBlank(bytes[count - 1]) { return false }
        var lowest: UInt8 = 255
        for index in 0..<count { lowest = min(lowest, bytes[index]) }
        // Nearly every value has no octet below a space, and passes here.
        guard lowest < 0x20 else { return true }
        for index in 0..<count where bytes[index] == 0 || bytes[index] == 0x0A || bytes[index] == 0x0D { return false }
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
