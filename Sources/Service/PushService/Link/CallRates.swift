import Foundation
import Synchronization

/// How often a device may ask for some things, whatever link it asks on.
///
/// Source: JPush iOS SDK, "Tags and alias" and "setMobileNumber".
final class CallRates: Sendable {
    enum Family: Hashable { case names, mobile }

    private struct Key: Hashable {
        var device: DeviceID
        var family: Family
    }

    /// Seconds of a window that slides.
    private static let window: TimeInterval = 10
    /// Devices above which those are forgotten that have asked nothing lately.
    private static let tidyAbove = 4096

    private struct State {
        /// When each device asked, within the window, in order.
        var calls: [Key: [Date]] = [:]
        var tidyAbove = CallRates.tidyAbove
    }

    private let state = Mutex(State())

    private static func limit(_ family: Family) -> Int { family == .names ? 10 : 3 }

    /// Counts a call, unless it is one too many.
    func allows(_ family: Family, of device: DeviceID, at now: Date) -> Bool {
        state.withLock { state in
            let key = Key(device: device, family: family)
            // A clock that was turned back forgets what seems to lie ahead.
            let recent = state.calls[key, default: []].filter { $0 <= now && now.timeIntervalSince($0) < Self.window }
            guard recent.count < Self.limit(family) else { return false }
            state.calls[key] = recent + [now]
            if state.calls.count > state.tidyAbove {
                state.calls = state.calls.filter { now.timeIntervalSince($0.value.last ?? .distantPast) < Self.window }
                state.tidyAbove = max(Self.tidyAbove, state.calls.count * 2)
            }
            return true
        }
    }
}
