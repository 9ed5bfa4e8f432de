/// The sending times of a scheduled push.
///
/// Source: JPush REST API v3, "Schedule API", section "trigger". The zone is an extension of Posthorn.
package struct ScheduleTrigger: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case single(WallTime)
        case periodical(Period)
    }

    /// Selected days of every Nth day, week or month, at one time of day.
    package struct Period: Hashable, Sendable {
        package enum Days: Hashable, Sendable {
            case daily
            /// 1 is Monday, 7 is Sunday; a week begins on Monday (our choice).
            case ofWeek(Set<Int>)
            /// 1 to 31; months without that day are skipped.
            case ofMonth(Set<Int>)
        }

        package var start: WallTime
        package var end: WallTime
        /// Seconds since midnight.
        package var time: Int
        package var days: Days
        /// The interval in days, weeks or months, counted from the first firing.
        package var frequency: Int

        package init(start: WallTime, end: WallTime, time: Int, days: Days, frequency: Int) {
            (self.start, self.end, self.time, self.days, self.frequency) = (start, end, time, days, frequency)
        }
    }

    package var kind: Kind
    /// An IANA name; nil for the zone of the service.
    package var zone: String?
    /// Whether times are in each device's own zone (`"zone":"device"`); the service's zone is used for devices without a known
    /// one.
    package var isPerDevice = false

    package init(_ kind: Kind, zone: String? = nil) {
        self.kind = kind
        self.zone = zone
    }

    package var isSingle: Bool { if case .single = kind { true } else { false } }
}
