/// The reason why a developer's request cannot be carried out: what was found, what was expected, what to do.
package struct DeveloperProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
