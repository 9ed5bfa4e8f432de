import Testing

@Suite("What an app's backend can make, it can end")
struct EndedObjectTests {
    /// The objects that end without a call that deletes them, and why.
    private static let exceptions: [String: String] = [
        "/v3/devices": "its phone ends a registration: DELETE /posthorn/v1/registrations/{}",
        "/v3/images/byurls": "not served", "/v3/images/byfiles": "not served",
        "/posthorn/v1/operator": "operations: see OperationGapTests",
    ]

    /// The collections whose members have a path of their own.
    private static let collections = Set(
        CallerTable.rows.map(\.operation).filter { $0.path.hasSuffix("/{}") }.map { String($0.path.dropLast(3)) }
    ).sorted()

    @Test("A member that can be written can be deleted", arguments: collections)
    func ends(_ collection: String) {
        let operations = CallerTable.rows.map(\.operation)
        let methods = Set(operations.filter { $0.path == collection + "/{}" }.map(\.method))
        let isMade = operations.contains { $0.path == collection && $0.method == "POST" }
        guard isMade || !methods.isDisjoint(with: ["POST", "PUT"]) else { return }
        #expect(methods.contains("DELETE") != (Self.exceptions[collection] != nil), "\(collection): \(methods)")
    }

    @Test("Push plans, which JPush makes at other paths, are deleted at one of ours")
    func plans() {
        #expect(CallerTable.rows.contains { "\($0.operation)" == "DELETE /posthorn/v1/plans/{}" })
    }
}
