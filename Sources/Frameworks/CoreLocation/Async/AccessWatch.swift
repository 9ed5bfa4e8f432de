import Foundation
import PushModel
import Synchronization
import SystemPort

/// A delegate that the framework sets itself: it does not count as one of the app's.
protocol FrameworkDelegate: CLLocationManagerDelegate {}

/// An app's access to the location, as it changes, for the diagnostics of a session.
///
/// `@unchecked Sendable`: it has a manager, whose calls lock; everything else is immutable or behind the mutex.
final class AccessWatch: NSObject, FrameworkDelegate, @unchecked Sendable {
    struct Access: Equatable {
        var facts: LocationFacts
        /// Whether exact locations were asked for and refused.
        var isFullAccuracyDenied = false
    }

    private struct State {
        var followers: [Int: AsyncStream<Access>.Continuation] = [:]
        var lastFollower = 0
        var hasAskedForFullAccuracy = false
        var isFullAccuracyDenied = false
        var last: Access?
        var isOver = false
    }

    let port: any SystemPort
    private let manager = CLLocationManager()
    private let purposeKey: String?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - port: the app's process.
    ///   - purposeKey: the key of the reason for exact locations, which are asked for as soon as the app gets approximate ones.
    init(port: any SystemPort, purposeKey: String? = nil) {
        self.port = port
        self.purposeKey = purposeKey
    }

    /// Begins, with a request to the user.
    func begin(_ request: (CLLocationManager) -> Void) {
        CurrentPort.with(port) {
            manager.delegate = self
            request(manager)
        }
    }

    /// Ends the streams.
    ///
    /// - Returns: false if it has ended before.
    func end() -> Bool {
        let followers: [AsyncStream<Access>.Continuation]? = state.withLock { state in
            if state.isOver { return nil }
            state.isOver = true
            defer { state.followers = [:] }
            return Array(state.followers.values)
        }
        for follower in followers ?? [] { follower.finish() }
        return followers != nil
    }

    /// Returns the access now and each time it changes, until the watch ends.
    func accesses() -> AsyncStream<Access> {
        let (stream, continuation) = AsyncStream<Access>.makeStream()
        let now = current
        let number = state.withLock { state -> Int? in
            if state.isOver { return nil }
            state.lastFollower += 1
            state.followers[state.lastFollower] = continuation
            state.last = now
            return state.lastFollower
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.followers[number] = nil } }
        continuation.yield(now)
        return stream
    }

    /// Tells the followers what has changed.
    func report() {
        let now = current
        let followers = state.withLock { state in
            defer { state.last = now }
            return state.last == now ? [] : Array(state.followers.values)
        }
        for follower in followers { follower.yield(now) }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        report()
        let facts = port.facts.location
        guard let purposeKey, facts.authorization.isGranted, facts.isReduced,
            state.withLock({ !exchange(&$0.hasAskedForFullAccuracy, true) })
        else { return }
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { [weak self] error in
            self?.state.withLock { $0.isFullAccuracyDenied = error != nil }
            self?.report()
        }
    }

    private var current: Access {
        // Reading waits for the calls before it, which a copy of the facts may not reflect yet.
        var facts = port.facts
        if case .facts(let read) = port.read(.facts) { facts = read }
        return Access(
            facts: facts.location,
            isFullAccuracyDenied: facts.location.isReduced && state.withLock(\.isFullAccuracyDenied)
        )
    }

    private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
        defer { value = new }
        return value
    }
}
