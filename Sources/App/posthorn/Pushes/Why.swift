import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains what happened to a push on a device.",
        usage: "posthorn why MSG_ID REGISTRATION_ID | posthorn why --apns-id ID [--control URL [--device ID]]"
    )

    @Argument(help: "The msg_id from the response of POST /v3/push.")
    var messageID: String?

    @Argument(help: "The device's registration id.")
    var registrationID: String?

    @Option(name: .customLong("apns-id"), help: "The push's apns-id, instead of MSG_ID and REGISTRATION_ID.")
    var apnsID: String?

    @Flag(help: "Print the journey as JSON.")
    var json = false

    @OptionGroup var server: ServerOptions

    @OptionGroup(title: "As a gateway knows it") var gateway: GatewayWhyOptions

    func validate() throws {
        guard (apnsID != nil) != (messageID != nil && registrationID != nil) else {
            throw ValidationError("Say which push: MSG_ID and REGISTRATION_ID, or --apns-id.")
        }
        guard gateway.control == nil || apnsID != nil else {
            throw ValidationError("--control goes with --apns-id: a gateway does not know msg_ids.")
        }
        guard gateway.control != nil || gateway.device == nil else {
            throw ValidationError(
                "--device goes with --control: only a gateway knows the devices of a channel message."
            )
        }
    }

    func run() async throws {
        if let apnsID, let control = gateway.control {
            return try await gateway.explain(apnsID, at: control, json: json)
        }
        let path = apnsID.map { "apns/\($0)" } ?? "journeys/\(messageID ?? "")/\(registrationID ?? "")"
        let answer = try await server.client().get("/posthorn/v1/\(path)")
        let journey: Journey = try answer.read()
        guard !json else { return printLine(answer.json.text) }
        let parts: [(Journey.Part?, String)] = [
            (journey.main, ""), (journey.custom, "its custom message: "), (journey.inApp, "its in-app message: "),
            (journey.voip, "its VoIP push: "),
        ]
        for case (let part?, let name) in parts {
            for event in part.events { printLine(event.formatted) }
            printLine("→ \(name)\(part.verdict.sentence.printed)")
        }
    }
}

extension JourneyEvent {
    /// The event as a line: `08:00:00.123  device   callback  name=… state=active`.
    var formatted: String {
        let time = date.formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                    \(second: .twoDigits).\(secondFraction: .fractional(3))
                    """,
                timeZone: .current,
                calendar: Calendar(identifier: .gregorian)
            )
        )
        let details = kind.details.map { "\($0.key)=\(($0.value.string ?? $0.value.text).printed)" }
        let who = station.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
        return (["\(time)  \(who)\(kind.name)"] + details).joined(separator: "  ")
    }
}
