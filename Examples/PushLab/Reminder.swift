import Foundation

/// Something to remember, and when.
public struct Reminder: Hashable, Sendable {
    /// A later reminder with the same takes the place of this one.
    public var id: String
    public var text: String
    public var moment: Moment
    /// Where a tap leads; nil leaves the app on its page.
    public var link: URL?
    /// Whose buttons it has, from iOS 8 on: `offer`, or `message` with a text to write; nil for none.
    public var category: String?

    public enum Moment: Hashable, Sendable {
        case now
        /// Seconds from now: above 0, and at least 60 if it repeats.
        case after(TimeInterval, repeats: Bool = false)
        /// When the calendar shows these components: `DateComponents(hour: 8, weekday: 2)` is Monday at eight.
        case on(DateComponents, repeats: Bool = false)
        /// On the way into a place, once or each time.
        case at(Place, repeats: Bool = false)
    }

    /// A circle on the map: degrees, and metres.
    public struct Place: Hashable, Sendable {
        public var latitude: Double
        public var longitude: Double
        public var radius: Double

        public init(latitude: Double, longitude: Double, radius: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.radius = radius
        }
    }

    public init(_ id: String, _ text: String, _ moment: Moment, link: URL? = nil, category: String? = nil) {
        self.id = id
        self.text = text
        self.moment = moment
        self.link = link
        self.category = category
    }

    /// By which a notification is found again, and where its tap leads.
    var userInfo: [String: String] {
        var info = [Self.key: id]
        info[DeepLink.key] = link?.absoluteString
        return info
    }

    /// The id, in the notification's `userInfo`.
    static let key = "reminder"
}

/// Why the system would not take a reminder.
public enum ReminderProblem: Error, Hashable {
    /// An interval is not above 0, or repeats and is below 60 seconds: the system ends an app that asks for it.
    case tooSoon(TimeInterval)
    /// Before iOS 10 a notification repeats by one unit of the calendar, a minute to a year, alone: there is no first Monday of
    /// each month.
    case noSuchPeriod
    /// The calendar never shows it again.
    case past
    /// iOS 7 knows no places.
    case noPlaces
}
