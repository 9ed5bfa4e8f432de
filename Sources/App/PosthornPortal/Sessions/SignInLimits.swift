import Foundation
import PushModel
import PushService
import Synchronization

/// Limits attempts to sign in: checking a password takes a tenth of a second of a processor.
///
/// An attempt counts until it succeeds. The failures of a stranger keep the user out of that stranger's network alone; where the user has
/// signed in before, failures elsewhere do not count.
final class SignInLimits: Sendable {
    /// Attempts in a minute from one network, which all people behind a proxy share.
    static let perNetwork = 60
    /// Failures in a minute for one user from one network.
    static let perUser = 10
    /// Failures in an hour for one user from all networks together, so that a guess from many of them ends.
    static let perUserAnywhere = 100
    /// The greatest number of windows. Those that are over make room; if there are none, nobody from a new network may try.
    static let windows = 100_000
    /// The time for which a network is known to be a user's, in seconds: 30 days.
    static let knownFor: TimeInterval = 30 * 86_400

    private enum Subject: Hashable {
        case network(String?)
        case user(String, network: String?)
        case anywhere(String)

        var limit: Int {
            switch self {
            case .network: perNetwork
            case .user: perUser
            case .anywhere: perUserAnywhere
            }
        }

        var seconds: TimeInterval { if case .anywhere = self { 3600 } else { 60 } }
    }

    private struct Window {
        var start: Date
        var count = 0
    }

    private struct Place: Hashable {
        var user: String
        var network: String?
    }

    private struct State {
        var windows: [Subject: Window] = [:]
        var tidyAbove = 10_000
        /// The last time at which each user signed in from a network.
        var known: [Place: Date] = [:]

        func isKnown(_ user: String, in network: String?, at now: Date) -> Bool {
            known[Place(user: user, network: network)].map { !$0.isOver(after: knownFor, at: now) } ?? false
        }
    }

    private let state = Mutex(State())

    /// Counts an attempt, unless it has to wait.
    ///
    /// - Parameters:
    ///   - user: the name of the user; what is no name of a user counts for the network alone.
    ///   - network: the network that the attempt comes from.
    ///   - now: the time.
    /// - Returns: nil if it may go on, or else the seconds after which the next one may.
    func take(_ user: String, from network: String?, at now: Date) -> Int? {
        state.withLock { state in
            let isKnown = state.isKnown(user, in: network, at: now)
            let subjects = Self.subjects(user, network, isKnown: isKnown)
            if state.windows.count > state.tidyAbove {
                state.windows = state.windows.filter { !$0.value.start.isOver(after: $0.key.seconds, at: now) }
                state.tidyAbove = max(10_000, state.windows.count * 2)
            }
            guard isKnown || state.windows.count < Self.windows else { return 60 }
            let found = subjects.map { subject in
                let window = state.windows[subject] ?? Window(start: now)
                return window.start.isOver(after: subject.seconds, at: now) ? Window(start: now) : window
            }
            let waits = zip(subjects, found).filter { $1.count >= $0.limit }.map { subject, window in
                Int((subject.seconds - now.timeIntervalSince(window.start)).rounded(.up))
            }
            guard waits.isEmpty else { return waits.max() }
            for (subject, window) in zip(subjects, found) {
                state.windows[subject] = Window(start: window.start, count: window.count + 1)
            }
            return nil
        }
    }

    /// Notes that an attempt had the right password.
    func succeed(_ user: String, from network: String?, at now: Date) {
        state.withLock { state in
            // Only what the attempt has counted: the failures of strangers stay.
            let isKnown = state.isKnown(user, in: network, at: now)
            for subject in Self.subjects(user, network, isKnown: isKnown) { state.windows[subject]?.count -= 1 }
            state.known[Place(user: user, network: network)] = now
            if state.known.count > Self.windows {
                state.known = state.known.filter { !$0.value.isOver(after: Self.knownFor, at: now) }
            }
        }
    }

    private static func subjects(_ user: String, _ network: String?, isKnown: Bool) -> [Subject] {
        guard User.isName(user) else { return [.network(network)] }
        return [.network(network), .user(user, network: network)] + (isKnown ? [] : [.anywhere(user)])
    }
}
