#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient

/// The limits of the SDK for calls with an answer, which it applies before anything is sent.
///
/// Source: JPush iOS SDK documentation, client result codes: 6011, 6012, 6021, 6022.
struct CallGates {
    /// Operations of which there is one at a time, for at most 20 seconds.
    private enum Gate: Hashable {
        case tags
        case alias
    }

    /// Operations that are counted together, in 10 seconds.
    enum Rate: Hashable {
        /// Tags, alias and properties.
        case labels
        case mobile

        fileprivate var limit: Int { self == .labels ? 10 : 3 }
    }

    private static let patience: TimeInterval = 20
    private static let interval: TimeInterval = 10

    private var busy: [Gate: (call: Int, since: TimeInterval)] = [:]
    private var moments: [Rate: [TimeInterval]] = [:]
    private var lastCall = 0

    /// Admits a call, or returns the code of its refusal.
    ///
    /// - Parameters:
    ///   - operation: the call.
    ///   - isPushOff: whether pushes are switched off.
    ///   - now: the seconds of a clock that nobody sets.
    /// - Returns: the number with which the call ends.
    mutating func enter(
        _ operation: DeviceOperation,
        isPushOff: Bool,
        at now: TimeInterval
    ) -> Result<Int, PosthornError> {
        let (gate, rate) = Self.limits(of: operation)
        if isPushOff, !Self.ignoresSwitch(operation) { return Self.refusal(ResultCode.stopped) }
        if let rate, !admits(rate, at: now) { return Self.refusal(ResultCode.tooOften) }
        if let gate, let before = busy[gate], now - before.since < Self.patience {
            return Self.refusal(gate == .tags ? ResultCode.tagsBusy : ResultCode.aliasBusy)
        }
        lastCall += 1
        if let gate { busy[gate] = (lastCall, now) }
        return .success(lastCall)
    }

    /// Ends a call: the next of its kind may come.
    mutating func leave(_ call: Int) { busy = busy.filter { $0.value.call != call } }

    /// Counts a call; one beyond the limit does not count.
    mutating func admits(_ rate: Rate, at now: TimeInterval) -> Bool {
        let recent = (moments[rate] ?? []).filter { now - $0 < Self.interval }
        let isAdmitted = recent.count < rate.limit
        moments[rate] = isAdmitted ? recent + [now] : recent
        return isAdmitted
    }

    private static func refusal(_ code: Int) -> Result<Int, PosthornError> {
        .failure(PosthornError(code: code, message: ResultCode.text(code)))
    }

    private static func limits(of operation: DeviceOperation) -> (Gate?, Rate?) {
        switch operation {
        case .addTags, .setTags, .deleteTags, .cleanTags, .getTags, .checkTag: (.tags, .labels)
        case .setAlias, .deleteAlias, .getAlias: (.alias, .labels)
        case .setMobile: (nil, .mobile)
        case .setBadge, .setAttributes, .setPush, .getPush, .declineTopics, .getTopics: (nil, nil)
        }
    }

    private static func ignoresSwitch(_ operation: DeviceOperation) -> Bool {
        switch operation {
        case .setPush, .getPush, .declineTopics, .getTopics: true
        default: false
        }
    }
}

#endif
