import APNSTransport
import Logging
import NIOCore
import NetworkSupport
import PushClock
import PushModel

/// A connection for occasional requests: opened by the first, kept for the next, replaced when it is gone.
actor RequestLine {
    private struct Live: Sendable {
        var connection: APNSConnection
        var fate: APNSConnection.Fate
    }

    private let endpoint: APNSEndpoint
    private let credential: APNSCredential
    private var tokens: ProviderTokens
    private let answerTimeout: Duration
    private let time: ElapsedTime
    private let group: any EventLoopGroup
    private let logger: Logger
    private var live: Live?
    private var isShutDown = false

    init(
        endpoint: APNSEndpoint,
        credential: APNSCredential,
        answerTimeout: Duration,
        clock: any CivilClock,
        group: any EventLoopGroup,
        logger: Logger
    ) {
        self.endpoint = endpoint
        self.credential = credential
        self.answerTimeout = answerTimeout
        self.group = group
        self.logger = logger
        time = ElapsedTime(clock: clock)
        tokens = ProviderTokens(key: credential.key, clock: clock)
    }

    typealias NoAnswer = APNSProbe.NoAnswer

    /// Sends a request and waits for the answer.
    ///
    /// `authorizes` says whether the credential's token is sent with it. `isRepeatable` says whether it may be sent
    /// again when its result is unknown.
    func answer(
        to request: APNSRequest,
        authorizes: Bool = true,
        isRepeatable: Bool
    ) async throws(NoAnswer) -> APNSAnswer {
        var isSecond = false
        while true {
            let live = try await connection()
            var request = request
            if authorizes, let token = try token() {
                request.headers.insert((name: "authorization", value: "bearer \(token)"), at: 0)
            }
            switch await exchange(request, over: live) {
            case .success(let answer): return answer
            case .failure(let failure):
                drop(live)
                guard !isSecond, failure.fate != .undecided || isRepeatable, !Task.isCancelled else {
                    throw NoAnswer(description: "No answer from \(place): \(failure.reason).")
                }
                logger.debug("A request is sent again", metadata: ["error": "\(failure.reason)"])
                isSecond = true
            }
        }
    }

    /// Accepts no new requests; closes when the open ones are answered.
    func shutdown() async {
        isShutDown = true
        guard let live else { return }
        self.live = nil
        live.connection.leave("the client was shut down")
        await live.connection.waitUntilClosed()
    }

    private var place: String { "\(endpoint.host):\(endpoint.port)" }

    private func token() throws(NoAnswer) -> String? {
        do { return try tokens.token(at: time.elapsed)?.text } catch {
            throw NoAnswer(description: "No provider token could be signed: \(error).")
        }
    }

    private func connection() async throws(NoAnswer) -> Live {
        if let live, !live.fate.isOver { return live }
        guard !isShutDown else { throw NoAnswer(description: "The client was shut down.") }
        let fate = APNSConnection.Fate()
        let opened: APNSConnection
        do {
            let target = try endpoint.target(showing: credential.certificate)
            opened = try await APNSConnection.connect(to: target, group: group) { fate.consider($0) }
        } catch {
            // Errors of DNS and TCP have other types.
            throw NoAnswer(
                description: "No connection to \(place): \(NetworkWords.reason(of: error)).",
                isHandshake: error is APNSStreamFailure
            )
        }
        // In the meantime another request may have opened one, or the client may have been shut down.
        if let live, !live.fate.isOver {
            opened.leave("there is another")
            return live
        }
        guard !isShutDown else {
            opened.close()
            throw NoAnswer(description: "The client was shut down.")
        }
        let new = Live(connection: opened, fate: fate)
        live = new
        return new
    }

    private func drop(_ lost: Live) {
        if live?.fate === lost.fate { live = nil }
        lost.connection.leave("a request got no answer")
    }

    private func exchange(_ request: APNSRequest, over live: Live) async -> Result<APNSAnswer, APNSStreamFailure> {
        let id = live.connection.newID()
        let time = time
        let timeout = answerTimeout
        let end = time.elapsed + timeout
        return await withTaskGroup(of: Result<APNSAnswer, APNSStreamFailure>?.self) { group in
            group.addTask {
                do throws(APNSStreamFailure) {
                    return .success(try await live.connection.send(request, id: id))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                // Ended by the timeout, or by the answer, which cancels it.
                guard (try? await time.sleep(until: end)) != nil else { return nil }
                live.connection.abandon(id, reason: "no answer within \(timeout)")
                return nil
            }
            for await case let answer? in group {
                group.cancelAll()
                return answer
            }
            return .failure(APNSStreamFailure(.undecided, "no answer"))
        }
    }
}
