/// Why a program is no app, or no extension: what was found, what was expected, and what to do.
public struct ProgramProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
}
