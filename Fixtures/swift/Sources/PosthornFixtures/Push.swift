import Foundation

/// A request that arrived at the gateway, with its answer.
public struct Push: Sendable, CustomStringConvertible {
    /// The place in the order of arrival, from 1.
    public let number: Int
    /// The time of arrival, in ISO 8601 and UTC.
    public let at: String
    public let environment: String
    /// The number of the connection.
    public let connection: Int
    public let path: String
    public let token: String?
    public let apnsID: String?
    public let headers: [String: String]
    /// The payload as JSON; nil if it is not JSON.
    public let payload: Data?
    /// The status of the answer; nil if a fault ended the request without one.
    public let status: Int?
    /// The reason of the refusal; nil if the push was accepted.
    public let reason: String?
    /// Apple's meaning of the reason, and what to do about it.
    public let advice: String?

    init(_ facts: [String: Any]) throws {
        guard let number = facts["number"] as? Int, let at = facts["at"] as? String, let path = facts["path"] as? String
        else {
            throw PosthornError("A push has no number, time or path: \(facts)")
        }
        self.number = number
        self.at = at
        self.path = path
        environment = facts["environment"] as? String ?? ""
        connection = facts["connection"] as? Int ?? 0
        token = facts["token"] as? String
        apnsID = facts["apns-id"] as? String
        let fields = (facts["headers"] as? [[String]] ?? []).filter { $0.count == 2 }
        headers = Dictionary(fields.map { ($0[0], $0[1]) }) { $1 }
        payload = try facts["payload"].map {
            try JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys, .fragmentsAllowed])
        }
        status = facts["status"] as? Int
        reason = facts["reason"] as? String
        advice = reason.map { _ in
            [facts["meaning"], facts["remedy"]].compactMap { $0 as? String }.joined(separator: " ")
        }
    }

    public var description: String {
        let answer = status.map { "\($0) \(reason ?? "")" } ?? "no answer"
        let text = payload.map { String(decoding: $0, as: UTF8.self) } ?? "not JSON"
        let type = headers["apns-push-type"] ?? "no apns-push-type"
        let line = "#\(number) at \(at): \(answer), \(type), token \(token ?? path), payload \(text.prefix(200))"
        return line + (advice.map { "\n    " + $0 } ?? "")
    }
}

/// Conditions for pushes; nil matches all.
public struct PushConditions: Sendable {
    public var token, topic, collapseID, apnsID, environment, reason: String?
    public var status: Int?
    /// A text that is looked for in the payload.
    public var text: String?

    public init(
        token: String? = nil,
        topic: String? = nil,
        collapseID: String? = nil,
        apnsID: String? = nil,
        environment: String? = nil,
        status: Int? = nil,
        reason: String? = nil,
        text: String? = nil
    ) {
        self.token = token
        self.topic = topic
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.environment = environment
        self.status = status
        self.reason = reason
        self.text = text
    }

    var query: [String: String] {
        [
            "token": token, "topic": topic, "collapse-id": collapseID, "apns-id": apnsID, "environment": environment,
            "reason": reason, "text": text, "status": status.map(String.init),
        ].compactMapValues { $0 }
    }
}
