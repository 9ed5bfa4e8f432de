import Foundation
import HTTPTypes
import Hummingbird
import PushClock
import PushModel
import PushService

/// The pushes of an app: the list, and one with what became of it.
extension AppVisit {
    /// The numbers of pushes on a page, and of devices to choose from for an alias.
    private static let size = 50
    private static let choices = 50
    /// The number of seconds without a change after which the stream of a push that has ended is closed.
    private static let quiet = 10

    // MARK: - The list

    func listMessages() async throws -> Response {
        let wish = request.wish("id")
        let before = request.wish("before")
        if let wish, let id = MessageID(wish) { return redirect(to: "messages/\(id)") }
        let query = Query(["before": before, "limit": "\(Self.size)", "search": wish])
        let answer: MessageListAnswer = try await read("/posthorn/v1/messages\(query.text)")
        let values: PageValues = [
            "messages": answer.messages.map { message -> PageValues in
                [
                    "msg_id": message.msgID, "accepted": portal.shown(message.acceptedAt),
                    "is_production": message.environment == .production, "is_waiting": message.waiting == true,
                    "text": message.text,
                ]
            },
            "next": answer.next.map { Query(["before": $0, "id": wish]).text }, "is_later": before != nil, "id": wish,
        ]
        return page("messages", values)
    }

    // MARK: - One push

    func showMessage() async throws -> Response {
        let id = try message()
        let (message, state) = try await read(id)
        var values = state.values(texts)
        let facts: PageValues = [
            "id": "\(id)", "text": message.text, "cid": message.cid, "request_id": message.requestID,
            "accepted": portal.shown(message.acceptedAt), "expires": portal.shown(message.expiresAt),
            "is_production": message.environment == .production, "push": message.push.indented,
        ]
        values["message"] = facts
        values["next_at"] = message.progress.nextAt.map { portal.shown($0) }
        values["warnings"] = message.warnings.map { warning in
            let places = ["path": warning.path, "found": warning.found]
            return texts.text("compose", "warning_\(warning.kind.rawValue)", with: places)
        }
        let age = portal.clock.date.timeIntervalSince(message.acceptedAt)
        let canBeTakenBack = age < Double(JPushLimits.withdrawal) && message.progress.sent > 0
        let isReadGroup = message.push.object?["options"]?.object?["x_read_group"] != nil
        values["can_withdraw"] = state.isWaiting || canBeTakenBack && (message.takenBack == nil || isReadGroup)
        // Reports of devices come shortly after the push.
        values["is_live"] = state.isWaiting || message.takenBack?.waiting ?? 0 > 0 || age < 60
        let title = message.text.flatMap { $0.isEmpty ? nil : $0 } ?? texts["messages", "no_text"]
        return page("message", title: title, values, section: "messages")
    }

    /// Streams the state of a push whenever it changes, until it has ended and its devices' reports no longer change it.
    func followMessage() async throws -> Response {
        let id = try message()
        let place = try portal.streams.take(context.signedIn())
        // Answers for another app's push.
        _ = try await get("/posthorn/v1/messages/\(id)")
        return EventStream.response(on: context.channel, at: place) { send in
            try await portal.watches.follow(id) {
                var last: JSONValue?
                var unchanged = 0
                while !Task.isCancelled {
                    let now = portal.clock.date
                    let state = try await portal.watches.state(of: id, at: now) {
                        let (_, state) = try await read(id)
                        return MessageWatches.Reading(isWaiting: state.isWaiting, live: state.live)
                    }
                    unchanged = state?.live == last ? unchanged + 1 : 0
                    if let state, state.live != last {
                        var data = state.live.object ?? [:]
                        data["at"] = .integer(Int64(now.timeIntervalSince1970 * 1000))
                        try await send(EventStream.Event(name: "state", id: nil, data: .object(data)))
                        last = state.live
                    }
                    if state?.isWaiting == false, unchanged >= Self.quiet {
                        return try await send(EventStream.Event(name: "ended", id: nil, data: [:]))
                    }
                    try await portal.clock.sleep(for: .seconds(MessageWatches.interval))
                }
            }
        }
    }

    private func read(_ id: MessageID) async throws -> (WholeMessageAnswer, MessageState) {
        let message: WholeMessageAnswer = try await read("/posthorn/v1/messages/\(id)")
        let counts: [MessageDetailAnswer] = try await read("/v3/messages/detail?msg_ids=\(id)")
        return (message, MessageState(message: message.second, details: counts.first?.details))
    }

    /// Leads to the page of a device, which is named by its registration id or its alias.
    func chooseDevice() async throws -> Response {
        let id = try message()
        let wish = request.wish("device") ?? ""
        let base = "messages/\(id)/devices/"
        if let known = RegistrationID(wish), portal.registry.device(known, of: app.id) != nil {
            return redirect(to: base + known.text)
        }
        let query = Query(["alias": wish, "limit": "\(Self.choices)"])
        let found: DeviceListAnswer? = wish.isEmpty ? nil : try await read("/posthorn/v1/devices\(query.text)")
        let devices = found?.devices.map(\.registrationID) ?? []
        guard let first = devices.first else {
            throw PortalProblem(.notFound, message: texts.text("messages", "no_device", with: ["text": wish]))
        }
        if devices.count == 1 { return redirect(to: base + first) }
        let values: PageValues = [
            "alias": wish, "message_id": "\(id)", "devices": devices,
            "choose": texts.text("messages", "choose", with: ["count": "\(devices.count)", "alias": wish]),
        ]
        return page("message-devices", title: wish, values, section: "messages")
    }

    private func message() throws -> MessageID {
        let text = try context.parameters.require("message")
        guard let id = MessageID(text) else {
            throw PortalProblem(.notFound, message: texts.text("messages", "no_id", with: ["text": text]))
        }
        return id
    }
}

/// The fate of a push on one device, and the reason.
extension AppVisit {
    func explain() async throws -> Response {
        let message = try context.parameters.require("message")
        let device = try context.parameters.require("device")
        guard let id = MessageID(message), let name = RegistrationID(device) else {
            throw PortalProblem(.notFound, "not_found")
        }
        let journey: Journey = try await read("/posthorn/v1/journeys/\(id)/\(name)")
        let others = [
            ("message", journey.custom), ("inapp", journey.inApp), ("voip", journey.voip),
            ("taken_back", journey.takenBack), ("read_elsewhere", journey.readElsewhere),
        ]
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
        let sentence = portal.shown(datesIn: texts.sentence(of: part))
        // A sentence that begins with the state does not say it twice.
        let rest =
            sentence.hasPrefix(name) ? String(sentence.dropFirst(name.count)) : texts["why", "after_state"] + sentence
        return [
            "state": name, "kind_of_state": Self.kind(of: state), "sentence": rest, "events": part.events.map(row),
            "kind": kind.map { texts["messages", "kind_\($0)"] },
        ]
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
        let kind = event.kind
        let actor = actor(of: event)
        var name = texts.name(of: kind.name)
        var details = kind.details
        if case .presented(let presentation) = kind {
            // The way of a presentation is in the name.
            details = []
            let place = texts.text("why", "how_\(presentation.rawValue)") ?? presentation.rawValue
            name += texts["layout", "open"] + place + texts["layout", "close"]
        }
        return [
            "time": portal.shown(event.date), "actor": texts["why", "by_\(actor)"], "actor_class": actor,
            "name": name, "meaning": texts.meaning(of: kind.name, kind.reason),
            "details": details.map { key, value -> PageValues in
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
