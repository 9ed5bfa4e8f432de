package import NIOCore

/// When a silent connection is asked whether it is still there, when it is given up, and when it has had nothing to do.
///
/// A timer asks it; it reads no clock itself.
package struct KeepAlive: Sendable {
    package struct Rules: Hashable, Sendable {
        /// A PING after so much silence of the other side; nil for none.
        package var pingAfter: TimeAmount?
        /// How long the other side may take to say anything after it.
        package var answerWithin: TimeAmount
        /// A word after so long without a request; nil for none.
        package var quietAfter: TimeAmount?

        package init(
            pingAfter: TimeAmount? = .hours(1),
            answerWithin: TimeAmount = .seconds(20),
            quietAfter: TimeAmount? = nil
        ) {
            self.pingAfter = pingAfter
            self.answerWithin = answerWithin
            self.quietAfter = quietAfter
        }
    }

    package enum Action: Hashable, Sendable {
        case ping
        /// The other side does not answer.
        case giveUp
        /// There was no request for long.
        case quiet
    }

    private let rules: Rules
    private var heard: NIODeadline
    private var used: NIODeadline
    private var pinged: NIODeadline?

    package init(_ rules: Rules, at now: NIODeadline) {
        self.rules = rules
        heard = now
        used = now
    }

    /// The other side has said something.
    package mutating func hear(at now: NIODeadline) {
        heard = now
        pinged = nil
    }

    /// There was a request.
    package mutating func use(at now: NIODeadline) { used = now }

    /// When to ``look(at:)`` next; nil for never.
    package var next: NIODeadline? {
        let quiet = rules.quietAfter.map { used + $0 }
        let silence = pinged.map { $0 + rules.answerWithin } ?? rules.pingAfter.map { heard + $0 }
        return [quiet, silence].compactMap(\.self).min()
    }

    /// What is due.
    package mutating func look(at now: NIODeadline) -> Action? {
        if let pinged, now >= pinged + rules.answerWithin { return .giveUp }
        if pinged == nil, let after = rules.pingAfter, now >= heard + after {
            pinged = now
            return .ping
        }
        if let after = rules.quietAfter, now >= used + after {
            used = now
            return .quiet
        }
        return nil
    }
}
