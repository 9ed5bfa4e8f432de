import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints for pushes: a list, the newest first, and the details of one.
struct MessageRoutes: Sendable {
    let messages: MessageQueries
    let journeys: JourneyQueries

    private static let pageSizes = 1...1000

    func add(to group: RouterGroup<APIContext>) {
        group.get("posthorn/v1/messages") { request, context in
            let app = try caller(context)
            let limit = try request.number("limit", in: Self.pageSizes) ?? 100
            let before = try request.parameter("before").map(Self.messageID)
            let page = try await messages.list(of: app.id, before: before, limit: limit)
            return Response(
                json: [
                    "messages": .array(
                        page.messages.map { entry in
                            var object = Self.json(entry.message)
                            object["waiting"] = .bool(entry.isWaiting)
                            return .object(object)
                        }
                    ),
                    "next": page.next.map { .string($0.description) } ?? .null,
                ]
            )
        }
        group.get("posthorn/v1/messages/:message") { _, context in
            let app = try caller(context)
            let id = try Self.messageID(try context.segment("message"))
            guard let (message, progress, outcomes) = try await messages.message(id, of: app.id) else {
                let reason = try await journeys.absence(of: id, app: app)?.found
                throw JPushError(status: 404, code: 1003, message: reason ?? "This app has no push \(id).")
            }
            var object = Self.json(message)
            object["expires_at"] = .date(message.expiresAt)
            object["push"] = (try? JSONValue(parsing: message.body)) ?? .null
            object["progress"] = Self.json(progress)
            object["outcomes"] = .array(outcomes.outcomes.map { json($0, of: message) })
            object["callback"] = try await messages.callback(of: id).map(Self.json) ?? .null
            object["outcomes_complete"] = .bool(outcomes.isComplete)
            return Response(json: .object(object))
        }
        group.refuseMethods(besides: [.get], at: "posthorn/v1/messages", code: 1001)
        group.refuseMethods(besides: [.get], at: "posthorn/v1/messages/:message", code: 1001)
    }

    private static func messageID(_ text: String) throws -> MessageID {
        guard let id = MessageID(text) else {
            throw JPushError.badValue("'\(text)' is not a msg_id; expected decimal digits.")
        }
        return id
    }

    private static func json(_ message: Message) -> JSONObject {
        [
            "msg_id": .string(message.id.description), "accepted_at": .date(message.acceptedAt),
            "environment": .string(message.environment.rawValue), "cid": .orNull(message.cid),
            "request_id": message.origin.map { .string($0.requestID) } ?? .null,
            "text": summary(message.body).map { .string($0) } ?? .null,
        ]
    }

    private static func json(_ progress: MessageProgress) -> JSONValue {
        [
            "devices": .number(progress.devices), "sent": .number(progress.sent), "ended": .number(progress.ended),
            "waiting": .number(progress.waiting), "links": .number(progress.links), "next_at": .orNull(progress.nextAt),
            "problem": progress.problem.map { .string($0.name) } ?? .null,
        ]
    }

    private static func json(_ state: CallbackState) -> JSONValue {
        [
            "url": .string(state.url), "delivered": .number(state.delivered), "waiting": .number(state.waiting),
            "lost": .number(state.lost), "problem": .orNull(state.problem),
        ]
    }

    private func json(_ outcome: MessageOutcomes.Outcome, of message: Message) -> JSONValue {
        // An event needs a time; only its reason is shown.
        let event = JourneyEvent(date: message.acceptedAt, station: .service, kind: outcome.event)
        let verdict = Verdict([event], context: Verdict.Context(pushEnvironment: message.environment))
        let names = messages.names(of: outcome.first, app: message.app)
        return [
            "event": .string(outcome.event.name), "part": outcome.isVoIP ? "voip" : "notification",
            "reason": event.json.object?["reason"] ?? .null, "sentence": .string(verdict.sentence),
            "devices": .number(outcome.devices), "registration_ids": .array(names.map { .string($0.text) }),
        ]
    }

    /// Returns what a person would recognise a push by: its alert, or the text of its custom message.
    private static func summary(_ body: [UInt8]) -> String? {
        let push = (try? JSONValue(parsing: body))?.object
        let notification = push?["notification"]?.object
        for alert in [notification?["ios"]?.object?["alert"], notification?["alert"]] {
            if let text = alert?.string { return text }
            if let parts = alert?.object, let text = parts["title"]?.string ?? parts["body"]?.string { return text }
        }
        return push?["message"]?.object?["msg_content"]?.string
    }
}
