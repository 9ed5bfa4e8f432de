import PushModel

/// A device token of 32 octets, the only length that this gateway issues, in a form that is cheap to create and compare.
struct TokenKey: Equatable, Sendable {
    private let words: DeviceToken.Words

    /// Nil for a token of another length, which cannot be one of ours.
    init?(_ token: DeviceToken) {
        guard let words = token.words else { return nil }
        self.words = words
    }

    /// Reads 64 hexadecimal digits; nil for anything else.
    init?(digits: Span<UInt8>) {
        guard digits.count == 64 else { return nil }
        guard let first = HexDigit.word(digits, 0), let second = HexDigit.word(digits, 16),
            let third = HexDigit.word(digits, 32), let fourth = HexDigit.word(digits, 48)
        else { return nil }
        words = DeviceToken.Words(first, second, third, fourth)
    }

    /// The token in the device's form.
    var token: DeviceToken { DeviceToken(words: words) }

    /// A short prefix, which distinguishes nearly all tokens.
    var prefix: UInt64 { words[0] }

    static func == (one: Self, other: Self) -> Bool { one.words == other.words }
}
