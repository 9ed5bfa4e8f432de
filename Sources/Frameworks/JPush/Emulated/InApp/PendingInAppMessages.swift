import DeviceLink
import PushModel

/// The in-app messages that the app has not shown yet, oldest first.
struct PendingInAppMessages: Hashable, Sendable {
    /// The maximum number of messages; the oldest beyond it are dropped, as an app that reports no page shows none.
    static let limit = 20

    private(set) var waiting: [SDKMessage] = []

    init() {}

    /// Adds a message. One received before, whose position was not stored, is recognised by its id.
    mutating func add(_ message: SDKMessage) {
        guard !waiting.contains(where: { $0.messageID == message.messageID }) else { return }
        waiting.append(message)
        if waiting.count > Self.limit { waiting.removeFirst() }
    }

    mutating func remove(_ message: SDKMessage) { waiting.removeAll { $0.messageID == message.messageID } }

    // MARK: In the app's store

    /// Reads messages from frames of the link.
    ///
    /// - Parameter text: the stored text; nil, or text in another format, yields no messages.
    init(text: String?) {
        for value in text.flatMap({ try? JSONValue(parsing: $0) })?.array ?? [] {
            guard let text = value.string, case .message(let message) = try? SDKFrame(text: text) else { continue }
            waiting.append(message)
        }
    }

    /// The stored text; nil without messages.
    var text: String? {
        if waiting.isEmpty { return nil }
        return JSONValue.array(waiting.map { .string(SDKFrame.message($0).text) }).text
    }
}
