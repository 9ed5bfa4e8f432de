import Foundation
package import PushModel

/// Answers "what happened to this push on this device, and why".
package struct JourneyBook: Sendable {
    let store: any PushStore
    let registry: Registry
    let log: JourneyLog
    let apnsIDs: APNsIDCodec

    /// Nil if the app has no such message.
    package func journey(of message: MessageID, to registrationID: RegistrationID, app: App) async throws -> Journey? {
        if let device = registry.device(registrationID, of: app.id) {
            return try await journey(of: message, to: device)
        }
        // What went to a device stays known as long as the push, also when the device was deleted.
        guard let device = registry.deviceNamed(by: registrationID, of: app.id) else { return nil }
        let journey = try await journey(of: message, to: device)
        return journey?.apnsID == nil ? nil : journey
    }

    /// Why there is no journey: the push, or the device, was deleted; nil if neither was ever the app's, as far as anybody knows.
    package func absence(
        of message: MessageID,
        to registrationID: RegistrationID,
        app: App
    ) async throws -> String? {
        if let sentence = try await absence(of: message, app: app) { return sentence }
        guard let device = registry.deviceNamed(by: registrationID, of: app.id),
            let deletion = try await store.deletion(of: device)
        else { return nil }
        return "The device was deleted \(deletion.days) days after its last sign of life (setting retention.devices)."
    }

    /// The same for an apns-id.
    package func absence(ofAPNsID apnsID: String, app: App) async throws -> String? {
        guard let (message, _) = apnsIDs.identity(of: apnsID) else { return nil }
        return try await absence(of: message, app: app)
    }

    private func absence(of message: MessageID, app: App) async throws -> String? {
        guard let deletion = try await store.deletion(of: message, app: app.id) else { return nil }
        return "The push was deleted \(deletion.days) days after its last delivery (setting retention.messages)."
    }

    /// Nil for an apns-id that the service did not make, or of another app.
    package func journey(ofAPNsID apnsID: String, app: App) async throws -> Journey? {
        guard let (message, ordinal) = apnsIDs.identity(of: apnsID) else { return nil }
        return try await journey(of: message, to: DeviceID(app: app.id, ordinal: ordinal))
    }

    private func journey(of message: MessageID, to device: DeviceID) async throws -> Journey? {
        try await log.flush()
        guard let facts = try await store.journey(of: message, to: device.ordinal), facts.message.app == device.app
        else {
            return nil
        }
        let context = Verdict.Context(
            pushEnvironment: facts.message.environment,
            deviceEnvironment: registry.environment(of: device)
        )
        let events = facts.timeline(of: device.ordinal)
        let isTarget = facts.chunk != nil
        return Journey(
            message: message,
            registrationID: registry.name(of: device),
            apnsID: isTarget ? apnsIDs.apnsID(of: message, to: device.ordinal) : nil,
            events: events,
            verdict: isTarget ? Verdict(events, context: context) : .notInAudience
        )
    }
}

/// A push and a device, from the request to the person.
package struct Journey: Sendable {
    package var message: MessageID
    package var registrationID: RegistrationID
    /// Nil if the device was not in the audience.
    package var apnsID: String?
    package var events: [JourneyEvent]
    package var verdict: Verdict

    package var json: JSONValue {
        var object: JSONObject = ["msg_id": .string(message.description)]
        object["registration_id"] = .string(registrationID.text)
        object["apns_id"] = apnsID.map { .string($0) } ?? .null
        object["verdict"] = ["state": .string(verdict.state.rawValue), "sentence": .string(verdict.sentence)]
        object["events"] = .array(events.map(\.json))
        return .object(object)
    }
}

extension JourneyFacts {
    /// The service's own events, drawn from the chunk, then the gateway's and the device's, in the order of the road.
    fileprivate func timeline(of ordinal: DeviceOrdinal) -> [JourneyEvent] {
        guard let chunk, let place = chunk.ordinals.place(of: ordinal) else { return [] }
        func event(_ kind: JourneyEvent.Kind, at date: Date) -> JourneyEvent {
            JourneyEvent(date: date, station: .service, kind: kind)
        }
        var timeline = chunk.kind.opening.map { event($0, at: message.acceptedAt) }
        let isSent = chunk.sent.contains(place)
        if let pause, !chunk.isDone, !isSent {
            timeline.append(event(.paused(pause.reason), at: chunk.updatedAt))
        } else if let problem = chunk.problem, !isSent, place >= chunk.cursor {
            timeline.append(event(problem, at: chunk.updatedAt))
        }
        timeline += events.filter { $0.station == .service }
        if isSent { timeline.append(event(.sent, at: chunk.updatedAt)) }
        // Each station has a clock of its own, so a date decides only within a station; between them the road does.
        for station in [JourneyEvent.Station.gateway, .device] { timeline += events.filter { $0.station == station } }
        return timeline
    }
}
