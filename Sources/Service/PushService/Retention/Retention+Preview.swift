import Foundation
import PushModel

extension Retention {
    /// Counts what a run would delete by other rules, and deletes nothing.
    func preview(_ rules: RetentionRules, at now: Date) async throws -> RetentionAnswer {
        let expired = try await store.expired(
            endedBefore: RetentionRules.date(rules.schedules, before: now),
            before: calendar.times(at: RetentionRules.date(rules.users, before: now))
        )
        let pushes = try await expiredPushes(before: RetentionRules.date(rules.messages, before: now))
        return RetentionAnswer(
            pushes: .init(count: pushes, days: rules.messages),
            schedules: .init(count: expired.schedules, days: rules.schedules),
            devices: .init(count: expiredDevices(rules, at: now), days: rules.devices),
            users: .init(count: expired.users, days: rules.users)
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
