package import DeviceLink
import Foundation
package import PushModel
import Synchronization

/// The state of a channel message for one device, with a sentence that says why.
package struct BroadcastStanding: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// The device has acknowledged it.
        case delivered
        /// It was sent to the device's link, and is not acknowledged yet.
        case sent
        /// It is stored, and the device gets it with its next link.
        case waiting
        /// The device was not linked, and the message was not stored.
        case notStored
        /// The link ended before the device acknowledged it, and the message was not stored.
        case lost
        case coalesced
        case expired
        /// The channel was deleted.
        case deleted
        /// The device subscribed after the message was sent.
        case subscribedLater
        /// The device is not subscribed to the channel.
        case notSubscribed
    }

    /// The request id of the message in lower case.
    package var apnsID: String
    package var device: String
    package var channel: CourierChannel
    package var state: State
    /// The explanation, without a full stop.
    package var sentence: String
    /// The events that the device has reported and the gateway still remembers, oldest first.
    package var events: [JourneyEvent] = []

    var json: JSONObject {
        JSONObject(present: [
            "apns-id": apnsID, "device": device, "topic": channel.topic, "environment": channel.environment,
            "channel": channel.id, "state": state.rawValue, "sentence": sentence, "events": events.map(\.json),
        ])
    }
}

extension BroadcastFacts {
    /// A device's relation to the channel.
    struct Listener {
        var device: UInt32
        var isLinked: Bool
        /// Nil if the device is not subscribed to the channel.
        var subscription: ChannelSubscriptions.Subscription?
    }

    func standing(for listener: Listener) -> (BroadcastStanding.State, sentence: String) {
        if delivered.contains(listener.device) || listener.subscription?.through == number {
            return (.delivered, "delivered to the device, which has acknowledged it")
        }
        let wasSent = sent.contains(listener.device)
        if wasSent, listener.isLinked, !isOver {
            return (.sent, "sent to the device, which has not acknowledged it yet")
        }
        guard let subscription = listener.subscription else {
            return (.notSubscribed, "not sent: the device is not subscribed to the channel")
        }
        if case .stored(let date) = state {
            let end = date.formatted(.iso8601)
            return (.waiting, "waits: the device is not linked; it gets the message with its next link, until \(end)")
        }
        guard subscription.since < number else {
            return (.subscribedLater, "not sent: the device subscribed after it was sent, and it is not stored")
        }
        return ending(wasSent: wasSent)
    }

    /// Whether it cannot be delivered any more.
    private var isOver: Bool {
        switch state {
        case .stored, .notStored: false
        case .coalesced, .expired, .deleted: true
        }
    }

    private func ending(wasSent: Bool) -> (BroadcastStanding.State, sentence: String) {
        let cause = wasSent ? "the device acknowledged it" : "the device linked"
        switch state {
        case .stored: return (.waiting, "waits")
        case .notStored where wasSent:
            return (.lost, "not delivered: the link ended before the device acknowledged it, and it was not stored")
        case .notStored(let isPolicy):
            let why =
                isPolicy
                ? "the channel stores nothing (message-storage-policy 0)"
                : "its apns-expiration was not in the future; give it one, so that the channel stores it"
            return (.notStored, "not delivered: the device was not linked when it was sent, and \(why)")
        case .coalesced(let newer):
            let sentence = "a newer message of the channel, \(newer.text), took its place before \(cause)"
            return (.coalesced, "not delivered: \(sentence)")
        case .expired(let date):
            return (.expired, "not delivered: it expired at \(date.formatted(.iso8601)), before \(cause)")
        case .deleted: return (.deleted, "not delivered: the channel was deleted before \(cause)")
        }
    }

    /// The state for all devices, as a word of ``PushStanding/state``.
    var stateName: String {
        switch state {
        case .stored: "stored"
        case .notStored: delivered.count > 0 ? "delivered" : sent.count > 0 ? "sent" : "expired"
        case .coalesced: "coalesced"
        case .expired, .deleted: "expired"
        }
    }

    /// The message for all devices.
    var json: JSONObject {
        var object = JSONObject(present: [
            "topic": channel.topic, "environment": channel.environment, "channel": channel.id,
            "subscribers": subscribers, "sent": sent.count, "delivered": delivered.count,
            "apns-unique-id": uniqueID?.text, "at": date?.iso8601,
        ])
        if case .stored(let date) = state { object["until"] = .string(date.iso8601) }
        return object
    }
}

extension Gateway {
    /// Explains a channel message for one device; nil if the message is not remembered, or the device has never connected.
    ///
    /// `text` is the request id, or in development the unique id, in upper or lower case.
    package func broadcastStanding(of text: String, for device: String) -> BroadcastStanding? {
        guard let id = APNSID(text) else { return nil }
        return state.withLock { state in
            guard let facts = state.broadcasts.facts(of: id), let number = state.deviceKeys.number(of: device) else {
                return nil
            }
            let index = state.subscriptions.index(of: number, in: facts.channel)
            let (found, sentence) = facts.standing(
                for: BroadcastFacts.Listener(
                    device: number,
                    isLinked: state.courier.isLinked(device),
                    subscription: index.flatMap { state.subscriptions.subscription(at: $0) }
                )
            )
            return BroadcastStanding(
                apnsID: facts.id.text,
                device: device,
                channel: facts.channel,
                state: found,
                sentence: sentence,
                events: state.feed.events(of: facts.id, by: number)
            )
        }
    }
}
