import APNSTransport
import Foundation
public import Logging
public import NIOCore
import NIOPosix
public import PushClock
public import PushModel
import Synchronization

/// Sends pushes to APNs, or to a gateway that behaves like it, for one credential and one environment.
///
/// Every push gets exactly one outcome. What a connection loses is sent again under the same apns-id; 429 and 5xx are
/// repeated with growing pauses. When too much is on its way, `send` waits.
/// ```swift
/// let key = try APNSSigningKey(p8: text, keyID: "ABC123DEFG", teamID: "TEAM123456")
/// let client = APNSClient(credential: .key(key), endpoint: .apple(.production))
/// let outcome = await client.send(push)
/// await client.shutdown()
/// ```
public final class APNSClient: Sendable {
    let configuration: APNSClientConfiguration
    let stopwatch: Stopwatch
    let credential: APNSCredential
    /// Nil with a certificate, which takes the place of a token.
    let tokens: ProviderTokens?
    private let turnstile: Turnstile
    let watchdog: Watchdog
    let keeper: ConnectionKeeper
    let heads = HeadCache()
    let desk = BatchDesk()

    /// Opens nothing: the first push does.
    ///
    /// Of the parameters:
    /// * `clock`: dates the provider tokens, and times pauses and deadlines. Sockets and TLS live by the system's time.
    /// * `group`: the event loops; the process's own if nothing is said.
    public init(
        credential: APNSCredential,
        endpoint: APNSEndpoint,
        configuration: APNSClientConfiguration = APNSClientConfiguration(),
        clock: any CivilClock = SystemClock(),
        group: (any EventLoopGroup)? = nil,
        logger: Logger = Logger(label: "posthorn.apns.provider")
    ) {
        self.configuration = configuration
        stopwatch = Stopwatch(clock: clock)
        self.credential = credential
        tokens = credential.key.map { [stopwatch] in ProviderTokens(key: $0, clock: clock, stopwatch: stopwatch) }
        turnstile = Turnstile(limit: configuration.maxInFlight)
        watchdog = Watchdog(stopwatch: stopwatch)
        keeper = ConnectionKeeper(
            endpoint: endpoint,
            certificate: credential.certificate,
            configuration: configuration,
            group: group ?? MultiThreadedEventLoopGroup.singleton,
            stopwatch: stopwatch,
            watchdog: watchdog,
            desk: desk,
            logger: logger
        )
        if let warning = credential.certificate?.warning(at: clock.date) {
            logger.warning("The certificate for APNs needs a person", metadata: ["error": "\(warning)"])
        }
    }

    /// Sends one push and waits for its outcome.
    ///
    /// A push that any APNs would refuse (``PushModel/APNSPush/problem``) is refused here with the same reason.
    public func send(_ push: APNSPush) async -> APNSOutcome {
        if let problem = problem(with: push) {
            return .refused(status: problem.reason.status, problem.reason, timestamp: nil)
        }
        guard await turnstile.enter() else { return .failed("The client was shut down.") }
        defer { turnstile.leave() }
        var attempts = Attempts(push: push, deadline: stopwatch.elapsed + configuration.deadline)
        return await attempts.run(on: self)
    }

    /// Takes no new pushes, waits for the outcome of those on their way, then closes the connection.
    public func shutdown() async {
        await turnstile.close()
        await keeper.close()
    }
}

extension APNSClient {
    /// The attempts to send one push.
    private struct Attempts {
        private enum Step {
            case done(APNSOutcome)
            case again(reason: String, pausing: Bool)
            /// The connection was gone before the push was looked at: no attempt at all.
            case elsewhere(reason: String)
        }

        let push: APNSPush
        let deadline: Duration
        private var count = 0
        private var pauses = 0
        private var losses = 0
        private var refusedToken: String?

        init(push: APNSPush, deadline: Duration) {
            self.push = push
            self.deadline = deadline
        }

