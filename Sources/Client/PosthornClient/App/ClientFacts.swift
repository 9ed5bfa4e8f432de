import Foundation

/// A line of the debug panel.
struct ClientFact: Hashable, Sendable, Identifiable {
    var name: String
    var value: String

    var id: String { name }
}

extension PosthornClient {
    /// The state of the client for the developer. Of a secret nothing is in it, of a token its first digits.
    var facts: [ClientFact] {
        let state = engine.state
        let values = state?.saved.wanted
        let token = values?.token.map { "\($0.prefix(8))…, digest \(DeviceValues.digest(of: $0))" }
        let waiting =
            (state?.queue.queue ?? []).map { "\($0.operation)" }
            + (state?.outbox.receipts ?? []).map { "\($0.event) of \($0.messageID)" }
        return [
            ClientFact(name: "Registration", value: currentRegistration?.id ?? "none"),
            ClientFact(name: "Service", value: engine.configuration.service.absoluteString),
            ClientFact(name: "Token", value: token ?? "none"),
            ClientFact(name: "Environment", value: "\(engine.configuration.values.environment)"),
            ClientFact(name: "Permission", value: values?.permission?.rawValue ?? "not reported"),
            ClientFact(name: "Waiting", value: waiting.isEmpty ? "nothing" : waiting.joined(separator: "\n")),
            ClientFact(name: "Last calls", value: engine.lastCalls.joined(separator: "\n")),
            ClientFact(name: "Extension", value: extensionLastSeen.map { "last seen \($0)" } ?? "has never reported"),
        ]
    }
}
