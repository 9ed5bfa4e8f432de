import APNSGateway
import PushDevice
import PushModel
package import PushService

/// Narrates some pushes while they happen: every line comes from an event or a response.
package struct DemoNarrator: Sendable {
    let stack: Stack
    let phone: PushLabPhone
    let texts: Catalogue
    private let tell: @Sendable (Line) -> Void
    private let began = ContinuousClock.now
    let patience: Duration

    package struct Line: Sendable {
        /// The time since the narrator was made.
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
        try await setUpPhone()
        let registrationID = try await step("the app registers through JPush") {
            try await stack.registrationID(of: phone)
        }
        say("app", "registered with the service through JPush: registration id \(registrationID)")
        try await goHome()
        var journeys = [try await pushThatArrives(to: registrationID)]
        try await goHome()
        heading("A message under which the user writes an answer, and a silent push that starts a download")
        journeys.append(try await pushThatIsAnswered(to: registrationID))
        journeys.append(try await pushThatDownloads(to: registrationID))
        heading("The first push again, with \"apns_production\": true")
        journeys.append(try await pushThatGoesWrong(to: registrationID))
        return journeys
    }

    /// Tells a line of the speaker `who`.
    func say(_ who: String, _ text: String) {
        tell(Line(elapsed: ContinuousClock.now - began, who: who, text: text))
    }

    /// Tells a heading, after an empty line.
    func heading(_ text: String) {
        say("", "")
        say("", text)
    }

    func goHome() async throws {
        let changes = phone.device.deviceEvents()
        phone.device.background(Stack.bundleID)
        try await step("the app goes to the background") {
            for await change in changes where change.kind == .conditionChanged(.background) { return }
        }
        say("user", "goes back to the home screen; PushLab is in the background")
    }

    func setUpPhone() async throws {
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

    private func pushThatArrives(to registrationID: RegistrationID) async throws -> Journey {
        let (message, apnsID) = try await push(Self.priceDrop, to: registrationID)
        try await banner(of: message, apnsID: apnsID, for: registrationID)
        guard phone.device.tap(apnsID) else {
            throw Failure(step: "the user taps the banner", reason: "it is gone from the screen")
        }
        say("user", "taps it")
        let callback = try await step("the delegate method runs") {
            await stack.journeys.first(of: apnsID) { if case .callback = $0 { true } else { false } }
        }
        if case .callback(let name, let state) = callback?.kind { say("app", "\(name) ran, state \(state.rawValue)") }
        await phone.device.settled()
        return try await verdict(.opened, of: message, for: registrationID)
    }

    private func pushThatGoesWrong(to registrationID: RegistrationID) async throws -> Journey {
        let (message, _) = try await push(Self.priceDrop, to: registrationID, production: true)
        let step = "the service explains itself"
        return try await verdict(.suppressed, of: message, for: registrationID, step: step)
    }

    private static let priceDrop: JSONValue = [
        "alert": ["title": "Price drop", "body": "Now 9.99"], "sound": "default", "badge": "+1",
    ]
}
