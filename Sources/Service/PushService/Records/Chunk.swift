package import Foundation
package import PushModel

/// A piece of a message's audience: what a worker leases, checkpoints and repeats. No device has a row of its own.
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

    /// What is to be done for its devices.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case send
        /// The push could not be decided for these devices of another chunk: they are tried again by themselves.
        case retry
        /// Nothing: they registered in the other environment.
        case otherEnvironment
        /// Nothing: they have no token.
        case withoutToken
        /// Nothing: APNs has refused their tokens.
        case refused
        /// Nothing: push is switched off on them.
        case stopped
        /// A custom message, over their links: the message router's work, so nothing for a worker to lease.
        case message
        /// An in-app message, in the same way.
        case inApp

        /// Whether it goes over the devices' links.
        package var isForLinks: Bool { self == .message || self == .inApp }
        /// Whether a worker sends it to APNs.
        package var isForAPNs: Bool { self == .send || self == .retry }
    }

    package var id: ID
    package var kind: Kind
    package var ordinals: OrdinalList
    /// Not before then (pacing, back-off).
    package var dueAt: Date
    /// Of a retry: how often it was tried, the first time in its origin included.
    package var attempt = 0
    /// Grows with each lease: what is said under an earlier one counts for nothing.
    package var fence: Int64 = 0
    /// Of a retry: the number of the chunk that its devices came from.
    package var origin: Int?
    /// All devices before this place are dealt with.
    package var cursor = 0
    /// The badges of all devices before this place are in the registry already.
    package var prepared = 0
    /// The places to which APNs answered 200.
    package var sent = PlaceSet()
    /// The places that are over without a 200: APNs refused them, or there was no token.
    package var settled = PlaceSet()
    /// The places whose devices were handed to a retry.
    package var deferred = PlaceSet()
    package var isDone = false
    /// Why the last attempt stopped, in the words of a journey event.
    package var problem: JourneyEvent.Kind?
    package var updatedAt: Date

    /// The devices that are still this chunk's to send to, in rising order.
    package var rest: [DeviceOrdinal] { placesLeft.map { ordinals.ordinals[$0] } }

    /// Where they stand.
    package var placesLeft: [Int] { (cursor..<ordinals.ordinals.count).filter(isOpen) }

    /// Whether a place has had neither a push nor a refusal, and is nobody else's.
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
}
