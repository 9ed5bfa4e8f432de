import Foundation

/// An app's work in the background that the system rations: the wakes by silent pushes, and the fetches.
struct BackgroundTime: Sendable {
    /// Whether the user lets pushes and fetches wake the app.
    var isAllowed = true
    /// The budget of silent wakes.
    var wakes = HourlyBudget()
    /// The newest silent push held for the budget, or until Low Power Mode ends.
    var heldPush: SilentPush?
    /// The shortest time between fetches, in seconds, as the app has set it; nil for no fetches, which is the default.
    private var fetchInterval: Double?
    /// The time from which the interval counts: the last fetch, or the end of the app's last time in the foreground.
    var lastFetch: Date?

    // MARK: Silent pushes

    /// The time from which the held push may wake the app; nil if none is held.
    func nextWake(from date: Date, limit: Int) -> Date? {
        heldPush == nil ? nil : wakes.next(from: date, limit: limit)
    }

    /// Holds a push; only the newest one is kept. Returns the one before.
    mutating func hold(_ push: SilentPush) -> SilentPush? {
        defer { heldPush = push }
        return heldPush
    }

    // MARK: Fetches

    /// The time of the next fetch; nil for none. Apple documents no shortest interval: 15 minutes are our decision.
    var nextFetch: Date? {
        guard let fetchInterval, let lastFetch else { return nil }
        return lastFetch.addingTimeInterval(max(fetchInterval, 900))
    }

    mutating func setFetchInterval(_ seconds: Double?, at date: Date) {
        fetchInterval = seconds
        lastFetch = lastFetch ?? date
    }
}
