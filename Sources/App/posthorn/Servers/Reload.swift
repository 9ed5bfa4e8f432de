import ArgumentParser
import PosthornStack
import PushModel
import PushService

struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a running service reload its settings.",
        discussion: """
            Reads the file of --config again, and the files of the TLS certificate. Limits of calls, logins, registrations and \
            broadcasts, retention and log level change at once; other settings are named, and need a restart. If a setting cannot \
            be used, nothing changes. SIGHUP does the same, with the result in the log.
            """
    )

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        guard let answer: ReloadAnswer = try await options.answer(.settingsReload) else { return }
        for change in answer.applied { printLine("Applied        \(Self.line(change))") }
        for change in answer.needsRestart { printLine("Needs restart  \(Self.line(change))") }
        if answer.applied.isEmpty { printLine("No setting that can change while the service runs has changed.") }
        if let certificate = answer.certificate { printLine("Certificate    \(certificate)") }
    }

    private static func line(_ change: ReloadAnswer.Change) -> String {
        "\(change.key): \(change.from ?? "the default") → \(change.to ?? "the default")"
    }
}
