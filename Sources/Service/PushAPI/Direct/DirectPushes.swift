import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PushModel
import PushService

/// Takes pushes for which nobody has to be asked but the disk: to registration ids and aliases, alone or in a small batch, from a
/// caller that has proved itself before, with nothing wrong about them.
///
/// What it does not take it has not counted, kept or answered either.
struct DirectPushes: Sendable {
    struct Caller: Sendable {
        let app: App
    }

    /// Where pushes are taken.
    enum Path: String {
        case push = "/v3/push"
        case registrationIDs = "/v3/push/batch/regid/single"
        case aliases = "/v3/push/batch/alias/single"

        /// Bytes of a body that is read on the event loop. A push is at most a few thousand; reading more of them than fit would
        /// keep the loop from its other connections for too long.
        var bodyLimit: Int { self == .push ? 64 * 1024 : 32 * 1024 }
    }

    /// What needs nothing but the disk, and what its caller is told of its calls.
    struct Taken {
        let request: PreparedRequest
        let rate: RateWindow.State
    }

    let acceptor: PushAcceptor
    let limiter: RateLimiter
    let callers: ProvenCallers
    let serverName: String
    let logger: Logger
    private let dates = HTTPDate()

    init(acceptor: PushAcceptor, limiter: RateLimiter, callers: ProvenCallers, serverName: String, logger: Logger) {
        self.acceptor = acceptor
        self.limiter = limiter
        self.callers = callers
        self.serverName = serverName
        self.logger = logger
    }

    /// Who sends a request; nil for who is not known yet, and for a body that is not to be read as it is.
    func caller(of headers: HTTPHeaders) -> Caller? {
        guard !headers.contains(name: HTTPField.Name.encryptType.rawName),
            case let proofs = headers["authorization"], proofs.count == 1
        else { return nil }
        return callers.app(of: proofs[0]).map(Caller.init)
    }

    /// Takes the pushes of a request; nil, and nothing done, for one that has to go the long way.
    func take(_ body: [UInt8], at path: Path, of caller: Caller) -> Taken? {
        let app = caller.app
        guard let request = request(body, at: path, for: app),
            let rate = limiter.takeIfAllowed(for: .app(app.id), .push)
        else { return nil }
        return Taken(request: request, rate: rate)
    }

    private func request(_ body: [UInt8], at path: Path, for app: App) -> PreparedRequest? {
        func batch(_ kind: TargetKind) -> PreparedRequest? {
            (try? PushBatch(parsing: body, to: kind)).flatMap { acceptor.prepareAtOnce($0, for: app) }.map {
                .batch($0)
            }
        }
        switch path {
        case .push: return acceptor.prepareAtOnce(body, for: app).map { .push($0) }
        case .registrationIDs: return batch(.registrationID)
        case .aliases: return batch(.alias)
        }
    }

    func answer(_ result: Result<[PushResult], any Error>, to taken: Taken) -> (HTTPResponseHead, ByteBuffer) {
        switch (result, taken.request) {
        case (.success(let results), .push): return answer(.ok, results[0].json.bytes, taken.rate)
        case (.success(let results), .batch(let batch)):
            let json = BatchRoutes.answer(to: batch.batch, results.map { .success($0) })
            return answer(.ok, json, taken.rate)
        case (.failure(let error), _):
            let (problem, seconds) = APIErrors.problem(error, of: .push, logger: logger)
            var (head, body) = answer(HTTPResponseStatus(statusCode: problem.status), problem.json.bytes, taken.rate)
            if let seconds { head.headers.add(name: "retry-after", value: "\(seconds)") }
            return (head, body)
        }
    }

    /// The headers that the other answers have as well.
    private func answer(
        _ status: HTTPResponseStatus,
        _ json: [UInt8],
        _ rate: RateWindow.State
    ) -> (HTTPResponseHead, ByteBuffer) {
        let body = ByteBuffer(bytes: json)
        var headers = HTTPHeaders()
        headers.reserveCapacity(8)
        headers.add(name: "content-type", value: Response.jsonType)
        headers.add(name: "content-length", value: String(body.readableBytes))
        for (name, value) in rate.fields { headers.add(name: name.rawName, value: value) }
        headers.add(name: "date", value: dates.now)
        headers.add(name: "server", value: serverName)
        return (HTTPResponseHead(version: .http1_1, status: status, headers: headers), body)
    }
}
