package import Foundation
import PushClock
package import PushModel

/// What is to be done with a push for a device, by the device's quiet hours.
package enum QuietHoursDecision: Hashable, Sendable {
    case send
    /// It is sent when the quiet hours are over.
    case hold(until: Date)
    /// It is not sent: they last until then, and its time to live ends before that.
    case suppress(until: Date)

    /// What the journey says; nil where there is nothing to say.
    package var event: JourneyEvent.Kind? {
        switch self {
        case .send: nil
        case .hold(let until): .quietHours(until: until, isHeld: true)
        case .suppress(let until): .quietHours(until: until, isHeld: false)
        }
    }
}

/// The quiet hours that hold for a push.
///
/// Custom messages are not held: they show nothing by themselves.
package struct QuietHoursRule: Sendable {
    private let window: DailyWindow
    /// That of the hours; nil for each device's own.
    private let zone: TimeZone?
    private let fallback: TimeZone

    /// Nil if the push is held back from nobody: there are no quiet hours, it is silent, or it is time-sensitive and may pass.
    ///
    /// - Parameters:
    ///   - push: as it was accepted.
    ///   - hours: of the app; the push's own go before them.
    ///   - fallback: the zone of the service, for devices that have told none.
    package init?(_ push: PushRequest, ofApp hours: QuietHours?, fallback: TimeZone) {
        guard let hours = push.options.quietHours.hours(ofApp: hours), !push.notification.isSilent,
            !hours.allowsTimeSensitive || !push.notification.isTimeSensitive,
            let window = DailyWindow(start: hours.from, end: hours.to)
        else { return nil }
        self.window = window
        self.fallback = fallback
        zone = if case .named(let name) = hours.zone { TimeZone(identifier: name) ?? fallback } else { nil }
    }

    /// What is to be done for a device that has told `deviceZone`, or no zone at all, with a push that would go out `now`.
    package func decision(for deviceZone: TimeZone?, at now: Date, expiry: Date) -> QuietHoursDecision {
        guard let end = window.end(of: now, in: zone ?? deviceZone ?? fallback) else { return .send }
        return end < expiry ? .hold(until: end) : .suppress(until: end)
    }

    /// The same for the devices of a step: each zone is asked for once.
    ///
    /// - Returns: the decisions by place; nil if all are to be sent.
    package func decisions(for zones: DeviceZones, count: Int, at now: Date, expiry: Date) -> [QuietHoursDecision]? {
        let byZone = zones.zones.map { decision(for: $0, at: now, expiry: expiry) }
        guard byZone.contains(where: { $0 != .send }) else { return nil }
        let decisions = (0..<count).map { byZone[zones.number(at: $0)] }
        return decisions.contains { $0 != .send } ? decisions : nil
    }
}
