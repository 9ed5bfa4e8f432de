/// The reason why a program is not an app or an extension: what was found, what was expected, and what to do.
public struct ProgramProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
}
