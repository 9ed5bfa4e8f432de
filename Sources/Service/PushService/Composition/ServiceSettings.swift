package import Foundation
package import PushModel
import Synchronization

/// The operator's settings of the service.
package struct ServiceSettings: Sendable {
    /// The number of pushes to `"all"` that an app may send in a day; nil for no limit.
    ///
    /// Source: JPush REST API v3, "Push API", "Audience": ten on the hosted service.
    package var broadcastsPerDay: Int?
    /// The maximum number of an app's rows of callback events that wait.
    package var waitingCallbacks = CallbackRunner.waiting
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

/// The operator's settings for schedules.
package struct ScheduleRules: Hashable, Sendable {
    /// The zone of schedules that name none. The hosted service uses China's time.
    package var zone = TimeZone(identifier: "Asia/Shanghai") ?? .gmt
    /// The maximum delay of a firing after the service was down, in seconds; later it is missed (our choice).
    package var catchUp: TimeInterval = 3600

    package init() {}
}

/// The operator's settings for the SDK link.
package struct LinkRules: Hashable, Sendable {
    /// The maximum number of custom messages waiting for a device; the newest are kept.
    package var waitingMessages = 5
    /// The time that a link has to log in; it is closed after at most twice as long (our choice).
    package var login = Duration.seconds(30)
    /// The registrations of an app accepted from one network per minute; 0 means no limit. Many phones share the address of their
    /// office or carrier (our choice).
    package var registrationsPerMinute = 600
    /// The limits for the tags of an app.
    package var tags = TagLimits()
}

/// The limits for operators and users of the portal.
package struct OperatorRules: Hashable, Sendable {
    /// The number of changes that each may make in a minute.
    package var changesPerMinute = 600
    /// The number of devices up to which a user of the portal may push without having given the password a moment ago.
    package var devicesWithoutPassword = 1000
}
