extension OperatorController {
    func listNodes() async throws -> NodeListAnswer {
        NodeListAnswer(nodes: try await sharedStore().nodes().map(NodeAnswer.init))
    }

    func drainNode(_ number: Int, _ isDraining: Bool) async throws -> NodeAnswer {
        let number = Int16(try Self.checked(number, "node", in: 1...Int(Int16.max)) ?? 0)
        let store = try sharedStore()
        guard try await store.setDraining(isDraining, NodeID(rawValue: number)),
            let record = try await store.nodes().first(where: { $0.claim.node.rawValue == number })
        else { throw OperatorError(.notFound, Remark(.nodeUnknown, ["number": number])) }
        return NodeAnswer(record)
    }

    private func sharedStore() throws -> any NodeStore {
        if let nodes { return nodes }
        guard registry != nil else { throw Self.noService(". Start 'posthorn serve', or use --url.") }
        throw OperatorError(.conflict, Remark(.storeNotShared))
    }
}

/// A node as an operator sees it.
package struct NodeAnswer: Codable, Sendable {
    package let node: Int
    package let name: String
    package let version: String
    package let alive: Bool
    package let draining: Bool
    package let links: Int
    package let lanes: Int
    package let lagMs: Int

    init(_ record: NodeRecord) {
        node = Int(record.claim.node.rawValue)
        name = record.name
        alive = record.isAlive
        draining = record.isDraining
        let status = record.status
        version = status.version
        links = status.links
        lanes = status.lanes
        lagMs = status.lag
    }
}

package struct NodeListAnswer: Codable, Sendable { package let nodes: [NodeAnswer] }
