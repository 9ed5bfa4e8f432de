import Foundation
import PushClock
import PushModel

/// The times of a schedule whose devices are each sent to at their own local time (`"zone":"device"`).
///
/// A schedule has one firing for each moment at which the clocks of some zone show its time; zones that show it at the same moment
/// share one. Each is a push of its own to the devices of those zones as they are then.
struct LocalSchedule {
    let trigger: ScheduleTrigger
    /// Those of the app's devices.
    let zones: [TimeZone]
    /// For devices that have told none.
    let fallback: TimeZone

    /// How far clocks are ahead of Greenwich, and behind it, at most.
    private static let (ahead, behind) = (14.0 * 3600, 12.0 * 3600)
    /// After this time it is looked again for zones that have come into use.
    private static let review = 3600.0

    /// The first firing strictly after `date` in a zone that is in use; nil if there is none.
    func nextFiring(after date: Date) -> Date? {
        ([fallback] + zones).compactMap { trigger.next(after: date, in: $0) }.min()
    }

    /// When the schedule has to be looked at next: at a firing, or in between, as long as the time has not come everywhere on
    /// earth, because of devices that have come into other zones since. Nil when it is over.
    func nextDue(after date: Date) -> Date? {
        let wall = trigger.next(after: date.addingTimeInterval(-Self.behind), in: .gmt)
        let look = wall.map { max($0.addingTimeInterval(-Self.ahead), date.addingTimeInterval(Self.review)) }
        return [nextFiring(after: date), look].compactMap(\.self).min()
    }

    /// Whether no other zone in use has shown before what clocks in some zone show at `date`.
    func isFirst(_ date: Date) -> Bool {
        let all = [fallback] + zones
        guard let zone = all.first(where: { fires(at: date, in: $0) }) else { return true }
        return all.allSatisfy { $0.secondsFromGMT(for: date) <= zone.secondsFromGMT(for: date) }
    }

    /// Whether clocks in the zone of a device show the schedule's time at `date`.
    func fires(at date: Date, in zone: TimeZone?) -> Bool {
        trigger.next(after: date.addingTimeInterval(-1), in: zone ?? fallback) == date
    }
}
