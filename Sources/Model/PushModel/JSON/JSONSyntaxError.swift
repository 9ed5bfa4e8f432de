/// The reason and the position of a JSON syntax error.
public struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    /// The line, counted from 1.
    public var line: Int
    /// The column in bytes, counted from 1.
    public var column: Int
    /// The error, as a clause without a full stop.
    public var problem: String

    public var description: String { "line \(line), column \(column): \(problem)" }
}
