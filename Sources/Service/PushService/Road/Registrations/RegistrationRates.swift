import Foundation
import PushModel
import Synchronization

/// Limits how many devices may register for an app from one network, or how many calls they may make: each registration is a row
/// that lasts for months, and the app key it takes is in every copy of the app.
///
/// A token bucket for each app and network: it holds one minute's allowance and refills evenly.
final class RegistrationRates: Sendable {
    private struct Key: Hashable {
        var app: App.ID
        /// Empty where a link has no address.
        var network: String
    }

    private struct Bucket {
        var left: Double
        var at: Date
        var isEmpty = false
    }

    enum Answer { case taken, oneTooMany, firstTooMany }

    private let settings: Adjustable<ServiceSettings>
    /// The factor of the limit on registrations.
    private let factor: Int
    /// Full buckets are removed.
    private let buckets = Mutex(TidyTable<Key, Bucket>(above: 4096))

    init(_ settings: Adjustable<ServiceSettings>, times factor: Int = 1) {
        self.settings = settings
        self.factor = factor
    }

    /// Counts a registration, unless the limit is reached; the first refusal after an accepted one differs from later ones.
    func count(_ app: App.ID, from network: String?, at now: Date) -> Answer {
        let perMinute = settings.value.link.registrationsPerMinute * factor
        guard perMinute > 0 else { return .taken }
        return buckets.withLock { buckets in
            let key = Key(app: app, network: network ?? "")
            var bucket = Self.filled(
                buckets.values[key] ?? Bucket(left: Double(perMinute), at: now),
                perMinute,
                at: now
            )
            let isTaken = bucket.left >= 1
            let answer = isTaken ? Answer.taken : bucket.isEmpty ? .oneTooMany : .firstTooMany
            if isTaken { bucket.left -= 1 }
            bucket.isEmpty = !isTaken
            buckets.values[key] = bucket
            buckets.tidy { Self.filled($1, perMinute, at: now).left >= Double(perMinute) }
            return answer
        }
    }

    private static func filled(_ bucket: Bucket, _ perMinute: Int, at now: Date) -> Bucket {
        // A clock that was set back adds nothing.
        let minutes = max(0, now.timeIntervalSince(bucket.at)) / 60
        let left = min(Double(perMinute), bucket.left + minutes * Double(perMinute))
        return Bucket(left: left, at: now, isEmpty: bucket.isEmpty)
    }
}

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

    /// The times of each device's calls within the window, in order.
    private let calls = Mutex(TidyTable<Key, [Date]>(above: 4096))

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
        calls.withLock { calls in
            let key = Key(app: device.app, device: family == .testPush ? nil : device.ordinal, family: family)
            let recent = calls.values[key, default: []].filter { !$0.isOver(after: Self.window, at: now) }
            guard recent.count < Self.limit(family) else { return false }
            calls.values[key] = recent + [now]
            calls.tidy { ($1.last ?? .distantPast).isOver(after: Self.window, at: now) }
            return true
        }
    }
}
