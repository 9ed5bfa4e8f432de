import Foundation
import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// The fate of a push on one device, and the reason.
extension AppVisit {
    func explain() async throws -> Response {
        let (message, device) = (try context.parameters.require("message"), try context.parameters.require("device"))
        guard let id = MessageID(message), let name = RegistrationID(device) else {
            throw PortalProblem(.notFound, "not_found")
        }
        let journey: Journey = try await read("/posthorn/v1/journeys/\(id)/\(name)")
        let others = [("message", journey.custom), ("inapp", journey.inApp), ("voip", journey.voip)]
        let parts = others.compactMap { kind, part in
            part.flatMap { $0.events.isEmpty ? nil : self.part($0, kind: kind) }
        }
        let values: PageValues = [
            "message_id": "\(id)", "registration_id": name.text, "apns_id": journey.apnsID,
            "request_id": journey.requestID, "is_known": portal.registry.device(name, of: app.id) != nil,
            "parts": [part(journey.main)] + parts,
        ]
        return page("why", values, section: "messages")
    }

    /// Returns the verdict and the events of a journey, or of a part of it.
    private func part(_ part: Journey.Part, kind: String? = nil) -> PageValues {
        let state = part.verdict.state
        let name = texts["why", "state_\(state)"]
        let sentence = sentence(part)
        // A sentence that begins with the state does not say it twice.
        let rest =
            sentence.hasPrefix(name) ? String(sentence.dropFirst(name.count)) : texts["why", "after_state"] + sentence
        return [
            "state": name, "kind_of_state": Self.kind(of: state), "sentence": rest, "events": part.events.map(row),
            "kind": kind.map { texts["messages", "kind_\($0)"] },
        ]
    }

    /// Returns the verdict's sentence; in other languages than the service's, what its last decisive event means.
    private func sentence(_ part: Journey.Part) -> String {
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

    private func row(_ event: JourneyEvent) -> PageValues {
        let (kind, actor) = (event.kind, actor(of: event))
        let explain = Explanation(texts)
        var how: String?
        if case .presented(let presentation) = kind { how = presentation.rawValue }
        return [
            "time": portal.shown(event.date), "actor": texts["why", "by_\(actor)"], "actor_class": actor,
            "name": explain.name(of: kind.name, how: how), "meaning": explain.meaning(of: kind.name, kind.reason),
            // The way of a presentation is in the name.
            "details": (how == nil ? kind.details : []).map { key, value -> PageValues in
                ["key": key, "value": value.string ?? value.text]
            },
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
