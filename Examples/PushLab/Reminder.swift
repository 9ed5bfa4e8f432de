import Foundation

/// A reminder and its trigger.
public struct Reminder: Hashable, Sendable {
    /// The id; a later reminder with the same id replaces this one.
    public var id: String
    public var text: String
    public var moment: Moment
    /// The destination of a tap; nil leaves the app on its page.
    public var link: URL?
    /// The category with its buttons, from iOS 8 on: `offer`, or `message` with a text to write; nil for none.
    public var category: String?
    /// A picture, sound or film to attach, from iOS 10 on. The system moves the file away, unless it is in the app's bundle.
    public var attachment: URL?

    public enum Moment: Hashable, Sendable {
        case now
        /// A number of seconds from now: above 0, and at least 60 if it repeats.
        case after(TimeInterval, repeats: Bool = false)
        /// The next date with these components: `DateComponents(hour: 8, weekday: 2)` is Monday at eight.
        case on(DateComponents, repeats: Bool = false)
        /// When entering a place, once or each time.
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

    public init(
        _ id: String,
        _ text: String,
        _ moment: Moment,
        link: URL? = nil,
        category: String? = nil,
        attachment: URL? = nil
    ) {
        self.id = id
        self.text = text
        self.moment = moment
        self.link = link
        self.category = category
        self.attachment = attachment
    }

    /// The data with which a notification is identified, and its link.
    var userInfo: [String: String] {
        var info = [Self.key: id]
        info[DeepLink.key] = link?.absoluteString
        return info
    }

    /// The id, in the notification's `userInfo`.
    static let key = "reminder"
}

/// The reason the system would not accept a reminder.
public enum ReminderProblem: Error, Hashable {
    /// The interval is not above 0, or repeats and is below 60 seconds: the system ends an app that requests it.
    case tooSoon(TimeInterval)
    /// Before iOS 10 a notification repeats only by one calendar unit, a minute to a year: the first Monday of each
    /// month is impossible.
    case noSuchPeriod
    /// The date has passed and does not recur.
    case past
    /// iOS 7 does not support places.
    case noPlaces
}
