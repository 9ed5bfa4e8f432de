import PushDevice
import PushModel
import PushService

// More scenes with the sample app.

extension DemoNarrator {
    /// Sends a message with a text button; the app receives the answer in the background.
    func pushThatIsAnswered(to registrationID: RegistrationID) async throws -> Journey {
        let answer = "On my way"
        let message: JSONValue = ["alert": ["title": "Ann", "body": "Are you coming?"], "category": "message"]
        let (number, apnsID) = try await push(message, to: registrationID)
        try await banner(of: number, apnsID: apnsID, for: registrationID)
        guard phone.device.reply(answer, with: "reply", to: apnsID) == .done else {
            throw Failure(step: "the user answers", reason: "the message has no button that asks for text")
        }
        say("user", "writes under it: \(answer)")
        let heard = try await step("the app has the answer") {
            await phone.device.settled()
            return await phone.replies.last
        }
        guard let heard else {
            throw Failure(step: "the app has the answer", reason: "it has processed its events and heard none")
        }
        say("app", "has the answer, and stays in the background: \(heard)")
        return try await verdict(.opened, of: number, for: registrationID)
    }

    /// Sends a silent push; the app downloads the URL in it and then calls the completion handler.
    func pushThatDownloads(to registrationID: RegistrationID) async throws -> Journey {
        let url = "\(stack.api.url)/health"
        let silent: JSONValue = ["content-available": true, "extras": ["download": .string(url)]]
        let (number, apnsID) = try await push(silent, to: registrationID)
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
        return try await verdict(.handled, of: number, for: registrationID)
    }
}
