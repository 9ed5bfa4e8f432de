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
            "live_query": .string(
                wanted.map { "&\($0.name)=\(ConsoleQuery.encoded($0.value))" }.joined()
            ),
        ]
        do {
            let found = try facts.pushes(wanted + [("limit", "\(Self.limit)")])["pushes"]?.array ?? []
            let rows = found.compactMap(\.object)
            values["last"] = .integer(rows.last?["number"]?.integer ?? 0)
            values["pushes"] = .array(rows.reversed().map { .object(row($0)) })
            values["is_empty"] = .bool(rows.isEmpty)
        } catch {
            values["problem"] = .string(error.message)
            values["last"] = 0
        }
        if let number = query["push"] {
            values["is_open"] = true
            values["close"] = .string(query.link(["push": nil]))
            if let push = try? facts.pushes([("number", number)])["pushes"]?.array?.first?.object {
                values["push"] = .object(detail(push))
            }
        }
        return values
    }

    private func row(_ push: JSONObject) -> JSONObject {
        let headers = Self.headers(push)
        let number = push["number"]?.integer ?? 0
        let token = push["token"]?.string
        let status = push["status"]?.integer
        return [
            "number": .integer(number), "time": time(push["at"]), "environment": environment(push["environment"]),
            "token": .orNull(token),
            "short_token": token.map { .string($0.count > 12 ? "\($0.prefix(8))…" : $0) } ?? .null,
            "topic": .orNull(headers["apns-topic"]),
            // Most are alerts.
            "type": headers["apns-push-type"].flatMap { $0 == "alert" ? nil : .string($0) } ?? .null,
            "summary": .string(summary(push["payload"])),
            "status": .string(status.map { "\($0)" } ?? text("no_answer")), "reason": push["reason"] ?? .null,
            "is_accepted": .bool(status == 200), "is_unanswered": .bool(status == nil),
            "link": .string(query.link(["push": "\(number)"])), "is_chosen": .bool(query["push"] == "\(number)"),
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

    private func detail(_ push: JSONObject) -> JSONObject {
        var values = row(push)
        for name in ["apns-id", "path", "connection"] {
            values[name.replacing("-", with: "_")] = push[name] ?? .null
        }
        values["bytes"] = push["payload-bytes"] ?? .null
        values["headers"] = .array(
            (push["headers"]?.array ?? []).compactMap(\.array).map { pair in
                ["name": pair.first ?? .null, "value": pair.last ?? .null]
            }
        )
        values["json"] = push["payload"].map { .string($0.indented) } ?? .null
        values["raw"] =
            push["payload-base64"]?.string.flatMap { Data(base64Encoded: $0) }.map {
                .string(String(decoding: $0, as: UTF8.self))
            } ?? .null
        if let reason = push["reason"]?.string {
            for part in ["meaning", "remedy"] {
                let known = texts.sections["reasons"]?.object?["\(reason)_\(part)"]
                values[part] = known ?? push[part] ?? .null
            }
        }
        values["standing"] = standing(push)
        values["token_pushes"] = .string(ConsoleQuery.link([("token", push["token"]?.string ?? "")]))
        values["token_faults"] = .string(
            ConsoleQuery.link([("view", "faults"), ("token", push["token"]?.string ?? "")])
        )
        return values
    }

    /// The fate of an accepted push.
    private func standing(_ push: JSONObject) -> JSONValue {
        guard push["status"]?.integer == 200, let id = push["apns-id"]?.string, let found = facts.push(apnsID: id),
            let state = found["state"]?.string
        else { return .null }
        let words = texts.sections["console"]?.object?["state_\(state)"]?.string
        let events = found.objects("events").map { event -> JSONValue in
            ["time": time(event["at"]), "by": event["by"] ?? .null, "event": event["event"] ?? .null]
        }
        return [
            "state": .string(words ?? state), "until": time(found["until"]), "events": .array(events),
            "has_events": .bool(!events.isEmpty),
        ]
    }

    private static func headers(_ push: JSONObject) -> [String: String] {
        let pairs = (push["headers"]?.array ?? []).compactMap(\.array).compactMap { pair -> (String, String)? in
            guard let name = pair.first?.string, let value = pair.last?.string else { return nil }
            return (name, value)
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
