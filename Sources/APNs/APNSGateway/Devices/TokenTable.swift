import Crypto
import Foundation
import PushModel

/// A hash table from tokens to indices of records: open addressing over plain numbers, one memory access for most tokens.
///
/// Tokens are outputs of a keyed hash, so any part of one serves as its hash, and nobody can craft tokens that collide:
/// the table contains only issued tokens, and those that a client with the control token has given.
struct TokenTable {
    /// The index of the record plus 1 in the lower half, and that half of the token's prefix in the upper half; 0 is free. A power of two long.
    private var slots: [UInt64] = []
    private(set) var count = 0

    private var mask: Int { slots.count - 1 }

    private static func home(_ prefix: UInt64, _ mask: Int) -> Int { Int(truncatingIfNeeded: prefix) & mask }

    private static func entry(_ token: TokenKey, _ index: Int) -> UInt64 {
        token.prefix & ~0xFFFF_FFFF | UInt64(index + 1)
    }

    /// Returns the index of a token's record, by its prefix; nil if it has none.
    ///
    /// `isThere` says whether an index is the token's. Called with candidates that nearly always are.
    @inline(__always)
    func index(of prefix: UInt64, isThere: (Int) -> Bool) -> Int? {
        guard !slots.isEmpty else { return nil }
        var slot = Self.home(prefix, mask)
        while slots[slot] != 0 {
            let entry = slots[slot]
            if (entry ^ prefix) >> 32 == 0 {
                let index = Int(entry & 0xFFFF_FFFF) - 1
                if isThere(index) { return index }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Returns the index in a prefix's own slot, which is nearly always the token's.
    @inline(__always)
    func candidate(for prefix: UInt64) -> Int? {
        guard !slots.isEmpty else { return nil }
        let entry = slots[Self.home(prefix, mask)]
        return entry == 0 || (entry ^ prefix) >> 32 != 0 ? nil : Int(entry & 0xFFFF_FFFF) - 1
    }

    /// Adds a token that is not in the table. Places are at most 2^32 - 2.
    ///
    /// `tokenAt` returns the token at an index, for growing the table.
    mutating func add(_ token: TokenKey, at index: Int, tokenAt: (Int) -> TokenKey) {
        if (count + 1) * 4 > slots.count * 3 { grow(tokenAt) }
        count += 1
        Self.put(Self.entry(token, index), at: Self.home(token.prefix, mask), in: &slots)
    }

    private static func put(_ entry: UInt64, at home: Int, in slots: inout [UInt64]) {
        var slot = home
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = entry
    }

    private mutating func grow(_ tokenAt: (Int) -> TokenKey) {
        var larger = [UInt64](repeating: 0, count: max(16, slots.count * 2))
        for entry in slots where entry != 0 {
            let token = tokenAt(Int(entry & 0xFFFF_FFFF) - 1)
            Self.put(entry, at: Self.home(token.prefix, larger.count - 1), in: &larger)
        }
        slots = larger
    }
}

/// A device token in a form that is cheap to create and compare: its 32 octets, the only length that this gateway issues, or the
/// digest of an adopted token of another length.
struct TokenKey: Hashable, Sendable {
    private let words: DeviceToken.Words

    init(_ token: DeviceToken) {
        words = token.words ?? DeviceToken(bytes: SHA256.hash(data: token.bytes)).words ?? .zero
    }

    /// Reads 64 hexadecimal digits; nil for anything else.
    init?(digits: Span<UInt8>) {
        guard digits.count == 64 else { return nil }
        guard let first = HexDigit.word(digits, 0), let second = HexDigit.word(digits, 16),
            let third = HexDigit.word(digits, 32), let fourth = HexDigit.word(digits, 48)
        else { return nil }
        words = DeviceToken.Words(first, second, third, fourth)
    }

    /// The token of 32 octets in the device's form.
    var token: DeviceToken { DeviceToken(words: words) }

    /// A short prefix, which distinguishes nearly all tokens.
    var prefix: UInt64 { words[0] }

    static func == (one: Self, other: Self) -> Bool { one.words == other.words }
}

/// Derives device tokens: the same device, app and environment always get the same one, until the app is removed.
struct TokenMint: Sendable {
    private let secret: SymmetricKey

    init(secret: [UInt8]) { self.secret = SymmetricKey(data: secret) }

    /// Returns 32 bytes that nobody without the secret can guess or distinguish from random ones.
    ///
    /// `generation` is the number of times that the app was removed from the device before.
    func token(device: String, topic: String, environment: APNSEnvironment, generation: Int) -> DeviceToken {
        // A JSON array delimits the parts, so they cannot run into each other.
        let parts: JSONValue = [.string(device), .string(topic), .string(environment.rawValue), .number(generation)]
        let code = HMAC<SHA256>.authenticationCode(for: Data(parts.bytes), using: secret)
        return DeviceToken(bytes: code)
    }
}
