/// A payload that cannot be sent: which part of it is wrong, what it is, and what it has to be.
public struct APNSPayloadProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The way to the part, such as `aps.sound.volume`; `payload` for the whole.
    public var key: String
    /// Such as `2.0` or `an object`.
    public var found: String
    /// Such as `a number from 0 to 1`.
    public var expected: String

    public init(key: String, found: String, expected: String) {
        self.key = key
        self.found = found
        self.expected = expected
    }

    public var description: String { "'\(key)' is \(found); expected \(expected)." }
}
