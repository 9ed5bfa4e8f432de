import ArgumentParser
import PosthornStack
import PushModel
import PushService

/// The nodes that share a store.
struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node",
        abstract: "Lists the nodes that share a store, and lets one hand over its work.",
        subcommands: [List.self, Drain.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists all nodes with their versions, lags, lanes and links."
        )

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let nodes = try await options.list(.nodeList, "nodes") else { return }
            for node in nodes { printLine(NodeCommand.line(node).printed) }
        }
    }

    struct Drain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets a node hand over its lanes, roles and links to the others.",
            discussion: """
                The node goes on answering requests, and is reported as not ready, so that a load balancer takes it out. Stop it \
                when 'posthorn node list' shows no lanes and no links of it.
                """
        )

        @Argument(help: "The number of the node.")
        var node: Int

        @Flag(help: "Let the node take work again.")
        var undo = false

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let change: JSONObject = ["node": .number(node), "draining": .bool(!undo)]
            guard let node = try await options.answer(.nodeDrain, change) else { return }
            printLine(NodeCommand.line(node).printed)
        }
    }

    /// "1  host-a  0.1.0  alive  3 lanes  200 links  4 ms behind".
    private static func line(_ node: JSONObject) -> String {
        func count(_ key: String) -> Int64 { node[key]?.integer ?? 0 }
        let isAlive = node["alive"]?.bool == true
        let state = !isAlive ? "gone" : node["draining"]?.bool == true ? "draining" : "alive"
        let work =
            isAlive ? ["\(count("lanes")) lanes", "\(count("links")) links", "\(count("lag_ms")) ms behind"] : []
        return (["\(count("node"))", node.text("name"), node.text("version"), state] + work).joined(separator: "  ")
    }
}
