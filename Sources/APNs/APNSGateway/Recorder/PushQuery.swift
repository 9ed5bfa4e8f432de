import PushModel

/// The conditions of a search for recorded pushes; nil for any value.
struct PushQuery: Sendable {
    var token: String?
    var topic: String?
    var collapseID: String?
    var apnsID: String?
    var environment: APNSEnvironment?
    var status: Int?
    var reason: APNSReason?
    /// A part of the payload, in the provider's spelling, or of a string in it.
    var text: String?
    /// Only the push with this number.
    var number: Int?
    /// Only pushes with a higher number.
    var after = 0

    func matches(_ push: RecordedPush) -> Bool {
        guard push.number > after, number.map({ $0 == push.number }) ?? true else { return false }
        guard token.map({ $0.lowercased() == push.token }) ?? true else { return false }
        guard topic.map({ $0 == push.header("apns-topic") }) ?? true else { return false }
        guard collapseID.map({ push.header("apns-collapse-id")?.isSame(as: $0) == true }) ?? true else { return false }
        guard apnsID.map({ $0.lowercased() == push.apnsID }) ?? true else { return false }
        guard environment.map({ $0 == push.environment }) ?? true else { return false }
        guard status.map({ $0 == push.status }) ?? true else { return false }
        guard reason.map({ $0 == push.reason }) ?? true else { return false }
        return text.map { Self.contains($0, push) } ?? true
    }

    /// Whether the text occurs in the payload as it was sent, or in one of its strings, which may be sent with escapes.
    private static func contains(_ text: String, _ push: RecordedPush) -> Bool {
        if push.text.contains(text) { return true }
        return (try? JSONValue(parsing: push.payload)).map { contains(text, $0) } ?? false
    }

    private static func contains(_ text: String, _ value: JSONValue) -> Bool {
        switch value {
        case .string(let string): string.contains(text)
        case .array(let values): values.contains { contains(text, $0) }
        case .object(let object): object.members.contains { $0.key.contains(text) || contains(text, $0.value) }
        default: false
        }
    }
}
