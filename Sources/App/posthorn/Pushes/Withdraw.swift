import ArgumentParser
import PosthornStack
import PushModel

struct Withdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Withdraws pushes that a running service has not sent yet.",
        discussion: """
            Devices that already have the push keep it, and withdrawing a finished push changes nothing. The exit status is 1 if \
            the app has no such push.
            """
    )

    @Argument(help: "The msg_id from the response of POST /v3/push; several may be given.")
    var messageIDs: [String]

    @Flag(help: "Print one line of JSON per push.")
    var json = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let client = try server.client()
        var failed = false
        for id in messageIDs {
            let answer = try await client.delete("/v3/push/\(APIClient.encoded(id))")
            let isDone = answer.status == 200
            failed = failed || !isDone
            if json {
                let problem = isDone ? JSONValue.null : .string(ServerRefusal(answer).description)
                printLine((["msg_id": .string(id), "withdrawn": .bool(isDone), "problem": problem] as JSONValue).text)
            } else if isDone {
                printLine("\(id)  withdrawn")
            } else {
                printNote("\(id)  \(ServerRefusal(answer))")
            }
        }
        if failed { throw ExitCode.failure }
    }
}
