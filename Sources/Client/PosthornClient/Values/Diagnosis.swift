import Foundation

/// The service's answer to "Why did I get nothing?".
public struct Diagnosis: Hashable, Sendable {
    /// The cause, such as `well`, `permission` or `token_gone`; later services may name others.
    public var cause: String
    /// One sentence for the user, in the language asked for.
    public var sentence: String
    /// The msg_id of the test push; nil if none was sent.
    public var messageID: String?
    /// Whether more may become known: then ask again with ``messageID``.
    public var isFinal: Bool
    /// The facts for the developer, as a JSON object in English.
    public var factsJSON: Data

    /// Creates a diagnosis.
    public init(cause: String, sentence: String, messageID: String?, isFinal: Bool, factsJSON: Data) {
        self.cause = cause
        self.sentence = sentence
        self.messageID = messageID
        self.isFinal = isFinal
        self.factsJSON = factsJSON
    }

    init?(_ body: Data) {
        guard let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let cause = object["cause"] as? String
        else { return nil }
        self.init(
            cause: cause,
            sentence: object["sentence"] as? String ?? cause,
            messageID: object["msg_id"] as? String,
            isFinal: object["final"] as? Bool ?? true,
            factsJSON: (try? JSONSerialization.data(withJSONObject: object["facts"] ?? [:] as [String: Any])) ?? Data()
        )
    }
}
