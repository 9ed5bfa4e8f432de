import PushClock
package import PushModel

/// Queries of an app's backend about its pushes and users.
///
/// Source: JPush REST API v3, "Report API".
package struct ReportQueries: Sendable {
    let store: any ReportStore
    let registry: Registry
    let log: JourneyLog
    let online: OnlineNotes

    /// The delivery status of a push on a device.
    package enum DeliveryStatus: Int64, Sendable {
        case delivered = 0
        case notDelivered = 1
        /// The registration id belongs to no device of the app.
        case notOfThisApp = 2
        /// The device was not a target of the push.
        case noTarget = 3
    }

    /// Returns the counts of those messages that the app is known to have sent.
    package func counts(of messages: [MessageID], app: App.ID) async throws -> [MessageID: MessageCounts] {
        try await log.flush()
        return try await store.counts(of: messages, app: app)
    }

    /// Returns the statuses in the order of the registration ids.
    package func status(
        of query: MessageStatusQuery,
        app: App.ID
    ) async throws -> [(registrationID: String, status: DeliveryStatus)] {
        try await log.flush()
        let devices = query.registrationIDs.map { text in RegistrationID(text).flatMap { registry.device($0, of: app) }
        }
        let ordinals = devices.compactMap { $0?.ordinal }
        let receipts = try await store.receipts(of: query.message, app: app, to: ordinals)
        return zip(query.registrationIDs, devices).map { text, device in
            guard let device else { return (text, .notOfThisApp) }
            guard let bits = receipts[device.ordinal] else { return (text, .noTarget) }
            return (text, bits.contains(.received) ? .delivered : .notDelivered)
        }
    }

    /// Returns the counts by period; periods without any are left out.
    ///
    /// - Throws: 3005 for a report that begins more than 60 days ago.
    package func users(_ query: UsersQuery, of app: App.ID) async throws -> [String: [UseMeasure: Int]] {
        guard CivilDay(query.firstEnd).number >= online.today - JPushLimits.userReportDays else {
            throw JPushError.reportTooOld(query.start)
        }
        try await online.bringUpToDate()
        guard let first = query.times.first, let last = query.times.last else { return [:] }
        return try await store.uses(of: app, query.unit, from: first, through: last)
    }
}

// Queries of groups: the sums over their apps.
extension ReportQueries {
    /// Returns the counts of a group push; nil if it is not the group's, or was deleted with all its messages.
    package func counts(ofGroupPush id: String, of group: AppGroup) async throws -> MessageCounts? {
        guard !id.hasNUL, let push = try await store.groupPush(id, of: group.id) else { return nil }
        var sum: MessageCounts?
        for (app, message) in push.messages {
            guard let counts = try await counts(of: [message], app: app)[message] else { continue }
            sum = (sum ?? MessageCounts()) + counts
        }
        return sum
    }

    /// Returns the users of a group. A person with two of the apps counts twice, as the service cannot match them.
    package func users(_ query: UsersQuery, ofGroup group: AppGroup) async throws -> [String: [UseMeasure: Int]] {
        var sum: [String: [UseMeasure: Int]] = [:]
        for app in group.apps {
            for (time, counts) in try await users(query, of: app) { sum[time, default: [:]].merge(counts) { $0 + $1 } }
        }
        return sum
    }
}
