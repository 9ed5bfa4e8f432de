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
    package enum Kind: String, Hashable, Sendable {
        case send
        /// Nothing: they registered in the other environment.
        case otherEnvironment
        /// Nothing: they have no token.
        case withoutToken
        /// Nothing: push is switched off on them.
        case stopped
        /// A custom message, over their links: the message router's work, so nothing for a worker to lease.
        case message
        /// An in-app message, in the same way.
        case inApp

        /// Whether it goes over the devices' links.
        package var isForLinks: Bool { self == .message || self == .inApp }
    }

    package var id: ID
    package var kind: Kind
    package var ordinals: OrdinalList
    /// Not before then (pacing, back-off).
    package var dueAt: Date
    /// How often it was leased.
    package var attempt = 0
    /// All devices before this place are dealt with.
    package var cursor = 0
    /// The badges of all devices before this place are in the registry already.
    package var prepared = 0
    /// The places to which APNs answered 200.
    package var sent = PlaceSet()
    /// The places that are over without a 200: APNs refused them, or there was no token.
    package var settled = PlaceSet()
    package var isDone = false
    /// Why the last attempt stopped, in the words of a journey event.
    package var problem: JourneyEvent.Kind?
    package var updatedAt: Date

    /// The devices that have had neither a push nor a refusal, in rising order.
    package var rest: [DeviceOrdinal] { placesLeft.map { ordinals.ordinals[$0] } }

    /// Where they stand.
    package var placesLeft: [Int] {
        (cursor..<ordinals.ordinals.count).filter { !sent.contains($0) && !settled.contains($0) }
    }

    package init(id: ID, kind: Kind, ordinals: OrdinalList, dueAt: Date, updatedAt: Date) {
        self.id = id
        self.kind = kind
        self.ordinals = ordinals
        self.dueAt = dueAt
        self.updatedAt = updatedAt
        isDone = kind != .send
    }
}
