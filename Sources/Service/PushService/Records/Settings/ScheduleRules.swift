package import Foundation

/// The operator's settings for schedules.
package struct ScheduleRules: Hashable, Sendable {
    /// The zone of schedules that name none. The hosted service uses China's time.
    package var zone = TimeZone(identifier: "Asia/Shanghai") ?? .gmt
    /// The maximum delay of a firing after the service was down, in seconds; later it is missed (our choice).
    package var catchUp: TimeInterval = 3600

    package init() {}
}
