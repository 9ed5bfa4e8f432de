package import PushModel

/// A custom message, or a batch of them sent as one, in the order of the log.
package struct CustomMessageRecord: Hashable, Sendable {
    /// The position in the log, ascending across all apps. The messages of a batch share one: each is for another device.
    package var position: Int64
    package var message: MessageID
    /// The id under which the log stores it: the first message of its batch, or its own.
    package var logged: MessageID
    package var app: App.ID
    /// The push as received.
    package var body: [UInt8]
    /// The audience as ascending lists. Empty if not requested, and for a batch.
    package var audience: [OrdinalList]
    /// The pushes that this record stands for, without withdrawn ones. Nil for a single message, and if not requested.
    package var batch: MessageBatch?
    /// Whether the push is of the class `immediate`; known where the body was read for a device.
    package var isImmediate = false
    /// Whether the row of its batch is damaged.
    package var isUnreadable = false

    /// Creates a record; `logged` is nil for a message that the log stores under its own id.
    package init(
        position: Int64,
        message: MessageID,
        logged: MessageID? = nil,
        app: App.ID,
        body: [UInt8],
        audience: [OrdinalList] = []
    ) {
        self.position = position
        self.message = message
        self.logged = logged ?? message
        self.app = app
        self.body = body
        self.audience = audience
    }
}

/// The custom messages that a device receives at login.
package struct WaitingMessages: Hashable, Sendable {
    /// The newest messages, oldest first.
    package var messages: [CustomMessageRecord]
    /// The messages that the device reports to have and the service did not know of, by their ids in the log.
    package var kept: [MessageID]
    /// The position through which the device needs nothing but ``messages``.
    package var through: Int64

    package init(messages: [CustomMessageRecord], kept: [MessageID], through: Int64) {
        self.messages = messages
        self.kept = kept
        self.through = through
    }

    /// The position that the device has passed after login: just before the first waiting message.
    var passedPosition: Int64 { messages.first.map { $0.position - 1 } ?? through }
}

/// Custom messages for which a link had no room.
package struct HeldMessages: Hashable, Sendable {
    /// The messages, oldest first.
    package var messages: [CustomMessageRecord]
    /// The position through which the device needs nothing but ``messages``.
    package var through: Int64
    /// False if there are more.
    package var isAll: Bool

    package init(messages: [CustomMessageRecord], through: Int64, isAll: Bool) {
        self.messages = messages
        self.through = through
        self.isAll = isAll
    }
}

/// Acknowledgements of custom messages by devices, to be written together.
package struct Acknowledgements: Hashable, Sendable {
    /// The position through which each device has received its messages.
    package var cursors: [DeviceID: Int64] = [:]
    /// The delivered messages, by their ids in the log: a device has at most one of a batch.
    package var deliveries: [MessageID: Set<DeviceOrdinal>] = [:]
    /// The number of deliveries, counting repeated ones again.
    private(set) var count = 0

    package init() {}

    var isEmpty: Bool { cursors.isEmpty && deliveries.isEmpty }

    package mutating func add(_ device: DeviceID, through position: Int64, delivered messages: [MessageID]) {
        cursors[device] = max(cursors[device] ?? 0, position)
        for message in messages { deliveries[message, default: []].insert(device.ordinal) }
        count += messages.count
    }

    /// Merges earlier acknowledgements.
    mutating func add(_ earlier: Acknowledgements) {
        cursors.merge(earlier.cursors) { max($0, $1) }
        deliveries.merge(earlier.deliveries) { $0.union($1) }
        count += earlier.count
    }
}
