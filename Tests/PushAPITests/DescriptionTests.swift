import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import Testing

/// One call of the description of the API, `Documentation/OpenAPI/posthorn.yaml`.
private struct Operation: Hashable, Comparable, CustomStringConvertible {
    var method: String
    /// `{}` for each parameter, whatever its name.
    var path: String

    init(_ method: String, _ path: String) {
        self.method = method.uppercased()
        self.path = path.replacing(#/\{[^}]*\}/#, with: "{}")
    }

    var description: String { "\(method) \(path)" }

    static func < (left: Self, right: Self) -> Bool { (left.path, left.method) < (right.path, right.method) }
}

@Suite("The description of the API", .timeLimit(.minutes(5)))
struct DescriptionTests {
    /// The calls that are described, read from the lines below `paths:`: paths by two spaces, methods by four.
    private static func described() throws -> Set<Operation> {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/OpenAPI/posthorn.yaml")
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        var path = ""
        var operations: Set<Operation> = []
        for line in lines.drop(while: { $0 != "paths:" }).prefix(while: { $0 != "components:" }) {
            if let match = line.wholeMatch(of: #/  (/.*):/#) { path = String(match.1) }
            if let match = line.wholeMatch(of: #/    (head|get|put|post|delete|patch|options):/#) {
                operations.insert(Operation(String(match.1), path))
            }
        }
        return operations
    }

    /// What each route of the router answers somebody who may call it; a route for all paths that have nothing better is none.
    private static func served(_ api: TestAPI) async throws -> Set<Operation> {
        let callers = [api.authorization, try await group(api), try await developer(api)]
        var operations: Set<Operation> = []
        for (method, path) in api.face.routes where !path.contains("*") {
            let target = path.replacing(#/\{[^}]*\}/#, with: "1")
            let body = ["POST", "PUT"].contains(method) ? "{}" : nil
            var isRefused = false
            for caller in callers where !isRefused {
                let answer = try await api.call(method, target, body, authorization: caller)
                isRefused = answer.status == 405 || answer.message?.contains("not served by this version") == true
            }
            if !isRefused { operations.insert(Operation(method, path)) }
        }
        return operations
    }

    /// Two more who may call, each of them what an app may not.
    private static func group(_ api: TestAPI) async throws -> String {
        var generator = SystemRandomNumberGenerator()
        let made = try await api.core.groups.create(
            name: "G",
            apps: [api.app.id],
            at: api.clock.date,
            using: &generator
        )
        return TestAPI.basic("group-\(made.group.key):\(made.masterSecret)")
    }

    private static func developer(_ api: TestAPI) async throws -> String {
        var generator = SystemRandomNumberGenerator()
        let made = try await DeveloperDirectory(store: api.core.store).create(
            name: "D",
            at: api.clock.date,
            using: &generator
        )
        return TestAPI.basic("\(made.developer.key):\(made.secret)")
    }

    @Test("Every call that is served is described, and every call that is described is served")
    func isWhole() async throws {
        let described = try Self.described()
        #expect(described.count > 40)
        try await TestAPI.run { api in
            let served = try await Self.served(api)
            #expect(served.count > 20)
            #expect(served.subtracting(described).sorted() == [], "are not described")
            #expect(described.subtracting(served).sorted() == [], "are not served")
        }
    }
}
