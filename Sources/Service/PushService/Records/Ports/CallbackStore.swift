package import Foundation
package import PushModel

/// The events that wait for callback addresses. They are written together with the outcome or report that they are about, and counted
/// afterwards, in steps of their own: neither an accepted push nor a checkpoint waits for a count or a receiver.
package protocol CallbackStore: Sendable {
    /// Raised when events were written.
    var callbackSignal: LocalWorkSignal { get }
    /// Counts new events, up to a number of rows, in the order in which they were written, and makes their receivers due.
    /// Events beyond `limit`, the number of an app's rows that may wait, are lost.
    func countCallbacks(at now: Date, limit: Int, rows: Int) async throws -> CallbackCount
    /// Takes due receivers, of each app the one that has waited longest first, until `lease`: no other node takes them before, and a
    /// crash repeats their events then.
    func takeCallbacks(at now: Date, _ limits: CallbackLimits, until lease: Date) async throws -> [CallbackLot]
    /// Returns when the next receiver is due, of apps other than these.
    func nextCallbackDue(besides apps: Set<App.ID>) async throws -> Date?
    /// Records what became of a lot, and makes its receiver due again if more events wait. After `limit` failures events
    /// are given up; returns the number of devices' events for which that happened.
    func endCallbacks(_ lot: CallbackLot, _ outcome: CallbackOutcome, at now: Date, limit: Int) async throws -> Int
    /// Gives up events of a receiver, up to a number of rows, for which `limit` deliveries have failed since they were
    /// counted. A receiver for which nothing waits any more starts anew.
    ///
    /// - Returns: the number of devices' events that were given up; nil if there are no more rows.
    func giveUpCallbacks(of receiver: Int64, limit: Int, rows: Int) async throws -> Int?
    /// Returns the state of a push's callback, with that of its VoIP push; nil if it has none.
    func callbackState(of message: MessageID) async throws -> CallbackState?
    /// Returns the number of rows of events that wait, by app.
    func waitingCallbacks() async throws -> [App.ID: Int]
}

/// The events of apps, for backends that read them by position. They are written together with the outcome or report that they are about.
package protocol EventStore: Sendable {
    /// Returns events of an app after a position, up to a number of rows. Events that have no position yet are given theirs first, by one
    /// reader at a time: whoever has read a position has seen all events before it.
    func events(of app: App.ID, after position: Int64, limit: Int) async throws -> AppEvents
    /// Deletes events that happened before a date, up to a number of rows.
    ///
    /// - Returns: whether there may be more.
    func deleteEvents(before date: Date, limit: Int) async throws -> Bool
}

/// A page of the events of an app.
package struct AppEvents: Sendable {
    /// The kind of an event.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The service has accepted a push; without devices.
        case accepted
        /// APNs has accepted it for a device.
        case sent
        /// A device does not get it.
        case refused
        /// A device has it.
        case received
        /// The user has tapped it.
        case opened
        /// A device has changed the topics that it declines; without a push.
        case declined
        /// A device was deleted, or APNs has reported that its token is gone; without a push.
        case unregistered
    }

    /// An event that happened to several devices at the same time.
    package struct Row: Hashable, Sendable {
        /// The place in the order of the app's events: from 1, without gaps.
        package var position: Int64
        package var kind: Kind
        package var message: MessageID?
        package var part: CallbackPart?
        package var date: Date
        package var ordinals: [DeviceOrdinal]

        package init(
            position: Int64,
            kind: Kind,
            message: MessageID?,
            part: CallbackPart?,
            date: Date,
            ordinals: [DeviceOrdinal]
        ) {
            self.position = position
            self.kind = kind
            self.message = message
            self.part = part
            self.date = date
            self.ordinals = ordinals
        }
    }

    /// By position.
    package var rows: [Row]
    /// The position of the oldest event that is kept; nil if none is.
    package var oldest: Int64?

    package init(rows: [Row], oldest: Int64?) {
        self.rows = rows
        self.oldest = oldest
    }
}

extension PushCallback.Kind {
    /// The kind of the same event among those of an app; nil for several kinds.
    package var event: AppEvents.Kind? {
        switch self {
        case .succeeded: .sent
        case .notDelivered: .refused
        case .delivered: .received
        case .clicked: .opened
        default: nil
        }
    }
}

/// Posts to callback addresses.
package protocol CallbackSender: Sendable {
    /// Posts JSON, with header fields beside those of every request; returns if the answer was 2xx.
    func post(_ body: [UInt8], fields: [(name: String, value: String)], to url: String) async throws(CallbackFailure)
}

/// The error for a callback that was not taken.
package struct CallbackFailure: Error, Hashable, CustomStringConvertible {
    package var description: String
    /// Whether further attempts are pointless.
    package var isFinal: Bool

    package init(_ description: String, isFinal: Bool = false) {
        self.description = description
        self.isFinal = isFinal
    }
}

/// Refuses all addresses: a service that was built without a way out.
struct NoCallbackSender: CallbackSender {
    func post(_ body: [UInt8], fields: [(name: String, value: String)], to url: String) async throws(CallbackFailure) {
        throw CallbackFailure("This service sends no callbacks.", isFinal: true)
    }
}
