/// The identifier of one app on one device, in one APNs environment.
///
/// 32 bytes for an app's usual token; Apple does not guarantee a length. The text form is hexadecimal.
public struct DeviceToken: Hashable, Sendable {
    /// 32 bytes, the length of nearly all tokens, in big-endian order; stored without an allocation.
    package typealias Words = SIMD4<UInt64>

    private enum Storage: Hashable, Sendable {
        case classic(Words)
        case other([UInt8])
    }

    private let storage: Storage

    /// Creates a token from its bytes: 32 for nearly all tokens; any other number is kept as it is.
    public init(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 32 else {
            storage = .other(bytes)
            return
        }
        func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        storage = .classic(Words(word(0), word(8), word(16), word(24)))
    }

    /// Reads an even, non-zero number of hexadecimal digits in either case; nil for anything else.
    public init?(_ text: some StringProtocol) { self.init(digits: Array(text.utf8).span) }

    /// Reads the same from the octets of a text.
    init?(digits: Span<UInt8>) {
        guard let bytes = [UInt8](hexadecimalDigits: digits), !bytes.isEmpty else { return nil }
        self.init(bytes: bytes)
    }

    /// Reads a token as a person passes it on: the digits, also with the blanks and angle brackets with which old apps logged it
    /// (`<0123abcd 4567…>`); nil for anything else.
    package init?(written text: String) {
        guard let token = Self(text) ?? Self(text.filter { !$0.isWhitespace && $0 != "<" && $0 != ">" }) else {
            return nil
        }
        self = token
    }

    package init(words: Words) { storage = .classic(words) }

    /// The token as words; nil for a length other than 32 bytes.
    package var words: Words? { if case .classic(let words) = storage { words } else { nil } }

    /// The bytes of the token.
    public var bytes: [UInt8] {
        switch storage {
        case .classic: withBytes { bytes in (0..<32).map { bytes[$0] } }
        case .other(let bytes): bytes
        }
    }

    /// Calls `body` with the bytes, without a copy on the heap.
    public func withBytes<Result, Failure>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        switch storage {
        case .classic(let words):
            let bytes = InlineArray<32, UInt8> { UInt8(truncatingIfNeeded: words[$0 >> 3] >> (56 - 8 * ($0 & 7))) }
            return try body(bytes.span)
        case .other(let bytes): return try body(bytes.span)
        }
    }

    /// Lower-case hexadecimal digits.
    public var hexadecimal: String { bytes.hexadecimal }

    /// A digest by which an app recognises its own token, and from which nobody learns one: FNV-1a of the lower-case digits.
    package var digest: String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in hexadecimal.utf8 { sum = (sum ^ UInt64(octet)) &* 0x100_0000_01B3 }
        return String(sum, radix: 16)
    }

    /// The first eight digits, which may be logged.
    public var abbreviation: String { bytes.prefix(4).hexadecimal }
}

extension DeviceToken: CustomDebugStringConvertible {
    /// The hexadecimal digits: the text of the stored bytes would have an address in it, which differs from run to run.
    public var debugDescription: String { hexadecimal }
}

extension DeviceToken: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let token = DeviceToken(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "A device token is '\(text)'; expected an even number of hexadecimal digits."
            )
        }
        self = token
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hexadecimal)
    }
}
