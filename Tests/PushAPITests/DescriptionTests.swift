import Foundation
import PushAPI
import PushModel
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
    /// Calls that are described and not served. Has to be empty once all are.
    private static let notServedYet: Set<Operation> = [
        Operation("POST", "/v3/push/batch/regid/single"), Operation("POST", "/v3/push/batch/alias/single"),
        Operation("DELETE", "/v3/push/{}"), Operation("GET", "/v3/push/quota"), Operation("POST", "/v3/push/file"),
        Operation("POST", "/v3/files/alias"), Operation("POST", "/v3/files/registration_id"),
        Operation("GET", "/v3/files"), Operation("GET", "/v3/files/{}"), Operation("DELETE", "/v3/files/{}"),
        Operation("POST", "/v3/files/{}"),
        Operation("POST", "/v3/images/byurls"), Operation("PUT", "/v3/images/byurls/{}"),
        Operation("POST", "/v3/images/byfiles"), Operation("PUT", "/v3/images/byfiles/{}"),
        Operation("POST", "/v3/grouppush"), Operation("POST", "/v3/grouppush/file"), Operation("GET", "/v3/received"),
        Operation("GET", "/v3/received/detail"), Operation("GET", "/v3/messages"),
        Operation("GET", "/v3/messages/detail"), Operation("POST", "/v3/status/message"),
        Operation("GET", "/v3/users"), Operation("GET", "/v3/group/messages/detail"),
        Operation("GET", "/v3/group/users"), Operation("POST", "/v1/app"), Operation("POST", "/v1/app/{}/delete"),
        Operation("POST", "/v1/app/{}/certificate"),
    ]

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
        var operations: Set<Operation> = []
        for (method, path) in api.face.routes where !path.contains("*") {
            let target = path.replacing(#/\{[^}]*\}/#, with: "1")
            let answer = try await api.call(method, target, ["POST", "PUT"].contains(method) ? "{}" : nil)
            let isRefused = answer.status == 405 || answer.message?.contains("not served by this version") == true
            if !isRefused { operations.insert(Operation(method, path)) }
        }
        return operations
    }

    @Test("Every call that is served is described, and every call that is described is served")
    func isWhole() async throws {
        let described = try Self.described()
        #expect(described.count > 40)
        try await TestAPI.run { api in
            let served = try await Self.served(api)
            #expect(served.count > 20)
            #expect(served.subtracting(described).sorted() == [], "are not described")
            #expect(described.subtracting(served).subtracting(Self.notServedYet).sorted() == [], "are not served")
            #expect(Self.notServedYet.intersection(served).sorted() == [], "are served: take them from the list")
            #expect(Self.notServedYet.subtracting(described).sorted() == [], "are no calls")
        }
    }
}
