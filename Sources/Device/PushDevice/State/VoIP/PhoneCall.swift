import Foundation
import PushModel
import SystemPort

/// A call on the device.
struct PhoneCall: Sendable {
    let id: UUID
    let bundleID: String
    /// The provider within the app's process.
    let provider: Int
    let isOutgoing: Bool
    var update: CallUpdateRecord
    var state: ShownCall.State
    var isMuted = false
    /// The group that it belongs to; nil for a call of its own.
    var group: UUID?
    /// The time at which it was connected.
    var connected: Date?
    /// The push that announced it.
    var subject: JourneySubject?

    var mayBeHeld: Bool { update.supportsHolding ?? true }

    var record: CallRecord {
        var record = CallRecord(id: id)
        record.isOutgoing = isOutgoing
        record.isOnHold = state == .held
        record.hasConnected = connected != nil
        return record
    }
}

/// An action that an app has to perform.
struct PendingCallAction: Sendable {
    var action: CallActionRecord
    var bundleID: String
    var provider: Int
}

/// A provider of one app.
struct CallProviderKey: Hashable, Sendable {
    var bundleID: String
    var provider: Int
}
