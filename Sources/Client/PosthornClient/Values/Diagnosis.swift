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
    /// Facts that the device alone knows, for the developer, in the language of the sentence.
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
        let isChinese = (language ?? values?.language)?.hasPrefix("zh") == true
        let facts = (try? JSONSerialization.jsonObject(with: factsJSON)) as? [String: Any]
        guard values?.isToken(ofAnother: facts?["token_digest"] as? String) == true else {
            // Where the service knows of another cause, that comes first.
            if date == nil, cause == "well" {
                notes.append(
                    isChinese
                        ? "通知服务扩展从未上报：App 没有扩展，或者两者没有共用 App Group。"
                        : "The service extension has never reported: the app has none, or they share no App Group."
                )
            }
            return false
        }
        cause = "other_phone"
        sentence =
            isChinese
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
