import Foundation
import PushModel

/// The times of a schedule that fires at each device's local time (`"zone":"device"`).
///
/// A schedule has one firing for each moment at which the clocks of some zone show its time; zones that show it at the same moment
/// share one. Each firing is a push of its own to the devices in those zones at that time.
struct LocalSchedule {
    let trigger: ScheduleTrigger
    /// The zones of the app's devices.
    let zones: [TimeZone]
    /// The zone of devices that have sent none.
    let fallback: TimeZone

    /// The maximum UTC offsets, ahead and behind.
    private static let ahead = 14.0 * 3600
    private static let behind = 12.0 * 3600
    /// The interval, in seconds, for checking which zones have come into use.
    private static let review = 3600.0

    /// Returns the first firing strictly after `date` in a zone in use; nil if there is none.
    func nextFiring(after date: Date) -> Date? {
        ([fallback] + zones).compactMap { trigger.next(after: date, in: $0) }.min()
    }

    /// Returns when the schedule has to be checked next: at a firing, or earlier, because devices may enter other zones as long as
    /// the time has not passed everywhere on earth. Nil when it has ended.
    func nextDue(after date: Date) -> Date? {
        let wall = trigger.next(after: date.addingTimeInterval(-Self.behind), in: .gmt)
        let look = wall.map { max($0.addingTimeInterval(-Self.ahead), date.addingTimeInterval(Self.review)) }
        return [nextFiring(after: date), look].compactMap(\.self).min()
    }

    /// Returns whether a firing at `date` is the first among the zones in use to reach its local time.
    func isFirst(_ date: Date) -> Bool {
        let all = [fallback] + zones
        guard let zone = all.first(where: { fires(at: date, in: $0) }) else { return true }
        return all.allSatisfy { $0.secondsFromGMT(for: date) <= zone.secondsFromGMT(for: date) }
    }

    /// Returns whether clocks in the zone of a device show the schedule's time at `date`.
    func fires(at date: Date, in zone: TimeZone?) -> Bool {
        trigger.next(after: date.addingTimeInterval(-1), in: zone ?? fallback) == date
    }
}

extension Registry {
    /// Returns a schedule for the current zones of an app's devices.
    func localSchedule(_ trigger: ScheduleTrigger, of app: App.ID, _ rules: ScheduleRules) -> LocalSchedule {
        let zones = zonesInUse(of: app).compactMap { TimeZone(identifier: $0) }
        return LocalSchedule(trigger: trigger, zones: zones, fallback: rules.zone)
    }
}
