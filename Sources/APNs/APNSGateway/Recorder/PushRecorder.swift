import APNSTransport
import DequeModule
import Foundation
import PushClock
import PushModel
import ServiceLifecycle
import Synchronization

/// Keeps the latest pushes of providers with their answers, for tests and people who want to see what arrived.
///
/// A gateway has one only if somebody can read it, because copying each request costs time.
final class PushRecorder: Sendable {
    /// The number of pushes that are kept.
    static let limit = 1000

    private struct State {
        var pushes: Deque<RecordedPush> = []
        var last = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastListener = 0
    }

    private let state = Mutex(State())
    private let clock: any CivilClock

    init(clock: any CivilClock) { self.clock = clock }

    /// Records a request and its answer.
    ///
    /// - `answer`: nil if the request is not answered.
    func record(
        _ request: HTTP2Message,
        _ answer: HTTP2Answer?,
        environment: APNSEnvironment,
        connection: Int
    ) {
        var push = RecordedPush(
            request,
            number: 0,
            date: clock.date,
            environment: environment,
            connection: connection
        )
        if let answer {
            push.status = answer.status
            let told = APNSAnswer(answer, to: request)
            push.apnsID = (told.header("apns-request-id") ?? told.header("apns-id"))?.lowercased()
            push.reason = Self.reason(answer)
        }
        let listeners = state.withLock { [push] state in
            state.last += 1
            var push = push
            push.number = state.last
            if state.pushes.count == Self.limit { state.pushes.removeFirst() }
            state.pushes.append(push)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    private static func reason(_ answer: HTTP2Answer) -> APNSReason? {
        guard let body = (try? JSONValue(parsing: answer.body))?.object else { return nil }
        return body["reason"]?.string.map { APNSReason(rawValue: $0) }
    }

    /// Returns the latest matching pushes, oldest first.
    func pushes(_ query: PushQuery, limit: Int = PushRecorder.limit) -> [RecordedPush] {
        // A search reads payloads, for which no provider should wait.
        let kept = state.withLock(\.pushes)
        var found: [RecordedPush] = []
        for push in kept.reversed() where found.count < limit && query.matches(push) { found.append(push) }
        return found.reversed()
    }

    /// Returns the latest matching pushes as soon as there are `count`; those that there are when the time is over.
    ///
    /// The time is real, also in a gateway on virtual time: it is the caller who waits.
    ///
    /// - Throws: `CancellationError`.
    func pushes(
        _ query: PushQuery,
        limit: Int = PushRecorder.limit,
        count: Int,
        within time: Duration
    ) async throws -> [RecordedPush] {
        let (changes, listener) = listen()
        defer { stopListening(listener) }
        do {
            // A gateway that shuts down does not wait for those who wait.
            _ = try await cancelWhenGracefulShutdown {
                try await withTimeout(time) { await self.count(of: query, reaches: count, after: changes) }
            }
        } catch is CancellationError where !Task.isCancelled {
            // Shut down: those that there are.
        }
        return pushes(query, limit: limit)
    }

    /// Returns when that many pushes have matched, each of which is looked at once.
    private func count(of query: PushQuery, reaches wanted: Int, after changes: AsyncStream<Void>) async {
        var (query, found) = (query, 0)
        var iterator = changes.makeAsyncIterator()
        while true {
            let fresh = state.withLock(\.pushes).filter { $0.number > query.after }
            found += fresh.count(where: query.matches)
            query.after = fresh.last?.number ?? query.after
            guard found < wanted, await iterator.next() != nil else { return }
        }
    }

    private func listen() -> (AsyncStream<Void>, Int) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        return (stream, number)
    }

    private func stopListening(_ number: Int) {
        state.withLock { $0.listeners.removeValue(forKey: number) }?.finish()
    }
}
