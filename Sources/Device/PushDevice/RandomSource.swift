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
        let high = word()
        let low = word()
        return APNSID(high: high & ~0xF000 | 0x4000, low: low & ~(3 << 62) | 1 << 63).text
    }

    /// Returns eight octets, each drawn as those of ``hexadecimal(bytes:)``.
    private mutating func word() -> UInt64 {
        (0..<8).reduce(0) { word, _ in word << 8 | UInt64(UInt8.random(in: 0...255, using: &self)) }
    }
}
