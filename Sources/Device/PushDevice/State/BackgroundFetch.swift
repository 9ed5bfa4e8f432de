import Foundation

/// The background fetches of one app.
struct BackgroundFetch: Sendable {
    /// The shortest time between fetches, in seconds, as the app has set it; nil for no fetches, which is the default.
    var interval: Double?
    /// The time from which the interval counts: the last fetch, or the end of the app's last time in the foreground.
    var last: Date?
}
