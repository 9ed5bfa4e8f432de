import Foundation
import PushModel
import PushService
import Synchronization

/// Limits attempts to sign in: checking a password takes a tenth of a second of a processor.
///
/// An attempt counts until it succeeds. The failures of a stranger keep the user out of that stranger's network alone; where the user has
/// signed in before, failures elsewhere do not count. Which networks those are is in the audit log, so that it outlives a restart and
/// holds at every node: ``Wait/isForStrangers``.
final class SignInLimits: Sendable {
    /// Attempts in a minute from one network, which all people behind a proxy share.
    static let perNetwork = 60
    /// Failures in a minute for one user from one network.
    static let perUser = 10
    /// Failures in an hour for one user from one site where the user has not signed in before: one alone does not reach
    /// ``perUserAnywhere``.
    static let perStranger = 20
    /// Failures in an hour for one user from all networks together, so that a guess from many of them ends.
    static let perUserAnywhere = 100
    /// The greatest number of windows. Those that are over make room; if there are none, nobody from a new network may try.
    static let windows = 100_000
    /// The time for which a network is known to be a user's, in seconds: 30 days.
    static let knownFor: TimeInterval = 30 * 86_400

    private enum Subject: Hashable {
        case network(String?)
        case user(String, network: String?)
        case stranger(String, site: String?)
        case anywhere(String)

        var limit: Int {
            switch self {
            case .network: perNetwork
            case .user: perUser
            case .stranger: perStranger
            case .anywhere: perUserAnywhere
            }
        }

        /// Whether it counts only where the user has not signed in before.
        var isOfStrangers: Bool {
            switch self {
            case .network, .user: false
            case .stranger, .anywhere: true
            }
        }

        var seconds: TimeInterval { isOfStrangers ? 3600 : 60 }
    }

    /// The time after which the next attempt may go on.
    struct Wait: Hashable {
        var seconds: Int
        /// Whether somebody who has signed in from the network before need not wait: see ``know(_:from:at:)``.
        var isForStrangers = false
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
        var windows = TidyTable<Subject, Window>(above: 10_000)
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
    /// - Returns: nil if it may go on.
    func take(_ user: String, from network: String?, at now: Date) -> Wait? {
        state.withLock { state in
            let isKnown = state.isKnown(user, in: network, at: now)
            let subjects = Self.subjects(user, network, isKnown: isKnown)
            state.windows.tidy { $1.start.isOver(after: $0.seconds, at: now) }
            guard isKnown || state.windows.values.count < Self.windows else { return Wait(seconds: 60) }
            let found = subjects.map { subject in
                let window = state.windows.values[subject] ?? Window(start: now)
                return window.start.isOver(after: subject.seconds, at: now) ? Window(start: now) : window
            }
            let reached = zip(subjects, found).filter { $1.count >= $0.limit }
            let isForStrangers = reached.allSatisfy { $0.0.isOfStrangers }
            // A stranger's attempt counts for the network, as it makes the portal look into the log.
            for (subject, window) in zip(subjects, found)
            where reached.isEmpty || isForStrangers && !subject.isOfStrangers {
                state.windows.values[subject] = Window(start: window.start, count: window.count + 1)
            }
            let seconds = reached.map { Int(($0.seconds - now.timeIntervalSince($1.start)).rounded(.up)) }.max()
            return seconds.map { Wait(seconds: $0, isForStrangers: isForStrangers) }
        }
    }

    /// Notes that a user has signed in from a network before.
    func know(_ user: String, from network: String?, at now: Date) {
        state.withLock { state in
            state.known[Place(user: user, network: network)] = now
            if state.known.count > Self.windows {
                state.known = state.known.filter { !$0.value.isOver(after: Self.knownFor, at: now) }
            }
        }
    }

    /// Notes that an attempt had the right password.
    func succeed(_ user: String, from network: String?, at now: Date) {
        state.withLock { state in
            // Only what the attempt has counted: the failures of strangers stay.
            let isKnown = state.isKnown(user, in: network, at: now)
            for subject in Self.subjects(user, network, isKnown: isKnown) { state.windows.values[subject]?.count -= 1 }
        }
        know(user, from: network, at: now)
    }

    private static func subjects(_ user: String, _ network: String?, isKnown: Bool) -> [Subject] {
        guard User.isName(user) else { return [.network(network)] }
        let strangers: [Subject] = [.stranger(user, site: site(of: network)), .anywhere(user)]
        return [.network(network), .user(user, network: network)] + (isKnown ? [] : strangers)
    }

    /// Returns what one subscriber may own: for IPv6 the first 48 bits, which have 65,536 networks.
    private static func site(of network: String?) -> String? {
        network.map { $0.contains("::") ? $0.split(separator: ":").prefix(3).joined(separator: ":") : $0 }
    }
}
