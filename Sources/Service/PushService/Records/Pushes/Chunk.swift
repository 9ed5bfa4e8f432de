package import Foundation
package import PushModel

/// A part of a message's audience: the unit that a worker leases, checkpoints and retries. Devices have no rows of their own.
package struct Chunk: Hashable, Sendable {
    package struct ID: Hashable, Sendable {
        package var message: MessageID
        /// Counted from 0 within the message.
        package var number: Int

        package init(message: MessageID, number: Int) {
            self.message = message
            self.number = number
        }
    }

    /// The work for its devices.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case send
        /// Retries pushes that were left undecided for these devices of another chunk.
        case retry
        /// Nothing: the devices registered in the other environment.
        case otherEnvironment
        /// Nothing: the devices have no token.
        case withoutToken
        /// Nothing: APNs has refused their tokens.
        case refused
        /// Nothing: push is switched off on them.
        case stopped
        /// A custom message over the devices' links, sent by the message router; workers do not lease it.
        case message
        /// An in-app message, sent in the same way.
        case inApp

        /// Whether it is sent over the devices' links.
        package var isForLinks: Bool { self == .message || self == .inApp }
        /// Whether a worker sends it to APNs.
        package var isForAPNs: Bool { self == .send || self == .retry }
    }

    package var id: ID
    package var kind: Kind
    package var ordinals: OrdinalList
    /// The earliest time to send (pacing, back-off).
    package var dueAt: Date
    /// For a retry, the number of attempts so far, including the first one in its origin.
    package var attempt = 0
    /// Increases with each lease; updates under an earlier one are ignored.
    package var fence: Int64 = 0
    /// For a retry, the number of the chunk that its devices came from.
    package var origin: Int?
    /// The place before which all devices are finished.
    package var cursor = 0
    /// The place before which the badges of this push are on disk.
    package var prepared = 0
    /// The places for which APNs answered 200.
    package var sent = PlaceSet()
    /// The places that are finished without a 200: refused, withdrawn, suppressed or unreadable.
    package var settled = PlaceSet()
    /// The places whose devices were handed to a retry.
    package var deferred = PlaceSet()
    package var isDone = false
    /// The reason why the last attempt stopped, as a journey event.
    package var problem: JourneyEvent.Kind?
    package var updatedAt: Date

    /// The devices that this chunk still has to send to, in ascending order.
    package var rest: [DeviceOrdinal] { placesLeft.map { ordinals.ordinals[$0] } }

    /// The places that this chunk still has to send to.
    package var placesLeft: [Int] { (cursor..<ordinals.ordinals.count).filter(isOpen) }

    /// Whether a place has neither a push nor a refusal, and was not handed to a retry.
    package func isOpen(_ place: Int) -> Bool {
        !sent.contains(place) && !settled.contains(place) && !deferred.contains(place)
    }

    package init(id: ID, kind: Kind, ordinals: OrdinalList, dueAt: Date, updatedAt: Date) {
        self.id = id
        self.kind = kind
        self.ordinals = ordinals
        self.dueAt = dueAt
        self.updatedAt = updatedAt
        isDone = !kind.isForAPNs
    }

    /// Creates the only chunk of a message, which is due at once.
    package init(onlyChunkOf message: Message, _ kind: Kind, _ ordinals: OrdinalList) {
        let id = ID(message: message.id, number: 0)
        let date = message.acceptedAt
        self.init(id: id, kind: kind, ordinals: ordinals, dueAt: date, updatedAt: date)
    }
}
