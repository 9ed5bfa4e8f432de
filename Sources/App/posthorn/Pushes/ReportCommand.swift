import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

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

    @OptionGroup var options: ResponseOptions

    func run() async throws {
        let list = APIClient.encoded(messageIDs.joined(separator: ","))
        let answer = try await options.server.client().get("/v3/messages/detail?msg_ids=\(list)")
        guard let reports: [MessageDetailAnswer] = try options.read(answer) else { return }
        printLine(Self.line("msg_id", ["kind", "target", "sent", "received", "shown", "opened"]))
        var unknown: [String] = []
        for report in reports {
            let (id, counts) = (report.msgID ?? "", report.ios)
            guard counts.apnsTarget != nil else {
                unknown.append(id)
                continue
            }
            func tell(_ kind: String, _ columns: [Int?]) {
                printLine(Self.line(id, [kind] + columns.map { $0.map { "\($0)" } ?? "-" }))
            }
            let sent = [counts.apnsTarget, counts.apnsSent, counts.apnsReceived]
            tell("notification", sent + [counts.apnsDisplay, counts.apnsClick])
            guard counts.msgTarget ?? 0 > 0 else { continue }
            tell("message", [counts.msgTarget, nil, counts.msgReceived, counts.msgDisplay, counts.msgClick])
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
