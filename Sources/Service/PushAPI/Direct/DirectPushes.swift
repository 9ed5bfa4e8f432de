import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PushModel
import PushService

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

    /// A push that only has to be written, and the caller's rate limit.
    struct Prepared {
        let push: PreparedPush
        let requestID: String
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
    func prepare(_ body: [UInt8], of caller: Caller) -> Prepared? {
        let app = caller.app
        // The other road answers with the warnings.
        guard !PushWarning.mayConcern(body[...]),
            let push = RequestOrigin.$current.withValue(
                caller.origin,
                operation: { acceptor.prepareAtOnce(body, for: app) }
            ),
            let rate = limiter.takeIfAllowed(for: .app(app.id), .push)
        else { return nil }
        return Prepared(push: push, requestID: caller.origin.requestID, rate: rate)
    }

    func answer(_ result: Result<PushResult, any Error>, to taken: Prepared) -> (HTTPResponseHead, ByteBuffer) {
        switch result {
        case .success(let push): return answer(.ok, push.json.bytes, to: taken)
        case .failure(let error):
            var logger = logger
            logger[metadataKey: "request.id"] = "\(taken.requestID)"
            let (problem, seconds) = APIErrors.problem(error, of: .push, logger: logger)
            var (head, body) = answer(HTTPResponseStatus(statusCode: problem.status), problem.json.bytes, to: taken)
            if let seconds { head.headers.add(name: "retry-after", value: "\(seconds)") }
            return (head, body)
        }
    }

    /// Returns a response with the same headers as other responses.
    private func answer(
        _ status: HTTPResponseStatus,
        _ json: [UInt8],
        to taken: Prepared
    ) -> (HTTPResponseHead, ByteBuffer) {
        let body = ByteBuffer(bytes: json)
        var headers = HTTPHeaders()
        headers.reserveCapacity(9)
        headers.add(name: "content-type", value: Response.jsonType)
        headers.add(name: "content-length", value: String(body.readableBytes))
        for (name, value) in taken.rate.fields { headers.add(name: name.rawName, value: value) }
        headers.add(name: HTTPField.Name.requestID.rawName, value: taken.requestID)
        headers.add(name: "date", value: dates.now)
        headers.add(name: "server", value: serverName)
        return (HTTPResponseHead(version: .http1_1, status: status, headers: headers), body)
    }
}
