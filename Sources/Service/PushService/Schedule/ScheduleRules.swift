package import Foundation

/// What an operator sets about schedules.
package struct ScheduleRules: Hashable, Sendable {
    /// In which a schedule is read that names no zone. The hosted service runs on China's time.
    package var zone: TimeZone
    /// Seconds by which a firing may be late, after the service was down: later it is missed (our choice).
    package var catchUp: TimeInterval

    package init(zone: TimeZone = TimeZone(identifier: "Asia/Shanghai") ?? .gmt, catchUp: TimeInterval = 3600) {
        self.zone = zone
        self.catchUp = catchUp
    }
}
