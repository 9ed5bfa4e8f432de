package import PushModel

/// The refusal of an operation: what was found, what was expected and what to do.
package struct OperatorError: Error, Hashable, CustomStringConvertible {
    /// The kind of refusal, for programs.
    package enum Code: String, Sendable, CaseIterable {
        /// A member is missing, unknown or of another form.
        case badRequest = "bad_request"
        /// The caller has no valid operator token.
        case unauthorized
        /// No app, group, developer or credential has this key.
        case notFound = "not_found"
        /// The service is older than the caller, or the operation is misspelled.
        case unknownOperation = "unknown_operation"
        /// A credential cannot be used; ``OperatorError/reason`` says why.
        case unusableCredential = "unusable_credential"
        /// The operation needs a running service.
        case needsService = "needs_service"
        /// The state of the service does not allow the change.
        case conflict
        /// The caller has asked too often; the same request may succeed later.
        case tooManyRequests = "too_many_requests"
        /// Too much is going on; the same request may succeed later.
        case busy
        case internalError = "internal_error"

        /// The HTTP status of the answer.
        package var status: Int {
            switch self {
            case .badRequest: 400
            case .unauthorized: 401
            case .notFound, .unknownOperation: 404
            case .conflict: 409
            case .unusableCredential: 422
            case .tooManyRequests: 429
            case .busy, .needsService: 503
            case .internalError: 500
            }
        }
    }

    package var code: Code
    package var message: String
    /// The code and values of the message; nil for a refusal that is not an operation's, or that another service has answered.
    package var remark: Remark?
    /// The reason of ``Code/unusableCredential``.
    package var reason: UnusableCredential?
    /// The number of seconds after which the same request may succeed; nil if waiting does not help.
    package var retryAfter: Int?
    /// Whether a ``Code/badRequest`` is about a parameter that the service does not know.
    package var isUnknownParameter = false

    /// The `reason` of an answer about a parameter that the service does not know.
    package static let unknownParameter = "unknown_parameter"

    package init(_ code: Code, _ message: String, reason: UnusableCredential? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// The refusal of an operation; `message` is its sentence in English, that of the remark if nil.
    package init(
        _ code: Code,
        _ remark: Remark,
        message: String? = nil,
        reason: UnusableCredential? = nil,
        retryAfter: Int? = nil
    ) {
        self.init(code, message ?? remark.found, reason: reason, retryAfter: retryAfter)
        self.remark = remark
    }

    package var description: String { message }

    /// `{"error":{"code":"not_found","message":"…"}}`.
    package var json: JSONValue {
        let error = JSONObject(present: [
            "code": code.rawValue, "message": message,
            "reason": isUnknownParameter ? Self.unknownParameter : reason?.rawValue, "remarks": remark.map { [$0] },
        ])
        return ["error": .object(error)]
    }
}
