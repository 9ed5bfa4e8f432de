package import PushModel

/// The operator's settings of the service.
package struct ServiceSettings: Sendable {
    /// The number of pushes to `"all"` that an app may send in a day; nil for no limit.
    ///
    /// Source: JPush REST API v3, "Push API", "Audience": ten on the hosted service.
    package var broadcastsPerDay: Int?
    /// The maximum number of an app's rows of callback events that wait. A row has up to 500 events that happened together.
    package var waitingCallbacks = 200_000
    /// The settings for schedules. Their zone is that of all dates which are read or returned in calendar time.
    package var schedules = ScheduleRules()
    package var link = LinkRules()
    package var operators = OperatorRules()
    package var retention = RetentionRules()
    /// The environments of APNs that can be used.
    package var environments = Set(APNSEnvironment.allCases)
    /// See ``TrustedTime``.
    package var believesClock = false

    package init() {}
}
