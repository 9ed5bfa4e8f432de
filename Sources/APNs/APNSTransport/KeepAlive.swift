package import NIOCore

/// The timing of keep-alive: when to send a PING on a silent connection, when to give it up, and when it counts as quiet.
///
/// Driven by a timer; it reads no clock itself.
package struct KeepAlive: Sendable {
    package struct Rules: Hashable, Sendable {
        /// The silence of the other side after which a PING is sent; nil for none.
        package var pingAfter: TimeAmount?
        /// The time in which the other side must send anything after it.
        package var answerWithin: TimeAmount
        /// The time without a request after which the connection is reported as quiet; nil for none.
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
        /// There was no request for a long time.
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

    /// Records that the other side has sent something.
    package mutating func hear(at now: NIODeadline) {
        heard = now
        pinged = nil
    }

    /// Records a request.
    package mutating func use(at now: NIODeadline) { used = now }

    /// The time of the next ``look(at:)``; nil for never.
    package var next: NIODeadline? {
        let quiet = rules.quietAfter.map { used + $0 }
        let silence = pinged.map { $0 + rules.answerWithin } ?? rules.pingAfter.map { heard + $0 }
        return [quiet, silence].compactMap(\.self).min()
    }

    /// Returns the action that is due.
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
