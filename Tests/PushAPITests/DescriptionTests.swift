import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("The description of the API", .suiteLimit)
struct DescriptionTests {
    /// The answers of the router's routes to a caller who may call them. The route for all remaining paths is left out.
    private static func served(_ api: TestAPI) async throws -> Set<Operation> {
        let callers = [
            api.authorization, try await group(api), try await developer(api), "Bearer \(TestAPI.operatorToken)",
        ]
        var operations: Set<Operation> = []
        for (method, path) in api.face.routes where !path.contains("*") {
            // A device that unregisters is gone.
            let device = path.contains("/registrations/{") ? try await HTTPDevice(api) : nil
            let target = path.replacing(#/\{[^}]*\}/#, with: device?.id ?? "1")
            let body = ["POST", "PUT"].contains(method) ? "{}" : nil
            var isRefused = false
            let all = device.map { [$0.authorization] + callers } ?? callers
            for caller in all where !isRefused {
                let answer = try await api.call(method, target, body, authorization: caller)
                isRefused = answer.status == 405 || answer.message?.contains("not served by this version") == true
            }
            if !isRefused { operations.insert(Operation(method, path)) }
        }
        return operations
    }

    /// Two more who may call, each of them what an app may not.
    private static func group(_ api: TestAPI) async throws -> String {
        let made = try await api.core.store.createGroup(name: "G", apps: [api.app.id], at: api.clock.date)
        return TestAPI.basic("group-\(made.group.key):\(made.masterSecret)")
    }

    private static func developer(_ api: TestAPI) async throws -> String {
        let made = try await api.core.store.createDeveloper(name: "D", at: api.clock.date)
        return TestAPI.basic("\(made.developer.key):\(made.secret)")
    }

    @Test("Every call that is served is described, and every call that is described is served")
    func isWhole() async throws {
        let described = try Operation.described()
        #expect(described.count > 40)
        try await TestAPI.run { api in
            let served = try await Self.served(api)
            #expect(served.count > 20)
            #expect(served.subtracting(described).sorted() == [], "are not described")
            #expect(described.subtracting(served).sorted() == [], "are not served")
        }
    }
}
