import ArgumentParser

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
        await AssistantConnection(AssistantSession(allowsChanges: allowChanges)).run(InputLines())
    }
}
