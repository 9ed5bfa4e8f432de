package import PushModel

/// Hands pushes to APNs.
package protocol PushSender: Sendable {
    /// Sends one push and says how it ended, exactly once.
    ///
    /// Waits while too many are under way. Short troubles (a lost connection, 429, 5xx) are retried inside.
    func send(_ push: APNSPush, for app: App, environment: APNSEnvironment) async -> SendOutcome
}

package struct SendOutcome: Sendable {
    package enum Ending: Sendable, Equatable {
        /// APNs answered 200.
        case accepted
        /// APNs said no to this push.
        ///
        /// - Parameter unregisteredAt: milliseconds since 1970; with a 410 the moment when the token was found dead.
        case refused(APNSReason, unregisteredAt: Int64?)
        /// APNs said no to the app, or the app has nothing to prove itself with: other pushes would fare no better.
        case paused(PauseReason, detail: String)
        /// There was no answer, or none but "later".
        case unreachable(String)
    }

    package var ending: Ending
    /// The reasons for which it was tried again on the way.
    package var retries: [String]

    package init(_ ending: Ending, retries: [String] = []) {
        self.ending = ending
        self.retries = retries
    }
}
