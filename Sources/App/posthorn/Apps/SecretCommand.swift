import ArgumentParser
import Foundation
import PosthornStack
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

    struct Rotate: AsyncParsableCommand {
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

        func run() async throws {
            let request = Subject.rotation(of: key, overlap: try seconds)
            guard let rotated: JSONObject = try await options.object(request) else { return }
            printLine(
                "New secret  \(rotated[Subject.secretMember]?.string ?? "")   (only its hash is stored: write it down)"
            )
            if let end = rotated["former_secret_until"]?.string {
                let date = try? Date(end, strategy: .iso8601)
                printLine("Old secret  valid until \(date.map(ServiceTimes.ofOperators.text) ?? end)")
            } else {
                printLine("Old secret  ended")
            }
        }

        private var seconds: Int {
            get throws {
                let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
                if overlap == "0" { return 0 }
                guard let unit = overlap.last.flatMap({ units[$0] }), let number = Int(overlap.dropLast()), number >= 0,
                    case let (seconds, overflow) = number.multipliedReportingOverflow(by: unit), !overflow,
                    seconds <= FormerSecret.longestOverlap
                else {
                    throw ValidationError("--overlap is '\(overlap)'; expected 0, or a time such as 24h, 30d at most.")
                }
                return seconds
            }
        }
    }

    struct End: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "end",
                abstract: "Ends the secrets before the current one, which overlaps have left valid."
            )
        }

        @Argument(help: "The key.") var key: String
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard try await options.object(Subject.end(of: key)) != nil else { return }
            printLine("Only the current secret is valid.")
        }
    }
}
