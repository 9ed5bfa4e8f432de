package import PushModel

/// A custom message in the order in which all of them go out, or those of a batch, which go out as one.
package struct CustomMessageRecord: Hashable, Sendable {
    /// Later ones have greater numbers, whatever their app. Those of a batch have the same: each is for another device.
    package var position: Int64
    package var message: MessageID
    /// Under which the log has it: the first message of the batch in which it lies, or itself.
    package var logged: MessageID
    package var app: App.ID
    /// The push, as it was received.
    package var body: [UInt8]
    /// Who is meant: lists of which each rises. Empty where nobody asked for it, and for a batch.
    package var audience: [OrdinalList]
    /// The pushes for which this stands, without those that were withdrawn. Nil for one, and where nobody asked for it.
    package var batch: MessageBatch?
    /// The row of its batch is damaged.
    package var isUnreadable = false

    /// * `logged`: nil for a message that the log has under its own id.
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

/// The custom messages that a device finds when it logs in.
package struct WaitingMessages: Hashable, Sendable {
    /// The newest ones, oldest first.
    package var messages: [CustomMessageRecord]
    /// Those that the device says to have, and of which the service did not know it, as the log has them.
    package var kept: [MessageID]
    /// Up to here the device needs nothing but ``messages``.
    package var through: Int64

    package init(messages: [CustomMessageRecord], kept: [MessageID], through: Int64) {
        self.messages = messages
        self.kept = kept
        self.through = through
    }

    /// What is behind the device once it has logged in: all before the first that waits.
    var settled: Int64 { messages.first.map { $0.position - 1 } ?? through }
}

/// Custom messages for which a link had no room.
package struct HeldMessages: Hashable, Sendable {
    /// Oldest first.
    package var messages: [CustomMessageRecord]
    /// Up to here the device needs nothing but ``messages``.
    package var through: Int64
    /// False if there are more.
    package var isAll: Bool

    package init(messages: [CustomMessageRecord], through: Int64, isAll: Bool) {
        self.messages = messages
        self.through = through
        self.isAll = isAll
    }
}

/// What devices say of the custom messages that they have, to be written together.
package struct Acknowledgements: Hashable, Sendable {
    /// Up to where each device has had its messages.
    package var cursors: [DeviceID: Int64] = [:]
    /// The messages that came to devices, as the log has them: a device has one of a batch at most.
    package var deliveries: [MessageID: Set<DeviceOrdinal>] = [:]
    /// Deliveries, or more where some were said twice.
    private(set) var count = 0

    package init() {}

    var isEmpty: Bool { cursors.isEmpty && deliveries.isEmpty }

    package mutating func add(_ device: DeviceID, through position: Int64, delivered messages: [MessageID]) {
        cursors[device] = max(cursors[device] ?? 0, position)
        for message in messages { deliveries[message, default: []].insert(device.ordinal) }
        count += messages.count
    }

    /// Takes in what was said before.
    mutating func add(_ earlier: Acknowledgements) {
        cursors.merge(earlier.cursors) { max($0, $1) }
        deliveries.merge(earlier.deliveries) { $0.union($1) }
        count += earlier.count
    }
}
