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
        guard answer.status == 200, let push = answer.json.object else {
            throw Refusal(description: answer.json.object?["error"]?.string ?? "The gateway answered \(answer.status).")
        }
        guard !json else { return printLine(answer.json.text) }
        for event in push["events"]?.array?.compactMap(JourneyEvent.init(json:)) ?? [] { printLine(event.formatted) }
        printLine("→ \(Self.sentence(push))")
    }

    /// Returns what became of a push or a channel message, from the answer of the control endpoint.
    static func sentence(_ push: JSONObject) -> String {
        if let sentence = push["sentence"]?.string { return sentence.printed }
        let state = push["state"]?.string ?? "unknown"
        if let message = push["broadcast"]?.object {
            func count(_ key: String) -> Int64 { message[key]?.integer ?? 0 }
            let channel = (message["channel"]?.string ?? "").printed
            let until = message["until"]?.string.map { "; it is stored until \($0), for devices that link later" } ?? ""
            return "a message of the channel \(channel): subscribed devices \(count("subscribers")), linked of them "
                + "\(count("sent")), acknowledged by \(count("delivered"))\(until); --device says why one has not"
        }
        let refusals = (push["answers"]?.array ?? []).compactMap { $0.object?["reason"]?.string }
        let reasons = refusals.isEmpty ? "" : ": \(refusals.joined(separator: ", "))"
        return "\(state.printed)\(reasons), as far as the gateway knows"
    }

    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }
}
