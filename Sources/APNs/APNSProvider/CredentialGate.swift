/// Whether pushes with a credential are worth sending.
///
/// After a refusal that would meet every push, pushes are refused here with the same words, so that a campaign does not run
/// against the wall one push at a time: APNs closes connections that bring too many bad requests. From time to time one push
/// goes through to see whether the credential is good again.
struct CredentialGate: Hashable, Sendable {
    enum Passage: Hashable, Sendable {
        case open
        case shut(APNSOutcome)
    }

    private struct Pause: Hashable, Sendable {
        var refusal: APNSRefusal
        /// When the next push may try.
        var end: Duration
        var count: Int
        var isTrying = false
    }

    private var pause: Pause?

    var isOpen: Bool { pause == nil }

    /// What pushes are told while it is shut; nil while it is open.
    var refusal: APNSOutcome? { pause?.refusal.outcome }

    /// Whether the next push that asks may try.
    func isTrialDue(at now: Duration) -> Bool { pause.map { now >= $0.end } ?? false }

    /// Asked for each push that is about to be sent; the one that may try after a pause is the trial.
    mutating func pass(at now: Duration, _ rules: APNSClientConfiguration) -> Passage {
        guard let current = pause else { return .open }
        guard now >= current.end else { return .shut(current.refusal.outcome) }
        // Should the trial be lost, the next one comes after another pause.
        pause?.end = now + rules.credentialPause(after: current.count)
        pause?.isTrying = true
        return .open
    }

    /// A push was refused for the credential.
    mutating func refused(_ refusal: APNSRefusal, at now: Duration, _ rules: APNSClientConfiguration) {
        // What was on its way with the one that shut the gate says nothing new.
        if let pause, !pause.isTrying { return }
        let count = (pause?.count ?? 0) + 1
        pause = Pause(refusal: refusal, end: now + rules.credentialPause(after: count), count: count)
    }

    /// A push was accepted.
    mutating func accepted() { if pause != nil { pause = nil } }
}
