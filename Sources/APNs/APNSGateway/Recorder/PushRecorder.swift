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
            push.apnsID = APNSAnswer(answer, to: request).header("apns-id")?.lowercased()
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
        state.withLock { state in
            Array(state.pushes.reversed().lazy.filter(query.matches).prefix(limit)).reversed()
        }
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
        // A gateway that shuts down does not wait for those who wait.
        _ = try await cancelWhenGracefulShutdown {
            try await withTimeout(time) {
                var iterator = changes.makeAsyncIterator()
                while self.pushes(query, limit: count).count < count, await iterator.next() != nil {}
            }
        }
        return pushes(query, limit: limit)
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
