import Foundation
import PushClock
import PushDevice
import PushModel
package import PushService
import SystemPort

// The story of a delivery: a Live Activity that pushes start, change and end.

extension DemoNarrator {
    private static let order = "4711"
    private static let staleAfter = Duration.seconds(600)

    /// Tells the story of a delivery, on a phone with iOS 17.2 or later whose clock can be turned.
    ///
    /// - Returns: the journeys of its pushes, as `posthorn why --json` prints them.
    /// - Throws: ``Failure`` for the first step that fails.
    package func runDelivery() async throws -> [Journey] {
        try await setUpPhone()
        let registrationID = try await step("the app registers through JPush") {
            try await stack.registrationID(of: phone)
        }
        try await awaitRegistration(of: "DeliveryAttributes", "the app registers its token for starts")
        say("app", "registered with the service: registration id \(registrationID), and a token that starts deliveries")
        try await goHome()
        phone.device.terminate(phone.bundleID)
        say("phone", "ends the app, to free memory")

        heading("A push starts the Live Activity of order \(Self.order), in an app that does not run")
        var journeys = [try await start(for: registrationID)]
        heading("Pushes to the activity: a change, and silence until its stale date has passed")
        journeys.append(try await update(for: registrationID))
        try await goStale()
        heading("A push without the number of stops, and the end")
        journeys.append(try await updateThatDoesNotFit(for: registrationID))
        journeys.append(try await end(for: registrationID))
        return journeys
    }

    // MARK: The pushes

    private func start(for registrationID: RegistrationID) async throws -> Journey {
        let event: JSONObject = [
            "event": "start", "attributes-type": "DeliveryAttributes", "attributes": ["order": .string(Self.order)],
            "content-state": ["place": "Depot", "stops": 9],
        ]
        let message = try await push(event, to: ["registration_id": [.string(registrationID.text)]])
        return try await verdict(.shown, of: message, for: registrationID) {
            try sayActivity(.active)
            try await awaitRegistration(of: Self.order, "the app registers the activity's token")
            say(
                "app",
                "was launched in the background, and has registered the token of the activity as '\(Self.order)'"
            )
        }
    }

    private func update(for registrationID: RegistrationID) async throws -> Journey {
        let staleDate = phone.clock.date.addingTimeInterval(Self.staleAfter / .seconds(1))
        let event: JSONObject = [
            "event": "update", "content-state": ["place": "Your street", "stops": 1],
            "stale-date": .integer(Int64(staleDate.timeIntervalSince1970)),
        ]
        let message = try await push(event, to: Self.activity)
        return try await verdict(.shown, of: message, for: registrationID) { try sayActivity(.active) }
    }

    private func goStale() async throws {
        guard let clock = phone.clock as? TurnableClock else {
            throw Failure(step: "the clock is turned", reason: "the phone shows the machine's time")
        }
        clock.turn(by: Self.staleAfter + .seconds(1))
        say("clock", "is turned by ten minutes")
        try await step("the activity goes stale") {
            await deviceEvent { if case .activity(_, .stale) = $0.kind { true } else { false } }
        }
        try sayActivity(.stale)
    }

    private func updateThatDoesNotFit(
        for registrationID: RegistrationID
    ) async throws -> Journey {
        let event: JSONObject = ["event": "update", "content-state": ["place": "Your street"]]
        let message = try await push(event, to: Self.activity)
        return try await verdict(.suppressed, of: message, for: registrationID)
    }

    private func end(for registrationID: RegistrationID) async throws -> Journey {
        let event: JSONObject = ["event": "end", "content-state": ["place": "At your door", "stops": 0]]
        let message = try await push(event, to: Self.activity)
        return try await verdict(.shown, of: message, for: registrationID) { try sayActivity(.ended) }
    }

    // MARK: Steps

    private static let activity: JSONValue = ["live_activity_id": .string(order)]

    /// Sends an event of a Live Activity, and returns the msg_id.
    private func push(_ event: JSONObject, to audience: JSONValue) async throws -> String {
        let body: JSONValue = [
            "platform": ["ios"], "audience": audience, "live_activity": ["ios": .object(event)],
            "options": ["apns_production": .bool(stack.settings.environment == .production)],
        ]
        return try await post(body, kind: " (live_activity: \(event["event"]?.string ?? ""))")
    }

    /// Tells of the activity on the lock screen.
    private func sayActivity(_ state: LiveActivityRecord.State) throws {
        guard let shown = phone.device.screen.activities.first, shown.state == state else {
            let found = phone.device.screen.activities.first.map { "it is \($0.state)" } ?? "there is none"
            throw Failure(step: "the lock screen has the activity, which is \(state)", reason: found)
        }
        say("phone", "lock screen: \(shown.record.attributes) \(shown.content), \(state)")
    }

    /// Waits for the line of the app's log with the service's answer to a registration.
    private func awaitRegistration(of name: String, _ what: String) async throws {
        try await step(what) {
            for await line in phone.logLines
            where line.hasPrefix("registerLiveActivity [") && line.hasSuffix("] \(name) code 0") { return }
        }
    }
}
