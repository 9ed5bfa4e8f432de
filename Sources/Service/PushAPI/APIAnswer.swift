import HTTPTypes
import Hummingbird
import NIOCore
import PushModel

extension Response {
    /// The content type that client libraries insist on.
    static let jsonType = "application/json; charset=utf-8"

    /// JSON with its content type.
    init(_ status: HTTPResponse.Status = .ok, json: JSONValue, headers: HTTPFields = [:]) {
        self.init(status, json: json.bytes, headers: headers)
    }

    /// JSON that is written already.
    init(_ status: HTTPResponse.Status = .ok, json: [UInt8], headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = Self.jsonType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    /// Nothing to tell: some client libraries cannot read an empty body.
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
    /// The name that every client library reads.
    static let rateLimit = known("X-Rate-Limit-Limit")
    /// The name in the overview of 2019.
    static let rateQuota = known("X-Rate-Limit-Quota")
    static let rateRemaining = known("X-Rate-Limit-Remaining")
    static let rateReset = known("X-Rate-Limit-Reset")
    /// For whom a proxy asks.
    static let xForwardedFor = known("X-Forwarded-For")
    /// How the body of a push is encrypted.
    static let encryptType = known("X-Encrypt-Type")
}
