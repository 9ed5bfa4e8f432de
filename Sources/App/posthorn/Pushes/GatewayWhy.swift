import ArgumentParser
import Foundation
import PosthornStack
import PushModel

/// The gateway's control endpoint, which knows what the service does not: channel messages, and pushes of other providers.
struct GatewayWhyOptions: ParsableArguments {
    @Option(
        help:
            "URL of a gateway's control endpoint: it explains channel messages, and pushes that the service has not sent."
    )
    var control: String?

    @Option(help: "The token of the control endpoint (or POSTHORN_CONTROL_TOKEN), if it needs one.")
    var controlToken: String?

    @Option(help: "For a channel message: the courier's id of one device, instead of all together.")
    var device: String?

    /// Explains a push, as the gateway remembers it.
    ///
    /// - Parameters:
    ///   - apnsID: the apns-id of a push, or the apns-request-id of a channel message.
    ///   - control: the URL of the control endpoint.
    ///   - json: whether the answer is printed as it is.
    /// - Throws: a ``Refusal`` with what the gateway said.
    func explain(_ apnsID: String, at control: String, json: Bool) async throws {
        let token = controlToken ?? ProcessInfo.processInfo.environment["POSTHORN_CONTROL_TOKEN"]
        let client = APIClient(url: control, appKey: "posthorn", masterSecret: token ?? "")
        let device = device.map { "/devices/" + APIClient.encoded($0) } ?? ""
        let answer = try await client.get("/pushes/\(APIClient.encoded(apnsID))\(device)")
        guard answer.status == 200 else { throw ControlRefusal(answer) }
        let push: Standing = try answer.read()
        guard !json else { return printLine(answer.json.text) }
        for event in push.events { printLine(event.formatted) }
        printLine("→ \(push.verdict)")
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

        var verdict: String {
            if let sentence { return sentence.printed }
            if let broadcast {
                let until = broadcast.until.map { "; it is stored until \($0), for devices that link later" } ?? ""
                return "a message of the channel \(broadcast.channel.printed): subscribed devices "
                    + "\(broadcast.subscribers), linked of them \(broadcast.sent), acknowledged by "
                    + "\(broadcast.delivered)\(until); --device says why one has not"
            }
            let refusals = (answers ?? []).compactMap(\.reason).joined(separator: ", ")
            return "\(state.printed)\(refusals.isEmpty ? "" : ": \(refusals)"), as far as the gateway knows"
        }
    }
}
