/// An error of the JPush REST API, as sent to the caller: HTTP status, code and message.
///
/// Source of codes and statuses: JPush REST API v3, "Push API", "Device API", "Schedule API" and "Report API", sections "Error
/// codes", and "HTTP status codes".
package struct JPushError: Error, Hashable, Sendable, CustomStringConvertible {
    package var status: Int
    package var code: Int
    package var message: String
    /// The id next to the error in the response; only with 1011.
    package var messageID: MessageID?
    /// The ids inside the error in the response; only with 7002 and 7013, and in a batch with 1003.
    package var illegalRegistrationIDs: [String] = []

    package init(status: Int, code: Int, message: String, messageID: MessageID? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.messageID = messageID
    }

    init(_ status: Int, code: Int, _ message: String) { self.init(status: status, code: code, message: message) }

    /// Reads the body of a response; nil if it has no error.
    package init?(json: JSONValue, status: Int = 0) {
        guard let error = json.object?["error"]?.object, let message = error["message"]?.string else { return nil }
        self.init(status: status, code: Int(error["code"]?.integer ?? 0), message: message)
    }

    package var description: String { "\(code): \(message)" }

    /// The response body: `{"error":{"code":…,"message":…}}`, with `msg_id` next to it and `illegal_rids` inside if present.
    package var json: JSONValue {
        var error: JSONObject = ["code": .number(code), "message": .string(message)]
        if !illegalRegistrationIDs.isEmpty { error["illegal_rids"] = .strings(illegalRegistrationIDs) }
        var object: JSONObject = [:]
        object["msg_id"] = JSONValue(messageID?.description)
        object["error"] = .object(error)
        return .object(object)
    }
}

extension JPushError {
    package static func internalError(_ message: String = "Internal error; the request may be repeated.") -> Self {
        Self(500, code: 1000, message)
    }
    /// A required parameter is missing, or the body is not JSON.
    package static func missing(_ message: String) -> Self { Self(400, code: 1002, message) }
    package static func badValue(_ message: String) -> Self { Self(400, code: 1003, message) }
    package static let unauthorized = Self(401, code: 1004, "Authen failed")
    package static func tooLarge(_ message: String) -> Self { Self(400, code: 1005, message) }
    package static func illegalAppKey(_ message: String) -> Self { Self(400, code: 1008, message) }
    package static func unsupportedKey(_ message: String) -> Self { Self(400, code: 1009, message) }
    /// The audience has no device, which may be because it names a segment that the app does not have, or because its devices have their
    /// alias without a proof. Callers match the beginning of the message.
    package static func noTarget(
        _ messageID: MessageID,
        unknownSegment: String? = nil,
        isUnproved: Bool = false
    ) -> Self {
        var message = "cannot find user by this audience or has been inactive for more than 255 days"
        if let unknownSegment {
            message += ". The app has no segment '\(unknownSegment)'; GET /posthorn/v1/segments lists those it has."
        }
        if isUnproved {
            message += ". Its devices have the alias without a proof, so custom messages do not go to them "
            message += "(the app's setting 'aliases')."
        }
        return Self(status: 400, code: 1011, message: message, messageID: messageID)
    }
    package static func tooManyPacedPushes(_ message: String) -> Self { Self(400, code: 1012, message) }
    /// The status is our choice.
    package static func noSuchFile(_ id: String) -> Self {
        Self(
            404,
            code: 1003,
            "There is no file '\(id)' here; it may have expired. GET /v3/files lists those that are left."
        )
    }
    /// The status and the code are our choice.
    package static func noSuchTemplate(_ id: String) -> Self {
        Self(404, code: 1003, "There is no template '\(id)' here. GET /posthorn/v1/templates lists them.")
    }
    /// The status and the code are our choice.
    package static func noSuchPlan(_ name: String) -> Self {
        Self(404, code: 1003, "There is no push plan '\(name.prefix(80))' here. GET /v3/push_plan/list lists them.")
    }
    package static let rateLimited = Self(429, code: 2002, "Rate limit exceeded")
    /// The code is our choice.
    package static func tooManyFailedLogins(_ limit: Int) -> Self {
        Self(
            429,
            code: 2002,
            "More than \(limit) logins from this address failed within a minute. Valid credentials are accepted "
                + "at any time; others are checked again after the seconds in Retry-After."
        )
    }
    /// More pushes to `all` than the operator allows per day; the status is our choice.
    package static func tooManyBroadcasts(_ limit: Int) -> Self {
        Self(403, code: 2008, "The app has pushed to 'all' \(limit) times today, which is its limit.")
    }
    /// The interface exists, but this server does not support it.
    package static func notServed(_ message: String) -> Self { Self(403, code: 2007, message) }
}
