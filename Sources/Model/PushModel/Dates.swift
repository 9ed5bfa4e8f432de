package import Foundation
import Synchronization

extension Date.VerbatimFormatStyle {
    /// The form of dates in HTTP header fields: `Tue, 24 Nov 2026 08:00:00 GMT` (RFC 9110, section 5.6.7).
    package static let http = Self(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )
}

extension Date {
    /// Returns the date for a reader, with the offset of the zone: `2026-11-29T18:00:00+08:00`; in UTC, it ends with `Z`.
    package func text(in zone: TimeZone, milliseconds: Bool = false) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
            .time(includingFractionalSeconds: milliseconds).timeZone(separator: .colon)
        // The style truncates, and half of all milliseconds are slightly smaller as a `Date`.
        return style.format(milliseconds ? addingTimeInterval(0.0005) : self)
    }

    /// The time by which one task may be behind another that has read the clock after it, in seconds.
    private static let disorder: TimeInterval = 0.5

    /// Returns whether a window of a limit that began at this time is over.
    ///
    /// One that begins more than half a second after `now` is over, too: the clock was set back since, and the limit would stay reached for as
    /// long. A moment is no sign of that: of two tasks, the one that has read the clock first may come second.
    package func isOver(after length: TimeInterval, at now: Date) -> Bool {
        let age = now.timeIntervalSince(self)
        return age >= length || age < -Self.disorder
    }
}

extension TimeZone {
    /// The zone with an IANA name, such as `Asia/Shanghai`, `PRC` or `UTC`; nil for any other text.
    ///
    /// Foundation also takes the three-letter ids of old Java versions, which mean one of several zones that share an
    /// abbreviation: `CST` is Chicago there, and China's own time in China. Source: ICU, `timezone.txt`, read November 2026.
    package init?(iana name: String) {
        guard Self.abbreviations[name] == nil else { return nil }
        self.init(identifier: name)
    }

    /// Returns the same name for all IANA names of a zone, such as `Asia/Calcutta` and `Asia/Kolkata`; nil for a text that names none.
    ///
    /// UTC and GMT are one zone here, as in Foundation, which gives `UTC` the identifier `GMT`. The name is the zone's id in CLDR, whose
    /// aliases are the names that the IANA database links. Source: UTS #35, "Time Zone Identifiers".
    package static func commonName(of name: String) -> String? {
        guard let zone = TimeZone(iana: name) else { return nil }
        // Only names of zones are kept, of which there are about 600, and those of offsets in hours and minutes.
        return commonNames.withLock { known in
            if let common = known[zone.identifier] { return common }
            var style = zoneID
            style.timeZone = zone
            let id = Date(timeIntervalSince1970: 0).formatted(style)
            let common =
                switch id {
                case "utc": "gmt"
                case "unk": zone.identifier
                default: id
                }
            known[zone.identifier] = common
            return common
        }
    }

    private static let commonNames = Mutex<[String: String]>([:])

    private static let zoneID = Date.VerbatimFormatStyle(
        format: "\(timeZone: .identifier(.short))",
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )

    /// Returns the words of an error message about a text that is no zone: an abbreviation is answered with the names it may mean.
    package static func expectedName(insteadOf text: String?, such example: String = "Asia/Shanghai") -> String {
        let abbreviation = text?.uppercased() ?? ""
        guard let names = abbreviations[abbreviation] ?? abbreviationDictionary[abbreviation].map({ [$0] }) else {
            return "an IANA name such as \(example)"
        }
        return "an IANA name: '\(abbreviation)' may mean \(names.joined(separator: " or "))"
    }

    /// The ids that are no IANA names, with what each stands for: first in its usual sense.
    private static let abbreviations = [
        "ACT": ["Australia/Darwin", "America/Rio_Branco"], "AET": ["Australia/Sydney"],
        "AGT": ["America/Argentina/Buenos_Aires"], "ART": ["America/Argentina/Buenos_Aires", "Africa/Cairo"],
        "AST": ["America/Halifax", "Asia/Riyadh", "America/Anchorage"], "BET": ["America/Sao_Paulo"],
        "BST": ["Europe/London", "Asia/Dhaka"], "CAT": ["Africa/Maputo"], "CNT": ["America/St_Johns"],
        "CST": ["America/Chicago", "Asia/Shanghai", "America/Havana"], "CTT": ["Asia/Shanghai"],
        "EAT": ["Africa/Nairobi"], "ECT": ["America/Guayaquil", "Europe/Paris"],
        "IET": ["America/Indiana/Indianapolis"],
        "IST": ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"], "JST": ["Asia/Tokyo"], "MIT": ["Pacific/Apia"],
        "NET": ["Asia/Yerevan"], "NST": ["America/St_Johns", "Pacific/Auckland"], "PLT": ["Asia/Karachi"],
        "PNT": ["America/Phoenix"], "PRT": ["America/Puerto_Rico"], "PST": ["America/Los_Angeles", "Asia/Manila"],
        "SST": ["Pacific/Pago_Pago", "Pacific/Guadalcanal"], "VST": ["Asia/Ho_Chi_Minh"],
    ]
}

extension TimeZone {
    /// The offset from UTC at a time, such as `+08:00`.
    package func offset(at date: Date) -> String {
        let minutes = secondsFromGMT(for: date) / 60
        let digits = [abs(minutes) / 60, abs(minutes) % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (minutes < 0 ? "-" : "+") + digits.joined(separator: ":")
    }
}
