import PushClock
import PushDevice
import PushModel
import PushService

// The steps of the story: sending pushes, waiting for events, and naming the step that failed.

extension DemoNarrator {
    /// Waits until the phone shows the push, and returns its notification.
    func banner(of message: String, apnsID: String, for registrationID: RegistrationID) async throws {
        let arrival = try await step("the phone shows a banner") {
            await stack.journeys.first(of: apnsID) { kind in
                switch kind {
                case .presented(.banner), .suppressed, .refused, .paused, .expired: true
                default: false
                }
            }
        }
        guard arrival?.kind == .presented(.banner), let shown = phone.device.screen.banner else {
            let journey = try await why(message, registrationID)
            throw Failure(step: "the phone shows a banner", reason: journey.verdict.sentence)
        }
        say("phone", "shows a banner: \(shown.title) · \(shown.body)")
    }

    /// Sends a push with this `ios` object.
    func push(
        _ ios: JSONValue,
        to registrationID: RegistrationID,
        production: Bool = false
    ) async throws -> (message: String, apnsID: String) {
        let body: JSONValue = [
            "platform": ["ios"], "audience": ["registration_id": [.string(registrationID.text)]],
            "notification": ["ios": ios],
            "options": ["apns_production": .bool(production)],
        ]
        let message = try await post(body)
        return (message, try await apnsID(of: message, for: registrationID))
    }

    private func apnsID(of message: String, for registrationID: RegistrationID) async throws -> String {
        guard let apnsID = try await why(message, registrationID).apnsID else {
            throw Failure(step: "the service accepts the push", reason: "the phone is not in its audience")
        }
        return apnsID
    }

    /// Posts a push, and returns its msg_id; `kind` is told with the request.
    func post(_ body: JSONValue, kind: String = "") async throws -> String {
        let answer = try await step("the service accepts the push") { try await stack.api.post("/v3/push", body.bytes) }
        guard answer.status == 200, let push = try? JSONCoding.read(AcceptedPush.self, from: answer.json) else {
            throw Failure(step: "the service accepts the push", reason: "it answered \(answer.json.text)")
        }
        say("backend", "POST /v3/push\(kind) → 200 \(answer.json.text) in \(answer.duration.milliseconds)")
        return push.msgID
    }

    func why(_ message: String, _ registrationID: RegistrationID) async throws -> Journey {
        try await step("the service tells the journey") {
            try JSONCoding.read(
                from: try await stack.api.get("/posthorn/v1/journeys/\(message)/\(registrationID)").json
            )
        }
    }

    /// Waits for the event that decides the verdict, tells the verdict and returns the journey; calls `before` in between.
    func verdict(
        _ state: Verdict.State,
        of message: String,
        for registrationID: RegistrationID,
        step name: String = "the verdict comes back",
        before: () async throws -> Void = {}
    ) async throws -> Journey {
        let subject = JourneySubject.push(apnsID: try await apnsID(of: message, for: registrationID).lowercased())
        try await step(name) {
            // The service's own journey has each event before the recorder.
            await stack.journeys.first { $0 == subject && Verdict([$1]).state == state }
        }
        let journey = try await why(message, registrationID)
        try await before()
        say("why", texts.verdict(on: journey.main))
        return journey
    }

    func deviceEvent(_ matches: @escaping @Sendable (DeviceEvent) -> Bool) async -> DeviceEvent? {
        await phone.device.first(where: matches)
    }

    /// Runs one step; its name is in the error if it fails or takes too long.
    @discardableResult
    func step<Value: Sendable>(
        _ name: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            guard let value = try await withTimeout(patience, body) else {
                throw Failure(step: name, reason: "nothing happened within \(patience)")
            }
            return value
        } catch let failure as Failure {
            throw failure
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Failure(step: name, reason: "\(error)")
        }
    }
}
