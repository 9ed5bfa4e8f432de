import ArgumentParser
import PosthornStack
import PushModel
import PushService

struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Sends a push through a running service.",
        discussion: """
            The push is composed from flags, or read from a file as a push object of the JPush REST API v3 ('-' is standard \
            input).

            --batch sends one push for each line of a file. A line is a registration id, or an alias with --by alias, and the \
            flags give the content. Or it is a JSON object, an entry of the batch API with its own 'target', content and \
            optional 'cid'. Exits with 1 if any push was refused.
            """
    )

    @OptionGroup var content: PushContent
    @Option(help: .file("Send one push per line of this file; '-' reads standard input.")) var batch: String?

    @Option(help: "The kind of target in the lines of --batch: registration-id or alias.")
    var by: PushBatchFile.Target = .registrationID

    @Flag(help: "Check the push without sending it.") var validateOnly = false
    @Flag(help: "Count who would get the push, and who would not and why, without sending it.") var forecast = false
    @Flag(help: "Print the service's response unchanged; with --batch, one line of JSON per push.") var json = false
    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard batch != nil else { return try content.check() }
        try require(
            content.file == nil && !content.namesAudience && content.cid == nil && !validateOnly && !forecast,
            "--batch names the targets; expected no file, audience, --cid, --validate-only or --forecast."
        )
    }

    func run() async throws {
        let client = try server.client
        if let batch {
            let run = PushBatchFile(file: batch, by: by, content: content, client: client, isJSON: json)
            guard try await run.send() else { throw ExitCode(1) }
            return
        }
        var body = try await content.body(client)
        if forecast, var push = (try? JSONValue(parsing: body))?.object {
            push["x_forecast"] = true
            body = push.bytes
        }
        let isSent = !validateOnly && !forecast
        let answer = try await client.post(isSent ? "/v3/push" : "/v3/push/validate", body)
        let push: AcceptedPush = try answer.read()
        guard !json else { return printLine(answer.json.text) }
        printLine(isSent ? "Accepted: msg_id \(push.msgID)" : "Valid; nothing was sent.")
        printWarnings(push.warnings)
        push.forecast?.lines.forEach(printLine)
        if isSent { printLine("What became of it: posthorn why \(push.msgID) REGISTRATION_ID") }
    }
}

extension PushForecast {
    /// The forecast in words, with a line for each number of devices that is not zero.
    fileprivate var lines: [String] {
        let until = heldUntil.map { ", the last until \(JSONCoding.json(of: $0).string ?? "")" } ?? ""
        let counts: [(Int, String)] = [
            (noToken, "without a token"), (otherEnvironment, "built for the other environment"),
            (refused, "with a token that APNs has refused"), (pushOff, "with push switched off"),
            (openedBefore, "have opened the push of x_unless_opened"), (declined, "have declined the topic"),
            (capped, "over the cap of the topic"), (quiet, "in quiet hours that last longer than the push"),
            (held, "wait for the end of quiet hours\(until)"),
        ]
        var lines = ["\(targeted) targeted"] + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if !languages.isEmpty {
            lines.append(
                "texts: " + languages.map { "\($0.language ?? "alert") \($0.devices)" }.joined(separator: ", ")
            )
        }
        if let seconds { lines.append("about \(seconds) s") }
        return lines
    }
}

struct Withdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraws pushes from devices that did not get them yet, and asks the others to remove them.",
        discussion: """
            The command prints how many devices were left, how many it was sent to before, and how many of those are asked to remove \
            the notification: 'posthorn message show' has their answers. The exit status is 1 if the app has no such push.
            """
    )

    @Argument(help: .messageID("The msg_id from the response of POST /v3/push; several may be given."))
    var messageIDs: [String]

    @Flag(help: "Print one line of JSON per push.") var json = false
    @OptionGroup var server: ServerOptions

    private func tell(_ facts: JSONValue) { if json { printLine(facts.text) } }

    func run() async throws {
        let client = try server.client
        var failed = false
        for id in messageIDs {
            let answer = try await client.delete("/v3/push/\(APIClient.encoded(id))")
            guard answer.status == 200 else {
                failed = true
                let problem = ServerRefusal(answer).description
                tell(["msg_id": .string(id), "withdrawn": false, "problem": .string(problem)])
                if !json { printNote("\(id)  \(Language.ofProcess.said(problem))") }
                continue
            }
            let message: WholeMessageAnswer = try await client.get("/posthorn/v1/messages/\(APIClient.encoded(id))")
                .read()
            let progress = message.progress
            let left = message.outcomes.filter { $0.event == "withdrawn" && $0.part == .notification }
                .reduce(0) { $0 + $1.devices }
            let asked = message.takenBack.map { $0.removed + $0.absent + $0.waiting } ?? 0
            tell([
                "msg_id": .string(id), "asked": .number(asked), "withdrawn": true, "problem": .null,
                "devices": .number(progress.devices),
                "left": .number(left), "sent": .number(progress.sent),
            ])
            guard !json else { continue }
            // A custom message goes to devices as they connect.
            let counts =
                "\(left) of \(progress.devices) devices were left; it was sent to \(progress.sent) before"
                + (asked > 0 ? ", and \(asked) asked to remove it" : "")
            let result = progress.devices == 0 || left > 0 ? "withdrawn" : "nothing is withdrawn"
            printLine("\(id)  \(result)\(progress.devices == 0 ? "" : ": \(counts)")")
        }
        if failed { throw ExitCode.failure }
    }
}
