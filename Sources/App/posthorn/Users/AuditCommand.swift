import ArgumentParser
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
    var before: Int?

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        var parameters: JSONObject = ["limit": .number(limit)]
        parameters["before"] = before.map { .number($0) }
        guard let answer = try await options.answer(.auditList, parameters) else { return }
        let entries = answer.objects("entries")
        if entries.isEmpty { printLine("Nothing was changed yet.") }
        // Texts of callers are in it.
        for entry in entries { printLine(Self.line(entry).printed) }
    }

    private static func line(_ entry: JSONObject) -> String {
        let actor = entry.text("actor") + (entry["address"]?.string.map { " from \($0)" } ?? "")
        let times = entry["last_at"]?.string.map { " \(entry["count"]?.integer ?? 0) times until \($0)" } ?? ""
        let detail = entry["ok"]?.bool == true ? entry.text("detail") : "refused\(times): \(entry.text("detail"))"
        return [entry.text("at"), actor, entry.text("action"), entry.text("subject"), detail].filter { !$0.isEmpty }
            .joined(separator: "  ")
    }
}
