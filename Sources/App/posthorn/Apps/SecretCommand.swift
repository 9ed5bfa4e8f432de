import ArgumentParser
import Foundation
import PushModel
import PushService

/// Replaces a secret, and ends the one before it.
struct SecretCommand<Subject: KeyedSubject>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "secret",
            abstract: "Replaces the secret of \(Subject.noun).",
            subcommands: [Rotate.self, End.self]
        )
    }

    struct Rotate: OperatorCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "rotate",
                abstract: "Makes a new secret and prints it; it is shown only once.",
                discussion: """
                    Without --overlap the old secret ends at once, as one that others know has to. With --overlap 24h both are valid for \
                    a day, in which callers change over; 'secret end' ends the old one earlier.
                    """
            )
        }

        @Argument(help: "The key.") var key: String

        @Option(
            help: ArgumentHelp(
                "How long the old secret stays valid: 0, or a number with s, m, h or d, such as 24h; 30d at most.",
                valueName: "time"
            )
        )
        var overlap = "0"

        @OptionGroup var options: OperatorOptions

        func validate() throws { _ = try seconds }

        var request: OperatorRequest { get throws { Subject.rotate(key, try seconds) } }

        func tell(_ rotated: KeyedAnswer) {
            let secret = rotated.masterSecret ?? rotated.devSecret ?? ""
            printLine("New secret  \(secret)   (only its hash is stored: write it down)")
            let end = rotated.formerSecretUntil.map { "valid until \(ServiceTimes.ofOperators.text($0))" }
            printLine("Old secret  \(end ?? "ended")")
        }

        private var seconds: Int {
            get throws {
                let given = overlap == "0" ? 0 : TimeSpan.seconds(overlap)
                guard let seconds = given, seconds <= FormerSecret.longestOverlap else {
                    throw ValidationError("--overlap is '\(overlap)'; expected 0, or a time such as 24h, 30d at most.")
                }
                return seconds
            }
        }
    }

    struct End: OperatorCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "end",
                abstract: "Ends the secrets before the current one, which overlaps have left valid."
            )
        }

        @Argument(help: "The key.") var key: String
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { Subject.end(key) }

        func tell(_: KeyedAnswer) { printLine("Only the current secret is valid.") }
    }
}
