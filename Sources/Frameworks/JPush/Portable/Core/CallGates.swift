#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

/// The limits of the SDK for calls with an answer, which it applies before anything is sent.
///
/// Source: JPush iOS SDK documentation, client result codes: 6011, 6012, 6021, 6022.
struct CallGates: Sendable {
    /// Operations of which there is one at a time: a second one is refused until the first is answered, for at most 20 seconds.
    enum Gate: Hashable, Sendable {
        case tags
        case alias
    }

    /// Operations that are counted together, in 10 seconds.
    enum Rate: Hashable, Sendable {
        /// Tags, alias and properties.
        case labels
        case mobile

        fileprivate var limit: Int { self == .labels ? 10 : 3 }
    }

    /// The limits of one kind of operations.
    struct Limits: Sendable {
        var gate: Gate?
        var rate: Rate?
        /// Whether it works while push is off.
        var ignoresSwitch = false
    }

    private static let patience: TimeInterval = 20
    private static let interval: TimeInterval = 10

    private var busy: [Gate: (call: Int64, since: TimeInterval)] = [:]
    private var moments: [Rate: [TimeInterval]] = [:]

    /// Admits a call, or returns the code of its refusal.
    ///
    /// - Parameters:
    ///   - call: the number with which the call ends.
    ///   - limits: those of its operation.
    ///   - isPushOff: whether push is off.
    ///   - now: the time in seconds. A clock that is set back ends all waits.
    /// - Returns: nil if the call is admitted.
    mutating func enter(_ call: Int64, _ limits: Limits, isPushOff: Bool, at now: TimeInterval) -> Int? {
        if isPushOff, !limits.ignoresSwitch { return ResultCode.stopped }
        if let rate = limits.rate, !admits(rate, at: now) { return ResultCode.tooOften }
        guard let gate = limits.gate else { return nil }
        if let before = busy[gate], 0..<Self.patience ~= now - before.since {
            return gate == .tags ? ResultCode.tagsBusy : ResultCode.aliasBusy
        }
        busy[gate] = (call, now)
        return nil
    }

    /// Ends a call: the next of its kind may come.
    mutating func leave(_ call: Int64) { busy = busy.filter { $0.value.call != call } }

    /// Counts a call; one beyond the limit does not count.
    mutating func admits(_ rate: Rate, at now: TimeInterval) -> Bool {
        let recent = moments[rate, default: []].filter { 0..<Self.interval ~= now - $0 }
        let isAdmitted = recent.count < rate.limit
        moments[rate] = isAdmitted ? recent + [now] : recent
        return isAdmitted
    }
}

#endif
