import DeviceLink
import PushModel

/// The receipts that wait for the service, and those reported recently.
struct PendingReceipts: Hashable, Sendable {
    private struct Name: Hashable, Sendable {
        var messageID: Int64
        var event: SDKReceipt.Event
    }

    /// The maximum number of receipts in one request.
    static let batch = 100
    /// The number of reported receipts to remember; the callbacks of one push come close together.
    static let memory = 1000

    private(set) var waiting: [SDKReceipt] = []
    /// The reported receipts, oldest first, including those that wait.
    private var reported: [Name] = []

    init() {}

    /// - Returns: false if it was reported before.
    mutating func add(_ receipt: SDKReceipt) -> Bool {
        let name = Name(messageID: receipt.messageID, event: receipt.event)
        guard !reported.contains(name) else { return false }
        reported.append(name)
        if reported.count > Self.memory { reported.removeFirst(reported.count - Self.memory) }
        waiting.append(receipt)
        return true
    }

    /// Removes the receipts that the service has answered.
    mutating func settle(_ receipts: [SDKReceipt]) { waiting.removeAll { receipts.contains($0) } }

    /// Takes over the receipts of an earlier process; those of this process follow.
    mutating func join(_ older: PendingReceipts) {
        let newer = waiting
        self = older
        for receipt in newer { _ = add(receipt) }
    }

    // MARK: In the app's store

    /// - Parameter text: the stored text; nil, or text in another format, yields no receipts.
    init(text: String?) {
        guard let object = text.flatMap({ try? JSONValue(parsing: $0) })?.object else { return }
        waiting = (object["waiting"]?.array ?? []).compactMap { Self.name($0) }.map(\.receipt)
        reported = (object["told"]?.array ?? []).compactMap { Self.name($0) }.map(\.name)
    }

    var text: String {
        let waiting = waiting.map { Self.value($0.messageID, $0.event, time: $0.time) }
        let reported = reported.map { Self.value($0.messageID, $0.event, time: nil) }
        return JSONValue.object(["waiting": .array(waiting), "told": .array(reported)]).text
    }

    private static func value(_ messageID: Int64, _ event: SDKReceipt.Event, time: Int64?) -> JSONValue {
        .array([.integer(messageID), .string(event.rawValue)] + (time.map { [.integer($0)] } ?? []))
    }

    private static func name(_ value: JSONValue) -> (name: Name, receipt: SDKReceipt)? {
        guard let parts = value.array, parts.count >= 2, let messageID = parts[0].integer,
            let event = parts[1].string.flatMap(SDKReceipt.Event.init(rawValue:))
        else { return nil }
        let time = parts.count > 2 ? parts[2].integer ?? 0 : 0
        return (Name(messageID: messageID, event: event), SDKReceipt(messageID: messageID, event: event, time: time))
    }
}
