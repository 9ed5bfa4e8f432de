import ArgumentParser
import PosthornStack
import PushModel

struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message",
        abstract: "Lists an app's pushes in a running service, and shows how far one is.",
        subcommands: [List.self, Show.self]
    )
}

extension MessageCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists pushes, the newest first.")

        @Option(help: "Maximum number of pushes.")
        var limit = 20

        @Option(help: "Continue before this msg_id.")
        var before: String?

        @Flag(help: "Only pushes that are still to be sent to some devices.")
        var waiting = false

        @Flag(help: "Print a line of JSON per push.")
        var json = false

        @OptionGroup var server: ServerOptions

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit is \(limit); expected 1 or more.") }
        }

        func run() async throws {
            let client = try server.client()
            var next = before
            var left = limit
            repeat {
                // With --waiting, most pushes are left out.
                let size = waiting ? 1000 : min(left, 1000)
                let query = "limit=\(size)" + (next.map { "&before=\(APIClient.encoded($0))" } ?? "")
                let page = try await client.get("/posthorn/v1/messages?\(query)").members
                let messages = page.objects("messages")
                for message in messages.lazy.filter({ !waiting || $0["waiting"]?.bool == true }).prefix(left) {
                    printLine(json ? JSONValue.object(message).text : Self.line(message))
                    left -= 1
                }
                next = page["next"]?.string
            } while left > 0 && next != nil
            if left == limit, !json { printNote("There are no such pushes.") }
        }

        private static func line(_ message: JSONObject) -> String {
            let state = message["waiting"]?.bool == true ? "waiting" : "done   "
            let parts = [
                message.text("msg_id"), message.text("accepted_at"), message.text("environment"), state,
                message["text"]?.string?.printed ?? "",
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a push and its progress.",
            discussion: "'posthorn report' shows what the apps reported; 'posthorn why' explains a single device."
        )

        @Argument(help: "The msg_id from the response of POST /v3/push.")
        var messageID: String

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let path = "/posthorn/v1/messages/\(APIClient.encoded(messageID))"
            let message = try await server.client().get(path).members
            guard !json else { return printLine(JSONValue.object(message).text) }
            printLine("msg_id       \(message.text("msg_id"))")
            printLine("Request      \(message["request_id"]?.string ?? "none: the service itself sent it")")
            printLine("Accepted     \(message.text("accepted_at"))")
            printLine("Expires      \(message.text("expires_at"))")
            printLine("Environment  \(message.text("environment"))")
            if let cid = message["cid"]?.string { printLine("cid          \(cid.printed)") }
            printLine("Push         \(message["push"]?.text ?? "it cannot be read")")
            let progress = message["progress"]?.object ?? [:]
            func count(_ name: String) -> Int64 { progress[name]?.integer ?? 0 }
            if count("devices") > 0 {
                printLine(
                    """
                    Devices      \(count("devices")): \(count("sent")) sent, \(count("ended")) ended without, \
                    \(count("waiting")) waiting
                    """
                )
            }
            if count("links") > 0 { printLine("Over links   \(count("links")) devices") }
            if let next = progress["next_at"]?.string { printLine("Next         \(next)") }
            if let problem = progress["problem"]?.string { printLine("Because      \(problem)") }
            if let callback = message["callback"]?.object { printCallback(callback) }
        }

        private func printCallback(_ callback: JSONObject) {
            func count(_ name: String) -> Int64 { callback[name]?.integer ?? 0 }
            printLine("Callback     \(callback.text("url").printed)")
            printLine(
                "             \(count("delivered")) events delivered, \(count("waiting")) waiting, \(count("lost")) lost"
            )
            if let problem = callback["problem"]?.string { printLine("             \(problem.printed)") }
        }
    }
}
