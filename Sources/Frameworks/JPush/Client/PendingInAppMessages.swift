import DeviceLink
import PushModel

/// The in-app messages that the app has and has not shown yet, oldest first.
struct PendingInAppMessages: Hashable, Sendable {
    /// The oldest beyond these are given up: an app that calls no page shows none.
    static let limit = 20

    private(set) var waiting: [SDKMessage] = []

    init() {}

    /// One that came before, and of which the position was not kept, is known by its id.
    mutating func add(_ message: SDKMessage) {
        guard !waiting.contains(where: { $0.messageID == message.messageID }) else { return }
        waiting.append(message)
        if waiting.count > Self.limit { waiting.removeFirst() }
    }

    mutating func remove(_ message: SDKMessage) { waiting.removeAll { $0.messageID == message.messageID } }

    // MARK: In the app's store

    /// As frames of the link.
    ///
    /// - Parameter text: nil, or of another kind: nothing.
    init(text: String?) {
        for value in text.flatMap({ try? JSONValue(parsing: $0) })?.array ?? [] {
            guard let text = value.string, case .message(let message) = try? SDKFrame(text: text) else { continue }
            waiting.append(message)
        }
    }

    /// Nil if there is nothing.
    var text: String? {
        if waiting.isEmpty { return nil }
        return JSONValue.array(waiting.map { .string(SDKFrame.message($0).text) }).text
    }
}
