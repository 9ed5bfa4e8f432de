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
        else {
            return nil
        }
        let context = Verdict.Context(
            pushEnvironment: facts.message.environment,
            deviceEnvironment: registry.environment(of: device),
            tokenFault: try await tokenFault(of: device, facts)
        )
        let events = facts.customTimeline(at: clock.date)
        var journey = Journey(message: message, registrationID: registry.name(of: device))
        journey.requestID = facts.message.origin?.requestID
        switch facts.custom?.chunk.kind {
        case .inApp: journey.inApp = Journey.Part(events: events, verdict: Verdict(ofInAppMessage: events))
        case .some: journey.custom = Journey.Part(events: events, verdict: Verdict(ofCustomMessage: events))
        case nil: break
        }
        if facts.chunk != nil {
            let events = facts.timeline(of: device.ordinal)
            journey.apnsID = apnsIDs.apnsID(of: message, to: device.ordinal).text
            journey.push = Journey.Part(events: events, verdict: Verdict(events, context: context))
        }
        if let voip = try await store.voipPush(of: message) {
            if voip == message {
                journey.isVoIP = true
            } else {
                let part = try await self.journey(of: voip, to: device)
                (journey.voip, journey.voipAPNsID) = (part?.push, part?.apnsID)
            }
        } else if let origin = try await store.origin(ofVoIPPush: message) {
            (journey.isVoIP, journey.origin) = (true, origin)
        }
        return journey
    }
}

/// The journey of a push to a device, from the request to the user.
package struct Journey: Sendable {
    /// The events and the verdict of one delivery path.
    package struct Part: Sendable {
        package var events: [JourneyEvent]
        package var verdict: Verdict
    }

    package var message: MessageID
    package var registrationID: RegistrationID
    /// The id of the request that the push came with; nil for a push that the service itself sent.
    package var requestID: String?
    /// The apns-id; nil if nothing was to go to the device over APNs.
    package var apnsID: String?
    /// The delivery over APNs.
    var push: Part?
    /// The VoIP push beside the notification, over APNs to the device's token for PushKit.
    package var voip: Part?
    /// Its apns-id; nil if there is none.
    package var voipAPNsID: String?
    /// Whether the delivery over APNs is that of a VoIP push.
    package var isVoIP = false
    /// For a VoIP push beside a notification, the push that it came with.
    package var origin: MessageID?
    /// The push's custom message, over the SDK link.
    package var custom: Part?
    /// The in-app message, which the app shows itself when the user has switched notifications off, over the SDK link.
    package var inApp: Part?

    /// Whether the device was in the audience.
    var isTarget: Bool { push != nil || custom != nil || inApp != nil || voip != nil }
    /// The events of the notification, or of the custom message if the push has nothing else for the device.
    package var events: [JourneyEvent] { (push ?? custom)?.events ?? [] }
    package var verdict: Verdict { (push ?? custom)?.verdict ?? .notInAudience }

    package var json: JSONValue {
        var object: JSONObject = ["msg_id": .string(message.description)]
        object["registration_id"] = .string(registrationID.text)
        object["request_id"] = .orNull(requestID)
        object["apns_id"] = .orNull(apnsID)
        object["verdict"] = verdict.json
        object["events"] = .array(events.map(\.json))
        if push != nil { object["message"] = custom?.json }
        object["inapp"] = inApp?.json
        if isVoIP { object["push_type"] = "voip" }
        object["voip_of"] = origin.map { .string($0.description) }
        if case .object(var part)? = voip?.json {
            part["apns_id"] = .orNull(voipAPNsID)
            object["voip"] = .object(part)
        }
        return .object(object)
    }
}

extension Journey.Part {
    fileprivate var json: JSONValue { ["verdict": verdict.json, "events": .array(events.map(\.json))] }
}

extension Verdict {
    fileprivate var json: JSONValue { ["state": .string(state.rawValue), "sentence": .string(sentence)] }
}
