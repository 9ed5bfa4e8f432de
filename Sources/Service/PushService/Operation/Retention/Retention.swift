import Foundation
import Logging
import PushModel

/// Deletes expired data in short transactions, between which others write.
struct Retention: Sendable {
    let store: any RetentionStore & EventStore
    let registry: Registry
    let others: OtherNodes?
    let settings: Adjustable<ServiceSettings>
    /// The store that nodes share, with their logs of changes and rate limits; nil for a service that is alone.
    let shared: (any SharedStore)?
    let calendar: UseCalendar
    let logger: Logger

    private var rules: RetentionRules { settings.value.retention }

    /// The number of rows deleted in one transaction.
    private static let rows = 2000
    /// The number of messages read at a time.
    static let messages = 500
    /// The number of devices deleted in one transaction.
    private static let devices = 500
    /// The days for which a message is known to have been deleted.
    private static let deletions = 366

    /// Deletes all expired data; ends early when its task is cancelled.
    func run(at now: Date) async throws {
        // Recently accepted messages may still be on their way to online devices.
        let over = now.addingTimeInterval(-3600)
        try await whileMore { try await store.deleteCustomMessages(expiredBefore: over, limit: Self.rows) }
        try await deleteMessages(at: now)
        let cutoff = RetentionRules.date(rules.messages, before: now)
        try await whileMore {
            try await store.deleteGroupPushes(acceptedBefore: cutoff, filesEndedBefore: now, limit: Self.devices)
        }
        try await deleteCIDs(at: now)
        try await deleteSchedules(at: now)
        try await deleteDevices(at: now)
        let unkept = RetentionRules.date(rules.events, before: now)
        try await whileMore { try await store.deleteEvents(before: unkept, limit: Self.rows) }
        try await closeUses(at: now)
        try await whileMore { try await store.deleteOrphans(limit: Self.devices) }
        let forgotten = RetentionRules.date(Self.deletions, before: now)
        try await whileMore { try await store.forgetDeletions(before: forgotten, limit: Self.devices) }
        guard let shared else { return }
        let age = Duration.seconds(86_400 * rules.changes)
        try await whileMore { try await shared.deleteChanges(olderThan: age, limit: Self.rows) }
        try await whileMore { try await shared.deleteWindows(limit: Self.rows) }
    }

    /// Repeats a deletion until it says that nothing is left.
    private func whileMore(_ delete: () async throws -> Bool) async throws {
        while try await delete() { try Task.checkCancellation() }
    }

    private func deleteMessages(at now: Date) async throws {
        let cutoff = RetentionRules.date(rules.messages, before: now)
        let hasOrphans = try await store.hasOrphans()
        var last = MessageID(0)
        var deleted = 0
        while true {
            try Task.checkCancellation()
            // Ids ascend with time: all messages after the first younger one are younger too.
            let messages = try await store.agingMessages(
                after: last,
                acceptedBefore: hasOrphans ? .distantFuture : cutoff,
                limit: Self.messages
            )
            let over = messages.filter { Self.isExpired($0, before: cutoff) }
            for (app, over) in Dictionary(grouping: over, by: \.app) {
                let ids = over.flatMap(\.ids)
                try await store.markDeleted(ids, of: app, Deletion(days: rules.messages), at: now)
                for message in over {
                    try await whileMore { try await !store.deleteMessage(message.id, rows: Self.rows) }
                }
                deleted += ids.count
            }
            guard messages.count == Self.messages, let end = messages.last?.id else { break }
            last = end
        }
        if deleted > 0 { logger.info("Old pushes were deleted", metadata: ["count": "\(deleted)"]) }
    }

    static func isExpired(_ message: AgingMessage, before cutoff: Date) -> Bool {
        message.isOrphan || message.endedAt.map { $0 < cutoff } ?? false
    }

    private func deleteCIDs(at now: Date) async throws {
        var place: CIDPlace? = .start
        while let from = place {
            try Task.checkCancellation()
            place = try await store.deleteCIDs(
                after: from,
                usedBefore: now.addingTimeInterval(-TimeInterval(JPushLimits.cidLifetime)),
                // They identify a firing that was under way when the service stopped, however long ago.
                ofSchedulesBefore: RetentionRules.date(rules.messages, before: now),
                limit: Self.rows
            )
        }
    }

    private func deleteSchedules(at now: Date) async throws {
        let ended = RetentionRules.date(rules.schedules, before: now)
        let used = now.addingTimeInterval(-TimeInterval(JPushLimits.cidLifetime))
        try await whileMore {
            try await store.deleteSchedules(endedBefore: ended, cidsUsedBefore: used, limit: Self.devices)
        }
    }

    private func deleteDevices(at now: Date) async throws {
        let cutoff = rules.deviceCutoff(at: now)
        let deletion = Deletion(days: rules.devices, at: now)
        for app in registry.appsWithDevices {
            for piece in registry.pieces(of: app, unseenSince: cutoff) {
                let unseen = registry.devices(ofPiece: piece, of: app, unseenSince: cutoff)
                let linked = try await others?.linked(unseen.map { DeviceID(app: app, ordinal: $0) }) ?? []
                let ordinals = unseen.filter { !linked.contains(DeviceID(app: app, ordinal: $0)) }
                for step in ordinals.slices(of: Self.devices) {
                    try Task.checkCancellation()
                    let gone = try await store.deleteDevices(Array(step), of: app, unseenSince: cutoff, deletion)
                    registry.forget(gone, of: app)
                }
            }
        }
    }

    private func closeUses(at now: Date) async throws {
        // A note from the very end of an hour may still wait for the disk.
        let over = calendar.times(at: now.addingTimeInterval(-3600))
        try await whileMore { try await store.closeUses(before: over, limit: Self.rows) }
        let forgotten = calendar.times(at: RetentionRules.date(rules.users, before: now))
        try await whileMore { try await store.deleteUses(before: forgotten, limit: Self.rows) }
    }
}

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
        var last = MessageID(0)
        var count = 0
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
