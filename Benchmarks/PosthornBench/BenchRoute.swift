import ArgumentParser
import Hummingbird
import Logging
import NIOCore
import PushModel

struct BenchRoute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Runs a minimal push API on Hummingbird, the baseline for measuring `posthorn serve`.",
        discussion: """
            Answers each POST to /v3/push with 200 and a response of the usual length once the whole body has arrived. It reads \
            and stores nothing. Runs until it is stopped.
            """
    )

    @Option(help: "The port on 127.0.0.1; 0 takes any free one.")
    var port = 0

    @Flag(help: "Print the port as one line of JSON.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port is \(port); expected 0 to 65535.")
        }
    }

    func run() async throws {
        let router = Router()
        router.post("v3/push") { request, _ -> Response in
            let body = try await request.body.collect(upTo: 1 << 20)
            let answer = #"{"sendno":"\#(body.readableBytes)","msg_id":"2251799813685248"}"#
            return Response(
                status: .ok,
                headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: answer))
            )
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                printLine(json ? (["port": .number(port)] as JSONValue).text : "Listening on port \(port)")
            },
            logger: Logger(label: "posthorn.bench") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.runService()
    }
}
