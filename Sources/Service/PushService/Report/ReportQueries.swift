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
        let devices = query.registrationIDs.map { text in
            RegistrationID(text).flatMap { registry.device($0, of: app) }
        }
        let ordinals = devices.compactMap { $0?.ordinal }
        let deliveries = try await store.deliveries(of: query.message, app: app, to: ordinals)
        return zip(query.registrationIDs, devices).map { text, device in
            guard let device else { return (text, .notOfThisApp) }
            guard let isDelivered = deliveries[device.ordinal] else { return (text, .noTarget) }
            return (text, isDelivered ? .delivered : .notDelivered)
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
