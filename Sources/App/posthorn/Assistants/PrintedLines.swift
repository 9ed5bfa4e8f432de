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
            try await $current.withValue(printed) {
                var command = try Posthorn.parseAsRoot(words)
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            }
        } catch  where error is ExitCode && !printed.text.isEmpty {
            return printed.text
        } catch {
            throw ToolProblem(Posthorn.message(for: error))
        }
        return printed.text
    }
}

/// The reason why a tool did not do what it was asked for.
struct ToolProblem: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
