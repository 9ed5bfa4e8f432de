import ArgumentParser

extension PrintedLines {
    /// Runs a command in this process.
    ///
    /// - Parameter words: the words after `posthorn`.
    /// - Returns: what it has printed; also if it ended with a status that says more than success, such as that of findings.
    /// - Throws: ``ToolProblem`` with the command's message.
    static func ofCommand(_ words: [String]) async throws(ToolProblem) -> String {
        let printed = PrintedLines()
        do {
            try await $current.withValue(printed) { try await Posthorn.run(Posthorn.parseAsRoot(words)) }
        } catch {
            guard error is ExitCode, !printed.text.isEmpty else { throw ToolProblem(Posthorn.message(for: error)) }
        }
        return printed.text
    }
}

/// The reason why a tool did not do what it was asked for.
struct ToolProblem: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
