import ArgumentParser
import Foundation
import PosthornStack
import PushModel

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Counts the devices that pushes reached, showed and opened.",
        discussion: """
            'received', 'shown' and 'opened' are what the apps report: an app without a notification service extension reports \
            no delivery. 'posthorn why' explains a single device.
            """
    )

    @Argument(help: "The msg_id from the response of POST /v3/push; up to 100 may be given.")
    var messageIDs: [String]

    @Flag(help: "Print the service's response unchanged.")
    var json = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let list = APIClient.encoded(messageIDs.joined(separator: ","))
        let answer = try await server.client().get("/v3/messages/detail?msg_ids=\(list)")
        guard answer.status == 200, let reports = answer.json.array else { throw ServerRefusal(answer) }
        guard !json else { return printLine(answer.json.text) }
        printLine(Self.line("msg_id", ["kind", "target", "sent", "received", "shown", "opened"]))
        var unknown: [String] = []
        for report in reports.compactMap(\.object) {
            let id = report.text("msg_id")
            guard let counts = report["ios"]?.object, counts["apns_target"]?.integer != nil else {
                unknown.append(id)
                continue
            }
            func row(_ kind: String, _ names: [String?]) -> String {
                Self.line(
                    id,
                    [kind] + names.map { name in name.flatMap { counts[$0]?.integer }.map { "\($0)" } ?? "-" }
                )
            }
            printLine(row("notification", ["apns_target", "apns_sent", "apns_received", "apns_display", "apns_click"]))
            guard counts["msg_target"]?.integer ?? 0 > 0 else { continue }
            printLine(row("message", ["msg_target", nil, "msg_received", "msg_display", "msg_click"]))
        }
        for id in unknown { printNote("The app has no push \(id).") }
        if !unknown.isEmpty { throw ExitCode.failure }
    }

    private static func line(_ id: String, _ columns: [String]) -> String {
        let widths = [14, 10, 10, 10, 10, 10]
        let cells = zip(columns, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        let line = id.padding(toLength: max(id.count, 20), withPad: " ", startingAt: 0) + "  " + cells.joined()
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
