import Foundation
import TestSupport

/// One call of the description of the API, `Documentation/OpenAPI/posthorn.yaml`.
struct Operation: Hashable, Comparable, CustomStringConvertible {
    var method: String
    /// `{}` for each parameter, whatever its name.
    var path: String

    init(_ method: String, _ path: String) {
        self.method = method.uppercased()
        self.path = path.replacing(#/\{[^}]*\}/#, with: "{}")
    }

    var description: String { "\(method) \(path)" }

    static func < (left: Self, right: Self) -> Bool { (left.path, left.method) < (right.path, right.method) }

    /// The calls that are described, read from the lines below `paths:`: paths by two spaces, methods by four.
    static func described() throws -> Set<Operation> {
        let lines = try ProjectFolder.text(of: "Documentation/OpenAPI/posthorn.yaml").components(separatedBy: "\n")
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
}
