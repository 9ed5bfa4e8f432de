/// One push of a batch: to one device or alias.
package struct BatchPush: Sendable {
    /// The recipient.
    package enum Target: Hashable, Sendable {
        case registrationID(RegistrationID)
        case alias(String)

        var audience: Audience {
            var filter = Audience.Filter()
            switch self {
            case .registrationID(let id): filter.registrationIDs = [id]
            case .alias(let alias): filter.aliases = [alias]
            }
            return .filter(filter)
        }
    }

    /// The parts of a push that decide how it is handled.
    ///
    /// A batch has up to a thousand pushes, so the rest is parsed again when one is sent.
    ///
    /// It is a class because a thousand of them are passed around, and copying a struct with many strings costs as much as parsing it.
    package final class Head: Sendable {
        package let target: Target
        package let options: PushOptions
        package let isForIOS: Bool
        package let hasNotification: Bool
        package let hasVoIP: Bool
        package let hasCallback: Bool
        /// The paths of the members that are accepted and have no effect here.
        package let ignored: [String]
        /// The message for the SDK link.
        package let message: CustomMessage?

        /// Reads an entry without nulls, whose text has a number of bytes.
        ///
        /// - Throws: the first error in any part of the entry.
        init(_ value: JSONValue, bytes: Int, to kind: TargetKind) throws(JPushError) {
            let entry = try BatchPush.entry(value)
            target = try BatchPush.target(of: entry, kind)
            let request = try PushRequest(entry, bytes: bytes, to: target)
            options = request.options
            isForIOS = request.platforms.contains(.ios)
            hasNotification = request.hasNotification
            hasVoIP = request.voip != nil
            hasCallback = request.callback != nil
            ignored = request.ignored
            message = request.linkMessage
        }
    }

    package let target: Target
    package private(set) var request: PushRequest
    private let entry: JSONObject
    private let kind: TargetKind

    /// The push in the form of `POST /v3/push`, with an audience instead of the target.
    package var body: [UInt8] {
        let audience = JSONValue.object(JSONObject([(kind.rawValue, .array([entry["target"] ?? .null]))]))
        let push = entry.replacing("target", with: JSONObject.Member(key: "audience", value: audience))
        return push.bytes
    }

    /// Parses an entry that was accepted before, from its original text.
    ///
    /// - Throws: the same errors as for a new entry.
    package init(parsing text: ArraySlice<UInt8>, cid: String, to kind: TargetKind) throws(JPushError) {
        let json: JSONValue
        do { json = try JSONParser.push(Array(text)) } catch { throw .missing("The push is not JSON: \(error).") }
        entry = try Self.entry(json)
        target = try Self.target(of: entry, kind)
        self.kind = kind
        request = try PushRequest(entry, bytes: text.count, to: target)
        request.cid = cid
    }

    private static func entry(_ value: JSONValue) throws(JPushError) -> JSONObject {
        guard let entry = value.object else { throw .missing("The push is \(value.kind); an object was expected.") }
        return entry
    }

    private static func target(of entry: JSONObject, _ kind: TargetKind) throws(JPushError) -> Target {
        guard let name = entry["target"] else { throw .missing("Missing parameter 'target'.") }
        let target = try target(name, kind)
        for key in ["audience", "cid"] where entry[key] != nil {
            throw .unsupportedKey(
                "'\(key)' is not a key of a push in a batch: it has 'target', and a cid for its name."
            )
        }
        return target
    }

    private static func target(_ value: JSONValue, _ kind: TargetKind) throws(JPushError) -> Target {
        guard let text = value.string else { throw .badValue("'target' is \(value.kind); expected a string.") }
        switch kind {
        case .alias:
            guard JPushLimits.isTag(text) else {
                throw .badValue(
                    """
                    'target' is '\(text.prefix(80))'; expected an alias: 1 to \(JPushLimits.tagBytes) bytes of letters, \
                    digits, '_', Chinese characters and @!#$&*+=.|￥.
                    """
                )
            }
            return .alias(text)
        case .registrationID:
            guard let id = RegistrationID(text) else {
                var error = JPushError.badValue("'target' is '\(text.prefix(80))', which is no registration id.")
                error.illegalRegistrationIDs = [text]
                throw error
            }
            return .registrationID(id)
        }
    }
}
