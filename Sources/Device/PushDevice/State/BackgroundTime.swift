import Foundation

/// An app's work in the background that the system rations: the wakes by silent pushes, and the fetches.
struct BackgroundTime: Sendable {
    /// The interval over which wakes are counted, in seconds.
    static let budgetTime = 3600.0

    /// Whether the user lets pushes and fetches wake the app.
    var isAllowed = true
    /// The times of silent wakes, for its budget.
    private var wakes: [Date] = []
    /// The newest silent push held for the budget, or until Low Power Mode ends.
    private(set) var heldPush: SilentPush?
    /// The shortest time between fetches, in seconds, as the app has set it; nil for no fetches, which is the default.
    private var fetchInterval: Double?
    /// The time from which the interval counts: the last fetch, or the end of the app's last time in the foreground.
    private var lastFetch: Date?

    // MARK: Silent pushes

    mutating func wake(at date: Date) { wakes.append(date) }

    /// Whether one more silent push may wake the app; a limit of nil is none.
    func mayWake(at date: Date, limit: Int?) -> Bool {
        limit.map { limit in wakes.count { $0 > date.addingTimeInterval(-Self.budgetTime) } < limit } ?? true
    }

    /// The time from which the held push may wake the app; nil if none is held.
    func nextWake(from date: Date, limit: Int) -> Date? {
        guard heldPush != nil else { return nil }
        guard limit > 0, wakes.count >= limit else { return date }
        return wakes.sorted()[wakes.count - limit].addingTimeInterval(Self.budgetTime)
    }

    /// Holds a push; only the newest one is kept. Returns the one before.
    mutating func hold(_ push: SilentPush) -> SilentPush? {
        defer { heldPush = push }
        return heldPush
    }

    mutating func takeHeld() -> SilentPush? { heldPush.take() }

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

    /// Counts the interval from now.
    mutating func restartFetchInterval(at date: Date) { lastFetch = date }
}
