import Foundation
import PushModel
import Synchronization

/// Limits how often a device may make certain requests, across all of its links, and how often all devices of an app may.
final class CallRates: Sendable {
    enum Family: Hashable { case names, mobile, diagnosis, testPush }

    private struct Key: Hashable {
        var app: App.ID
        /// Nil for what the devices of the app may do together.
        var device: DeviceOrdinal?
        var family: Family
    }

    /// The length of the sliding window, in seconds.
    private static let window: TimeInterval = 10
    /// The number of devices above which those without recent calls are removed.
    private static let tidyAbove = 4096

    private struct State {
        /// The times of each device's calls within the window, in order.
        var calls: [Key: [Date]] = [:]
        var tidyAbove = CallRates.tidyAbove
    }

    private let state = Mutex(State())

    private static func limit(_ family: Family) -> Int {
        switch family {
        case .names: 10
        case .mobile: 3
        case .diagnosis: 1
        // Who has the app key can register devices without end, whose tokens APNs refuses.
        case .testPush: 10
        }
    }

    /// Counts a call and returns true, unless the limit is reached.
    func allows(_ family: Family, of device: DeviceID, at now: Date) -> Bool {
        state.withLock { state in
            let key = Key(app: device.app, device: family == .testPush ? nil : device.ordinal, family: family)
            let recent = state.calls[key, default: []].filter { !$0.isOver(after: Self.window, at: now) }
            guard recent.count < Self.limit(family) else { return false }
            state.calls[key] = recent + [now]
            if state.calls.count > state.tidyAbove {
                state.calls = state.calls.filter {
                    !($0.value.last ?? .distantPast).isOver(after: Self.window, at: now)
                }
                state.tidyAbove = max(Self.tidyAbove, state.calls.count * 2)
            }
            return true
        }
    }
}
