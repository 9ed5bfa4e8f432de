import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PushModel
import PushService

/// Takes pushes for which nobody has to be asked but the disk: to registration ids and aliases, from a caller that has proved
/// itself before, with nothing wrong about them.
///
/// What it does not take it has not counted, kept or answered either.
struct DirectPushes: Sendable {
    struct Caller: Sendable {
        let app: App
    }

    /// A push that needs nothing but the disk, and what its caller is told of its calls.
    struct Taken {
        let push: PreparedPush
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

    /// Takes a push; nil, and nothing done, for one that has to go the long way.
    func take(_ body: [UInt8], of caller: Caller) -> Taken? {
        let app = caller.app
        guard let push = acceptor.prepareAtOnce(body, for: app),
            let rate = limiter.takeIfAllowed(for: .app(app.id), .push)
        else { return nil }
        return Taken(push: push, rate: rate)
    }

    func answer(
        _ result: Result<PushResult, any Error>,
        _ rate: RateWindow.State
    ) -> (HTTPResponseHead, ByteBuffer) {
        switch result {
        case .success(let result): return answer(.ok, result.json, rate)
        case .failure(let error):
            logger.error("A request failed", metadata: ["error": "\(error)"])
            let problem = APIFamily.push.internalError
            return answer(HTTPResponseStatus(statusCode: problem.status), problem.json, rate)
        }
    }

    /// The headers that the other answers have as well.
    private func answer(
        _ status: HTTPResponseStatus,
        _ json: JSONValue,
        _ rate: RateWindow.State
    ) -> (HTTPResponseHead, ByteBuffer) {
        let body = ByteBuffer(bytes: json.bytes)
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
