import PushModel

extension OperatorController {
    func listNodes() async throws -> JSONObject {
        let records = try await sharedStore().nodes()
        return ["nodes": .array(records.map { .object($0.members) })]
    }

    /// `{"node", "draining"}`.
    func drainNode(_ parameters: JSONReader) async throws -> JSONObject {
        let number = Int16(try parameters.need("node", .integer(in: 1...Int64(Int16.max))))
        let isDraining = try parameters.need("draining", .bool)
        let store = try sharedStore()
        guard try await store.setDraining(isDraining, NodeID(rawValue: number)),
            let record = try await store.nodes().first(where: { $0.claim.node.rawValue == number })
        else { throw OperatorError(.notFound, Remark(.nodeUnknown, ["number": number])) }
        return record.members
    }

    private func sharedStore() throws -> any NodeStore {
        if let nodes { return nodes }
        guard registry != nil else {
            let text = "No service runs on this data folder. Start 'posthorn serve', or use --url."
            throw OperatorError(.needsService, Remark(.serviceNeeded), message: text)
        }
        throw OperatorError(.conflict, Remark(.storeNotShared))
    }
}

extension NodeRecord {
    /// `{"node":1,"name":"a","version":"0.1.0","alive":true,"draining":false,"links":0,"lanes":0,"lag_ms":0}`.
    fileprivate var members: JSONObject {
        [
            "node": .number(claim.node.rawValue), "name": .string(name), "version": .string(status.version),
            "alive": .bool(isAlive), "draining": .bool(isDraining), "links": .number(status.links),
            "lanes": .number(status.lanes), "lag_ms": .number(status.lag),
        ]
    }
}
