package import Foundation
import PushClock
package import PushModel

/// The decision about a push for a device, from the quiet hours.
package enum QuietHoursDecision: Hashable, Sendable {
    case send
    /// The push is sent when the quiet hours end.
    case hold(until: Date)
    /// The push is not sent: the quiet hours last until then, and its time to live ends before.
    case suppress(until: Date)

    /// The journey event for the decision; nil if there is none.
    package var event: JourneyEvent.Kind? {
        switch self {
        case .send: nil
        case .hold(let until): .quietHours(until: until, isHeld: true)
        case .suppress(let until): .quietHours(until: until, isHeld: false)
        }
    }
}

/// The quiet hours that apply to a push.
///
/// Custom messages are not held: they display nothing by themselves.
package struct QuietHoursRule: Sendable {
    private let window: DailyWindow
    /// The time zone of the quiet hours; nil for each device's own.
    private let zone: TimeZone?
    private let fallback: TimeZone

    /// Nil if no device is affected: there are no quiet hours, the push is silent, for Live Activities or a call, or it is
    /// time-sensitive and exempt. The push's own hours take precedence over the app's; `fallback`, the service's time zone,
    /// is that of devices that have reported none.
    package init?(_ push: PushRequest, ofApp hours: QuietHours?, fallback: TimeZone) {
        guard let hours = push.options.quietHours.hours(ofApp: hours), !push.notification.isSilent,
            push.hasNotification, !hours.allowsTimeSensitive || !push.notification.isTimeSensitive,
            let window = DailyWindow(start: hours.from, end: hours.to)
        else { return nil }
        self.window = window
        self.fallback = fallback
        zone = if case .named(let name) = hours.zone { TimeZone(identifier: name) ?? fallback } else { nil }
    }

    /// Returns the decision for a push that is due `now`; `deviceZone` is the time zone that the device has reported, if any.
    package func decision(for deviceZone: TimeZone?, at now: Date, expiry: Date) -> QuietHoursDecision {
        guard let end = window.end(of: now, in: zone ?? deviceZone ?? fallback) else { return .send }
        return end < expiry ? .hold(until: end) : .suppress(until: end)
    }

    /// Decides for the devices of a step, once per time zone.
    ///
    /// - Returns: the decisions by place; nil if the push is sent to all of them.
    package func decisions(for zones: DeviceZones, count: Int, at now: Date, expiry: Date) -> [QuietHoursDecision]? {
        let byZone = zones.zones.map { decision(for: $0, at: now, expiry: expiry) }
        guard byZone.contains(where: { $0 != .send }) else { return nil }
        let decisions = (0..<count).map { byZone[zones.number(at: $0)] }
        return decisions.contains { $0 != .send } ? decisions : nil
    }
}
