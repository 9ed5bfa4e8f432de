import APNSGateway
import Foundation
import PushModel

/// The latest pushes, the search for some of them, and the one that is open.
extension ConsoleContent {
    private static let conditions = [
        "text", "token", "topic", "collapse-id", "apns-id", "environment", "status", "reason",
    ]
    /// The conditions that the form shows at once.
    private static let first: Set = ["text", "environment", "status"]
    /// The number of pushes on a page.
    private static let limit = 100

    var pushes: JSONObject {
        let wanted = query.fields(Self.conditions)
        var values: JSONObject = [
            "search": search(Self.conditions), "environments": environments,
            "has_more_conditions": .bool(wanted.contains { !Self.first.contains($0.name) }),
            "is_search": .bool(!wanted.isEmpty), "limit": .number(Self.limit), "is_live": true,
            "live_query": .string(wanted.map { "&\($0.name)=\(ConsoleQuery.encoded($0.value))" }.joined()),
        ]
        do {
            let found = try facts.pushes(wanted + [("limit", "\(Self.limit)")])
            values["last"] = .number(found.last?.number ?? 0)
            values["pushes"] = .array(found.reversed().map { .object(row($0)) })
            values["is_empty"] = .bool(found.isEmpty)
        } catch {
            values["problem"] = .string(error.message)
            values["last"] = 0
        }
        if let number = query["push"] {
            values["is_open"] = true
            values["close"] = .string(query.link(["push": nil]))
            if let push = try? facts.pushes([("number", number)]).first { values["push"] = .object(detail(push)) }
        }
        return values
    }

    private func row(_ push: RecordedPush) -> JSONObject {
        let type = push.header("apns-push-type")
        return [
            "number": .number(push.number), "time": time(push.date), "environment": environment(push.environment),
            "token": .orNull(push.token),
            "short_token": .orNull(push.token.map { $0.count > 12 ? "\($0.prefix(8))…" : $0 }),
            "topic": .orNull(push.header("apns-topic")),
            // Most are alerts.
            "type": .orNull(type == "alert" ? nil : type),
            "summary": .string(summary(try? JSONValue(parsing: push.payload))),
            "status": .string(push.status.map { "\($0)" } ?? text("no_answer")),
            "reason": .orNull(push.reason?.rawValue), "is_accepted": .bool(push.status == 200),
            "is_unanswered": .bool(push.status == nil), "link": .string(query.link(["push": "\(push.number)"])),
            "is_chosen": .bool(query["push"] == "\(push.number)"),
        ]
    }

    /// The text that a user would read first, or its substitute.
    private func summary(_ payload: JSONValue?) -> String {
        guard let object = payload?.object else { return text("no_object") }
        let aps = object["aps"]?.object
        if let alert = aps?["alert"]?.string { return alert }
        if let alert = aps?["alert"]?.object {
            let lines = ["title", "subtitle", "body"].compactMap { alert[$0]?.string }
            return (lines.isEmpty ? ["title-loc-key", "loc-key"].compactMap { alert[$0]?.string } : lines)
                .joined(separator: " — ")
        }
        if aps?["content-available"]?.integer == 1 { return text("silent") }
        return object.members.map(\.key).joined(separator: ", ")
    }

    private func detail(_ push: RecordedPush) -> JSONObject {
        var values = row(push)
        values["apns_id"] = .orNull(push.apnsID)
        values["path"] = .string(push.path)
        values["connection"] = .number(push.connection)
        values["bytes"] = .number(push.payload.count)
        values["headers"] = .array(push.headers.map { ["name": .string($0.name), "value": .string($0.value)] })
        let payload = try? JSONValue(parsing: push.payload)
        values["json"] = .orNull(payload?.indented)
        values["raw"] = .orNull(payload == nil ? push.text : nil)
        if let reason = push.reason, let status = push.status {
            let (known, advice) = (texts.sections["reasons"]?.object, reason.advice(status: status))
            for (part, own) in [("meaning", advice.meaning), ("remedy", advice.remedy)] {
                values[part] = known?["\(reason.rawValue)_\(part)"] ?? .string(own)
            }
        }
        values["standing"] = standing(push)
        let token = [("token", push.token ?? "")]
        values["token_pushes"] = .string(ConsoleQuery.link(token))
        values["token_faults"] = .string(ConsoleQuery.link([("view", "faults")] + token))
        return values
    }

    /// The fate of an accepted push.
    private func standing(_ push: RecordedPush) -> JSONValue {
        guard push.status == 200, let id = push.apnsID, let found = facts.gateway.standing(of: id) else { return .null }
        let words = texts.sections["console"]?.object?["state_\(found.state)"]?.string
        let events = found.events.map { event -> JSONValue in
            ["time": time(event.date), "by": .string(event.station.rawValue), "event": .string(event.kind.name)]
        }
        let until: Date? =
            switch found.place {
            case .waiting(let until): until
            case .onTheWay(let until): until
            case .nowhere: nil
            }
        return [
            "state": .string(words ?? found.state), "until": until.map(time) ?? .null, "events": .array(events),
            "has_events": .bool(!events.isEmpty),
        ]
    }
}
