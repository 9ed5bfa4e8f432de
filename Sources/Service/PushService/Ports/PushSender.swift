package import PushModel

/// Hands pushes to APNs.
package protocol PushSender: Sendable {
    /// Sends pushes and returns when each of them has had its outcome, exactly once.
    ///
    /// What can be mended without a pause (a lost connection, an expired provider token) is mended inside. What APNs wants to see
    /// again later comes back as undecided at once: its sender has it on disk. A push that may have reached APNs is not given
    /// up while its answer may still come.
    func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes
}

/// How the sending of one push ended.
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
        /// There was no answer, or none but "later"; `after`: how long APNs wants to be left alone.
        case undecided(String, after: Duration?)

        /// There was no answer.
        package static func unreachable(_ description: String) -> Ending { .undecided(description, after: nil) }
    }

    package var ending: Ending
    /// The reasons for which it was tried again on the way.
    package var retries: [String]

    package init(_ ending: Ending, retries: [String] = []) {
        self.ending = ending
        self.retries = retries
    }
}

/// The outcomes of a batch.
package struct SendOutcomes: Sendable {
    /// The pushes that were answered with 200 at the first attempt, by their index.
    package private(set) var accepted = PlaceSet()
    /// All others, by their index.
    package private(set) var others: [Int: SendOutcome] = [:]

    package init() {}

    /// The same outcome for all pushes of a batch.
    package init(all count: Int, _ outcome: SendOutcome) {
        for index in 0..<count { others[index] = outcome }
    }

    package mutating func accept(_ index: Int) { accepted.insert(index) }

    package mutating func add(_ outcome: SendOutcome, of index: Int) {
        if outcome.ending == .accepted, outcome.retries.isEmpty {
            accepted.insert(index)
        } else {
            others[index] = outcome
        }
    }

    /// Nil for a push that has none.
    package subscript(index: Int) -> SendOutcome? {
        accepted.contains(index) ? SendOutcome(.accepted) : others[index]
    }
}
