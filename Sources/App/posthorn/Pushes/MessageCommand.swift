import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message",
        abstract: "Lists an app's pushes in a running service, and shows how far one is.",
        subcommands: [List.self, Show.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists pushes, the newest first."
        )

        @Option(help: "Maximum number of pushes.") var limit = 20
        @Option(help: "Continue before this msg_id.") var before: String?
        @Option(help: "Only pushes with this text in their JSON or their request's id.") var search: String?
        @Flag(help: "Only pushes that are still to be sent to some devices.") var waiting = false
        @Flag(help: "Print a line of JSON per push.") var json = false
        @OptionGroup var server: ServerOptions

        func validate() throws {
            try require(limit > 0, "--limit is \(limit); expected 1 or more.")
        }

        func run() async throws {
            let client = try server.client
            let times = json ? nil : await ServiceTimes(of: client)
            var next = before
            var left = limit
            repeat {
                // With --waiting, most pushes are left out.
                let size = waiting ? 1000 : min(left, 1000)
                let query =
                    "limit=\(size)" + (next.map { "&before=\(APIClient.encoded($0))" } ?? "")
                    + (search.map { "&search=\(APIClient.encoded($0))" } ?? "")
                let page: MessageListAnswer = try await client.get("/posthorn/v1/messages?\(query)").read()
                for message in page.messages.lazy.filter({ !waiting || $0.waiting == true }).prefix(left) {
                    printLine(times.map { Self.line(message, $0) } ?? JSONCoding.json(of: message).text)
                    left -= 1
                }
                next = page.next
            } while left > 0 && next != nil
            if left == limit, !json { printNote("There are no such pushes.") }
        }

        private static func line(_ message: MessageAnswer, _ times: ServiceTimes) -> String {
            let parts = [
                message.msgID, times.text(message.acceptedAt), message.environment.rawValue,
                message.waiting == true ? "waiting" : "done   ", message.text?.printed ?? "",
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a push and its progress.",
            discussion: "'posthorn report' shows what the apps reported; 'posthorn why' explains a single device."
        )

        @Argument(help: .messageID("The msg_id from the response of POST /v3/push.")) var messageID: String
        @OptionGroup var language: LanguageOptions
        @OptionGroup var options: ResponseOptions

        func run() async throws {
            let client = try options.client
            let answer = try await client.get("/posthorn/v1/messages/\(APIClient.encoded(messageID))")
            guard let message: WholeMessageAnswer = try options.read(answer) else { return }
            let times = await ServiceTimes(of: client)
            printLine(
                """
                msg_id       \(message.msgID)
                Request      \(message.requestID ?? "none: the service itself sent it")
                Accepted     \(times.text(message.acceptedAt))
                Expires      \(times.text(message.expiresAt))
                Environment  \(message.environment)
                """
            )
            if let cid = message.cid { printLine("cid          \(cid.printed)") }
            printLine("Push         \(message.push == .null ? "it cannot be read" : message.push.text)")
            let progress = message.progress
            if progress.devices > 0 {
                let counts = "\(progress.sent) sent, \(progress.ended) ended without, \(progress.waiting) waiting"
                printLine("Devices      \(progress.devices): \(counts)")
            }
            for outcome in message.outcomes { printLine("             \(words(of: outcome).printed)") }
            if !message.outcomesComplete { printLine("             The push has more events than are counted here.") }
            if let takenBack = message.takenBack {
                printLine("Taken back   \(takenBack.sentence(in: language.texts))")
                for outcome in takenBack.outcomes { printLine("             \(words(of: outcome).printed)") }
            }
            if progress.links > 0 { printLine("Over links   \(counted(progress.links, "device"))") }
            if let next = progress.nextAt { printLine("Next         \(times.text(next))") }
            if let problem = progress.problem {
                let reason = message.outcomes.first { $0.event == problem }?.reason
                printLine("Because      \(language.texts.sentence(of: problem, reason))")
            }
            printWarnings(message.warnings)
            guard let callback = message.callback else { return }
            printLine("Callback     \(callback.url.printed)")
            let counts = "\(callback.delivered) events delivered, \(callback.waiting) waiting, \(callback.lost) lost"
            printLine("             \(counts)")
            if let problem = callback.problem { printLine("             \(problem.printed)") }
        }

        /// Returns the number of devices that share an outcome, with the sentence of `posthorn why` about each of them.
        private func words(of outcome: MessageStandingAnswer.Outcome) -> String {
            let part = outcome.part == .voip ? language.texts["remarks", "part_voip"] : ""
            return "\(outcome.devices) \(part)\(language.texts.said(outcome.sentence))"
        }
    }
}

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Counts the devices that pushes reached, showed and opened.",
        discussion: """
            'received', 'shown' and 'opened' are what the apps report: an app without a notification service extension reports \
            no delivery. 'posthorn why' explains a single device.
            """
    )

    @Argument(help: .messageID("The msg_id from the response of POST /v3/push; up to 100 may be given."))
    var messageIDs: [String]

    @OptionGroup var options: ResponseOptions

    func run() async throws {
        let list = APIClient.encoded(messageIDs.joined(separator: ","))
        let answer = try await options.client.get("/v3/messages/detail?msg_ids=\(list)")
        guard let reports: [MessageDetailAnswer] = try options.read(answer) else { return }
        printLine(Self.line("msg_id", ["kind", "target", "sent", "received", "shown", "opened"]))
        var unknown: [String] = []
        for report in reports {
            let id = report.msgID ?? ""
            let counts = report.ios
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
