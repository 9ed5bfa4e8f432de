import ArgumentParser
import Foundation

/// The name that deletions of apps, groups and developers ask for.
struct DeletionOptions: ParsableArguments {
    @Option(help: "The name of what is to be deleted; asked for in a terminal if it is missing.") var name: String?

    /// Returns the name that the user gives, in a terminal after saying the consequences.
    func confirmedName(_ consequences: @autoclosure () async throws -> String) async throws -> String {
        if let name { return name }
        try require(isatty(STDIN_FILENO) == 1, "--name is missing: a deletion needs the name of what it deletes.")
        printNote(try await consequences())
        printBar("Its name, to delete it: ")
        return readLine() ?? ""
    }
}
