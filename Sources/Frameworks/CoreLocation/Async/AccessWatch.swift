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
        var followers = Listeners<Access>()
        var hasAskedForFullAccuracy = false
        var isFullAccuracyDenied = false
        var last: Access?
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
        state.withLock { state in
            defer { state.followers.finish() }
            return !state.followers.isOver
        }
    }

    /// Returns the access now and each time it changes, until the watch ends.
    func accesses() -> AsyncStream<Access> {
        let now = current
        return state.withLock { state in
            state.last = now
            return state.followers.add(after: state.followers.isOver ? [] : [now]).stream
        }
    }

    /// Tells the followers what has changed.
    func report() {
        let now = current
        state.withLock { state in
            if state.last != now { state.followers.pass(now) }
            state.last = now
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        report()
        let facts = port.facts.location
        guard let purposeKey, facts.authorization.isGranted, facts.isReduced,
            state.withLock({ state in
                defer { state.hasAskedForFullAccuracy = true }
                return !state.hasAskedForFullAccuracy
            })
        else { return }
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { [weak self] error in
            self?.state.withLock { $0.isFullAccuracyDenied = error != nil }
            self?.report()
        }
    }

    private var current: Access {
        let facts = port.currentLocationFacts
        return Access(facts: facts, isFullAccuracyDenied: facts.isReduced && state.withLock(\.isFullAccuracyDenied))
    }
}

extension SystemPort {
    /// The facts of locations. Reading waits for the calls before it, which a copy of the facts may not reflect yet.
    var currentLocationFacts: LocationFacts {
        if case .facts(let read) = read(.facts) { read.location } else { facts.location }
    }
}
