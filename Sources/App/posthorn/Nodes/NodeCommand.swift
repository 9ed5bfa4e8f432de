import ArgumentParser
import PushModel
import PushService

/// The nodes that share a store.
struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node",
        abstract: "Lists the nodes that share a store, and lets one hand over its work.",
        subcommands: [List.self, Drain.self]
    )

    struct List: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists all nodes with their versions, lags, lanes and links."
        )

        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .nodeList }

        func tell(_ list: NodeListAnswer) { for node in list.nodes { printLine(NodeCommand.line(node).printed) } }
    }

    struct Drain: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "drain",
            abstract: "Lets a node hand over its lanes, roles and links to the others.",
            discussion: """
                The node goes on answering requests, and is reported as not ready, so that a load balancer takes it out. Stop it \
                when 'posthorn node list' shows no lanes and no links of it.
                """
        )

        @Argument(help: "The number of the node.") var node: Int
        @Flag(help: "Let the node take work again.") var undo = false
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .nodeDrain(node: node, draining: !undo) }

        func tell(_ node: NodeAnswer) { printLine(NodeCommand.line(node).printed) }
    }

    /// "1  host-a  0.1.0  alive  3 lanes  200 links  4 ms behind".
    private static func line(_ node: NodeAnswer) -> String {
        let state = !node.alive ? "gone" : node.draining ? "draining" : "alive"
        let work = node.alive ? ["\(node.lanes) lanes", "\(node.links) links", "\(node.lagMs) ms behind"] : []
        return (["\(node.node)", node.name, node.version, state] + work).joined(separator: "  ")
    }
}
