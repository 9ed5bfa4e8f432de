import ArgumentParser
import Foundation
import PosthornStack
import PushModel

/// The tools for assistants, over the Model Context Protocol on standard input and output.
struct MCPCommand: AsyncParsableCommand, ServerProcess {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract:
            "Lets an assistant verify push code: a server of the Model Context Protocol on standard input and output.",
        discussion: """
            Its tools start a sandbox with emulated iPhones, send pushes, wait for what arrives, explain it, set faults, turn the clock and \
            touch the phones. A real service is asked if POSTHORN_URL, POSTHORN_APP_KEY and POSTHORN_MASTER_SECRET name it, and nothing \
            is changed there without --allow-changes. Ends when standard input does.
            """
    )

    @Flag(help: "Let tools send pushes through the real service that the environment names.") var allowChanges = false

    func run() async throws {
        let session = AssistantSession(allowsChanges: allowChanges)
        for await line in linesOfStandardInput() {
            if let response = await session.response(to: line) { printLine(response.text) }
        }
        await session.sandbox.stop()
    }
}

/// Returns the lines of standard input, until it ends.
func linesOfStandardInput() -> AsyncStream<String> {
    AsyncStream { continuation in
        // Reading blocks, so it has its own thread; the process ends without waiting for it.
        let thread = Thread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        thread.start()
    }
}

/// Waits until the task is cancelled; with `--until-eof`, also until standard input ends.
func untilCancelled(orEndOfInput endsWithInput: Bool) async throws {
    guard endsWithInput else { return try await untilCancelled() }
    for await _ in linesOfStandardInput() {}
}
