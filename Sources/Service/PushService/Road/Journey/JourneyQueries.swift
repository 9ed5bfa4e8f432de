import PushClock
package import PushModel

/// Answers what happened to a push on a device, and why.
package struct JourneyQueries: Sendable {
    let store: any JourneyStore & DeviceStore
    let registry: Registry
    let others: OtherNodes?
    let log: JourneyLog
    let apnsIDs: APNSIDCodec
    let clock: any CivilClock

    /// Returns the journey of a message to a device; nil if the app has no such message.
    package func journey(of message: MessageID, to registrationID: RegistrationID, app: App) async throws -> Journey? {
        try await others?.lookUp(registrationID, of: app.id)
        if let device = registry.device(registrationID, of: app.id) {
            return try await journey(of: message, to: device)
        }
        // Journeys are kept as long as the push, even after the device was deleted.
        guard let device = registry.deviceNamed(by: registrationID, of: app.id) else { return nil }
        let journey = try await journey(of: message, to: device)
        return journey?.isTarget == true ? journey : nil
    }

    /// The reason why there is no journey: the push or the device was deleted. Nil if the app is not known to have had either.
    package func absence(of message: MessageID, to registrationID: RegistrationID, app: App) async throws -> Remark? {
        if let remark = try await absence(of: message, app: app) { return remark }
        guard let device = registry.deviceNamed(by: registrationID, of: app.id),
            let deletion = try await store.deletion(of: device)
        else { return nil }
        return Remark(.deviceDeleted, ["count": deletion.days])
    }

    /// The reason why there is no journey, whatever it is: the app is not known to have had the push, else the device.
    package func reason(
        ofAbsence message: MessageID,
        to registrationID: RegistrationID,
        app: App
    ) async throws -> Remark {
        if let remark = try await absence(of: message, to: registrationID, app: app) { return remark }
        // With any device, the store finds the push.
        let facts = try await store.journey(of: message, to: DeviceOrdinal(1))
        return facts?.message.app == app.id
            ? Remark(.deviceUnknown, ["app": app.name, "id": registrationID.text])
            : Remark(.messageUnknown, ["message": message])
    }

    /// The reason why there is no journey for an apns-id.
    package func absence(ofAPNsID apnsID: String, app: App) async throws -> Remark? {
        guard let (message, _) = apnsIDs.identity(of: apnsID) else { return nil }
        return try await absence(of: message, app: app)
    }

    /// The reason why a push is not there: it was deleted. Nil if the app is not known to have had it.
    package func absence(of message: MessageID, app: App) async throws -> Remark? {
        guard let deletion = try await store.deletion(of: message, app: app.id) else { return nil }
        return Remark(.messageDeleted, ["count": deletion.days])
    }

    /// Returns the journey for an apns-id; nil if the service did not create it, or it belongs to another app.
    package func journey(ofAPNsID apnsID: String, app: App) async throws -> Journey? {
        guard let (message, ordinal) = apnsIDs.identity(of: apnsID) else { return nil }
        return try await journey(of: message, to: DeviceID(app: app.id, ordinal: ordinal))
    }

    /// The reason why APNs refused the device's token, if known.
    private func tokenFault(of device: DeviceID, _ facts: JourneyFacts) async throws -> TokenFault? {
        let isRefused = facts.events.contains { event in
            if case .refused(let reason) = event.kind { reason.isAboutToken && !reason.isTokenGone } else { false }
        }
        guard isRefused, let known = try await store.device(device) else { return nil }
        if known.environment != facts.message.environment { return .otherEnvironment(known.environment) }
        // A token registered since then is a different one.
        guard known.tokenRefusal != nil, let token = known.token else { return nil }
        return TokenFault(token)
            ?? registry.app(with: token, besides: device.app).map { .otherApp(bundleID: $0.bundleID) }
    }

    private func journey(of message: MessageID, to device: DeviceID) async throws -> Journey? {
        try await log.flush()
        guard let facts = try await store.journey(of: message, to: device.ordinal), facts.message.app == device.app
        else { return nil }
        let context = Verdict.Context(
            pushEnvironment: facts.message.environment,
            deviceEnvironment: registry.environment(of: device),
            tokenFault: try await tokenFault(of: device, facts)
        )
        var journey = Journey(msgID: message.description, registrationID: registry.name(of: device).text)
        journey.requestID = facts.message.origin?.requestID
        if facts.chunk != nil {
            journey.apnsID = apnsIDs.apnsID(of: message, to: device.ordinal).text
            journey.events = facts.timeline(of: device.ordinal)
            journey.verdict = Verdict(journey.events, context: context)
        }
        let events = facts.customTimeline(at: clock.date)
        switch facts.custom?.chunk.kind {
        case .inApp: journey.inApp = Journey.Part(verdict: Verdict(ofInAppMessage: events), events: events)
        case .some where journey.apnsID == nil:
            journey.verdict = Verdict(ofCustomMessage: events)
            journey.events = events
        case .some: journey.custom = Journey.Part(verdict: Verdict(ofCustomMessage: events), events: events)
        case nil: break
        }
        // One for the device alone goes before the one for all, which does not ask it then.
        let orders = facts.chunk == nil ? [] : try await store.takeBacks(of: message, on: device.ordinal)
        if let order = orders.first(where: { $0.device != nil }) ?? orders.first,
            var part = try await self.journey(of: order.id, to: device)?.main, let asked = part.events.first
        {
            let isAnswered = part.events.contains { if case .takenBack = $0.kind { true } else { false } }
            if !isAnswered, !registry.seen([device.ordinal], of: device.app, after: asked.date).isEmpty {
                part.events.append(.service(.suppressed(.olderClient), at: clock.date))
                part.verdict = Verdict(part.events.suffix(1))
            }
            journey[keyPath: order.device == nil ? \Journey.takenBack : \Journey.readElsewhere] = part
        }
        if let voip = try await store.voipPush(of: message) {
            if voip == message {
                journey.pushType = .voip
            } else if let part = try await self.journey(of: voip, to: device)?.main, part.apnsID != nil {
                journey.voip = part
            }
        } else if let origin = try await store.origin(ofVoIPPush: message) {
            journey.pushType = .voip
            journey.origin = origin.description
        }
        return journey
    }
}
