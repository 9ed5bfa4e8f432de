package import Foundation
package import HTTPTypes
import Hummingbird
import PushModel

extension Response {
    /// The content type that client libraries require.
    static let jsonType = "application/json; charset=utf-8"

    /// Creates a JSON response.
    init(_ status: HTTPResponse.Status = .ok, json: JSONValue, headers: HTTPFields = [:]) {
        self.init(status, json: json.bytes, headers: headers)
    }

    /// Creates a response from the members of an object.
    init(_ members: JSONMembers) { self.init(json: .object(members.json)) }

    /// Creates a response from a value.
    init(of value: some Encodable) { self.init(json: JSONCoding.json(of: value)) }

    /// Creates a response from serialised JSON.
    init(_ status: HTTPResponse.Status = .ok, json: [UInt8], headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = Self.jsonType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    /// Creates the answer to a push or a schedule, with the warnings about the body of the request if there are any: in a header field,
    /// and in the member `warnings` unless the client refuses unknown members.
    init(json: JSONValue, warningAbout body: [UInt8], to request: Request) {
        self.init(json: json, warnings: PushWarning.all(in: body[...]), to: request)
    }

    /// Creates an answer with warnings.
    init(json: JSONValue, warnings: [PushWarning], to request: Request) {
        guard !warnings.isEmpty, var object = json.object else {
            self.init(json: json)
            return
        }
        if !request.refusesUnknownMembers { object["warnings"] = .array(warnings.map(\.json)) }
        self.init(json: .object(object), headers: [.warnings: "\(warnings.count)"])
    }

    /// An empty JSON object, because some client libraries cannot read an empty body.
    static var done: Response { Response(json: [:]) }

    init(_ error: JPushError) {
        self.init(HTTPResponse.Status(code: error.status), json: error.json)
        // RFC 9110, section 11.6.1. The clients of Java and .NET send their credentials only when they are asked in this way.
        if status == .unauthorized { headers[.wwwAuthenticate] = #"Basic realm="Posthorn", charset="UTF-8""# }
    }
}

extension Request {
    /// Whether the client takes an answer with an unknown member for an error, as JPush's SDK for Java does, which sends with OkHttp.
    ///
    /// Source: jpush/jiguang-sdk-java, `ApiDecoder` and `PushApi`.
    var refusesUnknownMembers: Bool { headers[.userAgent]?.hasPrefix("okhttp/") == true }
}

extension HTTPField.Name {
    private static func known(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("'\(text)' is a header name.") }
        return name
    }

    /// The number of warnings about a push that was accepted.
    static let warnings = known("X-Posthorn-Warnings")
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
    package static let requestID = known("X-Request-Id")
    /// The encryption of a push's body.
    static let encryptType = known("X-Encrypt-Type")
}

extension TimeZone {
    /// UTC+8, the time zone of the hosted service.
    package static let china = TimeZone(secondsFromGMT: 8 * 3600) ?? .gmt
}

extension Date {
    /// Formats the date as `2026-01-02`.
    func day(in zone: TimeZone) -> String {
        Date.ISO8601FormatStyle(dateSeparator: .dash, timeZone: zone).year().month().day().format(self)
    }

    /// Formats the time as `2026-01-02 03:04:05`.
    func time(in zone: TimeZone) -> String {
        Date.ISO8601FormatStyle(dateSeparator: .dash, dateTimeSeparator: .space, timeSeparator: .colon, timeZone: zone)
            .year().month().day().time(includingFractionalSeconds: false).format(self)
    }
}