        mutating func run(on client: APNSClient) async -> APNSOutcome {
            while true {
                switch await attempt(on: client) {
                case .done(let outcome): return outcome
                case .elsewhere(let reason):
                    guard client.stopwatch.elapsed < deadline, !Task.isCancelled else {
                        return gaveUp(reason, client)
                    }
                    client.configuration.retried?(push, "connection")
                case .again(let reason, let isPausing):
                    count += 1
                    if Task.isCancelled { return .failed("The task was cancelled.") }
                    guard count < client.configuration.attempts else { return gaveUp(reason, client) }
                    let end = client.stopwatch.elapsed + (isPausing ? nextPause(client) : .zero)
                    guard end < deadline else { return gaveUp(reason, client) }
                    client.configuration.retried?(push, reason)
                    guard isPausing else { continue }
                    do { try await client.stopwatch.sleep(until: end) } catch {
                        return .failed("The task was cancelled.")
                    }
                }
            }
        }

        private func gaveUp(_ reason: String, _ client: APNSClient) -> APNSOutcome {
            .failed("Given up after \(count) attempts within \(client.configuration.deadline): \(reason).")
        }

        private mutating func nextPause(_ client: APNSClient) -> Duration {
            pauses += 1
            return client.configuration.pause(after: pauses)
        }

        private mutating func attempt(on client: APNSClient) async -> Step {
            let live: ConnectionKeeper.Live
            switch await client.keeper.connection(until: deadline) {
            case .failure(let error): return .done(.failed(error.description))
            case .success(let found): live = found
            }
            let token: String?
            do { token = try client.tokens?.token(insteadOf: refusedToken) } catch {
                return .done(.failed("No provider token could be signed: \(error)."))
            }
            switch await exchange(token, over: live, on: client) {
            case .success(let answer): return judge(answer, token, live, client)
            case .failure(let failure): return lost(failure, live, client)
            }
        }

        private func exchange(
            _ token: String?,
            over live: ConnectionKeeper.Live,
            on client: APNSClient
        ) async -> Result<APNSAnswer, APNSStreamFailure> {
            let id = live.connection.newID()
            let timeout = client.configuration.answerTimeout
            let patience = min(client.stopwatch.elapsed + timeout, deadline)
            let watch = client.watchdog.watch(until: patience) {
                // A connection that stays silent may be dead without anybody having noticed.
                client.keeper.retire(live, because: "no answer within \(timeout)")
                live.connection.abandon(id, reason: "no answer within \(timeout)")
            }
            defer { client.watchdog.forget(watch) }
            let head = client.heads.head(key(token))
            let path = "/3/device/" + push.token.hexadecimal
            do {
                let fields = [(name: "apns-id", value: push.id)]
                return .success(
                    try await live.connection.send(id, head, path: path, fields: fields, body: push.payload)
                )
            } catch { return .failure(error) }
        }

        private mutating func lost(
            _ failure: APNSStreamFailure,
            _ live: ConnectionKeeper.Live,
            _ client: APNSClient
        ) -> Step {
            if client.stopwatch.elapsed >= deadline {
                count += 1
                return .done(gaveUp(failure.reason, client))
            }
            guard failure.fate != .notProcessed else { return .elsewhere(reason: failure.reason) }
            losses += 1
            // The first losses are mended at once; a series of them is no accident.
            return .again(reason: "connection", pausing: losses > 3)
        }

        private mutating func judge(
            _ answer: APNSAnswer,
            _ token: String?,
            _ live: ConnectionKeeper.Live,
            _ client: APNSClient
        ) -> Step {
            if answer.status == 200 { return .done(.accepted) }
            let refusal = APNSRefusal(status: answer.status, body: answer.body)
            let reason = refusal.reason
            switch (answer.status, reason) {
            case (_, .expiredProviderToken) where refusedToken == nil && token != nil:
                // The service keeps refusing on a connection that has seen an expired token: take a new one for both.
                refusedToken = token
                client.keeper.retire(live, because: reason.rawValue)
                return .again(reason: reason.rawValue, pausing: false)
            case (_, .tooManyProviderTokenUpdates), (_, .shutdown):
                client.keeper.retire(live, because: reason.rawValue)
                return .again(reason: reason.rawValue, pausing: true)
            default:
                return refusal.isFinal ? .done(refusal.outcome) : .again(reason: reason.rawValue, pausing: true)
            }
        }

        private func key(_ token: String?) -> HeadCache.Key {
            HeadCache.Key(
                token: token,
                topic: push.topic,
                pushType: push.pushType,
                priority: push.priority,
                expiration: push.expiration,
                collapseID: push.collapseID
            )
        }
    }
}
