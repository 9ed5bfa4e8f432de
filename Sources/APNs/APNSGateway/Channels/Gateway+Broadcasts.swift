import DeviceLink
import Foundation
import PushClock
import PushModel

/// The ids by which the provider knows a channel message.
struct BroadcastIDs {
    var id: APNSID
    /// The value of `apns-unique-id`; nil in production.
    var uniqueID: APNSID?
}

/// Channel messages on their way to the subscribed devices.
///
/// A message costs nothing for a subscriber without a link: the subscription itself says what its device has acknowledged. The
/// linked ones get the same bytes, which are encoded once.
extension Gateway {
    /// Stores a message by its channel's policy, and sends it to the subscribed devices that are linked.
    ///
    /// - Throws: the reason why the channel does not accept it.
    func publish(
        _ asked: Judge.Publication,
        as ids: BroadcastIDs,
        payload: [UInt8],
        environment: APNSEnvironment,
        at now: Date
    ) throws(Judge.Rejection) {
        let channel = CourierChannel(topic: asked.bundleID, environment: environment, id: asked.channel)
        var message = Broadcast(
            id: ids.id,
            payload: payload,
            priority: asked.priority,
            expiration: Date(timeIntervalSince1970: Double(asked.expiration))
        )
        let reason: APNSReason? = change { state in
            // A channel that stores nothing accepts no expiration date. Source: Apple, "Sending broadcast push notification
            // requests to APNs", of apns-expiration, read October 2026.
            let storage = state.channels.storage(of: channel)
            switch storage {
            case nil: return .channelNotRegistered
            case .nothing where asked.expiration != 0: return .badExpirationDate
            default: break
            }
            message.number = state.broadcasts.nextNumber()
            let links = state.courier.listeners(to: channel)
            let effects = state.channels.publish(message, to: channel, isHeard: !links.isEmpty, at: now) ?? []
            let isStored = effects.contains(.stored(ids.id))
            if isStored, let kept = state.channels.storedBroadcast(in: channel, at: now) {
                message = kept
                state.tail?.append(.broadcast(channel, kept))
            }
            let isPolicy = storage == .nothing
            state.broadcasts.add(
                BroadcastFacts(
                    id: ids.id,
                    uniqueID: ids.uniqueID,
                    number: message.number,
                    channel: channel,
                    date: now,
                    state: isStored ? .stored(until: message.expiration) : .notStored(isPolicy: isPolicy),
                    subscribers: state.subscriptions.count(of: channel),
                    sent: NumberSet(links.compactMap { number(of: $0, state) })
                )
            )
            self.carry(effects, at: now, in: &state)
            send(message.courierPush(channel, isStored: isStored), to: links, &state)
            return nil
        }
        if let reason { throw Judge.Rejection(reason) }
    }

    private func send(_ push: CourierPush, to links: [CourierServer.LinkID], _ state: inout GatewayState) {
        let connections = links.compactMap { state.courierLinks[$0] }
        guard !connections.isEmpty else { return }
        state.effects.append(.sendToAll(LinkBatch([CourierFrame.push(push).text]), connections))
    }

    private func number(of link: CourierServer.LinkID, _ state: GatewayState) -> UInt32? {
        state.courier.device(on: link).flatMap { state.deviceKeys.number(of: $0) }
    }

    // MARK: - Subscriptions

    /// Handles a subscription: the device gets the channel's stored message, or learns that there is no such channel.
    func subscribed(
        to channel: CourierChannel,
        on link: CourierServer.LinkID,
        at now: Date,
        in state: inout GatewayState
    ) {
        guard state.channels.storage(of: channel) != nil, let number = number(of: link, state) else {
            return act(state.courier.endChannel(channel, on: link), &state)
        }
        let known = state.subscriptions.index(of: number, in: channel)
        let index =
            known ?? state.subscriptions.add(number, to: channel, since: state.broadcasts.lastNumber)
        if known == nil, let record = state.subscriptionRecord(at: index) { state.tail?.append(record) }
        deliverStored(in: channel, to: index, on: link, &state)
    }

    func unsubscribed(from channel: CourierChannel, _ device: String, in state: inout GatewayState) {
        guard let number = state.deviceKeys.number(of: device),
            let index = state.subscriptions.index(of: number, in: channel)
        else { return }
        state.subscriptions.remove(at: index)
        state.tail?.append(.unsubscribed(index: index))
    }

    /// Continues the subscriptions of a device that has linked, and delivers the stored messages that it has not acknowledged.
    func resumeChannels(of device: String, on link: CourierServer.LinkID, in state: inout GatewayState) {
        guard let number = state.deviceKeys.number(of: device) else { return }
        for index in state.subscriptions.indices(of: number).reversed() {
            guard let subscription = state.subscriptions.subscription(at: index) else { continue }
            let channel = state.subscriptions.channel(of: subscription)
            state.courier.resume(channel, on: link)
            deliverStored(in: channel, to: index, on: link, &state)
        }
    }

    private func deliverStored(
        in channel: CourierChannel,
        to index: Int,
        on link: CourierServer.LinkID,
        _ state: inout GatewayState
    ) {
        guard let subscription = state.subscriptions.subscription(at: index),
            let kept = state.channels.storedBroadcast(in: channel, at: clock.date),
            subscription.through < kept.number
        else { return }
        state.broadcasts.sent(kept.id, to: subscription.device)
        act([.send(.push(kept.courierPush(channel, isStored: true)), link)], &state)
    }

    /// Records that a message has arrived at a device: once for each device, so that it is not sent there again.
    func acknowledgedBroadcast(_ text: String, by device: String, at now: Date, in state: inout GatewayState) {
        guard let id = APNSID(text), let number = state.deviceKeys.number(of: device),
            state.broadcasts.acknowledged(id, by: number)
        else { return }
        state.tally.count(.delivered)
        metrics.count(.delivered)
        // Not in the feed of events, which a message to a million devices would fill; ``BroadcastFacts`` remember it.
        if sink != nil {
            let event = JourneyEvent(date: now, station: .gateway, kind: .delivered)
            state.effects.append(.record(event, .push(apnsID: id.text)))
        }
        guard let facts = state.broadcasts.facts(of: id), case .stored = facts.state,
            let index = state.subscriptions.index(of: number, in: facts.channel)
        else { return }
        state.subscriptions.acknowledge(facts.number, at: index)
        state.tail?.append(.heard(index: index, number: facts.number))
    }
}

extension GatewayState {
    /// The record of the subscription at an index; nil if the index is not in use.
    func subscriptionRecord(at index: Int) -> MailRecord? {
        subscriptions.subscription(at: index).map { subscription in
            .subscribed(
                index: index,
                MailRecord.Subscription(
                    device: deviceKeys.device(subscription.device),
                    channel: subscriptions.channel(of: subscription),
                    since: subscription.since,
                    through: subscription.through
                )
            )
        }
    }
}
