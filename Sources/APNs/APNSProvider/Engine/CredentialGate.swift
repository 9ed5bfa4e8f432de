/// Whether pushes with a credential are worth sending.
///
/// After a refusal that would affect every push, pushes are refused here with the same text, so that a campaign does not
/// send thousands of bad requests: APNs closes connections with too many of them. From time to time one push
/// is let through to test whether the credential is valid again.
struct CredentialGate: Hashable, Sendable {
    enum Passage: Hashable, Sendable {
        case open
        case shut(APNSOutcome)
    }

    private struct Pause: Hashable, Sendable {
        var refusal: APNSRefusal
        /// The time when the next push may try.
        var end: Duration
        var count: Int
        var isTrying = false
    }

    private var pause: Pause?

    var isOpen: Bool { pause == nil }

    /// The outcome of pushes while the gate is shut; nil while it is open.
    var refusal: APNSOutcome? { pause?.refusal.outcome }

    /// Whether the next push may try.
    func isTrialDue(at now: Duration) -> Bool { pause.map { now >= $0.end } ?? false }

    /// Called for each push that is about to be sent; the one that may try after a pause is the trial.
    mutating func pass(at now: Duration, _ rules: APNSClientConfiguration) -> Passage {
        guard let current = pause else { return .open }
        guard now >= current.end else { return .shut(current.refusal.outcome) }
        // If the trial is lost, the next one follows after another pause.
        pause?.end = now + rules.credentialPause(after: current.count)
        pause?.isTrying = true
        return .open
    }

    /// Records that a push was refused because of the credential.
    mutating func refused(_ refusal: APNSRefusal, at now: Duration, _ rules: APNSClientConfiguration) {
        // Pushes that were in flight with the one that shut the gate provide no new information.
        if let pause, !pause.isTrying { return }
        let count = (pause?.count ?? 0) + 1
        pause = Pause(refusal: refusal, end: now + rules.credentialPause(after: count), count: count)
    }

    /// Records that a push was accepted.
    mutating func accepted() { if pause != nil { pause = nil } }
}
