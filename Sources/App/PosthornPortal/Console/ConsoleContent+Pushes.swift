import APNSGateway
import Foundation
import PosthornStack
import PushModel
import PushService

/// The latest pushes, the search for some of them, and the one that is open.
extension ConsoleContent {
    private static let conditions = [
        "text", "token", "topic", "collapse-id", "apns-id", "environment", "status", "reason",
    ]
    /// The conditions that the form shows at once.
    private static let first: Set = ["text", "environment", "status"]
    /// The number of pushes on a page.
    private static let limit = 100

    var pushes: PageValues {
        let wanted = query.fields(Self.conditions)
        var values: PageValues = [
            "search": search(Self.conditions), "environments": environments,
            "has_more_conditions": wanted.contains { !Self.first.contains($0.name) },
            "is_search": !wanted.isEmpty, "limit": Self.limit, "is_live": true,
            "live_query": wanted.map { "&\($0.name)=\(APIClient.encoded($0.value))" }.joined(),
        ]
        do {
            let found = try facts.pushes(wanted + [("limit", "\(Self.limit)")])
            values["last"] = found.last?.number ?? 0
            values["pushes"] = found.reversed().map { row($0) }
            values["is_empty"] = found.isEmpty
        } catch {
            values["problem"] = error.message
            values["last"] = 0
        }
        if let number = query["push"] {
            values["is_open"] = true
            values["close"] = query.link(["push": nil])
            if let push = try? facts.pushes([("number", number)]).first { values["push"] = detail(push) }
        }
        return values
    }

    private func row(_ push: RecordedPush) -> PageValues {
        let type = push.header("apns-push-type")
        return [
            "number": push.number, "time": time(push.date), "environment": environment(push.environment),
            "token": push.token, "short_token": push.token.map { $0.count > 12 ? "\($0.prefix(8))…" : $0 },
            // Most are alerts.
            "topic": push.header("apns-topic"), "type": type == "alert" ? nil : type,
            "summary": summary(try? JSONValue(parsing: push.payload)), "is_unanswered": push.status == nil,
            "status": push.status.map { "\($0)" } ?? text("no_answer"), "reason": push.reason?.rawValue,
            "is_accepted": push.status == 200, "link": query.link(["push": "\(push.number)"]),
            "is_chosen": query["push"] == "\(push.number)",
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
        if aps?["content-available"]?.isOn == true { return text("silent") }
        return object.members.map(\.key).joined(separator: ", ")
    }

    private func detail(_ push: RecordedPush) -> PageValues {
        var values = row(push)
        values["apns_id"] = push.apnsID
        values["path"] = push.path
        values["connection"] = push.connection
        values["bytes"] = push.payload.count
        values["headers"] = push.headers.map { header -> PageValues in
            ["name": header.name, "value": header.value]
        }
        let payload = try? JSONValue(parsing: push.payload)
        values["json"] = payload?.indented
        values["raw"] = payload == nil ? push.text : nil
        if let reason = push.reason, let status = push.status {
            let known = texts.sections["reasons"]?.object
            let advice = reason.advice(status: status)
            for (part, own) in [("meaning", advice.meaning), ("remedy", advice.remedy)] {
                values[part] = known?["\(reason.rawValue)_\(part)"] ?? own
            }
        }
        values["standing"] = standing(push)
        let token = [("token", push.token ?? "")]
        values["token_pushes"] = ConsoleQuery.link(token)
        values["token_faults"] = ConsoleQuery.link([("view", "faults")] + token)
        return values
    }

    /// The fate of an accepted push.
    private func standing(_ push: RecordedPush) -> PageValues? {
        guard push.status == 200, let id = push.apnsID, let found = facts.gateway.standing(of: id) else { return nil }
        let words = texts.sections["console"]?.object?["state_\(found.state)"]?.string
        let events = found.events.map { event -> PageValues in
            ["time": time(event.date), "by": event.station.rawValue, "event": event.kind.name]
        }
        let until: Date? =
            switch found.place {
            case .waiting(let until): until
            case .onTheWay(let until): until
            case .nowhere: nil
            }
        return [
            "state": words ?? found.state, "until": until.map(time), "events": events,
            "has_events": !events.isEmpty,
        ]
    }
}
