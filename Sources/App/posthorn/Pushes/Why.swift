import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explains what happened to a push on a device.",
        usage: "posthorn why MSG_ID REGISTRATION_ID | posthorn why --apns-id ID [--control URL [--device ID]]"
    )

    @Argument(help: .messageID("The msg_id from the response of POST /v3/push.")) var messageID: String?
    @Argument(help: "The device's registration id.") var registrationID: String?

    @Option(help: "The push's apns-id, instead of MSG_ID and REGISTRATION_ID.") var apnsID: String?

    @Flag(help: "Print the journey as JSON.") var json = false
    @OptionGroup var language: LanguageOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "As a gateway knows it") var gateway: GatewayWhyOptions

    func validate() throws {
        try require(
            (apnsID != nil) != (messageID != nil && registrationID != nil),
            "Say which push: MSG_ID and REGISTRATION_ID, or --apns-id."
        )
        try require(
            gateway.control == nil || apnsID != nil,
            "--control goes with --apns-id: a gateway does not know msg_ids."
        )
        try require(
            gateway.control != nil || gateway.device == nil,
            "--device goes with --control: only a gateway knows the devices of a channel message."
        )
    }

    func run() async throws {
        if let apnsID, let control = gateway.control {
            return try await gateway.explain(apnsID, at: control, in: json ? nil : language.texts)
        }
        let path = apnsID.map { "apns/\($0)" } ?? "journeys/\(messageID ?? "")/\(registrationID ?? "")"
        let client = try server.client
        let answer = try await client.get("/posthorn/v1/\(path)")
        let journey: Journey = try answer.read()
        guard !json else { return printLine(answer.json.text) }
        let times = await ServiceTimes(of: client)
        let texts = language.texts
        let parts: [(kind: String?, Journey.Part?)] = [
            (nil, journey.main), ("message", journey.custom), ("inapp", journey.inApp), ("voip", journey.voip),
            ("taken_back", journey.takenBack), ("read_elsewhere", journey.readElsewhere),
        ]
        for case (let kind, let part?) in parts {
            for event in part.events { printLine(event.line(in: times.zone)) }
            printLine("→ \(kind.map { texts["remarks", "part_\($0)"] } ?? "")\(texts.verdict(on: part).printed)")
        }
        guard let registrationID else { return }
        // The device may be gone, while its journeys are kept.
        let found = try await client.get("/posthorn/v1/devices/\(APIClient.encoded(registrationID))")
        guard found.status == 200 else { return }
        let device: RegisteredDeviceAnswer = try found.read()
        if let date = device.separatedAt, let other = device.separatedAs {
            let values = ["date": date.text(in: times.zone), "id": other]
            printLine(texts.text("remarks", "registrationShared", with: values))
        }
    }
}

extension JourneyEvent {
    /// Returns the event as a line: `2026-11-29T18:00:00.123+08:00  device   callback  name=… state=active`.
    fileprivate func line(in zone: TimeZone) -> String {
        let details = kind.details.map { "\($0.key)=\(($0.value.string ?? $0.value.text).printed)" }
        let who = station.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
        return (["\(date.text(in: zone, milliseconds: true))  \(who)\(kind.name)"] + details).joined(separator: "  ")
    }
}

/// The gateway's control endpoint, which knows what the service does not: channel messages, and pushes of other providers.
struct GatewayWhyOptions: ParsableArguments {
    @Option(
        help:
            "URL of a gateway's control endpoint: it explains channel messages, and pushes that the service has not sent."
    )
    var control: String?

    @Option(help: "The token of the control endpoint (or POSTHORN_CONTROL_TOKEN), if it needs one.")
    var controlToken: String?

    @Option(help: "For a channel message: the courier's id of one device, instead of all together.") var device: String?

    /// Explains a push, as the gateway remembers it.
    ///
    /// - Parameters:
    ///   - apnsID: the apns-id of a push, or the apns-request-id of a channel message.
    ///   - control: the URL of the control endpoint.
    ///   - texts: the words for the answer; nil to print it as it is.
    /// - Throws: a ``Refusal`` with what the gateway said.
    func explain(_ apnsID: String, at control: String, in texts: Catalogue?) async throws {
        let token = controlToken ?? EnvironmentSettings["POSTHORN_CONTROL_TOKEN"]
        let client = APIClient(url: control, appKey: "posthorn", masterSecret: token ?? "")
        let device = device.map { "/devices/" + APIClient.encoded($0) } ?? ""
        let answer = try await client.get("/pushes/\(APIClient.encoded(apnsID))\(device)")
        guard answer.status == 200 else { throw GatewayRefusal(answer) }
        let push: Standing = try answer.read()
        guard let texts else { return printLine(answer.json.text) }
        for event in push.events { printLine(event.line(in: .current)) }
        printLine("→ \(push.verdict(texts).printed)")
    }

    /// The standing of a push or a channel message, as the control endpoint answers.
    private struct Standing: Decodable {
        struct Answer: Decodable { let reason: String? }

        struct Broadcast: Decodable {
            let channel: String
            let until: String?
            let subscribers, sent, delivered: Int
        }

        let state: String
        /// Only for a channel message and one device.
        let sentence: String?
        let broadcast: Broadcast?
        let events: [JourneyEvent]
        let answers: [Answer]?

        func verdict(_ texts: Catalogue) -> String {
            if let sentence { return texts.text("why", "standing_\(state)") ?? sentence }
            if let broadcast {
                let values = [
                    "channel": broadcast.channel, "subscribers": "\(broadcast.subscribers)",
                    "sent": "\(broadcast.sent)",
                    "delivered": "\(broadcast.delivered)", "until": broadcast.until ?? "",
                ]
                return texts.text(
                    "remarks",
                    broadcast.until == nil ? "gateway_message" : "gateway_stored",
                    with: values
                )
            }
            let refusals = (answers ?? []).compactMap(\.reason)
            let found =
                texts.language == .english
                ? state + (refusals.isEmpty ? "" : ": \(refusals.joined(separator: ", "))")
                : texts.sentence(of: state, refusals.last)
            return texts.text("remarks", "gateway_push", with: ["state": found])
        }
    }
}
