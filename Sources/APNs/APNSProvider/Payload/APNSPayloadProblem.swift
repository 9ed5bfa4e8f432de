/// An error in a payload: the invalid part, its value, and what it must be.
public struct APNSPayloadProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the part, such as `aps.sound.volume`; `payload` for the whole.
    public var key: String
    /// The value found, such as `2.0` or `an object`.
    public var found: String
    /// The expected value, such as `a number from 0 to 1`.
    public var expected: String

    /// Creates a problem.
    public init(key: String, found: String, expected: String) {
        self.key = key
        self.found = found
        self.expected = expected
    }

    public var description: String { "'\(key)' is \(found); expected \(expected)." }
}
