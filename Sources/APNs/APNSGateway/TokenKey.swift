import PushModel

/// A device token of 32 octets, as all that this gateway issues are, in a form that costs nothing to make and compare.
struct TokenKey: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Nil for a token of another length, which cannot be one of ours.
    init?(_ token: DeviceToken) {
        guard token.bytes.count == 32 else { return nil }
        for (index, byte) in token.bytes.enumerated() { append(UInt64(byte), 8, index / 8) }
    }

    /// Reads 64 hexadecimal digits; nil for anything else.
    init?(digits: Span<UInt8>) {
        guard digits.count == 64 else { return nil }
        guard let first = HexDigit.word(digits, 0), let second = HexDigit.word(digits, 16),
            let third = HexDigit.word(digits, 32), let fourth = HexDigit.word(digits, 48)
        else { return nil }
        words = (first, second, third, fourth)
    }

    private mutating func append(_ value: UInt64, _ bits: UInt64, _ word: Int) {
        switch word {
        case 0: words.0 = words.0 << bits | value
        case 1: words.1 = words.1 << bits | value
        case 2: words.2 = words.2 << bits | value
        default: words.3 = words.3 << bits | value
        }
    }

    /// As the device has it.
    var token: DeviceToken {
        DeviceToken(
            bytes: [words.0, words.1, words.2, words.3].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
            }
        )
    }

    /// A short form, which tells nearly all tokens apart.
    var prefix: UInt64 { words.0 }

    static func == (one: Self, other: Self) -> Bool { one.words == other.words }

    /// Tokens are codes of a keyed hash, so that any part of one is as good as a hash of it.
    func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
