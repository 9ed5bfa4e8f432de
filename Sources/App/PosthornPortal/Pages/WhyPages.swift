import Foundation
import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// The fate of a push on one device, and the reason.
struct WhyPages: Sendable {
    let portal: PortalEnvironment

    func add(to router: RouterGroup<PortalContext>) {
        router.page("/messages/:message/devices/:device", of: portal) { try await show($0) }
    }

    private func show(_ visit: AppVisit) async throws -> Response {
        let (app, texts, context) = (visit.app, visit.texts, visit.context)
        let (message, device) = (try context.parameters.require("message"), try context.parameters.require("device"))
        guard let id = MessageID(message), let name = RegistrationID(device) else {
            throw PortalProblem(.notFound, "not_found")
        }
        let journey = try await visit.get("/posthorn/v1/journeys/\(id)/\(name)").object ?? [:]
        let parts = [
            ("notification", journey), ("message", journey["message"]?.object), ("inapp", journey["inapp"]?.object),
            ("voip", journey["voip"]?.object),
        ]
        let shown = parts.compactMap { kind, part in part.map { (kind, $0) } }.filter { kind, part in
            kind == "notification" || !(part["events"]?.array?.isEmpty ?? true)
        }
        let values: JSONObject = [
            "message_id": .string("\(id)"), "registration_id": .string(name.text),
            "apns_id": journey["apns_id"] ?? .null, "request_id": journey["request_id"] ?? .null,
            "is_known": .bool(portal.registry.device(name, of: app.id) != nil),
            "parts": .array(
                shown.map { kind, part in
                    var values = self.part(part, texts)
                    if kind != "notification" { values["kind"] = .string(texts["messages", "kind_\(kind)"]) }
                    return .object(values)
                }
            ),
            "zone": .string(portal.timeZone.identifier),
        ]
        return visit.page("why", title: texts["why", "title"], values, section: "messages")
    }

    /// Returns the verdict and the events of a journey, or of a part of it.
    private func part(_ part: JSONObject, _ texts: Catalogue) -> JSONObject {
        let events = part.objects("events")
        let verdict = part["verdict"]?.object ?? [:]
        let state = verdict["state"]?.string ?? "unknown"
        let name = texts["why", "state_\(state)"]
        let sentence = sentence(verdict, events: events, texts)
        // A sentence that begins with the state does not say it twice.
        let rest =
            sentence.hasPrefix(name) ? String(sentence.dropFirst(name.count)) : texts["why", "after_state"] + sentence
        return [
            "state": .string(name), "kind_of_state": .string(Self.kind(of: state)), "sentence": .string(rest),
            "events": .array(events.map { .object(row($0, texts)) }),
        ]
    }

    /// Returns the verdict's sentence; in other languages than the service's, what its last decisive event means.
    private func sentence(_ verdict: JSONObject, events: [JSONObject], _ texts: Catalogue) -> String {
        let sentence = verdict["sentence"]?.string ?? ""
        guard texts.language != .english else { return Catalogue.written(sentence) }
        let state = verdict["state"]?.string
        let decisive = events.last { $0["event"]?.string == state }
        return decisive.flatMap { event in
            Explanation(texts).meaning(of: event["event"]?.string ?? "", event["reason"]?.string)
        } ?? texts["why", "about_\(state ?? "unknown")"]
    }

    /// The class of a state, which gives its colour.
    private static func kind(of state: String) -> String {
        switch state {
        case "refused", "expired", "crashed": "problem"
        case "suppressed", "paused", "coalesced", "withdrawn", "unknown": "warning"
        case "delivered", "handled", "shown", "dismissed", "opened": "success"
        default: "note"
        }
    }

    /// The members of an event that have places of their own.
    private static let common: Set<String> = ["at", "by", "event", "how"]

    private func row(_ event: JSONObject, _ texts: Catalogue) -> JSONObject {
        let name = event["event"]?.string ?? ""
        let explain = Explanation(texts)
        return [
            "time": .string(portal.shown(event["at"]?.string)),
            "actor": .string(texts["why", "by_\(actor(of: event))"]), "actor_class": .string(actor(of: event)),
            "name": .string(explain.name(of: name, how: event["how"]?.string)),
            "details": .array(
                event.members.filter { !Self.common.contains($0.key) }.map { member in
                    ["key": .string(member.key), "value": .string(member.value.string ?? member.value.text)]
                }
            ),
            "meaning": explain.meaning(of: name, event["reason"]?.string).map { .string($0) } ?? .null,
        ]
    }

    /// Returns who has done what an event tells: the answers of APNs are in the words of the service, the calls of the app in
    /// those of the device.
    private func actor(of event: JSONObject) -> String {
        switch (event["by"]?.string, event["event"]?.string) {
        case ("service", "sent"), ("service", "refused"): "apns"
        case ("device", "callback"), ("device", "finished"), ("device", "serviceExtension"), ("device", "crashed"):
            "app"
        case (let station?, _): station
        default: "service"
        }
    }
}
