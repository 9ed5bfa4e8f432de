import Foundation
import PushModel

/// The number of rows that a run of retention would delete.
struct RetentionPreview: Hashable {
    var pushes = 0
    var schedules = 0
    var devices = 0
    /// Counts of users, one for each app, period and measure.
    var users = 0
}

extension Retention {
    /// Counts what a run would delete by other rules, and deletes nothing.
    func preview(_ rules: RetentionRules, at now: Date) async throws -> RetentionPreview {
        let expired = try await store.expired(
            endedBefore: RetentionRules.date(rules.schedules, before: now),
            before: calendar.times(at: RetentionRules.date(rules.users, before: now))
        )
        return RetentionPreview(
            pushes: try await expiredPushes(before: RetentionRules.date(rules.messages, before: now)),
            schedules: expired.schedules,
            devices: expiredDevices(rules, at: now),
            users: expired.users
        )
    }

    private func expiredPushes(before cutoff: Date) async throws -> Int {
        var (last, count) = (MessageID(0), 0)
        while true {
            try Task.checkCancellation()
            let messages = try await store.agingMessages(after: last, acceptedBefore: cutoff, limit: Self.messages)
            count += messages.lazy.filter { Self.isExpired($0, before: cutoff) }.reduce(0) { $0 + $1.ids.count }
            guard messages.count == Self.messages, let end = messages.last?.id else { return count }
            last = end
        }
    }

    private func expiredDevices(_ rules: RetentionRules, at now: Date) -> Int {
        let cutoff = rules.deviceCutoff(at: now)
        return registry.appsWithDevices.reduce(0) { count, app in
            registry.pieces(of: app, unseenSince: cutoff).reduce(count) { count, piece in
                count + registry.devices(ofPiece: piece, of: app, unseenSince: cutoff).count
            }
        }
    }
}
