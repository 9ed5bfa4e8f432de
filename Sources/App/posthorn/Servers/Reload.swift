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
        guard let answer = try await options.answer(.settingsReload) else { return }
        let changes = Self.changes(answer, "applied")
        for line in changes { printLine("Applied        \(line)") }
        for line in Self.changes(answer, "needs_restart") { printLine("Needs restart  \(line)") }
        if changes.isEmpty { printLine("No setting that can change while the service runs has changed.") }
        if let certificate = answer["certificate"]?.string { printLine("Certificate    \(certificate)") }
    }

    private static func changes(_ answer: JSONObject, _ name: String) -> [String] {
        answer.objects(name).map { change in
            let (from, to) = (change["from"]?.string ?? "the default", change["to"]?.string ?? "the default")
            return "\(change.text("key")): \(from) → \(to)"
        }
    }
}
