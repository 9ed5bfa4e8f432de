import HTTPTypes
import Hummingbird
import NIOCore
import PushModel

extension Response {
    /// The content type that client libraries require.
    static let jsonType = "application/json; charset=utf-8"

    /// Creates a JSON response.
    init(_ status: HTTPResponse.Status = .ok, json: JSONValue, headers: HTTPFields = [:]) {
        self.init(status, json: json.bytes, headers: headers)
    }

    /// Creates a response from serialised JSON.
    init(_ status: HTTPResponse.Status = .ok, json: [UInt8], headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = Self.jsonType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    /// Creates the answer to a push or a schedule, with `warnings` if there are any about the body of the request.
    init(json: JSONValue, warningAbout body: [UInt8]) {
        let warnings = PushWarning.all(in: body[...])
        guard !warnings.isEmpty, var object = json.object else {
            self.init(json: json)
            return
        }
        object["warnings"] = .array(warnings.map(\.json))
        self.init(json: .object(object))
    }

    /// An empty JSON object, because some client libraries cannot read an empty body.
    static var done: Response { Response(json: [:]) }

    init(_ error: JPushError) {
        self.init(HTTPResponse.Status(code: error.status), json: error.json)
    }
}

extension HTTPField.Name {
    private static func known(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("'\(text)' is a header name.") }
        return name
    }

    static let retryAfter = known("Retry-After")
    /// The header name that every client library reads.
    static let rateLimit = known("X-Rate-Limit-Limit")
    /// The header name in the 2019 overview.
    static let rateQuota = known("X-Rate-Limit-Quota")
    static let rateRemaining = known("X-Rate-Limit-Remaining")
    static let rateReset = known("X-Rate-Limit-Reset")
    /// The client's address as reported by a proxy.
    static let xForwardedFor = known("X-Forwarded-For")
    /// The id that callers and proxies give a request.
    static let requestID = known("X-Request-Id")
    /// The encryption of a push's body.
    static let encryptType = known("X-Encrypt-Type")
}
