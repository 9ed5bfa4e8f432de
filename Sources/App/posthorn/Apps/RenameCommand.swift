import ArgumentParser
import PushModel
import PushService

/// Gives an app, a group or a developer another name.
struct RenameCommand<Subject: KeyedSubject>: OperatorCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "rename", abstract: "Gives \(Subject.noun) another name.")
    }

    @Argument(help: "The key.") var key: String
    @Argument(help: "The new name.") var name: String
    @OptionGroup var options: OperatorOptions

    var request: OperatorRequest { Subject.rename(key, name) }

    func tell(_ renamed: KeyedAnswer) { printLine("\(key.printed) is now \(renamed.name.printed).") }
}
