import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PushModel
import PushService
import Synchronization

/// Accepts pushes that need nothing but the disk: valid pushes to registration ids and aliases from a caller that was
/// authenticated before.
///
/// Any other request is neither counted, stored nor answered here.
struct DirectPushes: Sendable {
    struct Caller: Sendable {
        let app: App
        let origin: RequestOrigin
    }

    /// The path of direct pushes.
    static let path = "/v3/push"

    /// The maximum size in bytes of a body that is read on the event loop. A push has at most a few thousand bytes.
    static let bodyLimit = 64 * 1024

    /// The values of a request that the response to its push needs.
    struct Request {
        let id: String
        /// The caller's rate limit.
        let rate: RateWindow.State
    }

    let acceptor: PushAcceptor
    let limiter: RateLimiter
    let callers: ProvenCallers
    let ids: RequestIDs
    let serverName: String
    let logger: Logger
    private let dates = HTTPDate()

    /// Returns the caller of a request; nil for a caller that was not authenticated before, for an encrypted body, and for all if
    /// requests are traced.
    func caller(of headers: HTTPHeaders) -> Caller? {
        guard !ids.isTracing, !headers.contains(name: HTTPField.Name.encryptType.rawName),
            case let proofs = headers["authorization"], proofs.count == 1
        else { return nil }
        return callers.app(of: proofs[0]).map {
            Caller(app: $0, origin: ids.origin(given: headers[HTTPField.Name.requestID.rawName]))
        }
    }

    /// Reads the push of a request, ready to be written; returns nil, without side effects, for one that must take the normal path.
    func prepare(_ body: [UInt8], of caller: Caller) -> (PreparedPush, Request)? {
        let app = caller.app
        // The other road answers with the warnings.
        guard !PushWarning.mayConcern(body[...]),
            let push = RequestOrigin.$current.withValue(
                caller.origin,
                operation: { acceptor.prepareAtOnce(body, for: app) }
            ),
            let rate = limiter.takeIfAllowed(for: .app(app.id), .push)
        else { return nil }
        return (push, Request(id: caller.origin.requestID, rate: rate))
    }

    /// Returns the whole response to a push, and its status.
    func answer(_ result: Result<PushResult, any Error>, to request: Request) -> (status: Int, response: ByteBuffer) {
        switch result {
        case .success(let push): return (200, response(.ok, push.jsonBytes, to: request))
        case .failure(let error):
            var logger = logger
            logger[metadataKey: "request.id"] = "\(request.id)"
            let (problem, seconds) = APIErrors.problem(error, of: .push, logger: logger)
            let status = HTTPResponseStatus(statusCode: problem.status)
            return (problem.status, response(status, problem.json.bytes, retryAfter: seconds, to: request))
        }
    }

    /// Returns a response with the same headers as other responses.
    ///
    /// It is encoded here: headers and parts that pass through the pipeline one by one cost a tenth of a push.
    private func response(
        _ status: HTTPResponseStatus,
        _ json: [UInt8],
        retryAfter seconds: Int? = nil,
        to request: Request
    ) -> ByteBuffer {
        var bytes = status == .ok ? Self.head : Self.head(of: status)
        bytes.reserveCapacity(512 + json.count)
        bytes.appendDecimal(Int64(json.count))
        for (name, value) in zip(Self.rateNames, request.rate.values) {
            bytes += name
            bytes.appendDecimal(Int64(value))
        }
        bytes += Self.idName
        bytes += request.id.utf8
        bytes += Self.dateName
        bytes += dates.now.utf8
        bytes += Self.serverName
        bytes += serverName.utf8
        if let seconds { bytes += "\r\nretry-after: \(seconds)".utf8 }
        bytes += "\r\n\r\n".utf8
        bytes += json
        return ByteBuffer(bytes: bytes)
    }

    /// The bytes that are the same in all responses to pushes, up to each value.
    private static let head = head(of: .ok)
    private static let rateNames = RateWindow.State.names.map { Array("\r\n\($0.rawName): ".utf8) }
    private static let idName = Array("\r\n\(HTTPField.Name.requestID.rawName): ".utf8)
    private static let dateName = Array("\r\ndate: ".utf8)
    private static let serverName = Array("\r\nserver: ".utf8)

    private static func head(of status: HTTPResponseStatus) -> [UInt8] {
        Array(
            "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\ncontent-type: \(Response.jsonType)\r\ncontent-length: "
                .utf8
        )
    }
}

/// The `Date` header of responses, formatted once per second (RFC 9110, section 5.6.7).
///
/// It uses the system time regardless of the service's clock, as the server does for other responses.
final class HTTPDate: Sendable {
    private let written = Mutex((second: 0, text: ""))

    var now: String {
        let now = Date()
        let second = Int(now.timeIntervalSince1970)
        return written.withLock { written in
            if written.second != second { written = (second, now.formatted(Date.VerbatimFormatStyle.http)) }
            return written.text
        }
    }
}
