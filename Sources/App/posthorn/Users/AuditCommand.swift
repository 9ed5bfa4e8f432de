import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Shows who changed what, the newest change first.",
        discussion: "Changes by commands, by operators and by users of the portal, also those that were refused."
    )

    @Option(help: "The greatest number of entries: 1 to 1000.")
    var limit = 100

    @Option(help: "The id of an entry; shows those before it.")
    var before: Int64?

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        guard let log: AuditAnswer = try await options.answer(.auditList(before: before, limit: limit)) else { return }
        if log.entries.isEmpty { printLine("Nothing was changed yet.") }
        // Texts of callers are in it.
        for entry in log.entries { printLine(Self.line(entry).printed) }
    }

    private static func line(_ entry: AuditAnswer.Entry) -> String {
        let actor = entry.actor + (entry.address.map { " from \($0)" } ?? "")
        let times = entry.lastAt.map { " \(entry.count) times until \($0.formatted(.iso8601))" } ?? ""
        let detail = (entry.ok ? "" : "refused\(times): ") + (entry.detail ?? "")
        return [entry.at.formatted(.iso8601), actor, entry.action, entry.subject ?? "", detail].filter { !$0.isEmpty }
            .joined(separator: "  ")
    }
}
