import ArgumentParser
import PosthornStack
import PushModel

/// Gives an app, a group or a developer another name.
struct RenameCommand<Subject: KeyedSubject>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "rename", abstract: "Gives \(Subject.noun) another name.")
    }

    private struct Answer: Decodable { let name: String }

    @Argument(help: "The key.") var key: String
    @Argument(help: "The new name.") var name: String
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let request = Subject.renaming(of: key, to: name)
        guard let renamed: Answer = try await options.answer(request) else { return }
        printLine("\(key.printed) is now \(renamed.name.printed).")
    }
}
