import Foundation

/// The service's answer to "Why did I get nothing?".
public struct Diagnosis: Hashable, Sendable {
    /// The cause, such as `well`, `permission` or `token_gone`; later services may name others. The client names `other_phone`.
    public var cause: String
    /// One sentence for the user, in the language asked for.
    public var sentence: String
    /// The msg_id of the test push; nil if none was sent.
    public var messageID: String?
    /// Whether more may become known: then ask again with ``messageID``.
    public var isFinal: Bool
    /// The facts for the developer, as a JSON object in English.
    public var factsJSON: Data
    /// Facts that the device alone knows, for the developer.
    public var notes: [String] = []

    /// Creates a diagnosis.
    public init(cause: String, sentence: String, messageID: String?, isFinal: Bool, factsJSON: Data) {
        self.cause = cause
        self.sentence = sentence
        self.messageID = messageID
        self.isFinal = isFinal
        self.factsJSON = factsJSON
    }

    /// Adds what the device alone knows.
    ///
    /// - Parameters:
    ///   - values: the device's.
    ///   - language: the language of the sentence; nil for the device's.
    ///   - date: the time of a service extension's last report.
    /// - Returns: whether the test push went to another phone, which was restored with the same identity.
    mutating func complete(for values: DeviceValues?, in language: String?, extensionLastSeen date: Date?) -> Bool {
        if date == nil {
            notes.append("The service extension has never reported: the app has none, or they share no App Group.")
        }
        let facts = (try? JSONSerialization.jsonObject(with: factsJSON)) as? [String: Any]
        guard let values, values.isToken(ofAnother: facts?["token_digest"] as? String) else { return false }
        cause = "other_phone"
        sentence =
            (language ?? values.language)?.hasPrefix("zh") == true
            ? "另一台由同一备份恢复的手机收到了本机的通知；本机正在重新注册。"
            : "Another phone, restored from the same backup, gets the notifications of this one, which now registers anew."
        return true
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
