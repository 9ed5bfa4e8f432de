import Foundation
import PushClock
package import PushModel

/// Finds out why a device gets nothing, by sending a test push to it.
package struct Diagnoser: Sendable {
    let store: any DeviceStore & CredentialStore & MessageStore
    let registry: Registry
    let acceptor: PushAcceptor
    let journeys: JourneyQueries
    let clock: any CivilClock
    let rates = CallRates()
    private let places = DiagnosisPlaces()
    private var watch: JourneyWatch { journeys.log.watch }

    /// The maximum time that a device may wait for a conclusion, in seconds.
    package static let longestWait = 30
    /// The time to live of the test push, in seconds.
    private static let timeToLive = 60
    /// The number of changes of a journey upon which it is looked at at once.
    private static let looksAtOnce = 8
    /// The pause before each later look.
    private static let pause = Duration.milliseconds(250)
    /// The longest time between two looks: another node may have stored something.
    private static let longestPause: TimeInterval = 5
    /// The member of ``body(for:in:)`` by which a test push is known.
    private static let marker = "posthorn_diagnosis"
    /// The time in which a device that has the push says what became of it, in seconds.
    private static let reportTime: TimeInterval = 2

    /// Sends a test push to a device, which has proven itself, or looks again at an earlier one, and judges what came of it
    /// within some seconds. The language is the one that the device asks for, the one that it has registered, the other
    /// one, or English.
    ///
    /// - Returns: the conclusion, and its language; nil if the device is gone, or the earlier push is no test push of its own.
    /// - Throws: ``RegistrationRefusal`` with 6011 for tests of the device, or of its app, that are too frequent, or if it waits for
    ///   ``DiagnosisPlaces/limit`` conclusions already.
    package func diagnose(
        _ id: DeviceID,
        again earlier: MessageID?,
        in language: Language?,
        orElse other: Language?,
        waiting seconds: Int
    ) async throws -> (diagnosis: Diagnosis, language: Language)? {
        guard let device = try await store.device(id), let app = registry.app(id.app) else { return nil }
        guard places.take(id) else {
            throw RegistrationRefusal(6011, "A device waits for \(DiagnosisPlaces.limit) conclusions at a time; wait.")
        }
        defer { places.leave(id) }
        let language = language ?? device.language.map { Language(accepting: $0) } ?? other ?? .english
        if let earlier {
            guard try await isTestPush(earlier, of: app) else { return nil }
        } else {
            guard rates.allows(.diagnosis, of: id, at: clock.date) else {
                throw RegistrationRefusal(6011, "A device tests once in ten seconds; wait.")
            }
            if let cause = Diagnosis.cause(of: device) {
                var diagnosis = Diagnosis(cause: cause, isFinal: true)
                diagnosis.facts = try await facts(of: device, cause)
                return (diagnosis, language)
            }
            guard rates.allows(.testPush, of: id, at: clock.date) else {
                throw RegistrationRefusal(6011, "The devices of an app get ten test pushes in ten seconds; wait.")
            }
        }
        let message =
            if let earlier { earlier } else {
                try await acceptor.accept(body(for: device, in: language), for: app).messageID
            }
        guard let found = try await conclusion(of: message, device, app, waiting: seconds) else { return nil }
        var diagnosis = Diagnosis(cause: found.cause, isFinal: found.isFinal, message: message)
        diagnosis.facts = try await facts(of: device, found.cause)
        let verdict = Verdict(found.journey.events)
        diagnosis.facts.add(present: [
            "state": verdict.state.rawValue, "verdict": verdict.sentence, "apns_id": found.journey.apnsID,
            "events": found.journey.events.map(\.json),
        ])
        return (diagnosis, language)
    }

    /// Looks at the journey, and again when it changes, until the cause is certain or the time is over.
    private func conclusion(
        of message: MessageID,
        _ device: RegisteredDevice,
        _ app: App,
        waiting seconds: Int
    ) async throws -> (cause: Diagnosis.Cause, isFinal: Bool, journey: Journey)? {
        let id = registry.registrationID(of: device.id)
        let end = clock.date.addingTimeInterval(Double(seconds))
        var looks = 0
        while true {
            let place = watch.watch(message)
            defer { watch.leave(place) }
            guard let journey = try await journeys.journey(of: message, to: id, app: app), journey.isTarget else {
                return nil
            }
            looks += 1
            let now = clock.date
            let found = Diagnosis.cause(of: journey.events, on: device)
            let settling = journey.events.last { $0.kind == .delivered }.map { delivery in
                max(0, Self.reportTime - now.timeIntervalSince(delivery.date))
            }
            let isSettled = settling == 0
            if found.isCertain || isSettled || now >= end {
                return (found.cause, found.isCertain || isSettled && !found.cause.isOpen, journey)
            }
            let time = min(end.timeIntervalSince(now), settling ?? Self.longestPause, Self.longestPause)
            try await watch.wait(at: place, for: .seconds(time), on: clock)
            if looks > Self.looksAtOnce { try await clock.sleep(for: Self.pause) }
        }
    }

    /// Returns whether a push of the app was sent by a diagnosis.
    private func isTestPush(_ message: MessageID, of app: App) async throws -> Bool {
        guard let body = try await store.message(message, of: app.id)?.message.body,
            let push = try? JSONValue(parsing: body)
        else { return false }
        let path = ["notification", "ios", "extras", Self.marker]
        return path.reduce(push as JSONValue?) { $0?.object?[$1] } == "1"
    }

    private func body(for device: RegisteredDevice, in language: Language) -> [UInt8] {
        let text = language.testPush
        let body: JSONValue = [
            "platform": ["ios"],
            "audience": ["registration_id": [.string(registry.registrationID(of: device.id).text)]],
            "notification": [
                "ios": [
                    "alert": ["title": .string(text.title), "body": .string(text.body)], "sound": "default",
                    "mutable-content": true, "extras": [Self.marker: "1"],
                ]
            ],
            "options": [
                "apns_production": .bool(device.environment == .production),
                "time_to_live": .number(Self.timeToLive), "x_quiet_hours": false,
            ],
        ]
        return body.bytes
    }

    private func facts(of device: RegisteredDevice, _ cause: Diagnosis.Cause) async throws -> JSONObject {
        let credentials = try await store.credentials(of: device.id.app)
        let credential = registry.app(device.id.app).flatMap { app in
            CredentialSet(of: app, credentials).choice(in: device.environment, at: clock.date)
        }
        let kind =
            switch credential?.kind {
            case .p8: "p8"
            case .certificate: "p12"
            case nil: "none"
            }
        return JSONObject(present: [
            "registration_id": registry.registrationID(of: device.id).text, "environment": device.environment.rawValue,
            "has_token": device.token != nil, "token_digest": device.token?.digest,
            "token_refusal": device.tokenRefusal?.rawValue,
            "separated_at": (device.separation?.date).map { Int64($0.timeIntervalSince1970) },
            "separated_as": device.separatedID.map { registry.registrationID(of: $0).text }, "push": !device.isStopped,
            "permission": device.permission?.rawValue, "system": device.system, "app_version": device.appVersion,
            "zone": device.zone, "credential": kind,
            "credential_expires": credential?.certificate.map { Int64($0.notAfter.timeIntervalSince1970) },
            "do": cause.advice,
        ])
    }
}
