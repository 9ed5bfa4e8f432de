import APNSGateway
import Foundation
import PushClock
import PushDevice
import PushModel
package import PushService

/// Narrates some pushes while they happen: every line comes from an event or a response.
package struct DemoNarrator: Sendable {
    let stack: Stack
    let phone: PushLabPhone
    let texts: Catalogue
    private let tell: @Sendable (Line) -> Void
    let patience: Duration

    /// A function that takes the speaker and the text.
    typealias Say = @Sendable (String, String) -> Void

    package struct Line: Sendable {
        /// The time since the story began.
        package var elapsed: Duration
        /// The speaker: `phone`, `app`, `user`, `clock`, `backend` or `why`; empty for a heading.
        package var who: String
        package var text: String
    }

    /// The failure of one step.
    package struct Failure: Error, CustomStringConvertible {
        package var step: String
        package var reason: String
        package var description: String { "The demo failed at '\(step)': \(reason)" }
    }

    /// `stack` is a stack with one unprepared phone that has a development build. `patience` is the timeout of a step,
    /// in real time. `texts` has the words of verdicts. `tell` receives the story line by line.
    package init(
        _ stack: Stack,
        patience: Duration = .seconds(20),
        texts: Catalogue = Catalogue(.english),
        tell: @escaping @Sendable (Line) -> Void
    ) throws {
        guard let phone = stack.phones.first else { throw Failure(step: "start", reason: "the stack has no phone") }
        self.stack = stack
        self.phone = phone
        self.patience = patience
        self.texts = texts
        self.tell = tell
    }

    /// Tells the story.
    ///
    /// - Returns: the journeys of its pushes, as `posthorn why --json` prints them.
    /// - Throws: ``Failure`` for the first step that fails.
    package func run() async throws -> [Journey] {
        let say = sayer()
        try await setUpPhone(say)
        let registrationID = try await step("the app registers through JPush") {
            try await stack.registrationID(of: phone)
        }
        say("app", "registered with the service through JPush: registration id \(registrationID)")
        try await goHome(say)
        var journeys = [try await pushThatArrives(to: registrationID, say)]
        try await goHome(say)
        say("", "")
        say("", "A message under which the user writes an answer, and a silent push that starts a download")
        journeys.append(try await pushThatIsAnswered(to: registrationID, say))
        journeys.append(try await pushThatDownloads(to: registrationID, say))
        say("", "")
        say("", "The first push again, with \"apns_production\": true")
        journeys.append(try await pushThatGoesWrong(to: registrationID, say))
        return journeys
    }

    /// Returns a function that tells lines with the time since now.
    func sayer() -> Say {
        let start = ContinuousClock.now
        return { who, text in tell(Line(elapsed: ContinuousClock.now - start, who: who, text: text)) }
    }

    func goHome(_ say: Say) async throws {
        phone.device.background(Stack.bundleID)
        try await step("the app goes to the background") {
            while phone.device.condition(of: Stack.bundleID) != .background {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        say("user", "goes back to the home screen; PushLab is in the background")
    }

    func setUpPhone(_ say: @escaping Say) async throws {
        let device = phone.device
        device.connect(courier: stack.gateway.server.courierURL)
        try await step("the phone connects to the gateway") { await deviceEvent { $0.kind == .connected } }
        say("phone", "\(device.name) (iOS \(device.system)) is on and linked to the gateway")
        device.open(Stack.bundleID)
        let launch = try await step("the app launches") {
            await deviceEvent {
                if case .callback(let name, _, _) = $0.kind { name.contains("didFinish") } else { false }
            }
        }
        if case .callback(let name, _, _) = launch?.kind { say("app", "PushLab launches: \(name)") }
        let prompt = try await step("the app asks for permission") {
            await deviceEvent { if case .promptShown = $0.kind { true } else { false } }
        }
        if case .promptShown(let prompt) = prompt?.kind { say("phone", "asks: \(prompt.text)") }
        device.answerPrompt(true)
        try await step("the user allows notifications") {
            await deviceEvent { $0.kind == .promptAnswered(allowed: true) }
        }
        say("user", "allows")
        let token = try await step("the app gets a device token") {
            await deviceEvent { if case .tokenReceived = $0.kind { true } else { false } }
        }
        if case .tokenReceived(let token, let environment) = token?.kind {
            say("app", "has its device token \(token.abbreviation)… (\(environment.rawValue))")
        }
    }

    private func pushThatArrives(to registrationID: RegistrationID, _ say: @escaping Say) async throws -> Journey {
        let (message, apnsID) = try await push(Self.priceDrop, to: registrationID, say)
        try await banner(of: message, apnsID: apnsID, for: registrationID, say)
        guard phone.device.tap(apnsID) else {
            throw Failure(step: "the user taps the banner", reason: "it is gone from the screen")
        }
        say("user", "taps it")
        let callback = try await step("the delegate method runs") {
            await stack.journeys.first(of: apnsID) { if case .callback = $0 { true } else { false } }
        }
        if case .callback(let name, let state) = callback?.kind { say("app", "\(name) ran, state \(state.rawValue)") }
        await phone.device.settled()
        return try await verdict(.opened, of: message, for: registrationID, say)
    }

    private func pushThatGoesWrong(to registrationID: RegistrationID, _ say: @escaping Say) async throws -> Journey {
        let (message, _) = try await push(Self.priceDrop, to: registrationID, production: true, say)
        let step = "the service explains itself"
        return try await verdict(.suppressed, of: message, for: registrationID, say, step: step)
    }

    private static let priceDrop: JSONValue = [
        "alert": ["title": "Price drop", "body": "Now 9.99"], "sound": "default", "badge": "+1",
    ]
}

// More scenes with the sample app.

extension DemoNarrator {
    /// Sends a message with a text button; the app receives the answer in the background.
    func pushThatIsAnswered(to registrationID: RegistrationID, _ say: @escaping Say) async throws -> Journey {
        let answer = "On my way"
        let message: JSONValue = ["alert": ["title": "Ann", "body": "Are you coming?"], "category": "message"]
        let (number, apnsID) = try await push(message, to: registrationID, say)
        try await banner(of: number, apnsID: apnsID, for: registrationID, say)
        guard phone.device.reply(answer, with: "reply", to: apnsID) == .done else {
            throw Failure(step: "the user answers", reason: "the message has no button that asks for text")
        }
        say("user", "writes under it: \(answer)")
        let heard = try await step("the app has the answer") {
            while true {
                if let last = await phone.replies.last { return last }
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        say("app", "has the answer, and stays in the background: \(heard)")
        return try await verdict(.opened, of: number, for: registrationID, say)
    }

    /// Sends a silent push; the app downloads the URL in it and then calls the completion handler.
    func pushThatDownloads(to registrationID: RegistrationID, _ say: @escaping Say) async throws -> Journey {
        let url = "\(stack.api.url)/health"
        let silent: JSONValue = ["content-available": true, "extras": ["download": .string(url)]]
        let (number, apnsID) = try await push(silent, to: registrationID, say)
        let end = try await step("the app downloads") {
            await stack.journeys.first(of: apnsID) { kind in
                if case .finished = kind { true } else { false }
            }
        }
        guard end?.kind == .finished(.newData) else {
            throw Failure(
                step: "the app downloads",
                reason: "its fetch ended with \(end.map { "\($0.kind)" } ?? "nothing")"
            )
        }
        say("app", "was woken, has downloaded \(url), and reports new data")
        return try await verdict(.handled, of: number, for: registrationID, say)
    }
}

// The steps of the story: sending pushes, waiting for events, and naming the step that failed.

extension DemoNarrator {
    /// Waits until the phone shows the push, and returns its notification.
    func banner(of message: String, apnsID: String, for registrationID: RegistrationID, _ say: Say) async throws {
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
        production: Bool = false,
        _ say: @escaping Say
    ) async throws -> (message: String, apnsID: String) {
        let body: JSONValue = [
            "platform": ["ios"], "audience": ["registration_id": [.string(registrationID.text)]],
            "notification": ["ios": ios],
            "options": ["apns_production": .bool(production)],
        ]
        let message = try await post(body, say)
        guard let apnsID = try await why(message, registrationID).apnsID else {
            throw Failure(step: "the service accepts the push", reason: "the phone is not in its audience")
        }
        return (message, apnsID)
    }

    /// Posts a push, and returns its msg_id; `kind` is told with the request.
    func post(_ body: JSONValue, kind: String = "", _ say: Say) async throws -> String {
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

    /// Tells the verdict and returns the journey; calls `before` in between.
    ///
    /// Polls for the verdict, because the phone's reports still have to return over the courier link.
    func verdict(
        _ state: Verdict.State,
        of message: String,
        for registrationID: RegistrationID,
        _ say: Say,
        step name: String = "the verdict comes back",
        before: () async throws -> Void = {}
    ) async throws -> Journey {
        let journey = try await step(name) {
            while true {
                let journey = try await why(message, registrationID)
                if journey.verdict.state == state { return journey }
                try await ContinuousClock().sleep(for: .milliseconds(5))
            }
        }
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

extension Duration {
    /// The duration as text: `12.3 ms`.
    package var milliseconds: String {
        let value = self / .milliseconds(1)
        return value.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en_US"))) + " ms"
    }
}
