package import DeviceLink
import Foundation
import PushClock
import PushModel

/// Devices: their links, their apps, and the end of a token.
extension Gateway {
    /// The acceptor of device links.
    package var courier: any LinkAcceptor { CourierAcceptor(gateway: self) }

    private struct CourierAcceptor: LinkAcceptor {
        let gateway: Gateway

        func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
            let link = gateway.change { state in
                let link = state.courier.opened()
                state.courierLinks[link] = connection
                gateway.metrics.devices(state.courierLinks.count)
                return link
            }
            return { [gateway] event in gateway.happened(event, on: link) }
        }
    }

    func happened(_ event: LinkEvent, on link: CourierServer.LinkID) {
        change { state in
            switch event {
            case .opened: break
            case .received(let text):
                self.act(state.courier.received(text, on: link), &state)
                if state.courier.device(on: link) != nil { state.courierLinks[link]?.admit() }
            case .closed:
                state.courierLinks[link] = nil
                self.metrics.devices(state.courierLinks.count)
                self.act(state.courier.closed(link), &state)
            }
        }
    }

    func act(_ actions: [CourierServer.Action], _ state: inout GatewayState) {
        let now = clock.date
        for action in actions {
            switch action {
            case .send(let frame, let link):
                if case .push(let push) = frame, push.channel == nil, let id = APNSID(push.apnsID),
                    let device = state.courier.device(on: link)
                {
                    state.sent[device, default: Ring()].append(id, capacity: GatewayState.rememberedPushes)
                }
                if let connection = state.courierLinks[link] { state.effects.append(.send(frame.text, connection)) }
            case .close(let link):
                if let connection = state.courierLinks.removeValue(forKey: link) {
                    metrics.devices(state.courierLinks.count)
                    state.effects.append(.close(connection))
                }
            case .prove(let device, let key, let link): prove(device, key: key, on: link, in: &state)
            case .register(let app): register(app, at: now, in: &state)
            case .unregister(let app):
                if let index = state.placeOfApp[app] { kill(index, since: now, &state) }
            case .awake(let app, let isAwake):
                guard let index = state.placeOfApp[app] else { break }
                carry(state.records[index].mailbox.setAwake(isAwake, at: now), of: index, at: now, in: &state)
            case .subscribed(let channel, let link): subscribed(to: channel, on: link, at: now, in: &state)
            case .unsubscribed(let channel, let device): unsubscribed(from: channel, device, in: &state)
            case .heard(let apnsID, let device): acknowledgedBroadcast(apnsID, by: device, at: now, in: &state)
            case .acknowledged(let app, let apnsID):
                guard let index = state.placeOfApp[app], let id = APNSID(apnsID) else { break }
                carry(state.records[index].mailbox.acknowledge(id, at: now), of: index, at: now, in: &state)
            case .lost(let app):
                guard let index = state.placeOfApp[app] else { break }
                carry(state.records[index].mailbox.disconnect(at: now), of: index, at: now, in: &state)
            case .record(let event, let device):
                // Text that is not an apns-id was not generated here.
                guard let id = APNSID(event.apnsID) else { break }
                if let number = state.broadcasts.reporter(device, of: id, state.deviceKeys) {
                    record(event.event, of: id, by: number, in: &state)
                } else if wasSent(id, to: device, state) {
                    record(event.event, of: id, in: &state)
                }
            }
        }
    }

    private func prove(_ device: String, key: String, on link: CourierServer.LinkID, in state: inout GatewayState) {
        switch state.deviceKeys.check(device, key) {
        case .bound(let digest): state.tail?.append(.device(device, keyDigest: digest))
        case .matches: break
        case .differs:
            return act(
                state.courier.refuse(
                    link,
                    "The device '\(device)' is known with another key. Use the key of its first connection, or another id."
                ),
                &state
            )
        }
        act(state.courier.welcome(device, on: link), &state)
        resumeChannels(of: device, on: link, in: &state)
    }

    /// Whether a device may report on a push. After a restart, its mailboxes know what was sent before.
    private func wasSent(_ id: APNSID, to device: String, _ state: GatewayState) -> Bool {
        if state.sent[device]?.elements.contains(id) == true { return true }
        return state.courier.apps(of: device).contains { app in
            state.placeOfApp[app].map { state.records[$0].mailbox.remembers(id) } ?? false
        }
    }

    func register(_ app: CourierServer.DeviceApp, at now: Date, in state: inout GatewayState) {
        let token =
            state.placeOfApp[app].map { state.token(at: $0) }
            ?? mint.token(
                device: app.device,
                topic: app.topic,
                environment: app.environment,
                generation: state.removals[app] ?? 0
            )
        let index = add(token, topic: app.topic, environment: app.environment, of: app, in: &state)
        state.placeOfApp[app] = index
        act(state.courier.registered(app, token: token), &state)
        let woken = state.records[index].mailbox.setAwake(state.courier.isAwake(app.device), at: now)
        carry(woken + state.records[index].mailbox.connect(at: now), of: index, at: now, in: &state)
    }

    /// Wakes the device's other mailboxes: a push of priority 10 wakes the device, so pushes that wait for that go along.
    func wakeOthers(than index: Int, _ now: Date, _ state: inout GatewayState) {
        guard let app = state.records[index].app else { return }
        for other in state.courier.apps(of: app.device) where other != app {
            guard let index = state.placeOfApp[other] else { continue }
            carry(state.records[index].mailbox.wake(at: now), of: index, at: now, in: &state)
        }
    }

    /// Ends a token. The pushes that wait for it end too, and their journeys say why.
    func kill(_ index: Int, since date: Date, hasExpired: Bool = false, _ state: inout GatewayState) {
        guard state.records[index].unregistered == nil else { return }
        let death = MailRecord.Death(date: date, hasExpired: hasExpired)
        let now = clock.date
        let lost = state.records[index].mailbox.unacknowledgedIDs
        state.records[index].die(death)
        state.tail?.append(.death(index: index, death))
        for id in lost {
            record(hasExpired ? .refused(.expiredToken) : .suppressed(.notInstalled), of: id, at: now, in: &state)
        }
        countWaiting(at: index, &state)
        guard let app = state.records[index].app else { return }
        state.placeOfApp[app] = nil
        state.removals[app, default: 0] += 1
    }
}

// MARK: - Delivery

extension Gateway {
    /// Delivers a push to a device, unless a fault prevents it.
    func deliver(_ push: MailboxPush, to app: CourierServer.DeviceApp, of index: Int, _ state: inout GatewayState) {
        let end = state.records[index].mailbox.expiration(onTheWay: push.id)
        var frame = push.courierPush(state.records[index].environment, until: end)
        // The device has several tokens of the topic: it learns which one the push was sent to.
        if CourierTopic(text: app.topic).name != nil { frame.topic = app.topic }
        let fault =
            faultController.isBusy
            ? faultController.deliver(FaultDelivery(frame, state.token(at: index))) : .copies(1)
        switch fault {
        case .copies(let count):
            for _ in 0..<count { act(state.courier.deliver(frame, to: app), &state) }
        case .dropped: break
        case .lost:
            let now = clock.date
            // As if it had arrived, but without an event.
            state.tail?.append(.gone(index: index, push.id))
            let effects = state.records[index].mailbox.acknowledge(push.id, at: now)
            carry(effects.filter { $0 != .delivered(push.id) }, of: index, at: now, in: &state)
        }
    }
}
