import PushModel

/// A type-erased source of randomness.
struct RandomSource: RandomNumberGenerator, Sendable {
    private var base: any RandomNumberGenerator & Sendable

    init(_ base: any RandomNumberGenerator & Sendable) { self.base = base }

    mutating func next() -> UInt64 { base.next() }

    /// Returns `count` bytes as hexadecimal digits.
    mutating func hexadecimal(bytes count: Int) -> String {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }.hexadecimal
    }

    /// Returns a version 4 UUID in lower case.
    mutating func uuid() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &self) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.hexadecimal
        var groups: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }
}
