import Foundation

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
            self.start = start
            self.end = end
            self.time = time
            self.days = days
            self.frequency = frequency
        }
    }

    package var kind: Kind
    /// An IANA name; nil for the zone of the service.
    package var zone: String?
    /// Whether times are in each device's own zone (`"zone":"device"`); the service's zone is used for devices without a known one.
    package var isPerDevice = false

    package init(_ kind: Kind, zone: String? = nil) {
        self.kind = kind
        self.zone = zone
    }

    package var isSingle: Bool { if case .single = kind { true } else { false } }
}

extension ScheduleTrigger {
    /// Parses the `trigger` of a schedule.
    ///
    /// - Throws: 8100, with the value found and the one expected.
    package init(json: JSONValue) throws(JPushError) {
        guard let object = json.object else { throw .scheduleWrongKind("trigger", json, expected: "an object") }
        switch (object["single"], object["periodical"]) {
        case (let single?, nil): kind = .single(try Self.single(single))
        case (nil, let periodical?): kind = .periodical(try Period(json: periodical))
        default: throw .badSchedule("'trigger' needs exactly one of 'single' and 'periodical'.")
        }
        guard let value = object["zone"] else { return }
        guard value != "device" else {
            isPerDevice = true
            return
        }
        guard let name = value.string, TimeZone(iana: name) != nil else {
            let expected = TimeZone.expectedName(insteadOf: value.string, such: "Europe/Berlin")
            throw .badSchedule("'trigger.zone' is \(value.text.prefix(80)); expected \"device\", or \(expected).")
        }
        zone = name
    }

    private static func single(_ value: JSONValue) throws(JPushError) -> WallTime {
        guard let object = value.object else {
            throw .scheduleWrongKind("trigger.single", value, expected: "an object")
        }
        return try wallTime("time", in: object, at: "trigger.single")
    }

    fileprivate static func wallTime(
        _ key: String,
        in object: JSONObject,
        at path: String
    ) throws(JPushError) -> WallTime {
        guard let value = object[key] else { throw .badSchedule("'\(path).\(key)' is missing.") }
        guard let time = value.string.flatMap(WallTime.init) else {
            throw .badSchedule("'\(path).\(key)' is \(value.text); expected \"YYYY-MM-DD HH:MM:SS\".")
        }
        return time
    }
}

extension ScheduleTrigger.Period {
    private static let path = "trigger.periodical"
    fileprivate static let weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]

    fileprivate init(json: JSONValue) throws(JPushError) {
        guard let object = json.object else { throw .scheduleWrongKind(Self.path, json, expected: "an object") }
        start = try ScheduleTrigger.wallTime("start", in: object, at: Self.path)
        end = try ScheduleTrigger.wallTime("end", in: object, at: Self.path)
        guard start <= end else { throw .badSchedule("'\(Self.path).end' comes before 'start'.") }
        guard end <= start.yearLater else {
            throw .badSchedule("'\(Self.path).end' is more than a year after 'start'.")
        }
        guard let time = object["time"]?.string.flatMap({ WallTime.secondOfDay($0) }) else {
            let found = object["time"]?.text ?? "missing"
            throw .badSchedule("'\(Self.path).time' is \(found); expected \"HH:MM:SS\".")
        }
        self.time = time
        guard let frequency = object["frequency"]?.jpushInteger, JPushLimits.scheduleFrequency.contains(frequency)
        else {
            let found = object["frequency"]?.text ?? "missing"
            throw .badSchedule("'\(Self.path).frequency' is \(found); expected 1 to 100.")
        }
        self.frequency = Int(frequency)
        let unit = object["time_unit"]
        switch unit?.string?.lowercased() {
        case "day":
            guard object["point"] ?? .null == .null else {
                throw .badSchedule("'\(Self.path).point' has no meaning with 'time_unit' \"day\"; leave it out.")
            }
            days = .daily
        case "week":
            days = .ofWeek(
                try Self.points(in: object, "\"MON\" to \"SUN\"") { text in
                    Self.weekdays.firstIndex(of: text.uppercased()).map { $0 + 1 }
                }
            )
        case "month":
            days = .ofMonth(
                try Self.points(in: object, "\"01\" to \"31\"") { text in
                    text.utf8.count == 2 && text.utf8.allSatisfy(\.isLetterOrDigit)
                        ? Int(text).flatMap { (1...31).contains($0) ? $0 : nil } : nil
                }
            )
        default:
            let found = unit?.text ?? "missing"
            throw .badSchedule("'\(Self.path).time_unit' is \(found); expected \"day\", \"week\" or \"month\".")
        }
    }

    private static func points(
        in object: JSONObject,
        _ expected: String,
        _ read: (String) -> Int?
    ) throws(JPushError) -> Set<Int> {
        let value = object["point"] ?? .null
        guard let members = value.array, !members.isEmpty else {
            throw .badSchedule("'\(path).point' is \(value.text); expected an array of \(expected).")
        }
        var points: Set<Int> = []
        for member in members {
            guard let point = member.string.flatMap(read) else {
                throw .badSchedule("'\(path).point' holds \(member.text); expected \(expected).")
            }
            points.insert(point)
        }
        return points
    }
}

extension ScheduleTrigger.Period.Days {
    /// The word of `time_unit`.
    package var unit: String {
        switch self {
        case .daily: "day"
        case .ofWeek: "week"
        case .ofMonth: "month"
        }
    }

    /// The words of `point`, in order.
    package var points: [String] {
        switch self {
        case .daily: []
        case .ofWeek(let days): days.sorted().map { ScheduleTrigger.Period.weekdays[$0 - 1] }
        case .ofMonth(let days): days.sorted().map { $0 < 10 ? "0\($0)" : "\($0)" }
        }
    }
}
