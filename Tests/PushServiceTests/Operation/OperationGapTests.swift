import PushModel
import Testing

@testable import PushService

@Suite("What operators can make, they can change and end")
struct OperationGapTests {
    private static let names = Set(OperatorController.Operation.allCases.map(\.rawValue))

    /// The words of operations by what they do.
    private static let changes: Set = ["set", "change", "rename", "enable", "disable", "add"]
    private static let ends: Set = ["delete", "remove"]
    private static let makes: Set = ["create", "add"]

    @Test(
        "What can be made can be listed, changed and ended",
        arguments: Set(
            OperatorController.Operation.allCases.map(\.parts).filter { makes.contains($0.word) }.map(\.subject)
        ).sorted()
    )
    func gaps(_ subject: String) {
        let words = Set(OperatorController.Operation.allCases.map(\.parts).filter { $0.subject == subject }.map(\.word))
        #expect(words.contains("list"), "\(subject) cannot be listed")
        #expect(!words.isDisjoint(with: Self.changes), "\(subject) cannot be changed")
        #expect(!words.isDisjoint(with: Self.ends), "\(subject) cannot be ended")
    }

    @Test(
        "What has a secret can get another one, and lose the one before it",
        arguments: ["app", "group", "developer"]
    )
    func secrets(_ subject: String) {
        for word in ["create", "rename", "rotate_secret", "end_secret", "delete"] {
            #expect(Self.names.contains("\(subject).\(word)"))
        }
    }

    @Test("Every subject of an operation is known here, so that a new one is looked at")
    func subjects() {
        let known: Set = [
            // Made and ended by operators.
            "app", "group", "developer", "credential", "user",
            // The log of their changes, which ends by its retention.
            "audit",
            // Not made by them.
            "node", "doctor", "health", "retention", "settings",
        ]
        #expect(Set(OperatorController.Operation.allCases.map(\.parts.subject)) == known)
    }
}

extension OperatorController.Operation {
    /// `app` and `create` of `app.create`.
    fileprivate var parts: (subject: String, word: String) {
        let parts = rawValue.split(separator: ".", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
    }
}
