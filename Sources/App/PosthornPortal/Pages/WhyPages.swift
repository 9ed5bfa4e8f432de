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
        let journey: Journey = try await visit.read("/posthorn/v1/journeys/\(id)/\(name)")
        let others = [("message", journey.custom), ("inapp", journey.inApp), ("voip", journey.voip)]
        let parts = others.compactMap { kind, part -> JSONValue? in
            guard let part, !part.events.isEmpty else { return nil }
            return .object(self.part(part, texts, kind: kind))
        }
        let values: JSONObject = [
            "message_id": .string("\(id)"), "registration_id": .string(name.text),
            "apns_id": .orNull(journey.apnsID), "request_id": .orNull(journey.requestID),
            "is_known": .bool(portal.registry.device(name, of: app.id) != nil),
            "parts": .array([.object(part(journey.main, texts))] + parts),
            "zone": .string(portal.timeZone.identifier),
        ]
        return visit.page("why", title: texts["why", "title"], values, section: "messages")
    }

    /// Returns the verdict and the events of a journey, or of a part of it.
    private func part(_ part: Journey.Part, _ texts: Catalogue, kind: String? = nil) -> JSONObject {
        let state = part.verdict.state
        let name = texts["why", "state_\(state)"]
        let sentence = sentence(part, texts)
        // A sentence that begins with the state does not say it twice.
        let rest =
            sentence.hasPrefix(name) ? String(sentence.dropFirst(name.count)) : texts["why", "after_state"] + sentence
        return [
            "state": .string(name), "kind_of_state": .string(Self.kind(of: state)), "sentence": .string(rest),
            "events": .array(part.events.map { row($0, texts) }),
            "kind": .orNull(kind.map { texts["messages", "kind_\($0)"] }),
        ]
    }

    /// Returns the verdict's sentence; in other languages than the service's, what its last decisive event means.
    private func sentence(_ part: Journey.Part, _ texts: Catalogue) -> String {
        guard texts.language != .english else { return Catalogue.written(part.verdict.sentence) }
        let state = part.verdict.state.rawValue
        let decisive = part.events.last { $0.kind.name == state }
        return decisive.flatMap { Explanation(texts).meaning(of: state, $0.kind.reason) }
            ?? texts["why", "about_\(state)"]
    }

    /// The class of a state, which gives its colour.
    private static func kind(of state: Verdict.State) -> String {
        switch state {
        case .refused, .expired, .crashed: "problem"
        case .suppressed, .paused, .coalesced, .withdrawn, .unknown: "warning"
        case .delivered, .handled, .shown, .dismissed, .opened: "success"
        case .waiting, .sent, .stored: "note"
        }
    }

    private func row(_ event: JourneyEvent, _ texts: Catalogue) -> JSONValue {
        let (kind, actor) = (event.kind, actor(of: event))
        let explain = Explanation(texts)
        var how: String?
        if case .presented(let presentation) = kind { how = presentation.rawValue }
        return [
            "time": .string(portal.shown(event.date)), "actor": .string(texts["why", "by_\(actor)"]),
            "actor_class": .string(actor), "name": .string(explain.name(of: kind.name, how: how)),
            "details": .array(
                // The way of a presentation is in the name.
                (how == nil ? kind.details : []).map { key, value in
                    ["key": .string(key), "value": .string(value.string ?? value.text)]
                }
            ),
            "meaning": .orNull(explain.meaning(of: kind.name, kind.reason)),
        ]
    }

    /// Returns who has done what an event tells: the answers of APNs are in the words of the service, the calls of the app in
    /// those of the device.
    private func actor(of event: JourneyEvent) -> String {
        switch (event.station, event.kind) {
        case (.service, .sent), (.service, .refused): "apns"
        case (.device, .callback), (.device, .finished), (.device, .serviceExtension), (.device, .crashed): "app"
        default: event.station.rawValue
        }
    }
}
