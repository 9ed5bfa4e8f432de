import APNSGateway
import Foundation
import PosthornTesting
import PushClock
import PushDevice
package import PushModel
import PushService

/// The road of one push, told while it is travelled: every line comes from an event or an answer.
package struct DemoStory: Sendable {
    private let stack: Stack
    private let phone: PushLabPhone
    private let tell: @Sendable (Line) -> Void
    private let patience: Duration

    package struct Line: Sendable {
        /// Since the story began.
        package var elapsed: Duration
        /// Who speaks: `phone`, `app`, `person`, `backend`, `why`.
        package var who: String
        package var text: String
    }

    /// The step that did not come about.
    package struct Failure: Error, CustomStringConvertible {
        package var step: String
        package var reason: String
        package var description: String { "The demo failed at '\(step)': \(reason)" }
    }

    /// - `stack`: with one phone of a development build, not prepared.
    /// - `patience`: how long a step may take in real time.
    /// - `tell`: is given the story line by line.
    package init(
        _ stack: Stack,
        patience: Duration = .seconds(20),
        tell: @escaping @Sendable (Line) -> Void
    ) throws {
        guard let phone = stack.phones.first else { throw Failure(step: "start", reason: "the stack has no phone") }
        self.stack = stack
        self.phone = phone
        self.patience = patience
        self.tell = tell
    }

    /// Tells the story.
    ///
    /// - Returns: the journeys of its two pushes, as `posthorn why --json` prints them.
    /// - Throws: ``Failure`` for the first step that does not come about.
    package func run() async throws -> [JSONValue] {
        let start = ContinuousClock.now
        let say: @Sendable (String, String) -> Void = { who, text in
            tell(Line(elapsed: ContinuousClock.now - start, who: who, text: text))
        }
        try await setUpPhone(say)
        let registrationID = try await step("the app registers through JPush") {
            try await stack.registrationID(of: phone)
        }
        say("app", "registered with the service through JPush: registration id \(registrationID)")
        phone.device.background(Stack.bundleID)
        try await step("the app goes to the background") {
            await happening { $0.kind == .conditionChanged(.background) }
        }
        say("person", "goes back to the home screen; PushLab is in the background")
        let first = try await pushThatArrives(to: registrationID, say)
        say("", "")
        say("", "A second push to the same phone, with \"apns_production\": true")
        let second = try await pushThatGoesWrong(to: registrationID, say)
        return [first, second]
    }

    private func setUpPhone(_ say: @escaping @Sendable (String, String) -> Void) async throws {
        let device = phone.device
        device.connect(courier: stack.gateway.server.courierURL)
        try await step("the phone connects to the gateway") { await happening { $0.kind == .connected } }
        say("phone", "\(device.name) (iOS \(device.system)) is on and linked to the gateway")
        device.open(Stack.bundleID)
        let launch = try await step("the app launches") {
            await happening {
                if case .callback(let name, _, _) = $0.kind { name.contains("didFinish") } else { false }
            }
        }
        if case .callback(let name, _, _) = launch?.kind { say("app", "PushLab launches: \(name)") }
        let prompt = try await step("the app asks for permission") {
            await happening { if case .promptShown = $0.kind { true } else { false } }
        }
        if case .promptShown(let prompt) = prompt?.kind { say("phone", "asks: \(prompt.text)") }
        device.answerPrompt(true)
        try await step("the person allows notifications") {
            await happening { $0.kind == .promptAnswered(allowed: true) }
        }
        say("person", "allows")
        let token = try await step("the app gets a device token") {
            await happening { if case .tokenReceived = $0.kind { true } else { false } }
        }
        if case .tokenReceived(let token, let environment) = token?.kind {
            say("app", "has its device token \(token.abbreviation)… (\(environment.rawValue))")
        }
    }

    private func pushThatArrives(
        to registrationID: RegistrationID,
        _ say: @escaping @Sendable (String, String) -> Void
    ) async throws -> JSONValue {
        let (message, apnsID) = try await push(to: registrationID, production: false, say)
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
            throw Failure(step: "the phone shows a banner", reason: sentence(journey))
        }
        say("phone", "shows a banner: \(shown.title) · \(shown.body)")
        guard phone.device.tap(apnsID) else {
            throw Failure(step: "the person taps the banner", reason: "it is gone from the screen")
        }
        say("person", "taps it")
        let callback = try await step("the delegate method runs") {
            await stack.journeys.first(of: apnsID) { if case .callback = $0 { true } else { false } }
        }
        if case .callback(let name, let state) = callback?.kind { say("app", "\(name) ran, state \(state.rawValue)") }
        await phone.device.settled()
        let journey = try await awaitVerdict(.opened, message, registrationID, step: "the verdict comes back")
        say("why", sentence(journey))
        return journey
    }

    private func pushThatGoesWrong(
        to registrationID: RegistrationID,
        _ say: @escaping @Sendable (String, String) -> Void
    ) async throws -> JSONValue {
        let (message, _) = try await push(to: registrationID, production: true, say)
        let journey = try await awaitVerdict(.suppressed, message, registrationID, step: "the service explains itself")
        say("why", sentence(journey))
        return journey
    }

    private func push(
        to registrationID: RegistrationID,
        production: Bool,
        _ say: @escaping @Sendable (String, String) -> Void
    ) async throws -> (message: String, apnsID: String) {
        let body: JSONValue = [
            "platform": ["ios"], "audience": ["registration_id": [.string(registrationID.text)]],
            "notification": [
                "ios": ["alert": ["title": "Price drop", "body": "Now 9.99"], "sound": "default", "badge": "+1"]
            ],
            "options": ["apns_production": .bool(production)],
        ]
        let answer = try await step("the service accepts the push") { try await stack.api.post("/v3/push", body.bytes) }
        guard answer.status == 200, let message = answer.json.object?["msg_id"]?.string else {
            throw Failure(step: "the service accepts the push", reason: "it answered \(answer.json.text)")
        }
        say("backend", "POST /v3/push → \(answer.status) \(answer.json.text) in \(answer.duration.milliseconds)")
        let journey = try await why(message, registrationID)
        guard let apnsID = journey.object?["apns_id"]?.string else {
            throw Failure(step: "the service accepts the push", reason: "the phone is not in its audience")
        }
        return (message, apnsID)
    }

    private func why(_ message: String, _ registrationID: RegistrationID) async throws -> JSONValue {
        try await step("the service tells the journey") {
            try await stack.api.get("/posthorn/v1/journeys/\(message)/\(registrationID)").json
        }
    }

    /// Asks until the verdict is there: reports of the phone travel back on the courier link.
    private func awaitVerdict(
        _ state: Verdict.State,
        _ message: String,
        _ registrationID: RegistrationID,
        step name: String
    ) async throws -> JSONValue {
        try await step(name) {
            while true {
                let journey = try await why(message, registrationID)
                if journey.object?["verdict"]?.object?["state"]?.string == state.rawValue { return journey }
                try await ContinuousClock().sleep(for: .milliseconds(5))
            }
        }
    }

    private func sentence(_ journey: JSONValue) -> String {
        journey.object?["verdict"]?.object?["sentence"]?.string ?? "there is no verdict"
    }

    private func happening(_ matches: @escaping @Sendable (Happening) -> Bool) async -> Happening? {
        await phone.device.first(where: matches)
    }

    /// Does one step, and names it if it fails or takes too long.
    @discardableResult
    private func step<Value: Sendable>(
        _ name: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await ContinuousClock().sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            do {
                guard let value = try await group.next() ?? nil else {
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
}

extension Duration {
    /// `12.3 ms`.
    package var milliseconds: String {
        let value = self / .milliseconds(1)
        return value.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en_US"))) + " ms"
    }
}
