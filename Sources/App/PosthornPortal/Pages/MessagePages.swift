import Foundation
import HTTPTypes
import Hummingbird
import PushClock
import PushModel
import PushService

/// The pushes of an app: the list, and one with what became of it.
struct MessagePages: Sendable {
    let portal: PortalEnvironment

    /// The numbers of pushes on a page, and of devices to choose from for an alias.
    private static let (size, choices) = (50, 50)

    func add(to router: RouterGroup<PortalContext>) {
        router.page("/messages", of: portal) { try await list($0) }
        router.page("/messages/:message", of: portal) { try await show($0) }
        router.page("/messages/:message/live", of: portal) { try await live($0) }
        router.page("/messages/:message/why", of: portal) { try await find($0) }
    }

    // MARK: - The list

    private func list(_ visit: AppVisit) async throws -> Response {
        let (request, texts) = (visit.request, visit.texts)
        let wish = request.wish("id")
        if let wish, let id = MessageID(wish) {
            return .redirect(to: "/portal/apps/\(visit.app.key)/messages/\(id)", type: .normal)
        }
        let query = Query(["before": request.wish("before"), "limit": "\(Self.size)"])
        let answer: MessageListAnswer = try await visit.read("/posthorn/v1/messages\(query.text)")
        let values: JSONObject = [
            "messages": .array(
                answer.messages.map { message in
                    [
                        "msg_id": .string(message.msgID), "accepted": .string(portal.shown(message.acceptedAt)),
                        "is_production": .bool(message.environment == .production),
                        "is_waiting": .bool(message.waiting == true),
                        "text": .orNull(message.text.flatMap { $0.isEmpty ? nil : $0 }),
                    ]
                }
            ),
            "next": .orNull(answer.next.map { Query(["before": $0]).text }),
            "is_later": .bool(request.wish("before") != nil), "id": .orNull(wish),
            "no_id": wish.map { .string(texts.text("messages", "no_id", with: ["text": $0])) } ?? .null,
            "zone": .string(portal.timeZone.identifier),
        ]
        return visit.page("messages", title: texts["messages", "title"], values, section: "messages")
    }

    // MARK: - One push

    private func show(_ visit: AppVisit) async throws -> Response {
        let id = try message(visit)
        let texts = visit.texts
        let (message, state) = try await read(id, visit)
        var values = state.json(texts)
        values["message"] = [
            "id": .string("\(id)"), "text": .orNull(message.text), "cid": .orNull(message.cid),
            "request_id": .orNull(message.requestID), "accepted": .string(portal.shown(message.acceptedAt)),
            "expires": .string(portal.shown(message.expiresAt)),
            "is_production": .bool(message.environment == .production), "push": .string(message.push.indented),
        ]
        values["next_at"] = .orNull(message.progress.nextAt.map { portal.shown($0) })
        values["warnings"] = .strings(
            message.warnings.compactMap(\.object).map { warning in
                let places = ["path", "found"].map { ($0, warning[$0]?.string ?? "") }
                let key = "warning_\(warning["code"]?.string ?? "")"
                return texts.text("compose", key, with: Dictionary(uniqueKeysWithValues: places))
            }
        )
        // Reports of devices come shortly after the push.
        let age = portal.clock.date.timeIntervalSince(message.acceptedAt)
        values["is_live"] = .bool(state.isWaiting || age < 60)
        values["zone"] = .string(portal.timeZone.identifier)
        let title = message.text.flatMap { $0.isEmpty ? nil : $0 } ?? texts["messages", "no_text"]
        return visit.page("message", title: title, values, section: "messages")
    }

    /// The number of seconds without a change after which the stream of a push that has ended is closed.
    private static let quiet = 10

    /// Streams the state of a push whenever it changes, until it has ended and its devices' reports no longer change it.
    private func live(_ visit: AppVisit) async throws -> Response {
        let id = try message(visit)
        let portal = portal
        let place = try portal.streams.take(visit.context.signedIn())
        // Answers for another app's push.
        _ = try await visit.get("/posthorn/v1/messages/\(id)")
        return EventStream.response(on: visit.context.channel, at: place) { send in
            try await portal.watches.follow(id) {
                var last: JSONValue?
                var unchanged = 0
                while !Task.isCancelled {
                    let now = portal.clock.date
                    let state = try await portal.watches.state(of: id, at: now) {
                        let (_, state) = try await read(id, visit)
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

    private func read(_ id: MessageID, _ visit: AppVisit) async throws -> (WholeMessageAnswer, MessageState) {
        let message: WholeMessageAnswer = try await visit.read("/posthorn/v1/messages/\(id)")
        let counts: [MessageDetailAnswer] = try await visit.read("/v3/messages/detail?msg_ids=\(id)")
        return (message, MessageState(message: message.second, details: counts.first?.details))
    }

    /// Leads to the page of a device, which is named by its registration id or its alias.
    private func find(_ visit: AppVisit) async throws -> Response {
        let (app, texts) = (visit.app, visit.texts)
        let id = try message(visit)
        let wish = visit.request.wish("device") ?? ""
        let base = "/portal/apps/\(app.key)/messages/\(id)/devices/"
        if let known = RegistrationID(wish), portal.registry.device(known, of: app.id) != nil {
            return .redirect(to: base + known.text, type: .normal)
        }
        let query = Query(["alias": wish, "limit": "\(Self.choices)"])
        let found: DeviceListAnswer? = wish.isEmpty ? nil : try await visit.read("/posthorn/v1/devices\(query.text)")
        let devices = found?.devices.map(\.registrationID) ?? []
        guard let first = devices.first else {
            throw PortalProblem(.notFound, message: texts.text("messages", "no_device", with: ["text": wish]))
        }
        if devices.count == 1 { return .redirect(to: base + first, type: .normal) }
        let values: JSONObject = [
            "alias": .string(wish), "message_id": .string("\(id)"), "devices": .strings(devices),
            "choose": .string(texts.text("messages", "choose", with: ["count": "\(devices.count)", "alias": wish])),
        ]
        return visit.page("message-devices", title: wish, values, section: "messages")
    }

    private func message(_ visit: AppVisit) throws -> MessageID {
        let text = try visit.context.parameters.require("message")
        guard let id = MessageID(text) else {
            throw PortalProblem(.notFound, message: visit.texts.text("messages", "no_id", with: ["text": text]))
        }
        return id
    }
}
